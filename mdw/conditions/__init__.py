"""Conditions as values: which can hold together, and what becomes of one where a mapping puts values into it.

Each part uses those before it:

- `kinds`, `patterns` and `cuts`: of what kind values may be, what LIKE says, how constants part values.
- `spellings`: which texts some collation of a database takes for one another.
- `stretches`: which regions compare alike with a constant, so that of thousands not each is asked.
- `regions`: the constants that conditions mention cut the values of an attribute into a few regions; a set of values
  is an integer with one bit per region.
- `diagram`: AND, OR and NOT of "this variable lies in that set"; a condition is a number, equal conditions are equal
  numbers, 0 is FALSE and 1 is TRUE.
- `linear`: arithmetic on one value, ``LIMIT / 2 > 5`` is ``LIMIT > 10``.
- `functions` and `joined`: what UPPER, SUBSTR, ROUND and such make of constants, what is sure of texts put together.
- `values`: what an expression is worth where some of its attributes are known.
- `terms`, with `comparisons` and `relations`: conditions of the model read into a diagram. What sets of values cannot
  say becomes an atom (`atoms`), a variable of its own: ``AMOUNT > LIMIT`` is one.
- `line`, `formulas` and `solver`: whether atoms can hold together, told to Z3 and decided by it.
- `cover`, `tree`, `minimal` and `wording`: the way back, from a number to products of value sets, to a tree of AND and
  OR, to one from which nothing can go, to a condition that people read.
- `sentences` and `smtlib` stand apart: what rules say, for any solver, with no diagram between.

The small warehouse of `mdw.lineage` has a mapping that lets pass ``REGION = "EU"`` and one that writes "US". Two
constants make three regions; with NULL in bit 0 that is four bits:

>>> from mdw.conditions.cuts import Usage
>>> from mdw.conditions.regions import Regions
>>> from mdw.model.expressions import Attr, Compare, Const, Variable
>>> eu, us = Const("string", "EU"), Const("string", "US")
>>> regions = Regions(Usage({eu, us}))
>>> [region.point or "any other" for region in regions.regions]
['EU', 'US', 'any other']
>>> bin(regions.bit(eu)), bin(regions.bit(us)), bin(regions.domain)
('0b10', '0b100', '0b1111')

A diagram numbers the variables and the conditions on them. A condition is read twice at once: on which rows it is
true and on which it is false. Where REGION is NULL it is neither, so "false" is less than "not true":

>>> from mdw.conditions.diagram import Diagram
>>> from mdw.conditions.terms import Terms
>>> diagram = Diagram(limit=1000)
>>> region = diagram.variable("REGION", regions.domain)
>>> terms = Terms(diagram, {region: regions}.__getitem__)
>>> def of_row(symbol):
...     return Variable(region)
>>> passes, fails = terms.read(Compare("=", Attr("CORE.B.REGION"), eu), of_row)
>>> diagram.both(passes, diagram.allow(region, regions.bit(us)))
0
>>> known = diagram.either(passes, fails)
>>> known == 1, diagram.either(passes, diagram.negate(passes)) == 1
(False, True)

The 0 is the whole point: no row that the one mapping wrote passes the other. And back into words:

>>> from mdw.conditions.cover import Cover
>>> from mdw.conditions.tree import factored
>>> from mdw.conditions.wording import values_condition
>>> from mdw.model.text import to_text
>>> def shown(node):
...     literal = factored([dict(cube) for cube in Cover(diagram).cubes(node)])
...     return to_text(values_condition(Attr("REGION"), literal.mask, regions))
>>> shown(passes), shown(known)
('REGION = "EU"', 'REGION IS NOT NULL')

Atoms are apart for the diagram, so it does not see that these three cannot hold together; the solver does:

>>> from mdw.conditions.solver import Solver
>>> numbers = Regions(Usage(ordered=True))
>>> all_numbers = {diagram.variable(name, numbers.domain): numbers for name in ("AMOUNT", "LIMIT", "FLOOR")}
>>> amount, limit, floor = map(Variable, all_numbers)
>>> terms, circle = Terms(diagram, all_numbers.__getitem__), 1
>>> for left, right in ((amount, limit), (limit, floor), (floor, amount)):
...     circle = diagram.both(circle, terms.read(Compare(">", left, right), lambda one: one)[0])
>>> circle == 0, Solver(diagram, all_numbers.__getitem__).check(circle)
(False, 'contradictory')

Cost: AND and OR take time with the product of the nodes on both sides, mostly far less, and nothing is worked out
twice. A diagram may need exponentially many nodes where many independent attributes meet:
beyond its limit it raises `TooLargeError` and whoever asked goes on with less. Z3 counts its effort and may say that it
does not know, which is never read as a contradiction.
"""
