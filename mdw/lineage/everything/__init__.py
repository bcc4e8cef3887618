"""The lineage of all attributes at once, equal to asking for each of them alone.

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
>>> names = {f"{entity}.{own}" for entity in ("SRC.A", "SRC.D", "CORE.B", "MART.C") for own in ("AMOUNT", "REGION")}

In go rules, out comes one record for each populated attribute: its ends, without the ways.

>>> from mdw.lineage.everything.sweep import active, passive
>>> for record in sorted(active(candidates, names, policy=None), key=lambda record: record.attribute):
...     print(record.attribute, record.golden, [constant.value for constant in record.constants])
CORE.B.AMOUNT ('SRC.A.AMOUNT', 'SRC.D.AMOUNT') []
CORE.B.REGION ('SRC.A.REGION',) ['"US"']
MART.C.AMOUNT ('SRC.A.AMOUNT',) []

*Passive* is a question about a graph only: which ends lead to which nodes (`closure`). MART.C.AMOUNT has both sources:

>>> heads, populations = candidates.heads.values(), candidates.populations
>>> {record.attribute: len(record.golden) for record in passive(names, heads, populations)}["MART.C.AMOUNT"]
2

*Active* needs conditions, but asking for each attribute alone would cross the same mappings again and again. What
helps: a row of CORE.B counts for MART.C by its region only, and there only as "EU" or not. `passages` finds out what
is tested of rows further up, `cells` cuts them into the sets of rows that no test tells apart, the *states* of an
attribute. `meetings` and `states` relate the states on both sides of each step; `spread` then hands the ends on from
state to state, like `closure` from node to node. `sweep` has it all done, one connected part of the steps after the
other.

Cost: crossing mappings grows with the steps times the states of an attribute (a few, at most some thousands), spreading
with the steps times states times ends, a 64th of a machine word each. Where states become too many further ones are
weakened, and whoever meets them is marked *unsure*: such an attribute is asked for alone, or said to be undecided.
"""
