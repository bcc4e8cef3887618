"""Values made of several: the arms of each -> the arms of the first that is known, of an aggregation, of a window."""

from __future__ import annotations

from collections.abc import Sequence

from mdw.language.arms import Choice, all_of, all_said, changed, deciding, effective, one_of, opaque, under, uses_of
from mdw.language.constants import unquote
from mdw.language.frames import holds_own, of_others
from mdw.language.wording import value_text
from mdw.model.expressions import TRUE, Aggregate, Call, Condition, Const, IsNull, Not, Window
from mdw.model.function_names import CHOOSING
from mdw.model.rules import DIRECT, Source, unique
from mdw.model.tree import Node

MOST_ARMS = 30
"""Arms of one expression; what has more is taken as a function of all it mentions: arms within arms multiply."""
ONE = Const("number", "1")


def first_known(several: Sequence[list[Choice]], arguments: Sequence[Node], node: Node) -> list[Choice]:
    """COALESCE: each argument is used where all before it are NULL."""
    if all(len(arms) == 1 for arms in several):
        values = tuple(arms[0].value for arms in several)
        uses: list[Source] = []
        for number, (arm,) in enumerate(several):
            before: tuple[Condition, ...] = tuple(IsNull(value) for value in values[:number])
            uses += [under(use, before, arm.value) for use in arm.uses]
            if number + 1 < len(values):
                uses += deciding(IsNull(arm.value))
        return [Choice(None, Call("COALESCE", values), changed(uses), "", node)]
    found = apart(several, arguments)
    return found if len(found) <= MOST_ARMS else [Choice(None, opaque(found), changed(uses_of(found)), "", node)]


def apart(several: Sequence[Sequence[Choice]], nodes: Sequence[Node]) -> list[Choice]:
    """The arms of the first value that is not NULL."""
    found: list[Choice] = []
    for arms, node in zip(several[:-1], nodes, strict=False):
        for taken, arm in effective(arms):
            tests = [*([taken] if taken != TRUE else []), Not(IsNull(arm.value))]
            text = all_said([arm.text, f"{value_text(node)} IS NOT NULL"])
            found.append(Choice(all_of(tests), arm.value, changed(arm.uses), text, arm.place))
    found += [arm._replace(uses=changed(arm.uses)) for arm in several[-1]]
    return found


def aggregated(function: str, several: Sequence[list[Choice]], node: Node) -> list[Choice]:
    """What an aggregation takes in: each row of the group chooses for itself."""
    # ARG_MAX(x, y) gives an x; y only decides of which row. In `SUM(CASE WHEN S.T = "a" THEN S.X END)` the use of X
    # has the test T = "a", which `uses_of` gives it (rule Q1); the sum itself is one value, whatever rows choose.
    given = several[:1] if function in CHOOSING else several
    uses = [
        use._replace(subtype="AGGREGATION" if use.subtype in DIRECT else use.subtype)
        for arms in given
        for use in uses_of(arms)
    ]
    uses += [use._replace(subtype="SORT") for arms in several[len(given) :] for use in uses_of(arms)]
    values = [one_of(arms) for arms in several]
    argument = values[0] if len(values) == 1 else Call("", tuple(values)) if values else ONE
    return [Choice(None, Aggregate(function, argument), unique(uses), "", node)]


def windowed(
    functions: list[Choice], keys: Sequence[tuple[bool, list[Choice]]], frame: Node | None, node: Node
) -> list[Choice]:
    """What a window gives; of each key it is told whether it parts the rows, or orders them."""
    function = one_of(functions)
    uses = list(uses_of(functions))
    for _, arms in keys:
        uses += [use._replace(subtype="WINDOW", test=None) for use in uses_of(arms)]
    if frame is not None and not holds_own(unquote(frame.text)):
        function = of_others(function)
    parting = tuple([one_of(arms) for parts, arms in keys if parts])
    return [Choice(None, Window(function, parting), changed(uses), "", node)]
