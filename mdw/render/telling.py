"""Why a step was left out, in sentences: what each rule says, and where that leaves a row no choice.

Contradictions that share a rule make one sentence: the shared rule, then the others. Where all of them share a rule
that stands below the others, nothing that comes to it has what it asks for, and the sentence names what there is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mdw.model.answers.reasons import Dropped, Group, Link, Reason
from mdw.model.name import entity_of, local_of
from mdw.render.spoken import spoken
from mdw.render.words import bare, called, listed

# A rule that fills an attribute: ``TARGET WITH expression IF condition``.
WRITES = re.compile(r"(?P<target>(?:[\w.]|`[^`]*`)+) WITH (?P<rest>.*)", re.DOTALL)
# The WITH of a further clause, or a text, which may hold the word.
NEXT = re.compile(r""""(?:[^"\\]|\\.)*"| WITH """)
FEW = 3
"""Rules named in one sentence beside the one they share."""
SEVERAL = {
    "requires": "require",
    "writes": "write",
    "asks for": "ask for",
    "comes after": "come after",
    "leaves": "leave",
}
"""What several do, by what one does."""
TOGETHER = ", which no row can meet together"


@dataclass(frozen=True)
class Said:
    """What rules have in common: who does what, as in "a (f.map:3) and b (f.map:9)", "requires", "R = 1"."""

    who: tuple[str, ...]
    verb: str
    what: str

    def __str__(self) -> str:
        verb = SEVERAL[self.verb] if len(self.who) > 1 else self.verb
        return f"{listed(self.who, FEW)} {verb} {self.what}"


@dataclass(frozen=True)
class Sentence:
    """What some rules say, and where that leaves a row."""

    said: tuple[Said, ...]
    rest: str

    def __str__(self) -> str:
        return f"{' and '.join(map(str, self.said))}{self.rest}"


def because(dropped: Dropped) -> str:
    """Why a step was left out, naming the rules that contradict one another."""
    groups = [group for group in dropped.groups if group.chain]
    if not groups:
        said = _at_once(dropped.because)
        return said if dropped.complete else f"{said}; to find all rules that contradict would have taken too long"
    sentences = []
    # The first contradiction is told first, with all that share a rule with it.
    while groups:
        shared = _shared(groups)
        told = [group for group in groups if shared in _rules(group)]
        groups = [group for group in groups if group not in told]
        sentences.append(_sentence(dropped, shared, told))
    # Each further contradiction closes ways that the ones before leave open.
    texts = [f"{'on other ways ' if number else ''}{one}" for number, one in enumerate(_merged(sentences))]
    if len(texts) > FEW + 1:
        texts[FEW:] = [f"{len(texts) - FEW} more contradictions on other ways"]
    return "; ".join(texts if dropped.complete else [*texts, "not every way was looked at"])


def _text(rule: Reason | Link) -> str:
    return spoken(rule.condition if isinstance(rule, Reason) else rule.text)


def _said(rule: Reason | Link) -> Said:
    """One rule of a contradiction, with its place."""
    text = _text(rule)
    if not rule.mapping:
        return Said(("the question",), "asks for", bare(text))
    who = called(rule.mapping, rule.location)
    if isinstance(rule, Link) and rule.kind == "left":
        return Said((who,), "leaves", f"{rule.attribute} NULL")
    if not text:
        # Only a clause asks nothing by itself: that no earlier one takes the row.
        return Said((who,), "comes after", "a WITH without IF, which takes every row")
    # A population that does more than copy is a rule too: it writes a value that no later rule may want.
    filled = WRITES.match(text)
    if filled:
        return Said((who,), "writes", f"{NEXT.sub(_else, bare(filled['rest']))} into {filled['target']}")
    return Said((who,), "requires", bare(text))


def _else(found: re.Match[str]) -> str:
    return ", else " if found[0] == " WITH " else found[0]


def _together(rules: Iterable[Reason | Link]) -> tuple[Said, ...]:
    """Some rules, what one mapping requires in several places at once."""
    found: dict[tuple[str, str], Said] = {}
    for rule in rules:
        one = _said(rule)
        key = rule.mapping, one.verb if one.verb == "requires" else one.what
        before = found.get(key)
        if before is not None and rule.location:
            who = (f"{before.who[0].removesuffix(')')}, {rule.location.line})",)
            one = Said(who, one.verb, f"{before.what} and {one.what}")
        found[key] = one
    return tuple(found.values())


