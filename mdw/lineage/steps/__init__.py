"""Candidates as steps: numbered, by their ends, and in an order in which conditions can travel.

The small warehouse of `mdw.lineage`:

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

A step is one use of a source by one clause, an `Edge` of the `Graph`. Its number is its name in everything that is
found out about it; its row is the row of the mapping that the source is read from:

>>> from mdw.lineage.steps.graph import Graph
>>> graph = Graph.of(candidates)
>>> for edge in graph.incoming["MART.C.AMOUNT"] + graph.incoming["CORE.B.AMOUNT"]:
...     print(edge.number, edge.source, "->", edge.target, "by", edge.population.mapping, "from a row of", edge.row)
0 CORE.B.AMOUNT -> MART.C.AMOUNT by mart from a row of CORE.B
1 SRC.A.AMOUNT -> CORE.B.AMOUNT by eu from a row of SRC.A
2 SRC.D.AMOUNT -> CORE.B.AMOUNT by us from a row of SRC.D

A constant has no source, yet it too comes with a row that must pass, so it is a step as well:

>>> [(edge.number, edge.target, edge.row) for edge in graph.written["CORE.B.REGION"]]
[(3, 'CORE.B.REGION', 'SRC.D')]

Steps are made when they are asked for. REGION only decides here: nobody follows it, so no step leads to it.

The order: an attribute's turn comes when all it feeds have had theirs. Attributes that feed one another in a circle
share a group:

>>> from mdw.lineage.steps.order import groups
>>> groups("MART.C.AMOUNT", lambda name: [edge.source for edge in graph.incoming[name]])
[['MART.C.AMOUNT'], ['CORE.B.AMOUNT'], ['SRC.D.AMOUNT'], ['SRC.A.AMOUNT']]

Cost: time and memory with the number of steps made.
"""
