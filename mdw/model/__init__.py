"""The values that every room speaks: names, trees, expressions, rules, candidates, answers and errors.

Every stage takes values of this room and returns values of this room:

    name          'CORE.PARTY.REGION'                    a canonical string
    tree          Node("attribute", "CORE.PARTY.REGION") what a text looks like
    expressions   Attr("CORE.PARTY.REGION")              what it means
    rules         Population(mapping, target, clauses)   what a mapping does
    candidates    Candidates(heads, populations, ...)    what a question needs of a warehouse
    answers       Lineage(golden, steps, dropped, ...)   what comes back

None is ever changed, and functions of them are pure. What is made by the thousand is `fixed`, which the type checker
sees to, all else is frozen. Nothing here parses, opens a file or searches, and nothing is imported from other rooms.
"""
