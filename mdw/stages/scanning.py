"""SQL text -> what it does, without a store: reader, rules, folding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from mdw.language.derive import derive
from mdw.lineage.folding import ROWS, Folded, fold
from mdw.model.answers.scan import Scan, ScannedEntities, ScannedStep
from mdw.model.answers.statements import SqlStatement
from mdw.model.dictionary import NOTHING, DataDictionary, Told
from mdw.model.name import canonical, local_of, parts
from mdw.model.query import Query, SqlScript, Statement
from mdw.model.rules import Clause, Head, Rules, Source
from mdw.model.text import to_text
from mdw.model.tree import Location
from mdw.readers.blocks import mapping_of
from mdw.readers.files.glances import glance
from mdw.readers.files.namesakes import Namesakes
from mdw.readers.sql.entries import GivenSchema
from mdw.readers.sql.scripts import read_script


def scan_sql(
    sql: str,
    *,
    dialect: str = "ansi",
    schema: Mapping[str, Sequence[str]] | Told | None = None,
    defaults: str | Mapping[str, str] | None = None,
    file: str = "<sql>",
) -> Scan:
    """The column lineage of a text of SQL.

    ``schema`` has the columns of tables that are known, in order: ``{"sales.orders": ["id", "customer"]}``, with their
    types ``{"sales.orders": {"id": "INT"}}``, or it is a data dictionary (`Warehouse.dictionary`);
    ``defaults`` is the schema of names that have none: ``"sales"`` or ``{"database": "dw", "schema": "sales"}``.
    InputError if there is no such dialect; whatever cannot be read costs its statement only, and the statement says so.

    >>> [(step.source, step.target) for step in scan_sql("INSERT INTO t SELECT s.x AS a FROM s").steps]
    [('s.x', 't.a')]
    """
    known = GivenSchema(schema, dialect) if isinstance(schema, Mapping) else schema or NOTHING
    default = _default(defaults)
    own = Namesakes([(seen := glance(sql), (default,) if default else ())]).told(seen.reads | seen.makes)
    script = read_script(sql, file, dialect, DataDictionary(tuple(own), known), default)
    shown = _shown(script)
    steps = [step for statement in script.statements for block in statement.blocks for step in _steps(block, script)]
    folded = _spread(fold(steps, script.inner), script)
    told = [_step(step, shown) for step in folded]
    return Scan(
        tuple(dict.fromkeys(told)), tuple(_statement(one, shown) for one in script.statements), _entities(script, shown)
    )


def rules_of(block: Query) -> Rules:
    """The rules of a block."""
    return derive(mapping_of(block), block.name)


def _default(defaults: str | Mapping[str, str] | None) -> str:
    if not isinstance(defaults, Mapping):
        return defaults or ""
    return ".".join(defaults[key] for key in ("catalog", "database", "schema") if defaults.get(key))


# -- steps -------------------------------------------------------------------------------------------------------------


def _steps(block: Query, script: SqlScript) -> Iterator[Folded]:
    """The steps of a block: those of its values, and those that decide its rows."""
    rules = rules_of(block)
    head = rules.head
    rows = _rows_of(block, script)
    place = block.location
    under = (head.filter_text,) if head.filter_text else ()
    for source in head.sources:
        yield Folded(source.attribute, rows, source.subtype, under, place)
    for entity in dict.fromkeys((head.driving, *(join.entity for join in head.joins))):
        if entity in script.inner and entity != head.target:
            yield Folded(f"{entity}.{ROWS}", rows, "FILTER", under, place)
    for population in rules.populations:
        for clause in population.clauses:
            at = Location(head.file or (place.file if place else ""), clause.line, clause.column)
            for source in clause.sources:
                yield Folded(source.attribute, population.target, source.subtype, _conditions(clause, source, head), at)


def _conditions(clause: Clause, source: Source, head: Head) -> tuple[str, ...]:
    """What must be met for a source to be used."""
    test = to_text(source.test) if source.test is not None else ""
    return tuple(dict.fromkeys(one for one in (clause.text, test, head.filter_text) if one))


def _rows_of(block: Query, script: SqlScript) -> str:
    """The attribute that stands for the rows of a block: those of an inner entity are all alike."""
    target = canonical(block.target)
    return f"{target}.{ROWS}" if target in script.inner else f"{target}.`rows of {block.name}`"


def _spread(steps: Sequence[Folded], script: SqlScript) -> Iterator[Folded]:
    """What decides the rows of a block decides each of its columns."""
    columns = {
        _rows_of(block, script): [f"{canonical(block.target)}.{canonical(one.name)}" for one in block.outputs]
        for statement in script.statements
        for block in statement.blocks
    }
    for step in steps:
        if local_of(step.source) == ROWS:
            continue
        if step.target in columns:
            yield from (replace(step, target=name) for name in columns[step.target])
        else:
            yield step


# -- as people read it -------------------------------------------------------------------------------------------------


def _shown(script: SqlScript) -> Callable[[str], str]:
    """Canonical names in the spelling met first."""
    spelled = dict(script.spellings)

    def shown(name: str) -> str:
        return ".".join(spelled.get(part, part.strip("`")) for part in parts(name))

    return shown


def _step(step: Folded, shown: Callable[[str], str]) -> ScannedStep:
    several = len(step.conditions) > 1
    texts = [f"({one})" if several and " OR " in one else one for one in step.conditions]
    return ScannedStep(
        shown(step.source),
        shown(step.target),
        "direct" if step.direct else "indirect",
        step.subtype,
        " AND ".join(texts),
        step.location or Location("", 1, 1),
    )


def _statement(one: Statement, shown: Callable[[str], str]) -> SqlStatement:
    found = SqlStatement.of(one)
    target = shown(one.target) if one.target else ""
    reads, writes, deduced = (tuple(map(shown, names)) for names in (one.reads, one.writes, one.deduced))
    return replace(found, target=target, reads=reads, writes=writes, deduced=deduced)


def _entities(script: SqlScript, shown: Callable[[str], str]) -> ScannedEntities:
    read = dict.fromkeys(name for one in script.statements for name in one.reads if name not in script.inner)
    written = dict.fromkeys(name for one in script.statements for name in one.writes if name not in script.inner)
    return ScannedEntities(tuple(map(shown, read)), tuple(map(shown, written)))
