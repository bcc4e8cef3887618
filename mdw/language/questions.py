"""Texts of a question -> values: names as the warehouse writes them, conditions over the asked attribute's entity.

``REGION = "EU"`` asked with MART.CUSTOMER.NAME means MART.CUSTOMER.REGION. The mapping language has no bare attributes,
so the entity is put before them in the text, and places in errors are counted back to what was typed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from mdw.language.derive import condition_of
from mdw.language.mapping import read_condition, read_name
from mdw.language.requests import Request
from mdw.language.wording import DATELIKE
from mdw.model.errors import InputError, QuestionError, did_you_mean
from mdw.model.expressions import Condition, Const, decimal_text
from mdw.model.name import canonical, entity_of, local_of, parts
from mdw.model.text import expression_text
from mdw.model.tree import Location

Plain = str | int | float | Decimal | date
Several = list[Any] | tuple[Plain | None, ...] | set[Any] | frozenset[Plain | None]
When = str | Mapping[str, Plain | Several | None] | None
"""An initial condition: as text, as the value or values that each of some attributes has, or none."""

KEPT = "AND OR NOT IN LIKE BETWEEN IS NULL TRUE FALSE DISTINCT CASE WHEN THEN ELSE END AS"
WORDS = frozenset(KEPT.split())
"""What a condition would not take for a name."""
# What is kept as it is (strings, comments, numbers and dates, labels, functions, keywords) must match first; then
# names.
PIECE = re.compile(
    rf"""\b(?P<type>DATE|TIMESTAMP)\s*(?P<day>'[^'\n]*'|"[^"\n]*")
    |(?P<kept>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|--[^\n]*|\d[\w.]*|ATTRIBUTE\s*:|:\w+|DISTINCT\s+FROM\b
        |(?:[^\W\d][\w.]*|`[^`\n]*`)(?=\s*\()|\b(?:{"|".join(sorted(WORDS))})\b(?!\s*\.))
    |(?P<name>(?:[^\W\d]\w*|`[^`\n]*`)(?P<more>\s*\.\s*(?:[^\W\d]\w*|`[^`\n]*`))*)""",
    re.IGNORECASE | re.VERBOSE,
)


DAY = re.compile(r"(\d{4}-\d{2}-\d{2})([ T]00:00(?::00(?:\.0*)?)?)?")
"""A day, or the midnight with which it begins."""
FEW = 12
"""Attributes of an entity that a message names."""
IDENTIFIER = re.compile(r"[A-Z_][A-Z0-9_]*", re.IGNORECASE | re.ASCII)
PART = re.compile(r"`[^`\n]+`|[^.`\n]+")
TYPED = re.compile(r"""`[^`\n]+`|"[^"`\n]+"|\[[^]`\n]+\]|[^."`\[\]\n]+""")
"""A part of a name as people type it who have it from SQL or from a page."""
LETTERS = re.compile(r"`[^`\n]*`|[^\W\d]\w*")


def attribute_name(text: str) -> str:
    """The canonical name of an attribute; QuestionError if the text is none, TypeError if it is no text.

    It may have no entity yet.
    """
    return _name(text, "attribute", "ENTITY.ATTRIBUTE")


def entity_name(text: str) -> str:
    """The canonical name of an entity; QuestionError if the text is none, TypeError if it is no text."""
    return _name(text, "entity", "ENTITY")


def _name(text: str, kind: str, form: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"an {kind} is named by a text, {form}, not {type(text).__name__}")
    try:
        return read_name(text, f"the {kind}")
    except InputError as error:
        # Nothing but a name stands here, so it is clear where each part begins and ends.
        spelled = _spelled(text.strip())
        if spelled:
            return spelled
        said = f"{text.strip()} is no {kind}: {error.message}" if text.strip() else f"no {kind} is named: write {form}"
        raise QuestionError(said, missing=True) from error


def _spelled(text: str) -> str:
    """A name of which some parts would stand in back quotes in a mapping, canonical; "" if it is none.

    >>> _spelled("dbo.Größe"), _spelled('raw."Order Details".[Unit Price]'), _spelled("src.account-no")
    ('DBO.`Größe`', 'RAW.`Order Details`.`Unit Price`', 'SRC.`account-no`')
    >>> _spelled('"s"."My"."ID"'), _spelled("[s].[My].[ID]")
    ('`s`.`My`.`"ID"`', 'S.MY.ID')
    """
    found: list[str] = TYPED.findall(text)
    if not found or ".".join(found) != text:
        return ""
    return canonical(".".join(map(_typed_part, found)))


def _typed_part(part: str) -> str:
    """A part as a mapping writes it: in double quotes capitals and small letters count, in brackets they do not."""
    bare = part[1:-1] if part[0] in '`"[' else part
    if part[0] == '"' and IDENTIFIER.fullmatch(bare):
        # PostgreSQL's "BAG" keeps its quotes (see `mdw.readers.sql.naming`); who has no such name means BAG.
        return f"`{part if bare.isupper() else bare}`"
    return f"`{bare}`" if part[0] == "`" or not IDENTIFIER.fullmatch(bare) else bare


def spellings(name: str) -> tuple[str, ...]:
    """A canonical name with what stands in quotes in small letters, and in large ones: databases keep it in either.

    >>> spellings("DBO.KUNDE.`Größe`"), spellings("A.B")
    (('DBO.KUNDE.`größe`', 'DBO.KUNDE.`GRÖSSE`'), ())
    """
    every = parts(name)
    if not any(part[0] == "`" for part in every):
        return ()
    changes = (str.lower, str.upper)
    some = (".".join(change(part) if part[0] == "`" else part for part in every) for change in changes)
    return tuple(canonical(one) for one in some)


def when_text(when: When) -> str:
    """A condition as text; empty if there is none. A list or a set of values means any of them, None means NULL.

    TypeError for what is no condition, QuestionError for names and values that no condition can hold.

    >>> when_text({"REGION": "EU", "S.end date": None, "KIND": [1, 2.5]})
    'REGION = "EU" AND S.`end date` IS NULL AND KIND IN (1, 2.5)'
    """
    if when is None or isinstance(when, str):
        return when or ""
    if isinstance(when, Mapping):
        return " AND ".join(_restriction(name, value) for name, value in when.items())
    raise TypeError(f'when is a text, a mapping such as {{"REGION": "EU"}} or None, not {type(when).__name__}')


def initial_condition(text: str, attribute: str) -> Condition | None:
    """The condition on the asked attribute's row, None if the text is empty; bare names are of the same entity.

    It may also speak of rows of other entities on the way, of one entity in each part joined by AND.
    """
    if not text.strip():
        return None
    entity = entity_of(attribute)
    try:
        return condition_of(read_condition(qualified(text, entity), "when"))
    except InputError as error:
        raise QuestionError(f"the condition cannot be read: {_as_asked(error, text, entity)}") from error


def qualified(text: str, entity: str) -> str:
    """A condition with the entity put before names that have none, and quotes round names with letters like ö.

    >>> qualified('REGION = "EU" AND B.KIND IN (1, 2)', "A"), qualified("größe > 1", "A")
    ('A.REGION = "EU" AND B.KIND IN (1, 2)', 'A.`größe` > 1')

    Days may be written as in SQL:

    >>> qualified("DAY < DATE '2020-01-01' AND MADE > TIMESTAMP '2020-01-01 12:00:00'", "A")
    'A.DAY < 2020-01-01 AND A.MADE > CAST("2020-01-01 12:00:00" AS "TIMESTAMP")'
    """

    return PIECE.sub(lambda found: _qualified(found, entity), text)


def _qualified(found: re.Match[str], entity: str) -> str:
    if found["type"]:
        return _day(found["type"].upper(), found["day"][1:-1].strip())
    if not found["name"]:
        return found[0]
    name = found[0] if found[0].isascii() else LETTERS.sub(_lettered, found[0])
    return f"{entity}.{name}" if _bare(found) else name


def _day(type_: str, text: str) -> str:
    """A constant of SQL as the mapping language has it; of days it knows, of times it does not."""
    day = DAY.fullmatch(text)
    return day[1] if day and (type_ == "TIMESTAMP" or not day[2]) else f'CAST("{text}" AS "{type_}")'


def _lettered(part: re.Match[str]) -> str:
    return part[0] if part[0].isascii() or part[0][0] == "`" else f"`{part[0]}`"


def _bare(found: re.Match[str]) -> bool:
    return bool(found["name"] and not found["more"])


def _as_asked(error: InputError, text: str, entity: str) -> InputError:
    """The error with its place in the text as it was before names were qualified."""
    # In a text of several lines the place is a line and a column: what was put in before it in that line alone would
    # have to be counted back. Such texts are rare, and the error quotes the line.
    if error.location is None or "\n" in text:
        return error
    # Every bare name before the place stands further left in the text as asked, by the entity and its point.
    place = error.location.column - 1
    for found in PIECE.finditer(text):
        longer = len(_qualified(found, entity)) - len(found[0])
        if longer and found.start() < place:
            place -= min(longer, place - found.start())
    where = Location(error.location.file, 1, place + 1)
    return InputError(error.message, location=where, excerpt=text, expected=error.expected, hint=error.hint)


def _restriction(name: Any, value: Any) -> str:
    """What one attribute must be."""
    subject = _quoted(name)
    if value is None:
        return f"{subject} IS NULL"
    if not isinstance(value, list | tuple | set | frozenset):
        return f"{subject} = {_constant(value, subject)}"
    if not value:
        raise QuestionError(f"the condition on {subject} names no value")
    texts = [_constant(one, subject) for one in value if one is not None]
    said = (
        [f"{subject} IN ({', '.join(sorted(texts) if isinstance(value, set | frozenset) else texts)})"] if texts else []
    )
    said += [f"{subject} IS NULL"] if None in value else []
    return said[0] if len(said) == 1 else f"({' OR '.join(said)})"


def _quoted(name: Any) -> str:
    """A name as a condition writes it: back quotes round every part that needs them."""
    if not isinstance(name, str):
        raise TypeError(f"an attribute is named by a text, not by {type(name).__name__}: {name!r}")
    found: list[str] = PART.findall(name)
    if not name or ".".join(found) != name:
        raise QuestionError(f"{name!r} is no name of an attribute")
    return ".".join(map(_quoted_part, found))


def _quoted_part(part: str) -> str:
    if part[0] == "`" or (IDENTIFIER.fullmatch(part) and part.upper() not in WORDS):
        return part
    return f"`{part.upper() if part.upper() in WORDS else part}`"


def _constant(value: Any, subject: str) -> str:
    """A constant of the mapping language."""
    match value:
        case str():
            return expression_text(Const("string", value))
        case date() if not isinstance(value, datetime):
            return expression_text(Const("date", value.isoformat()))
        case int() | float() | Decimal() if not isinstance(value, bool):
            return _number(Decimal(float.__repr__(value) if isinstance(value, float) else value), subject)
    kind = type(value).__name__
    raise TypeError(f"the condition on {subject} names a {kind}: constants are texts, numbers and days")


def _number(number: Decimal, subject: str) -> str:
    if not number.is_finite():
        raise QuestionError(f"the condition on {subject} names {number}, which is no number")
    text = decimal_text(number)
    return f"{text}.0" if DATELIKE.fullmatch(text) else text


def asked_name(request: Request) -> str | None:
    """The entity or attribute that whatever a request finds must mention, canonical; None if it asks for no name."""
    # Only a narrowing of what is fetched: `match` decides, so whatever cannot be used here asks for no name.
    asked = request.selection
    if asked.content is None or asked.type.casefold() not in ("attribute", "entity"):
        return None
    try:
        return read_name(asked.content, "the request")
    except InputError:
        return None


def an_entity(name: str, attributes: Sequence[str]) -> QuestionError:
    """The error for an entity asked as if it was an attribute, with some attributes that it has."""
    more = f" and {len(attributes) - FEW} more" if len(attributes) > FEW else ""
    names = ", ".join(map(local_of, attributes[:FEW]))
    return QuestionError(f"{name} is an entity; its attributes are {names}{more}: ask for one of them", missing=True)


class AskedPlace(NamedTuple):
    """A place in a file as it is asked for; ``column`` is 0 where none is named."""

    file: str
    line: int
    column: int = 0


PLACE = re.compile(r"(?P<file>.+?):(?P<line>[0-9]{1,9})(?::(?P<column>[0-9]{1,9}))?")


def asked_place(text: str) -> AskedPlace:
    """A place of a file; QuestionError if the text names none, TypeError if it is no text.

    >>> asked_place("core/claim.sql:4"), asked_place("claim.sql:4:12").column
    (AskedPlace(file='core/claim.sql', line=4, column=0), 12)
    """
    if not isinstance(text, str):
        raise TypeError(f"a place is named by a text, FILE:LINE, not {type(text).__name__}")
    found = PLACE.fullmatch(text.strip())
    if found is None:
        raise QuestionError(f"{text.strip() or 'nothing'} is no place: write FILE:LINE, such as claim.sql:4")
    return AskedPlace(found["file"].removeprefix("./"), int(found["line"]), int(found["column"] or 0))


def no_entity(name: str, meant: Sequence[str]) -> QuestionError:
    """The error for the name of an attribute without its entity, with attributes of that name."""
    return QuestionError(f"{name} is no attribute: write ENTITY.ATTRIBUTE{did_you_mean(meant[:3])}", missing=True)


def several(name: str, meant: Sequence[str]) -> QuestionError:
    """The error for the end of a name that several attributes, or files, have.

    >>> str(several("PARTY.REGION", ["CORE.PARTY.REGION", "STG.PARTY.REGION"]))
    'PARTY.REGION may be CORE.PARTY.REGION or STG.PARTY.REGION: which one?'
    """
    shown = [*meant[:FEW], *([f"{len(meant) - FEW} more"] if len(meant) > FEW else [])]
    return QuestionError(f"{name} may be {', '.join(shown[:-1])} or {shown[-1]}: which one?")


def unknown(name: str, near: Sequence[str], when: str = "") -> QuestionError:
    """The error for an attribute the warehouse does not know, with the names most like it.

    ``when`` is the condition that names it: a bare word there may be meant as a text.

    >>> str(unknown("A.EU", [], "REGION = EU"))
    'no mapping mentions A.EU; if EU is a text, it stands in quotes: "EU"'
    """
    local = local_of(name)
    words = {found["name"] for found in PIECE.finditer(when) if _bare(found)}
    quotes = f'{" If" if near else "; if"} {local} is a text, it stands in quotes: "{local}"' if local in words else ""
    return QuestionError(f"no mapping mentions {name}{did_you_mean(near)}{quotes}", missing=True)
