"""What an answer says in a sentence, how the question was put, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mdw.model.answers.answer import NO_FIRST, Answer, Impact, Lineage
from mdw.model.answers.basis import Decider
from mdw.model.name import entity_of
from mdw.model.rules import Mode
from mdw.render.unread import READ, not_read
from mdw.render.words import Written, clipped, count, ends, listed, local, restricts, sort_of, written

UNSURE = (("constant", "constant"), ("generated", "generated value"))

LONGEST_QUESTION = 300
"""Characters of a question that a sentence repeats."""
MEANT: dict[Mode, str] = {
    "active": "only steps that some row can take, all conditions considered",
    "passive": "every step there is, whatever conditions say",
}


def summary(answer: Answer, *, full: bool = False) -> str:
    """The answer in one sentence; ``full`` repeats the question whole, however long it is."""
    asked = local(answer.when, entity_of(answer.attribute))
    asked = asked if full else clipped(asked, LONGEST_QUESTION)
    said = _comes_from(answer) if isinstance(answer, Lineage) else _feeds(answer)
    sentence = f"{'; '.join([said, *_left_over(answer)])}."
    return f"For rows where {asked}, {sentence}" if restricts(answer.when) else sentence[0].upper() + sentence[1:]


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


def _comes_from(answer: Lineage) -> str:
    subject = answer.attribute
    names = [end.attribute for end in answer.golden]
    if answer.source:
        return _asked_way(answer, answer.source, subject)
    as_is, computed = _written(answer)
    if answer.unread:
        return _perhaps_more(answer, names, [*as_is, *computed])
    # The order of these is the order of weight: sources, constants, then why there is neither.
    if names == [subject]:
        filled = "mappings fill it only from itself" if answer.steps else "no mapping fills it"
        return f"{subject} is itself a golden source: {filled}"
    if names:
        noun = (
            "the golden source"
            if len(names) == 1
            else f"{len(names):,} golden sources, whose entities no mapping fills:"
        )
        said = ", whose entity no mapping fills" if len(names) == 1 else ""
        return f"{subject} comes from {noun} {listed(names)}{said}{_or_it_is(as_is)}{_or_it_is(computed)}"
    if as_is or computed:
        # Where lineage is interrupted nobody knows what else it may be.
        always = "is" if answer.generated or computed or answer.interrupted else "is always"
        sure = always if any(not one.undecided for one in written(answer)) else "can only be"
        first, *more = as_is or computed
        return f"{subject} {sure} {first}{_or_it_is(more)}{_or_it_is(computed if as_is else [])}"
    if answer.steps or {*answer.interrupted} - {subject}:
        return f"{subject} has no golden source"
    if answer.dropped:
        return f"no source can reach {subject}{_of_itself(answer)}"
    if answer.unwritten:
        values = listed(list(dict.fromkeys(constant.value for constant in answer.unwritten)))
        return (
            f"nothing arrives at {subject}: no row that could have it meets the rules by which mappings write {values}"
        )
    if any(decided for _, decided in answer.basis.decided):
        return f"no value comes to {subject}: no row goes through what fills it"
    if any(note.startswith(NO_FIRST) for note in answer.notes):
        return f"no value comes to {subject}: what fills it is filled only from itself"
    return f"no mapping fills {subject}"


def _perhaps_more(answer: Lineage, names: Sequence[str], written: Sequence[str]) -> str:
    """Where values come from by what was read: nothing is then always, only or none."""
    subject, more = answer.attribute, f"and perhaps from more: {not_read(answer)}"
    if names == [subject]:
        return f"{subject} is itself a golden source {READ}, {more}"
    if names:
        noun = "the golden source" if len(names) == 1 else f"{len(names):,} golden sources:"
        return f"{subject} comes from {noun} {listed(names)}{_or_it_is(written)}, {more}"
    if written:
        return f"{subject} is {READ} {written[0]}{_or_it_is(written[1:])}, {more}"
    return f"sources of {subject}: none found; {not_read(answer)}"


def _or_it_is(every: Sequence[str]) -> str:
    return "".join(f"; or it is {one}" for one in every)


def _written(answer: Lineage) -> tuple[list[str], list[str]]:
    """What mappings write that arrives as it is, and what the value is computed from, in words.

    Where ``T.A`` is ``S.AMOUNT * R.RATE`` and a mapping writes 1 into ``R.RATE``, nobody may read that ``T.A`` is 1.
    """
    copied = _copied(answer)
    constants, generated = list(_values(answer.constants, copied)), list(_values(answer.generated, copied))
    as_is, computed = [], []
    if constants:
        as_is.append(f"{'the constant' if len(constants) == 1 else 'one of the constants'} {listed(constants)}")
    if generated:
        as_is.append(f"generated: {listed(generated)}")
    parts = [one for one in _values(answer.constants) if one not in constants]
    if parts:
        computed.append(f"computed from the {'constant' if len(parts) == 1 else 'constants'} {listed(parts)}")
    parts = [one for one in _values(answer.generated) if one not in generated]
    if parts:
        computed.append(f"computed from what is generated: {listed(parts)}")
    return as_is, computed


def _values(every: Iterable[Written], among: set[str] | None = None) -> dict[str, None]:
    """What is written, each value once; only into some attributes, if these are named."""
    return dict.fromkeys(one.value for one in every if among is None or one.target in among)


def _copied(answer: Lineage) -> set[str] | None:
    """The attributes whose values can arrive as they are: all steps from there copy. None where nobody knows steps."""
    if not answer.steps:
        return None
    below: dict[str, list[str]] = {}
    for step in answer.steps:
        if step.subtype == "IDENTITY":
            below.setdefault(step.target, []).append(step.source)
    found, waiting = {answer.attribute}, [answer.attribute]
    while waiting:
        new = [source for source in below.get(waiting.pop(), ()) if source not in found]
        found.update(new)
        waiting += new
    return found


def _asked_way(answer: Answer, source: str, target: str) -> str:
    """Whether values of one attribute arrive at another."""
    if source == target and not answer.steps:
        return f"{source} is itself the attribute asked for at the other end"
    if ends(answer):
        return f"values of {source} arrive at {target}"
    if answer.unread:
        return f"values of {source} that arrive at {target}: none found; {not_read(answer)}"
    if answer.dropped:
        return f"no value of {source} can arrive at {target}{_of_itself(answer)}"
    return f"no mappings lead from {source} to {target}"


def _feeds(answer: Impact) -> str:
    if answer.target:
        return _asked_way(answer, answer.attribute, answer.target)
    names = [end.attribute for end in answer.final]
    if names:
        noun = "the final target" if len(names) == 1 else f"{len(names):,} final targets:"
        more = f", and perhaps more: {not_read(answer)}" if answer.unread else ""
        return f"{answer.attribute} feeds {noun} {listed(names)}{more}"
    if answer.unread:
        return f"final targets of {answer.attribute}: none found; {not_read(answer)}"
    if answer.steps:
        return f"{answer.attribute} feeds no final target"
    if answer.dropped:
        return f"no value of {answer.attribute} can reach any target{_of_itself(answer)}"
    return f"{answer.attribute} feeds nothing"


def _of_itself(answer: Answer) -> str:
    """That the question contradicts itself, where it does."""
    # Reasons are worked out when they are read, so only where a question says something and nothing is found.
    every = answer.dropped if restricts(answer.when) and not answer.steps else ()
    alone = any(one.because and not any(rule.mapping for rule in one.because) for one in every)
    return ", because the question contradicts itself" if alone else ""


def _left_over(answer: Answer) -> list[str]:
    found = []
    if isinstance(answer, Lineage) and answer.interrupted:
        filled = "is filled" if len(answer.interrupted) == 1 else "are filled"
        at = listed(answer.interrupted)
        found.append(f"its lineage is interrupted at {at}, which {filled} by no mapping{_read(answer)}")
    if isinstance(answer, Impact) and answer.unused:
        verb = "is" if len(answer.unused) == 1 else "are"
        found.append(f"{listed(answer.unused)} {verb} reached but read by no mapping{_read(answer)}")
    if isinstance(answer, Impact) and answer.stopped:
        found.append(f"it stops at {listed(answer.stopped)}, from where no mapping{_read(answer)} takes these rows")
    if answer.dropped:
        lone = len(answer.dropped) == 1
        by = f", {READ}," if answer.unread else ""
        said = (
            f"was left out because{by} no row can take it"
            if lone
            else f"were left out because{by} no row can take them"
        )
        found.append(f"{count(len(answer.dropped), 'step')} {said}")
    unsure = [one for one in written(answer) if one.undecided]
    of = [(len(answer.undecided), "step")]
    of += [(sum(sort_of(one) == sort for one in unsure), noun) for sort, noun in UNSURE]
    counts = [count(number, noun) for number, noun in of if number]
    if counts:
        found.append(f"{' and '.join(counts)} could not be decided and {_is([*answer.undecided, *unsure])} kept")
    return found


def _read(answer: Answer) -> str:
    return " that was read" if answer.unread else ""


def _is(items: Sequence[object]) -> str:
    return "is" if len(items) == 1 else "are"