def _listed(every: Iterable[Sequence[Said]]) -> str:
    """Rules or bundles of rules in a row; who says the same is named together."""
    return listed([str(one) for one in _merged([Sentence(tuple(some), "") for some in every if some])], FEW)


def _merged(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Sentences that differ only by who it is become one."""
    found: dict[object, Sentence] = {}
    for number, one in enumerate(sentences):
        if len(one.said) != 1:
            found[number] = one
            continue
        [first] = one.said
        key = first.verb, first.what, one.rest
        who = dict.fromkeys((*found[key].said[0].who, *first.who)) if key in found else first.who
        found[key] = replace(one, said=(replace(first, who=tuple(who)),))
    return list(found.values())


def _at_once(rules: Sequence[Reason | Link]) -> str:
    """Rules of which no more is known than that they contradict one another."""
    # Two rules contradict each other; three may be possible in pairs, so they are said to fail together.
    said = list(map(str, _together(rules)))
    if not said:
        return "no row ever comes here"
    if len(rules) < 3:
        alone = said[0] if not _text(rules[0]) else f"{said[0]}, which no row can meet"
        return " but ".join(said) if said[1:] else alone
    return f"{', '.join(said[:-1])} and {said[-1]}{TOGETHER}" if said[1:] else f"{said[0]}{TOGETHER}"


def _sentence(dropped: Dropped, shared: Link, groups: Sequence[Group]) -> Sentence:
    """Contradictions that have a rule in common."""
    if len(groups) == 1 and not _nothing_gives(dropped, shared, groups):
        return _alone(groups[0])
    common = [rule for rule in _rules(groups[0]) if all(rule in _rules(group) for group in groups)]
    others = _listed(_together(rule for rule in _rules(group) if rule not in common) for group in groups)
    said = _together(common)
    if not _nothing_gives(dropped, shared, groups):
        return Sentence(said, f", but {others}")
    near = entity_of(shared.attribute) == entity_of(dropped.step.source)
    none = f"nothing that fills {shared.attribute} gives that" if near else "no row that comes this way has that"
    return Sentence(said, f", but {none}: {others}")


def _nothing_gives(dropped: Dropped, shared: Link, groups: Sequence[Group]) -> bool:
    """Whether all that comes to the shared rule, on every way of the step, is named beside it."""
    whole = len(groups) == len(dropped.groups) and dropped.complete and shared.attribute
    below = all(len(_rules(group)) == 2 and _rules(group)[-1] == shared for group in groups)
    return bool(whole) and below and (dropped.dead_end or shared.mapping == dropped.step.mapping)


def _alone(group: Group) -> Sentence:
    """One contradiction, rule after rule; what has got another name between two rules is told."""
    rules = _rules(group)
    if len(rules) == 1 and not rules[0].mapping:
        return Sentence((), f"the question contradicts itself: no row has {bare(_text(rules[0]))}")
    if len(rules) != 2:
        return Sentence((), _at_once(group.rules if len(rules) < 2 else rules))
    first, last = rules
    names = {local_of(rule.attribute) for rule in rules if rule.attribute}
    copies = [link for link in group.chain if link.kind == "copy"]
    if len(names) < 2 or not copies:
        return Sentence((_said(first),), f", but {_said(last)}")
    renaming = next(link for link in copies if local_of(link.attribute) == local_of(last.attribute))
    if renaming.mapping == first.mapping and renaming.location:
        where = f"it copies into {renaming.attribute} (line {renaming.location.line})"
    else:
        where = f"{called(renaming.mapping, renaming.location)} copies into {renaming.attribute}"
    return Sentence((_said(first),), f", which {where}, but {_said(last)}")


def _rules(group: Group) -> list[Link]:
    return [link for link in group.chain if link.kind in ("rule", "left")]


def _shared(groups: Sequence[Group]) -> Link:
    """The rule of the first contradiction that most others have."""
    counted = Counter(rule for group in groups for rule in _rules(group))
    return max(_rules(groups[0]), key=lambda rule: counted[rule])
