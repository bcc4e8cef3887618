"""A script's text -> its program."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Final

from sqlglot.errors import TokenError

from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.programs import (
    assigning,
    blocks,
    bodies,
    calling,
    choosing,
    clients,
    compiling,
    jumping,
    loops,
    routines,
)
from mdw.readers.sql.programs.lines import ClientLine, mended, readable, wordless
from mdw.readers.sql.programs.program import Run, Step, Steps
from mdw.readers.sql.programs.words import Readers, StepReader, Words

TABLE: Final[Mapping[str, StepReader]] = {
    **assigning.STEPS,
    **blocks.STEPS,
    **bodies.STEPS,
    **choosing.STEPS,
    **compiling.STEPS,
    **loops.STEPS,
    **calling.STEPS,
    **jumping.STEPS,
    **routines.STEPS,
    **{word: compiling.with_functions(assigning.STEPS[word]) for word in ("WITH", "INSERT")},
}
"""What reads the steps that a word begins; "" those that no word begins."""
READERS: Final = Readers(TABLE, clients.LINES)


def program_of(text: str, flavour: Flavour, offset: int = 0) -> Steps:
    """The program that a text is; what cannot be read of it is a statement that says why.

    >>> from mdw.readers.sql.dialects import flavour_of
    >>> from mdw.readers.sql.programs.outline import outline
    >>> print(outline(program_of("IF @a = 1 DELETE t ELSE PRINT 'no' SELECT b FROM t", flavour_of("tsql"))))
    IF @a = 1
      DELETE t
    ELSE
      aside PRINT 'no'
    SELECT b FROM t
    """
    found = mended(text, flavour)
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
    """The steps of each part of a script that stands for itself: nothing that is open goes on behind GO."""
    if not lines:
        return _batch(words, len(words.tokens))
    starts = [token.start for token in words.tokens]
    found: list[Step] = []
    for start in sorted(start for start, line in lines.items() if line.hard):
        found += _batch(words, bisect_left(starts, start))
    found += _batch(words, len(words.tokens))
    return tuple(found)


def _batch(words: Words, end: int) -> Steps:
    words.end, words.inside, words.handlers = end, False, []
    return (*words.steps(), *words.left())
