"""The sentences every format shares: what an answer says, in words a business user reads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from mdw.model.answers.answer import Answer, Impact, Lineage
from mdw.model.answers.ends import End, Plain, Row
from mdw.model.answers.steps import Constant, Generated, Step
from mdw.model.answers.things import Thing
from mdw.model.expressions import Const, decimal_text
from mdw.model.name import canonical, entity_of, local_of, parts
from mdw.model.rules import Subtype
from mdw.model.text import expression_text
from mdw.model.tree import Location

# How `mdw.model.text` writes the conditions that always and never hold.
ALWAYS = "TRUE"
NEVER = "FALSE"

# Quoted strings and qualified names.
TOKEN = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:[A-Za-z_]\w*|`[^`]*`)(?:\.(?:[A-Za-z_]\w*|`[^`]*`))+""")
BARE = re.compile(r"\w+")
WITHIN = re.compile(r"(.*) \(([^()]*(?: \(\d+\))?)\)")
"""What is in doubt, and in which mapping: "which of several rows is taken (load.sql:t (2))"."""

Written = Constant | Generated
"""What mappings write of no attribute's value."""

HOW: dict[Subtype, str] = {
    "IDENTITY": "",
    "TRANSFORMATION": "computed",
    "AGGREGATION": "aggregated",
    "CONDITIONAL": "decides the value",
    "WINDOW": "arranges rows",
    "FILTER": "filters rows",
    "JOIN": "joins rows",
    "GROUP_BY": "groups rows",
    "SORT": "sorts rows",
}
DECIDING: tuple[Subtype, ...] = ("CONDITIONAL", "WINDOW", "FILTER", "JOIN", "GROUP_BY", "SORT")


def contributes(answer: Answer, end: End, *, full: bool = False) -> str:
    """The condition under which an end contributes: ``always``, ``when ...`` or bounds; "" where nobody looked.

    With ``full`` the whole condition, else one short enough to be read. The entity it speaks of goes without saying.
    """
    if full:
        end = End(end.attribute, replace(end.readable, condition=end.whole, form="whole"))
    own = speaks_of(answer, end)
    said = local(_contributes(end, own), own) if end.condition else ""
    if answer.unread:
        # What was not read may bring other rows.
        said = said.replace("only when", "by what was read when").replace("perhaps always", "perhaps for every row")
    return said


def _contributes(end: End, own: str) -> str:
    if end.form != "whole":
        return _shortened(end, own)
    if end.exact:
        return f"when {end.condition}" if restricts(end.condition) else "always"
    upper = f"only when {end.condition}" if restricts(end.condition) else "perhaps"
    if end.at_least and end.at_least != NEVER:
        lower = f"surely when {end.at_least}" if restricts(end.at_least) else "surely always"
        return f"{lower}, {upper}"
    return upper


def _shortened(end: End, own: str) -> str:
    """What a condition that was made short says, and what of the whole it is."""
    cases = count(end.cases, "case")
    if end.form == "own row":
        only = f"only when {end.condition}" if restricts(end.condition) else "for every row"
        return f"{only}, if the rows joined to it{_joined(end, own)} fit ({cases})"
    if end.form == "one case":
        return f"in {cases}, one of them when {end.condition}"
    more = f" and {count(end.more, 'more attribute')} {'fits' if end.more == 1 else 'fit'}" if end.more else ""
    return f"only when {end.condition}{more} ({cases})"


def _joined(end: End, own: str) -> str:
    """The entities whose rows the whole condition speaks of as well."""
    named = (found[0] for found in TOKEN.finditer(end.whole) if found[0][0] not in "\"'")
    others = sorted({entity_of(name) for name in named} - {own, ""})
    return f" in {listed(others)}" if others else ""


