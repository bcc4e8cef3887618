"""The sentences every format shares: what an answer says, in words a business user reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from mdw.model.answers.answer import Answer, Impact, Lineage
from mdw.model.answers.basis import Decider
from mdw.model.answers.ends import End, Plain, Row
from mdw.model.answers.steps import Step
from mdw.model.expressions import Const, decimal_text
from mdw.model.name import entity_of, local_of
from mdw.model.rules import Mode, Subtype
from mdw.model.text import expression_text
from mdw.model.tree import Location

# How `mdw.model.text` writes the conditions that always and never hold.
ALWAYS = "TRUE"
NEVER = "FALSE"

# Quoted strings and qualified names.
TOKEN = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:[A-Za-z_]\w*|`[^`]*`)(?:\.(?:[A-Za-z_]\w*|`[^`]*`))+""")

MEANT: dict[Mode, str] = {
    "active": "only steps that some row can take, all conditions considered",
    "passive": "every step there is, whatever conditions say",
}
HOW: dict[Subtype, str] = {
    "IDENTITY": "",
    "TRANSFORMATION": "computed",
    "AGGREGATION": "aggregated",
    "CONDITIONAL": "decides the value",
    "FILTER": "filters rows",
    "JOIN": "joins rows",
    "GROUP_BY": "groups rows",
}


def summary(answer: Answer) -> str:
    """The answer in one sentence."""
    rows = f"For rows where {local(answer.when, entity_of(answer.attribute))}, " if restricts(answer.when) else ""
    said = _comes_from(answer) if isinstance(answer, Lineage) else _feeds(answer)
    extra = [said, *_left_over(answer)]
    return f"{rows}{'; '.join(extra)}."


def question(answer: Answer) -> str:
    """How the question was put: kind of lineage and the policy for attributes no mapping fills."""
    kind = "lineage" if isinstance(answer, Lineage) else "impact"
    words = [f"{answer.mode} {kind}: {MEANT[answer.mode]}"]
    if answer.unpopulated:
        words.append(f"unpopulated attributes: {answer.unpopulated}")
    return " · ".join(words)


DECIDED: dict[Decider, str] = {
    "example": "by example rows",
    "diagram": "by exact conditions",
    "bounds": "by bounds",
    "Z3": "by Z3",
    "undecided": "undecided",
}


def basis(answer: Answer) -> str:
    """What the answer rests on, in a line; "" where nothing says it."""
    found = answer.basis
    if not found.digest:
        return ""
    digest = f"digest {found.digest[:12]}"
    words = [f"Rests on {count(found.mappings, 'mapping')} ({digest}), read by mdw {found.version}"]
    counts = [f"{number:,} {DECIDED[by]}" for by, number in found.decided if number]
    if counts:
        words.append(f"{count(sum(number for _, number in found.decided), 'step')} decided: {', '.join(counts)}")
    if found.opaque:
        words.append(f"functions not known: {listed(found.opaque, 5)}")
    return "; ".join(words)


def contributes(end: End, *, full: bool = False) -> str:
    """The condition under which an end contributes: ``always``, ``when ...`` or bounds; "" where nobody looked.

    With ``full`` the whole condition, else one short enough to be read.
    """
    if full:
        end = End(end.attribute, replace(end.readable, condition=end.whole, form="whole"))
    if not end.condition:
        return ""
    if end.form != "whole":
        return _shortened(end)
    if end.exact:
        return f"when {end.condition}" if restricts(end.condition) else "always"
    upper = f"only when {end.condition}" if restricts(end.condition) else "perhaps always"
    if end.at_least and end.at_least != NEVER:
        lower = f"surely when {end.at_least}" if restricts(end.at_least) else "surely always"
        return f"{lower}, {upper}"
    return upper


def _shortened(end: End) -> str:
    """What a condition that was made short says, and what of the whole it is."""
    cases = count(end.cases, "case")
    if end.form == "own row":
        only = f"only when {end.condition}" if restricts(end.condition) else "for every row"
        return f"{only}, if the rows joined to it fit ({cases})"
    if end.form == "one case":
        return f"in {cases}, one of them when {end.condition}"
    more = f" and {count(end.more, 'more attribute')} {'fits' if end.more == 1 else 'fit'}" if end.more else ""
    return f"only when {end.condition}{more} ({cases})"


def unknown(end: End) -> str:
    """What is not known of the condition of an end that is not exact; "" if it is."""
    return f"not known: {listed(end.open, 3)}" if end.open else ""


def speaks_of(answer: Answer, end: End) -> str:
    """The entity an end's condition speaks of: the golden source's own, or the one an impact starts from."""
    return entity_of(end.attribute if isinstance(answer, Lineage) else answer.attribute)


def example(end: End) -> str:
    """The example row of an end and the rows joined to it as text; "" if there is none and none is needed."""
    if not end.witness and not end.partners:
        return "no example row was found" if restricts(end.whole) else ""
    joined = [f"a row of {entity} with {_row(row)}" for entity, row in end.partners]
    own = _row(end.witness) or "any row"
    return f"for example {own}" + (f"; joined to {listed(joined, 8)}" if joined else "")


