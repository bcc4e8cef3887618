"""The values that every room speaks: names, trees, expressions, rules, candidates, answers and errors.

Frozen values and pure functions of them. Nothing here parses, opens a file or searches.
"""
