"""A script's text -> its program."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Final

from sqlglot.errors import TokenError

from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.pieces import ScriptPiece, word_of
from mdw.readers.sql.programs import (
    assigning,
    blocks,
    bodies,
    calling,
    choosing,
    clients,
    compiling,
    fastload,
    jumping,
    loops,
    raising,
    routines,
)
from mdw.readers.sql.programs.lines import SHELL, ClientLine, mended, readable, wordless
from mdw.readers.sql.programs.program import BeginEnd, Jump, Run, Step, Steps, Test
from mdw.readers.sql.programs.words import Readers, StepReader, Words

TABLE: Final[Mapping[str, StepReader]] = {
    **assigning.STEPS,
    **blocks.STEPS,
    **bodies.STEPS,
    **choosing.STEPS,
    **compiling.STEPS,
    **fastload.STEPS,
    **loops.STEPS,
    **calling.STEPS,
    **jumping.STEPS,
    **raising.STEPS,
    **routines.STEPS,
    **{word: compiling.with_functions(assigning.STEPS[word]) for word in ("WITH", "INSERT")},
}
"""What reads the steps that a word begins; "" those that no word begins."""
READERS: Final = Readers(TABLE, clients.LINES)

MOVING = frozenset(("USE", "DATABASE", "SET", "ALTER"))
"""Words that statements begin with which may say where names are looked for."""


def program_of(text: str, flavour: Flavour, offset: int = 0, *, shell: bool = False) -> Steps:
    """The program that a text is, perhaps a ``shell`` script; what cannot be read of it is a statement that says why.

    >>> from mdw.readers.sql.dialects import flavour_of
    >>> from mdw.readers.sql.programs.outline import outline
    >>> print(outline(program_of("IF @a = 1 DELETE t ELSE PRINT 'no' SELECT b FROM t", flavour_of("tsql"))))
    IF @a = 1
      DELETE t
    ELSE
      aside PRINT 'no'
    SELECT b FROM t
    """
    found = mended(text, flavour, shell=shell)
    lines: Mapping[int, ClientLine] = found.lines
    try:
        words = Words(found.text, offset, flavour, READERS, lines)
    except TokenError:
        # A quote that is never closed, or the like: what stands around it is still read.
        rough = readable(found.text, flavour)
        lines = {**lines, **rough.lines}
        try:
            words = Words(rough.text, offset, flavour, READERS, lines)
        except TokenError:
            return (Run(wordless(text, 0).piece(offset)),)
    return _batches(words, lines)


def _batches(words: Words, lines: Mapping[int, ClientLine]) -> Steps:
    """The steps of each part of a script that stands for itself: nothing that is open goes on behind GO.

    What a shell script gives to a client is for that alone: .QUIT and USE hold to its end, and not for the next one.
    """
    if not lines:
        return _batch(words, len(words.tokens))
    found: list[Step] = []
    own: list[Step] = []
    hard = sorted(start for start, line in lines.items() if line.hard)
    for start in hard:
        own += _batch(words, bisect_left(words.tokens, start, key=attrgetter("start")))
        if lines[start].word == SHELL:
            nothing = ScriptPiece((), "", words.offset + start)
            alone = start != hard[-1] and (_quits(own) or any(map(_moves, own)))
            found += [BeginEnd(tuple(own), nothing, timing=SHELL)] if alone else own
            own = []
    return (*found, *own, *_batch(words, len(words.tokens)))


def _quits(steps: Iterable[Step]) -> bool:
    """Whether some way through these steps ends the client that reads them."""
    for one in steps:
        if isinstance(one, Jump) and one.kind == "return":
            return True
        if isinstance(one, Test) and any(_quits(arm.body) for arm in one.arms):
            return True
    return False


def _moves(step: Step) -> bool:
    """Whether a step may say where names are looked for."""
    return isinstance(step, Run) and bool(step.piece.tokens) and word_of(step.piece.tokens[0]) in MOVING


def _batch(words: Words, end: int) -> Steps:
    words.end, words.inside, words.handlers = end, False, []
    return (*words.steps(), *words.left())
