"""Values that do not arrive though their rows meet every condition: others are taken, or what was written is changed.

    SELECT MAX(v) FROM s GROUP BY k         of each K one V arrives, the others do not
    SELECT LAG(v) OVER (ORDER BY d) FROM s  the V of the last row is shown nowhere
    SELECT s.v FROM s CROSS JOIN p          nothing arrives where P is empty
    INSERT INTO t ...; DELETE FROM t ...    some rows are taken away again

A value arrives where what is computed of it does: SUM takes in each row, and ``v || t`` each V, be the result NULL. Of
several values one function gives one, MAX, LAG or GREATEST, the others do not arrive. A value that is there twice
arrives once for both, so DISTINCT leaves nothing out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from mdw.lineage.rows.others import alone
from mdw.lineage.rows.universe import Universe
from mdw.lineage.rows.unknowns import read_by
from mdw.lineage.steps.graph import Edge, Graph
from mdw.model.expressions import Aggregate, Attr, Call, Condition, Const, Expression, Window
from mdw.model.functions import whose
from mdw.model.name import entity_of, local_of
from mdw.model.passing import is_star
from mdw.model.query import ONE_ROW
from mdw.model.quoting import Quoting
from mdw.model.rules import DIRECT, Head, Population
from mdw.model.walks import attributes_of, parts, walk

LISTS = frozenset(
    """
    GROUP_CONCAT STRING_AGG LISTAGG ARRAY_AGG LIST ARRAY_CONCAT_AGG ARRAY_UNIQUE_AGG COLLECT_LIST COLLECT_SET
    JSON_ARRAY_AGG JSON_ARRAYAGG JSONB_AGG JSON_AGG XMLAGG XML_AGG HISTOGRAM
    """.split()  # noqa: SIM905
)
"""Aggregations of whose value a function may take a part: SPLIT_PART(STRING_AGG(v, ','), ',', 1)."""
WHOLE = LISTS | frozenset(
    """
    SUM AVG COUNT TOTAL COUNT_IF FSUM FAVG PRODUCT STDDEV STDDEV_POP STDDEV_SAMP VARIANCE VARIANCE_POP VAR_POP VAR_SAMP
    COVAR_POP COVAR_SAMP CORR SKEWNESS KURTOSIS BITWISE_AND_AGG BITWISE_OR_AGG BITWISE_XOR_AGG BIT_AND BIT_OR BIT_XOR
    LOGICAL_AND LOGICAL_OR BOOL_AND BOOL_OR EVERY APPROX_DISTINCT APPROX_COUNT_DISTINCT HLL
    """.split()  # noqa: SIM905
)
"""Aggregations to whose value each row of the group adds its own."""
LEAVING_WHOLE = frozenset(
    """
    COALESCE CONCAT UPPER LOWER INITCAP TRIM LTRIM RTRIM REPLACE TRANSLATE MD5 ARRAY_TO_STRING ARRAY_JOIN ARRAY_SORT
    SORT_ARRAY LIST_SORT ARRAY_DISTINCT LIST_DISTINCT ARRAY_CAT ARRAY_CONCAT TO_JSON TO_JSON_STRING IGNORENULLS
    RESPECTNULLS VALUE TRY_CAST
    """.split()  # noqa: SIM905
)
"""Functions that leave no part of a list out."""
PUT_TOGETHER = frozenset(
    """
    STRUCT NAMED_STRUCT STRUCT_PACK ROW ARRAY LIST_VALUE ARRAY_CONSTRUCT MAP MAP_FROM_ARRAYS MAP_FROM_ENTRIES OBJECT
    OBJECT_CONSTRUCT OBJECT_CONSTRUCT_KEEP_NULL JSON_OBJECT JSON_ARRAY JSON_BUILD_OBJECT JSONB_BUILD_OBJECT
    JSON_BUILD_ARRAY JSONB_BUILD_ARRAY TUPLE
    """.split()  # noqa: SIM905
)
"""Functions that make one value of several, of which others may take one again."""
EACH = frozenset(("ELEMENT", "UNNEST", "EXPLODE", "FLATTEN", "GENERATE_SUBSCRIPTS"))
"""Functions that give all that is in a list, each in a row of its own."""
ONE_OF_SEVERAL = frozenset(("GREATEST", "LEAST"))
"""Functions that give one of the values they are given."""
COUNTED = re.compile(r" \((\d+)\)\Z")
OVER = "OVER_"
"""What the names of aggregations of aggregations begin with."""


class Leaving:
    """What leaves values out on the ways of one question, each as a text that an answer shows."""

    def __init__(self, graph: Graph, universe: Universe) -> None:
        self._graph = graph
        self._universe = universe
        self.quoting = Quoting(graph.heads.values())
        self._changing: dict[str, dict[str, Head]] = {}
        for head in (*graph.candidates.changes, *graph.heads.values()):
            if head.update:
                self._changing.setdefault(head.target, {})[head.mapping] = head

    def by_rules(self, head: Head) -> Iterator[str]:
        """What leaves out whole rows that a mapping reads."""
        if head.picks:
            yield f"which rows of {read_by(head)} are taken"
        for join in head.joins:
            if not self.quoting.tells(join.entity):
                yield f"which rows {join.entity} has"

    def by_step(self, edge: Edge) -> Iterator[str]:
        """What leaves out values that a step takes."""
        head = self._graph.heads[edge.population.mapping]
        expression = edge.population.clauses[edge.clause].expression
        # INSERT INTO t (a, b) SELECT * FROM s: A is any of what S has (rule Q22).
        if isinstance(expression, Call) and expression.function == "*" and not is_star(edge.target):
            yield f"which of the attributes of {entity_of(edge.source)} it is"
        if not isinstance(expression, (Attr, Const)):
            name = f"{edge.row}.{local_of(edge.source)}"
            yield from _taken(expression, name, head)
            if _takes_part(expression, name) and self._put_together(edge.source):
                yield f"which of several values in {edge.source} is taken"
        if head.joins:
            yield from self._crossed(edge, head)
            if edge.row != head.row and not self.quoting.tells(head.driving):
                yield f"which rows {head.driving} has"
            if head.update and edge.row != head.row:
                yield f"which row of {read_by(head)} is taken where several fit"

    def _put_together(self, attribute: str) -> bool:
        """Whether an attribute holds several values in one, however often it was copied since."""
        met, pending = {attribute}, [attribute]
        while pending:
            for population in self._graph.populations.get(pending.pop(), ()):
                for clause in population.clauses:
                    if any(_several(one) for one in walk(clause.expression)):
                        return True
                    if isinstance(clause.expression, Attr):
                        new = {source.attribute for source in clause.sources if source.subtype == "IDENTITY"} - met
                        met |= new
                        pending += new
        return False

    def _crossed(self, edge: Edge, head: Head) -> Iterator[str]:
        """Rows joined by no condition, of which there may be none."""
        crossed = {join.row: join.entity for join in head.joins if join.kind == "cross"}
        if edge.row in crossed:
            crossed[head.row] = head.driving
        for row, entity in crossed.items():
            if row != edge.row and not self._never_empty(entity):
                yield f"whether there are rows of {entity} to join"

    def _never_empty(self, entity: str) -> bool:
        """Whether an entity has a row whatever others have: one of no table's, or an aggregation of all rows."""
        return entity == ONE_ROW or any(
            (head.group == () and head.having is None and not head.picks)
            or (head.driving == ONE_ROW and not head.joins and head.group is None and head.filter is None)
            for head in self._graph.into.get(entity, ())
        )

    def by_changes(self, attribute: str, edge: Edge | None, reading: Collection[Edge]) -> Iterator[str]:
        """The changes of what stands in an attribute, none before the step that wrote it or after all that read it."""
        graph = self._graph
        own = graph.heads[edge.population.mapping] if edge is not None else None
        readers = [graph.heads[one.population.mapping] for one in reading]
        if (
            edge is not None
            and own is not None
            and runs(own)
            and readers
            and all(
                runs(one) and one.file == own.file and not _before(own, one) and not _ahead(edge, its, own, one)
                for its, one in zip(reading, readers, strict=True)
            )
        ):
            yield _whether_run(own)
        for head in self._changing.get(entity_of(attribute), {}).values():
            if own is not None and (head.mapping == own.mapping or _before(head, own)):
                continue
            if readers and all(runs(one) and _before(one, head) for one in readers):
                continue
            # A change carries what it does not set; a deletion sets and carries nothing.
            filled = graph.filled.get(head.mapping, {})
            if not filled and head.policy is None:
                yield _whether_run(head) if _of_all(head) else f"which rows {head.place} takes away"
            elif any(self._counts(one, attribute, head) for one in filled.values()):
                yield _whether_run(head) if _of_all(head) else f"which rows {head.place} changes"

    def _counts(self, one: Population, attribute: str, head: Head) -> bool:
        """Whether it matters to rows of an attribute that a change fills some attribute of theirs."""
        if one.copied == f"{head.row}.{local_of(one.target)}":
            return False
        if one.target != attribute:
            return self._universe.knows(one.target)
        # `SET v = v || 'x'` leaves the value in it.
        kept = (attribute, head.row)
        return not all(
            kept in [(source.attribute, source.read_from) for source in clause.sources if source.subtype in DIRECT]
            for clause in one.clauses
        )


