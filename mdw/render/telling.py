"""Why a step was left out, in sentences: what each rule says, and where that leaves a row no choice.

Contradictions that share a rule make one sentence: the shared rule, then the others. Where all of them share a rule
that stands below the others, nothing that comes to it has what it asks for, and the sentence names what there is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from mdw.model.answers.reasons import Dropped, Group, Link, Reason
from mdw.model.name import entity_of, local_of
from mdw.render.words import bare, listed, place

# A rule that fills an attribute: ``TARGET WITH expression IF condition``.
WRITES = re.compile(r"(?P<target>(?:[\w.]|`[^`]*`)+) WITH (?P<rest>.*)", re.DOTALL)
FEW = 3
"""Rules named in one sentence beside the one they share."""


def because(dropped: Dropped) -> str:
    """Why a step was left out, naming the rules that contradict one another."""
    groups = [group for group in dropped.groups if group.chain]
    if not groups:
        return _at_once(dropped.because)
    said = []
    # The first contradiction is told first, with all that share a rule with it.
    while groups:
        shared = _shared(groups)
        told = [group for group in groups if shared in _rules(group)]
        groups = [group for group in groups if group not in told]
        said.append(_sentence(dropped, shared, told))
    more = [f"{len(said) - FEW} more contradictions on other ways"] if len(said) > FEW + 1 else []
    said = said[:FEW] + more if more else said
    return "; ".join(said if dropped.complete else [*said, "not every way was looked at"])


def requires(rule: Reason | Link) -> str:
    """One rule of a contradiction, with its place."""
    text = rule.condition if isinstance(rule, Reason) else rule.text
    if not rule.mapping:
        return f"the question asks for {bare(text)}"
    where = f" ({place(rule.location)})" if rule.location else ""
    # A population that does more than copy is a rule too: it writes a value that no later rule may want.
    filled = WRITES.match(text)
    if filled:
        return f"{rule.mapping}{where} writes {filled['rest']} into {filled['target']}"
    return f"{rule.mapping}{where} requires {bare(text)}"


def _at_once(rules: Sequence[Reason]) -> str:
    """Rules of which no more is known than that they contradict one another."""
    # Two rules contradict each other; three may be possible in pairs, so they are said to fail together.
    said = [requires(rule) for rule in rules]
    if not said:
        return "no row ever comes here"
    if len(said) < 3:
        return " but ".join(said) if said[1:] else f"{said[0]}, which no row can meet"
    return f"{', '.join(said[:-1])} and {said[-1]}, which no row can meet together"


def _sentence(dropped: Dropped, shared: Link, groups: Sequence[Group]) -> str:
    """Contradictions that have a rule in common."""
    if len(groups) == 1 and not _nothing_gives(dropped, shared, groups):
        return _alone(groups[0])
    common = [rule for rule in _rules(groups[0]) if all(rule in _rules(group) for group in groups)]
    rest = [" and ".join(requires(rule) for rule in _rules(group) if rule not in common) for group in groups]
    others = listed(list(dict.fromkeys(filter(None, rest))), FEW)
    said = " and ".join(map(requires, common))
    if not _nothing_gives(dropped, shared, groups):
        return f"{said}, but {others}"
    near = entity_of(shared.attribute) == entity_of(dropped.step.source)
    none = f"nothing that fills {shared.attribute} gives that" if near else "no row that comes this way has that"
    return f"{said}, but {none}: {others}"


def _nothing_gives(dropped: Dropped, shared: Link, groups: Sequence[Group]) -> bool:
    """Whether all that comes to the shared rule, on every way of the step, is named beside it."""
    whole = len(groups) == len(dropped.groups) and dropped.complete and shared.attribute
    below = all(len(_rules(group)) == 2 and _rules(group)[-1] == shared for group in groups)
    return bool(whole) and below and (dropped.dead_end or shared.mapping == dropped.step.mapping)


def _alone(group: Group) -> str:
    """One contradiction, rule after rule; what has got another name between two rules is told."""
    rules = _rules(group)
    if len(rules) == 1 and not rules[0].mapping:
        return f"the question contradicts itself: no row has {bare(rules[0].text)}"
    if len(rules) != 2:
        return _at_once(group.rules) if len(rules) < 2 else _at_once([_reason(rule) for rule in rules])
    first, last = rules
    names = {local_of(rule.attribute) for rule in rules if rule.attribute}
    copies = [link for link in group.chain if link.kind == "copy"]
    if len(names) < 2 or not copies:
        return f"{requires(first)}, but {requires(last)}"
    renaming = next(link for link in copies if local_of(link.attribute) == local_of(last.attribute))
    if renaming.mapping == first.mapping and renaming.location:
        where = f"it copies into {renaming.attribute} (line {renaming.location.line})"
    else:
        where = f"{renaming.mapping} ({place(renaming.location)}) copies into {renaming.attribute}"
    return f"{requires(first)}, which {where}, but {requires(last)}"


def _reason(rule: Link) -> Reason:
    return Reason(rule.mapping, rule.text, rule.location)


def _rules(group: Group) -> list[Link]:
    return [link for link in group.chain if link.kind == "rule"]


def _shared(groups: Sequence[Group]) -> Link:
    """The rule of the first contradiction that most others have."""
    counted = Counter(rule for group in groups for rule in _rules(group))
    return max(_rules(groups[0]), key=lambda rule: counted[rule])
