"""The answers: values that say where data comes from or goes to, under which conditions, and what was left out.

Conditions are texts of the mapping language (``TRUE`` when there is none) and of SQL over the entity they speak of.
They are texts, not expressions: an answer is kept, sent and shown by programs that know nothing of rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mdw.model.answers.basis import Basis
from mdw.model.answers.display import Shown
from mdw.model.answers.ends import End
from mdw.model.answers.reasons import Dropped
from mdw.model.answers.steps import Constant, Generated, Indirect, Step
from mdw.model.answers.unread import UnreadStatement
from mdw.model.rules import Mode, Policy
from mdw.model.tree import Location

NOTHING_KNOWN = Basis()
"""The basis of an answer made by hand."""


@dataclass(frozen=True, slots=True)
class Lineage(Shown):
    """Where the values of ``attribute`` come from (seed 000, chapters 3.2 and 6).

    ``golden`` and ``interrupted`` are where it ends: in entities that no mapping fills, and in attributes that no
    mapping fills of entities that are filled. Or mappings write the value, ``constants``, or make it, ``generated``.
    A question with a ``source`` has that one end, golden or not, and no others. ``steps`` are kept, ``undecided`` those
    of them that no proof settles, ``dropped`` the rest; ``unwritten`` are constants of clauses that no row takes.
    ``assumptions`` say what was taken for granted, ``notes`` what of the question was not looked at. ``unread`` are
    statements not read whole that may write what the answer rests on. ``sql_dialect`` is that of the ends' SQL where it
    was asked for.
    """

    attribute: str
    when: str
    mode: Mode
    unpopulated: Policy | None
    golden: tuple[End, ...]
    constants: tuple[Constant, ...]
    interrupted: tuple[str, ...]
    indirect: tuple[Indirect, ...]
    steps: tuple[Step, ...]
    dropped: tuple[Dropped, ...]
    undecided: tuple[Step, ...] = ()
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reached: frozenset[str] = field(default=frozenset(), repr=False)
    basis: Basis = NOTHING_KNOWN
    source: str = ""
    generated: tuple[Generated, ...] = ()
    unwritten: tuple[Constant, ...] = ()
    sql_dialect: str = ""
    unread: tuple[UnreadStatement, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON-ready values."""
        return {
            "question": "lineage",
            **_question(self),
            **({"source": self.source} if self.source else {}),
            "golden": [end.to_dict() for end in self.golden],
            "interrupted": [{"attribute": name} for name in self.interrupted],
            "generated": [one.to_dict() for one in self.generated],
            "unwritten": [constant.to_dict() for constant in self.unwritten],
            **_rest(self),
        }


@dataclass(frozen=True, slots=True)
class Impact(Shown):
    """What the values of ``attribute`` feed (seed 000, chapter 9): `Lineage` forwards.

    An attribute is ``final`` where every entity that direct steps reach from its entity leads back to it: changes of
    the entity itself, archives read back and mappings that only test its rows take nothing further. Of the others
    values go no further at those ``unused``, which no mapping reads though mappings read their entities, and at those
    ``stopped``, of which no reader takes these rows. A question with a ``target`` has that one in ``final``. ``unread``
    are statements not read whole that name what it reaches.
    """

    attribute: str
    when: str
    mode: Mode
    unpopulated: Policy | None
    final: tuple[End, ...]
    constants: tuple[Constant, ...]
    indirect: tuple[Indirect, ...]
    steps: tuple[Step, ...]
    dropped: tuple[Dropped, ...]
    undecided: tuple[Step, ...] = ()
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reached: frozenset[str] = field(default=frozenset(), repr=False)
    basis: Basis = NOTHING_KNOWN
    unused: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    target: str = ""
    sql_dialect: str = ""
    unread: tuple[UnreadStatement, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON-ready values."""
        return {
            "question": "impact",
            **_question(self),
            **({"target": self.target} if self.target else {}),
            "final": [end.to_dict() for end in self.final],
            "unused": [{"attribute": name} for name in self.unused],
            "stopped": [{"attribute": name} for name in self.stopped],
            **_rest(self),
        }


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the values of ``attribute`` come from, without the ways: one record of a whole warehouse's lineage.

    ``undecided``: not all of them are sure to arrive; none is missing but what statements may bring that were not
    read, ``unread`` by their places.
    """

    attribute: str
    golden: tuple[str, ...] = ()
    interrupted: tuple[str, ...] = ()
    constants: tuple[Constant, ...] = ()
    undecided: bool = False
    generated: tuple[Generated, ...] = ()
    unread: tuple[Location, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The record as plain JSON-ready values."""
        return {
            "attribute": self.attribute,
            "golden": list(self.golden),
            "interrupted": list(self.interrupted),
            "constants": [constant.to_dict() for constant in self.constants],
            "generated": [one.to_dict() for one in self.generated],
            "undecided": self.undecided,
            "unread": list(map(str, self.unread)),
        }


# Two classes and no base with options: what ends a lineage and what ends an impact are different things to a reader.
Answer = Lineage | Impact


def _question(answer: Answer) -> dict[str, Any]:
    # What was asked stands in every answer: a file of it must be readable without the command that made it.
    return {
        "attribute": answer.attribute,
        "when": answer.when,
        "mode": answer.mode,
        "unpopulated": answer.unpopulated or "default",
    } | ({"sql_dialect": answer.sql_dialect} if answer.sql_dialect else {})


def _rest(answer: Answer) -> dict[str, Any]:
    return {
        "constants": [constant.to_dict() for constant in answer.constants],
        "indirect": [source.to_dict() for source in answer.indirect],
        "steps": [step.to_dict() for step in answer.steps],
        "dropped": [dropped.to_dict() for dropped in answer.dropped],
        "undecided": [step.to_dict() for step in answer.undecided],
        "assumptions": list(answer.assumptions),
        "notes": list(answer.notes),
        "unread": [one.to_dict() for one in answer.unread],
        "basis": answer.basis.to_dict(),
    }


NO_FIRST = "no mapping gives a first value to"
"""How a note on attributes begins whose values come from nowhere else."""


def circle(names: Sequence[str]) -> str:
    """What is said of them.

    >>> circle(["T.A"])
    'no mapping gives a first value to T.A, which is filled only from itself'
    """
    itself = "which is filled only from itself" if len(names) == 1 else "which are filled only from one another"
    return f"{NO_FIRST} {' and '.join(names)}, {itself}"