def unknown(end: End) -> str:
    """What is not known of the condition of an end that is not exact; "" if it is."""
    where: dict[str, list[str]] = {}
    for one in end.open:
        what, mapping = found.groups() if (found := WITHIN.fullmatch(one)) else (one, "")
        where.setdefault(what, []).extend([mapping] if mapping else [])
    texts = [f"{what} ({listed(mappings, 3)})" if mappings else what for what, mappings in where.items()]
    return f"not known: {listed(texts, 3)}" if texts else ""


def beside(answer: Answer, end: End) -> Iterator[str]:
    """What is told beside the condition of an end: what is not known, the simplest case, SQL, an example row."""
    entity = speaks_of(answer, end)
    if unknown(end):
        yield unknown(end)
    if end.common and end.common != end.condition:
        yield f"simplest case: {local(end.common, entity)}"
    if answer.sql_dialect and end.sql:
        yield f"{answer.sql_dialect}: {end.sql}"
    if example(end):
        yield local(example(end), entity)


def speaks_of(answer: Answer, end: End) -> str:
    """The entity an end's condition speaks of: the golden source's own, or the one an impact starts from."""
    return entity_of(end.attribute if isinstance(answer, Lineage) else answer.attribute)


def example(end: End) -> str:
    """The example row of an end and the rows joined to it as text; "" if there is none and none is needed."""
    if not end.witness and not end.partners:
        return "no example row was found" if restricts(end.whole) else ""
    joined = [f"a row of {entity} with {local(_row(row), entity)}" for entity, row in end.partners]
    own = _row(end.witness) or "any row"
    return f"for example {own}" + (f"; joined to {listed(joined, 8)}" if joined else "")


def _row(row: Row) -> str:
    return ", ".join(f"{name} {'is' if value is None else '='} {plain_text(value)}" for name, value in row)


def plain_text(value: Plain) -> str:
    """A value of an example row as the mapping language has it.

    >>> plain_text("x"), plain_text(date(2020, 1, 31)), plain_text(None), plain_text(Decimal("1.50")), plain_text(True)
    ('"x"', '31.01.2020', 'NULL', '1.5', 'TRUE')
    """
    if value is None:
        return "NULL"
    # To Python a truth is a number.
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, date):
        return expression_text(Const("date", value.isoformat()))
    if isinstance(value, str):
        return expression_text(Const("string", value))
    return decimal_text(Decimal(value))


def restricts(condition: str) -> bool:
    """Whether a condition text says anything."""
    return bool(condition) and condition != ALWAYS


def place(location: Location | None) -> str:
    """File and line."""
    return location.line_text if location else ""


def called(mapping: str, location: Location | None) -> str:
    """A mapping's name and where it stands; a name that begins with its file does not say that again.

    >>> called("mart/spend.sql:mart.spend (2)", Location("mart/spend.sql", 8, 1)), called("spend", None)
    ('mart.spend (2) (mart/spend.sql:8)', 'spend')
    """
    own = mapping.removeprefix(f"{location.file}:") if location else mapping
    return f"{own} ({place(location)})" if location else own


def by(one: Step | Written) -> str:
    """The mapping of a step or a constant, with its place."""
    return f"by {called(one.mapping, one.location)}"


def via(step: Step) -> str:
    """The mapping of a step with its place, and what it does to the value."""
    said = by(step)
    return f"{said}, {HOW[step.subtype]}" if HOW[step.subtype] else said


def ends(answer: Answer) -> tuple[End, ...]:
    """Golden sources of a lineage, final targets of an impact."""
    return answer.golden if isinstance(answer, Lineage) else answer.final


