"""Registers how results show themselves when printed and in notebooks; imported for that alone.

The renderers themselves are imported when something is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from mdw.model.answers.answer import Impact, Lineage
from mdw.model.answers.display import PRE, as_html, as_text
from mdw.model.answers.explained import ExplainedStatement
from mdw.model.answers.report import Report
from mdw.model.answers.results import Attribute, CheckReport, Entity, Hits, LoadReport, Matches, Parameters, Table
from mdw.model.answers.scan import Scan
from mdw.model.answers.statements import SqlStatement
from mdw.model.dictionary import AttributeEntry, EntityEntry
from mdw.model.errors import how_many
from mdw.model.files import SqlFile
from mdw.model.name import local_of
from mdw.render.spoken import spoken
from mdw.render.statements import report_text, understood
from mdw.render.table import columns
from mdw.render.words import HOW, count, place

FEW = 10
"""Statements that are told by themselves."""
KINDS: Mapping[str, str] = dict(HOW.items())
"""What steps do, by what they are called; "" where that is to copy."""
MOST = 100
"""Attributes, or mappings, that are listed."""


@as_text.register(Lineage)
@as_text.register(Impact)
def _(answer: Lineage | Impact) -> str:
    from mdw.render.text import answer_text

    return answer_text(answer).rstrip("\n")


@as_html.register(Lineage)
@as_html.register(Impact)
def _(answer: Lineage | Impact) -> str:
    from mdw.render.html import answer_html

    return answer_html(answer)


@as_text.register
def _(report: LoadReport) -> str:
    read = count(report.mappings, "mapping")
    parts = [f"{report.loaded:,} new", f"{report.replaced:,} replaced", f"{report.unchanged:,} unchanged"]
    if report.statements:
        parts.append(count(report.statements, "other statement"))
    if report.removed:
        parts.append(f"{len(report.removed):,} removed")
    errors = f"; {count(how_many(report.errors), 'error')}" if report.errors else ""
    said = f"{read} in {report.seconds:.1f} s: {', '.join(parts)}{errors}"
    return said + _removed(report.removed) + _understood(report.sql) + _files(report.files, report.notes)


@as_text.register
def _(report: CheckReport) -> str:
    said = f"{count(report.mappings, 'mapping')}, {count(how_many(report.errors), 'error')}"
    return said + _understood(report.sql) + _files(report.files, report.notes)


def _understood(sql: Sequence[SqlStatement]) -> str:
    """How much of SQL was understood, and of what was not the first statements with the reason."""
    if not sql:
        return ""
    lines = [f"\n{understood(sql)}"]
    unclear = [one for one in sql if one.status in ("partial", "opaque")]
    lines += [f"  {place(one.location)} {one.status}: {one.message}" for one in unclear[:FEW]]
    if len(unclear) > FEW:
        lines.append(f"  and {len(unclear) - FEW:,} more; mdw report sums them up, --format json names all")
    return "\n".join(lines)


def _removed(names: Sequence[str]) -> str:
    """What was taken out of the store."""
    if not names:
        return ""
    more = f" and {len(names) - FEW:,} more" if len(names) > FEW else ""
    return f"\n  removed: {', '.join(names[:FEW])}{more}"


def _files(files: Sequence[SqlFile], notes: Sequence[str]) -> str:
    """In which dialects files were read, by what that was told, and what else is to be said of them."""
    lines = []
    unchanged = sum(one.unchanged for one in files)
    if unchanged:
        lines.append(f"{count(unchanged, 'file')} of SQL unchanged")
    by_dialect: dict[str, list[SqlFile]] = {}
    for one in files:
        if not one.unchanged and one.because != "told":
            by_dialect.setdefault(one.dialect, []).append(one)
    for dialect, some in by_dialect.items():
        # What a file's own text shows says more than that it is like the others.
        first = min(some, key=lambda one: ", line " not in one.because)
        lines.append(f"{count(len(some), 'file')} read as {dialect}: {first.file} because of {first.because}")
    for encoding in sorted({one.encoding for one in files if one.encoding.endswith("assumed")}):
        some = [one for one in files if one.encoding == encoding]
        lines.append(
            f"{count(len(some), 'file')} read as {encoding.partition(',')[0]}, not being UTF-8: {some[0].file}"
        )
    lines += notes[:FEW]
    if len(notes) > FEW:
        lines.append(f"and {len(notes) - FEW:,} notes more; --format json names all")
    return "".join(f"\n{line}" for line in lines)


@as_text.register
def _(report: Report) -> str:
    return report_text(report)


@as_text.register
def _(found: ExplainedStatement) -> str:
    from mdw.render.explaining import explanation_text

    return explanation_text(found)


@as_text.register
def _(found: Attribute) -> str:
    told, at = found.told, found.name
    lines = [f"{at}{f'  {told.type}' if told and told.type else ''}", *_meant(told, found.terms)]
    lines += _list("filled by", found.mappings or ["no mapping"])
    for title, some in (("fed by", found.fed_by), ("feeds", found.feeds)):
        other = [one.source if title == "fed by" else one.target for one in some]
        steps = zip(other, some, strict=True)
        lines += _list(title, [f"{name}  {KINDS.get(one.how) or 'copied'}  by {one.mapping}" for name, one in steps])
    return "\n".join(lines)


@as_text.register
def _(found: Entity) -> str:
    told = found.entry
    lines = [f"{found.name}{f'  {told.kind}' if told and told.kind else ''}", *_meant(told, found.terms)]
    types = {one.name: one.type for one in told.attributes} if told else {}
    lines += _list(
        "attributes", [f"{local_of(one)}  {types.get(local_of(one), '')}".rstrip() for one in found.attributes]
    )
    return "\n".join([*lines, *_list("filled by", found.filled_by or ["no mapping"]), *_list("read by", found.read_by)])


def _meant(told: AttributeEntry | EntityEntry | None, terms: Sequence[tuple[str, str]]) -> Iterator[str]:
    if told and told.description:
        yield f"  {told.description}"
    yield from (f"  {label}: {meaning}" if meaning else f"  {label}" for label, meaning in terms)


def _list(title: str, some: Sequence[str]) -> list[str]:
    more = [f"  and {len(some) - MOST:,} more"] if len(some) > MOST else []
    return [title, *(f"  {one}" for one in some[:MOST]), *more] if some else []


@as_text.register
def _(found: Scan) -> str:
    rows = [(one.source, one.target, HOW[one.subtype] or "copied", spoken(one.condition)) for one in found.steps]
    said = understood(found.statements) if found.statements else "no statements"
    return f"{columns(('source', 'target', 'how', 'condition'), rows)}\n{said}" if rows else said


@as_text.register
def _(found: Matches) -> str:
    rows = [(one.content, one.path, one.mapping, f"{one.location}" if one.location else "") for one in found.matches]
    return columns(("content", "context", "mapping", "place"), rows) if rows else "nothing found"


@as_text.register
def _(found: Parameters) -> str:
    rows = [(str(one.id), one.type, one.path, one.content or "*") for one in found]
    return columns(("id", "type", "context", "content"), rows)


@as_text.register
def _(found: Hits) -> str:
    rows = [(one.kind, one.name, ", ".join(one.attributes) or one.about) for one in found.hits]
    return columns(("kind", "name", "about"), rows) if rows else "nothing found"


@as_text.register
def _(found: Table) -> str:
    return columns(found.columns, found.rows)


@as_html.register(LoadReport)
@as_html.register(CheckReport)
def _(report: LoadReport | CheckReport) -> str:
    """With the first errors: a terminal has them beside, a notebook nowhere else."""
    lines = [as_text(report), *map(str, report.errors[:FEW])]
    if len(report.errors) > FEW:
        lines.append(f"and {len(report.errors) - FEW:,} more: report.errors has them all")
    return f"{PRE}{escape(chr(10).join(lines))}</pre>"


@as_html.register
def _(found: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in found.columns)
    rows = ("".join(f"<td>{escape(value or '')}</td>" for value in row) for row in found.rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
