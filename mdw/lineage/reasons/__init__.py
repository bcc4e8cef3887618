"""Why a step was dropped: which rules keep every row from it, told so that they can be followed.

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
...     POPULATE MART.C.AMOUNT WITH CORE.B.AMOUNT POPULATE MART.C.REGION WITH CORE.B.REGION
...     SELECT ROWS WHERE CORE.B.REGION = "EU"
... '''
>>> candidates = Candidates.of(map(derive, read(text).trees, ("eu", "us", "mart")))
>>> from mdw.lineage.steps.question import Question
>>> from mdw.lineage.trace import trace_lineage
>>> [dropped] = trace_lineage(Question("MART.C.AMOUNT"), candidates).dropped

What is told first is a set of rules with which alone in force no row takes the step; without any one of them some row
does. They hold over all ways together, of which there may be very many:

>>> [(rule.mapping, rule.condition) for rule in dropped.because]
[('us', 'CORE.B.REGION WITH "US"'), ('mart', 'CORE.B.REGION = "EU"')]

Then come contradictions among them, so many that every way holds one. Each is a chain to be followed:

>>> [group] = dropped.groups
>>> [(link.kind, link.mapping, link.text) for link in group.chain]
... # doctest: +NORMALIZE_WHITESPACE
[('rule', 'us', 'CORE.B.REGION WITH "US"'),
 ('rule', 'mart', 'CORE.B.REGION = "EU"'),
 ('contradiction', '', 'REGION = "US" and REGION = "EU"')]

`rule` names the rules, `force` crosses steps with some of them in force, `course` says where the ways of a step run and
`ways` searches them. `explain` finds the rules, `chain` follows them, `tell` makes them part of the answer, once
somebody asks for them. `sentences` has what the rules say of the rows of a way, and `scripts` puts it to solvers that
know nothing of all this. Work is counted; where it does not do, what is told is true but not said to be `complete`.
"""