def role(answer: Answer) -> str:
    """What the ends of an answer are: those there are, or the one that was asked for."""
    if isinstance(answer, Lineage):
        return "source asked for" if answer.source else "golden source"
    return "target asked for" if answer.target else "final target"


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "golden source"), count(12345, "step"), count(2, "entity")
    ('1 golden source', '12,345 steps', '2 entities')
    """
    if number == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {plural}"


def listed(names: Sequence[str], limit: int = 3) -> str:
    """Names as a phrase, at most ``limit`` of them.

    >>> listed(["A", "B"]), listed(["A", "B", "C", "D"], 2)
    ('A and B', 'A, B and 2 more')
    """
    if len(names) > limit:
        return f"{', '.join(names[:limit])} and {len(names) - limit:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def local(text: str, entity: str) -> str:
    """A condition without the name of the entity that goes without saying where it is shown.

    >>> local('CORE.PARTY.REGION = "A.B" AND X.Y = 1', "CORE.PARTY")
    'REGION = "A.B" AND X.Y = 1'
    >>> local("core.party.region = 1", "CORE.PARTY")
    'region = 1'
    """

    def short(found: re.Match[str]) -> str:
        name = found.group()
        return local_of(name) if name[0] not in "\"'" and entity_of(canonical(name)) == entity else name

    return TOKEN.sub(short, text)


def bare(text: str) -> str:
    """A condition that speaks of one entity only, without that entity's name.

    >>> bare('CORE.PARTY.REGION = "EU" AND CORE.PARTY.KIND = 2')
    'REGION = "EU" AND KIND = 2'
    """
    entities = {entity_of(name) for name in TOKEN.findall(text) if name[0] not in "\"'"}
    return local(text, canonical(entities.pop())) if len(entities) == 1 else text


def brief(text: str) -> str:
    """A condition with attributes by their own names, for where there is little room; with more where two are alike.

    >>> brief('CORE.PARTY.REGION = SRC.PARTNER.REGION AND CORE.PARTY.NAME LIKE "A.%"')
    'PARTY.REGION = PARTNER.REGION AND NAME LIKE "A.%"'
    """
    names = {name for name in TOKEN.findall(text) if name[0] not in "\"'"}
    # A bare name is one more that may be taken for another.
    alike = Counter(map(local_of, names)) + Counter({*BARE.findall(TOKEN.sub("", text))})

    def short(found: re.Match[str]) -> str:
        name = found[0]
        if name[0] in "\"'":
            return name
        return ".".join(parts(name)[-2:]) if alike[local_of(name)] > 1 else local_of(name)

    return TOKEN.sub(short, text)


def clipped(text: str, room: int) -> str:
    """At most ``room`` characters of a text, cut between two words where one ends near.

    >>> clipped("REGION = 1 OR REGION = 2", 14), clipped("REGION = 1 OR REGION = 2", 19)
    ('REGION = 1 OR…', 'REGION = 1 OR…')
    """
    if len(text) <= room:
        return text
    cut = text[: room - 1]
    # Half a name reads as if it were another one.
    whole = cut if text[room - 1].isspace() else cut[: cut.rfind(" ")] if " " in cut else ""
    return (whole if len(whole) >= room * 2 // 3 else cut).rstrip() + "…"


def written(answer: Answer) -> tuple[Written, ...]:
    """What mappings write of no attribute's value: constants, then what they generate."""
    return (*answer.constants, *(answer.generated if isinstance(answer, Lineage) else ()))


def sort_of(one: Written) -> str:
    """What mappings write, in one word."""
    return "generated" if isinstance(one, Generated) else "constant"


def deciding_title(answer: Answer) -> str:
    """What stands above the attributes that only decide."""
    backwards = isinstance(answer, Lineage)
    return "What decides whether or which value arrives" if backwards else "What it decides about"


def deciding(answer: Answer) -> Iterator[tuple[str, Thing, list[str]]]:
    """What attributes decide, with their names; of an impact those decided, and entities where whole rows are."""
    forwards = isinstance(answer, Impact)
    for subtype in DECIDING:
        names = [source.attribute for source in answer.indirect if source.subtype == subtype]
        rows = forwards and subtype != "CONDITIONAL"
        if names:
            how = HOW[subtype] + (" of" if forwards else "")
            yield how, "entity" if rows else "attribute", [*dict.fromkeys(map(entity_of, names))] if rows else names