def _taken(expression: Expression, name: str, head: Head) -> Iterator[str]:
    """Where of several values one is taken on the way from an attribute to what an expression gives."""
    pending: list[Expression | Condition] = [expression]
    while pending:
        one = pending.pop()
        # What stands beside the attribute takes nothing away.
        if isinstance(one, (Attr, Const)) or name not in attributes_of(one):
            continue
        match one:
            case Window(function, _):
                taking = function.function if isinstance(function, (Aggregate, Call)) else ""
                if name in attributes_of(function) and taking.removeprefix(OVER) not in WHOLE:
                    yield f"of which row of {read_by(head)} {taking} gives the value"
                pending += parts(function)
                continue
            case Aggregate(function, argument) if function not in WHOLE:
                # The greatest key is the key, and the greatest of one is that one.
                if not (alone(head) or (argument in (head.group or ()) and not head.sets)):
                    yield f"of which row of {read_by(head)} {function} gives the value"
            case Call(function, arguments) if _one_of(function, arguments) or _part_of(one, name):
                yield "which of several values is taken"
        pending += parts(one)


def _several(one: Expression | Condition) -> bool:
    """Whether something is several values in one: a struct, an array, a list of what rows have."""
    if isinstance(one, Aggregate):
        return one.function in LISTS
    return isinstance(one, Call) and one.function in PUT_TOGETHER


