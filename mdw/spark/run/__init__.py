"""Java for Spark, what goes wrong with it, and what is told while it works.

Machines come without Java, with an old one, or with a trimmed one that lacks modules Spark asks for; each of these
works or says in one line what to do.
"""
