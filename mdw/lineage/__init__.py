"""From a question and the rules within its reach to an answer: where values come from, and what they feed.

    question ── what is asked, on which rows, how to read the rules ────────────────── steps.question
        │
    candidates ── the rules that navigation found: mappings, their populations ─────── mdw.model.candidates
        │
    steps ── one for each use of a source by a clause, numbered, in order ──────────── steps
        │
    rows ── what crossing one mapping makes of a condition ─────────────────────────── rows
        │
    judge ── which steps some row can pass ─────────────────────────────────────────── judge
        │                                    (all attributes at once: everything)
    reasons ── why none can pass the others, worked out when somebody asks ─────────── reasons
        │
    answer ── golden sources with conditions, steps kept, steps dropped and why ────── trace

Everything here is pure: no store, no text to be read, no clock, no order of a set. The same question with the same
candidates gives the same answer on every machine.

One small warehouse goes through the docstrings of all rooms. CORE.B is filled twice, and MART.C takes the rows of one
region only:

>>> from mdw.language.derive import derive
>>> from mdw.language.mapping import read
>>> from mdw.model.candidates import Candidates
>>> text = '''
... MAPPING eu: WHEN POPULATING CORE.B FROM SRC.A
...     POPULATE CORE.B.AMOUNT WITH SRC.A.AMOUNT
...     POPULATE CORE.B.REGION WITH SRC.A.REGION
... MAPPING us: WHEN POPULATING CORE.B FROM SRC.D
...     POPULATE CORE.B.AMOUNT WITH SRC.D.AMOUNT
...     POPULATE CORE.B.REGION WITH "US"
... MAPPING mart: WHEN POPULATING MART.C FROM CORE.B
...     POPULATE MART.C.AMOUNT WITH CORE.B.AMOUNT
...     SELECT ROWS WHERE CORE.B.REGION = "EU"
... '''
>>> trees = read(text).trees
>>> candidates = Candidates.of(map(derive, trees, ("eu", "us", "mart")))

Where does MART.C.AMOUNT come from? Followed by name it comes from both sources (*passive* lineage). But no row of
SRC.D can ever arrive: it goes under "US", and only "EU" passes. *Active* lineage says so, and under which condition
rows of SRC.A do arrive:

>>> from mdw.lineage.steps.question import Question
>>> from mdw.lineage.trace import trace_impact, trace_lineage
>>> passive = trace_lineage(Question("MART.C.AMOUNT", mode="passive"), candidates)
>>> [end.attribute for end in passive.golden]
['SRC.A.AMOUNT', 'SRC.D.AMOUNT']
>>> active = trace_lineage(Question("MART.C.AMOUNT"), candidates)
>>> [(end.attribute, end.condition, end.exact) for end in active.golden]
[('SRC.A.AMOUNT', 'SRC.A.REGION = "EU"', True)]

The step that went is not passed over: the answer names the rules that contradict each other.

>>> [dropped] = active.dropped
>>> dropped.step.source, [(reason.mapping, reason.condition) for reason in dropped.because]
('SRC.D.AMOUNT', [('us', 'CORE.B.REGION WITH "US"'), ('mart', 'CORE.B.REGION = "EU"')])

The same forwards is impact: what SRC.D.AMOUNT feeds ends at CORE.B.

>>> sorted(trace_impact(Question("SRC.D.AMOUNT"), candidates).reached)
['CORE.B.AMOUNT', 'SRC.D.AMOUNT']

Cost grows with the number of steps, never with the number of paths: a condition is carried across a step once, for
all paths that go through it. What is undecidable or too large is kept, and the answer says so: pruning never loses a
path that can carry a row. What the words mean stands in the ontology, a comment to each.
"""