def _row(row: Row) -> str:
    return ", ".join(f"{name} {'is' if value is None else '='} {plain_text(value)}" for name, value in row)


def plain_text(value: Plain) -> str:
    """A value of an example row as the mapping language has it.

    >>> plain_text("x"), plain_text(date(2020, 1, 31)), plain_text(None), plain_text(Decimal("1.50"))
    ('"x"', '31.01.2020', 'NULL', '1.5')
    """
    if value is None:
        return "NULL"
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
    return f"{location.file}:{location.line}" if location else ""


def via(step: Step) -> str:
    """The mapping of a step with its place, and what it does to the value."""
    said = f"by {step.mapping} ({place(step.location)})"
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
    """

    def short(found: re.Match[str]) -> str:
        name = found.group()
        return local_of(name) if name[0] not in "\"'" and entity_of(name) == entity else name

    return TOKEN.sub(short, text)


def bare(text: str) -> str:
    """A condition that speaks of one entity only, without that entity's name.

    >>> bare('CORE.PARTY.REGION = "EU" AND CORE.PARTY.KIND = 2')
    'REGION = "EU" AND KIND = 2'
    """
    entities = {entity_of(name) for name in TOKEN.findall(text) if name[0] not in "\"'"}
    return local(text, entities.pop()) if len(entities) == 1 else text


def brief(text: str) -> str:
    """A condition with attributes by their own names only, for where there is little room.

    >>> brief('CORE.PARTY.REGION = SRC.PARTNER.REGION AND CORE.PARTY.NAME LIKE "A.%"')
    'REGION = REGION AND NAME LIKE "A.%"'
    """
    return TOKEN.sub(lambda found: found[0] if found[0][0] in "\"'" else local_of(found[0]), text)


def clipped(text: str, room: int) -> str:
    """At most ``room`` characters of a text.

    >>> clipped("REGION = 1 OR REGION = 2", 14)
    'REGION = 1 OR…'
    """
    return text if len(text) <= room else text[: room - 1].rstrip() + "…"


def _comes_from(answer: Lineage) -> str:
    subject = answer.attribute
    names = [end.attribute for end in answer.golden]
    if answer.source:
        return _asked_way(answer, answer.source, subject)
    constants = list(dict.fromkeys(constant.value for constant in answer.constants))
    # The order of these is the order of weight: sources, constants, then why there is neither.
    if names == [subject]:
        filled = "mappings fill it only from itself" if answer.steps else "no mapping fills it"
        return f"{subject} is itself a golden source: {filled}"
    if names:
        noun = "the golden source" if len(names) == 1 else f"{len(names):,} golden sources, which no mapping fills:"
        said = ", which no mapping fills" if len(names) == 1 else ""
        one = "the constant" if len(constants) == 1 else "one of the constants"
        tail = f"; or it is {one} {listed(constants)}" if constants else ""
        return f"{subject} comes from {noun} {listed(names)}{said}{tail}"
    if constants:
        noun = "the constant" if len(constants) == 1 else "one of the constants"
        return f"{subject} is always {noun} {listed(constants)}"
    if answer.steps:
        return f"{subject} has no golden source"
    if answer.dropped:
        return f"no source can reach {subject}"
    return f"no mapping fills {subject}"


def _asked_way(answer: Answer, source: str, target: str) -> str:
    """Whether values of one attribute arrive at another."""
    if source == target and not answer.steps:
        return f"{source} is itself the attribute asked for at the other end"
    if ends(answer):
        return f"values of {source} arrive at {target}"
    if answer.dropped:
        return f"no value of {source} can arrive at {target}"
    return f"no mappings lead from {source} to {target}"


def _feeds(answer: Impact) -> str:
    if answer.target:
        return _asked_way(answer, answer.attribute, answer.target)
    names = [end.attribute for end in answer.final]
    if names:
        noun = "the final target" if len(names) == 1 else f"{len(names):,} final targets:"
        return f"{answer.attribute} feeds {noun} {listed(names)}"
    if answer.steps:
        return f"{answer.attribute} feeds no final target"
    if answer.dropped:
        return f"no value of {answer.attribute} can reach any target"
    return f"{answer.attribute} feeds nothing"


def _left_over(answer: Answer) -> list[str]:
    found = []
    if isinstance(answer, Lineage) and answer.interrupted:
        verb = "is" if len(answer.interrupted) == 1 else "are"
        found.append(f"its lineage is interrupted at {listed(answer.interrupted)}, which {verb} filled by no mapping")
    if isinstance(answer, Impact) and answer.unused:
        verb = "is" if len(answer.unused) == 1 else "are"
        found.append(f"{listed(answer.unused)} {verb} reached but read by no mapping")
    if isinstance(answer, Impact) and answer.stopped:
        found.append(f"it stops at {listed(answer.stopped)}, from where no mapping takes these rows")
    if answer.dropped:
        verb = "was" if len(answer.dropped) == 1 else "were"
        found.append(f"{count(len(answer.dropped), 'step')} {verb} left out because rules contradict one another")
    if answer.undecided:
        found.append(f"{count(len(answer.undecided), 'step')} could not be decided and {_is(answer.undecided)} kept")
    return found


def _is(items: Sequence[object]) -> str:
    return "is" if len(items) == 1 else "are"