def _takes_part(expression: Expression, name: str) -> bool:
    """Whether an expression may take a part of what an attribute holds."""
    calls = (one for one in walk(expression) if isinstance(one, Call) and name in attributes_of(one))
    return any(
        one.function not in LEAVING_WHOLE | PUT_TOGETHER
        and not one.function.startswith("CAST AS ")
        and (one.function not in EACH or len(one.arguments) > 1)
        for one in calls
    )


def _one_of(function: str, arguments: Sequence[Expression]) -> bool:
    """Whether a function gives one of several values: GREATEST(v, t), LIST(v)[1], [v, t][k].

    A column that several tables may have stands for one of theirs (rule Q23).
    """
    if whose(Call(function, tuple(arguments))):
        return True
    if function == "ELEMENT":
        return len(arguments) > 1
    if function.startswith("FIELD "):
        return not isinstance(arguments[0], Attr)
    return function in ONE_OF_SEVERAL


def _whether_run(head: Head) -> str:
    return f"whether {head.place} has run when its rows are read"


def _of_all(head: Head) -> bool:
    """Whether a change is of all rows: no test tells those that it leaves as they are."""
    return not head.joins and (head.filter is None or not [*attributes_of(head.filter)])


def runs(head: Head) -> bool:
    """Whether a mapping surely reads where it stands, as INSERT does: a view looks again each time it is asked.

    Only what runs says what becomes of attributes that it does not name.
    """
    return head.update or head.policy in ("closed", "open")


def _part_of(call: Call, name: str) -> bool:
    """Whether a function may take a part of a list that an attribute's values stand in."""
    if call.function in LEAVING_WHOLE or call.function.startswith("CAST AS "):
        return False
    lists = (one for one in walk(call) if isinstance(one, Aggregate) and one.function in LISTS)
    return any(name in attributes_of(one) for one in lists)


def _before(head: Head, other: Head) -> bool:
    """Whether a mapping stands before another one of its file; those into one entity are counted as they stand."""
    if head.file != other.file:
        return False
    return (head.line, _count(head)) < (other.line, _count(other) if head.target == other.target else 0)


def _ahead(edge: Edge, other: Edge, head: Head, later: Head) -> bool:
    """Whether of steps of two mappings that begin on one line the first stands before the other there."""
    one, two = edge.population.clauses[edge.clause], other.population.clauses[other.clause]
    return head.line == later.line and one.column > 0 and (one.line, one.column) < (two.line, two.column)


def _count(head: Head) -> int:
    """Which of the mappings into its entity it is: 2 of "load.sql:t (2)"."""
    found = COUNTED.search(head.mapping)
    return int(found[1]) if found else 1
