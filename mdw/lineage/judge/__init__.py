"""Which steps of one question some row can pass, and under which conditions.

The small warehouse of `mdw.lineage`, in which SRC.D goes under "US" and only "EU" passes further down:

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

A `Judgement` says of each step whether a row takes it on its way to the question:

>>> from mdw.lineage.judge.judge import judge_back
>>> from mdw.lineage.steps.graph import Graph
>>> from mdw.lineage.steps.question import Budget, Question
>>> graph = Graph.of(candidates)
>>> judgement = judge_back(graph, Question("MART.C.AMOUNT"))
>>> eu, us = graph.incoming["CORE.B.AMOUNT"]
>>> judgement.verdicts.keeps(eu), judgement.verdicts.keeps(us)
(True, False)

Of an end it says which rows arrive:

>>> end = judgement.end("SRC.A.AMOUNT")
>>> end.condition, end.exact, end.witness
('SRC.A.REGION = "EU"', True, (('SRC.A.REGION', 'EU'),))

To be exact is hard in general, so there are three tiers, each of which never drops what can
be passed:

1. `exact` (and `forward` for impact): the conditions of all ways merged by OR into one diagram, step by step. Cost
   grows with the steps, as long as the diagram stays under its limit of nodes.
2. `bounds`: per attribute one box around all that arrives, and some boxes of rows that do arrive. What the first
   excludes is dropped, what lets one of the second pass is kept. Cost: steps times boxes kept.
3. `search`: what neither decides, one step at a time, within a budget. Where a step is undecided even so, the diagram
   is tried once more over the steps kept; else it stays undecided, which means kept.

They look from the question up: which steps rows could take towards it. A step is kept only if one of these rows comes
from an end, so what they let pass is looked at once more, from each step up: by `upwards` with exact conditions, by
`ascent` with boxes. Both look for one way up (`seeking`). Cost: a crossing for each pair of attribute and condition.

Without nodes for a diagram the second tier answers, here the same:

>>> bounded = judge_back(graph, Question("MART.C.AMOUNT", budget=Budget(nodes=0)))
>>> bounded.verdicts.kept == judgement.verdicts.kept, bounded.end("SRC.A.AMOUNT").condition
(True, 'SRC.A.REGION = "EU"')

`start` reads the question, `judge` and `impact` go through the tiers, `judgement` holds what they found; `show` and
`naming` write conditions for people.
"""
