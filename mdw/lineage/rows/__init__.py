"""What crossing one mapping makes of a condition on rows, backwards from target to source, and of a box forwards.

The last two mappings of the warehouse in `mdw.lineage`, between which a row is lost:

>>> from mdw.language.derive import derive
>>> from mdw.language.mapping import read
>>> from mdw.model.candidates import Candidates
>>> text = '''
... WHEN POPULATING CORE.B FROM SRC.A
...     POPULATE CORE.B.AMOUNT WITH SRC.A.AMOUNT POPULATE CORE.B.REGION WITH SRC.A.REGION
... WHEN POPULATING CORE.B FROM SRC.D
...     POPULATE CORE.B.AMOUNT WITH SRC.D.AMOUNT POPULATE CORE.B.REGION WITH "US"
... WHEN POPULATING MART.C FROM CORE.B
...     POPULATE MART.C.AMOUNT WITH CORE.B.AMOUNT SELECT ROWS WHERE CORE.B.REGION = "EU"
... '''
>>> candidates = Candidates.of(map(derive, read(text).trees, ("eu", "us", "mart")))

`universe` first: attributes that are copied from one another or compared are one class and share its regions, so that
a condition crosses a copy without being rewritten. Only what conditions speak of counts, here REGION:

>>> from mdw.lineage.rows.universe import Universe
>>> from mdw.lineage.steps.graph import Graph
>>> graph = Graph.of(candidates)
>>> universe = Universe(graph, asked=[])
>>> universe.known(), universe.number("CORE.B.REGION") == universe.number("SRC.A.REGION")
(['CORE.B.REGION', 'SRC.A.REGION'], True)

`crossing` then carries conditions, numbers of one diagram, across one mapping after the other. Nothing is asked of
the row of MART.C (1 is TRUE), so of the row of CORE.B only what the filter asks:

>>> from mdw.conditions.diagram import Diagram
>>> from mdw.lineage.rows.crossing import Crossing
>>> crossing = Crossing(graph, universe, Diagram(limit=1000), policy=None)
>>> [mart] = graph.incoming["MART.C.AMOUNT"]
>>> at_core = crossing.back(1, mart)
>>> from mdw.model.expressions import Const
>>> region = crossing.row("CORE.B.REGION").number
>>> crossing.diagram.edges(at_core) == (region, ((1, crossing.regions(region).compare("=", Const("string", "EU"))[0]),))
True

One step further up, what fills REGION is put in its place. A copy leaves the condition as it is, the very same
number. "US" for REGION in ``REGION = "EU"`` gives 0, FALSE: no row passes.

>>> eu, us = graph.incoming["CORE.B.AMOUNT"]
>>> crossing.back(at_core, eu) == at_core
True
>>> crossing.back(at_core, us)
0

The rest of the room: `view`, the ways a row comes about where joins may find a partner or not; `joining`, what is seen
of the rows read, and what joins ask of them; `others`, rows of the same group or partition; `rows`, what the rules
of a mapping let through and put into each attribute, as one such view sees them, `marks` where they ask EXISTS beside
other things; `layout` and `boxes`, the same for
products of value sets, which know less and cost next to nothing; `existing`, boxes around the rows that can exist in
each entity, which bound what mappings join.

Cost of one crossing: the nodes of the condition times the alternatives of what is put in; a mapping without joins has
one view, one with n outer joins that conditions mention up to 2 to the n. Conditions crossed before are remembered.
"""
