"""Programs laid out over their file: what each piece covers, and what is left between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.program import Arm, Loop, Steps

# Comments first: words in them are none.
LEFT = re.compile(
    r"""(?isx)(?: \s | --[^\n]* | /\*.*?\*/ | \#[^\n]* | // | [;(),'$/] | DELIMITER[^\n]* | \$\w*\$
    | END (?:\s+(?:IF|LOOP|WHILE|FOR|REPEAT|CASE|TRY|CATCH))? (?:\s+(?!END|ELSE)\w+)?
    | (?:ELSE|ELSIF|ELSEIF|ELIF|THEN|WHEN|IF|EXCEPTION|DECLARE|BEGIN|INTO|GO(?:\s+\d+)?|RETURN|UNTIL)\b
    | (?:LANGUAGE\s+\w+|IMMUTABLE|STABLE|VOLATILE|STRICT)\b | \#variable_conflict\s+\w+
    | <<\w+>> | INTO\s+[\w.:]+(?:\s*,\s*[\w.:]+)*
    | \\(?:elif|else|endif)[^\n]* | \.(?:ELSE|ENDIF|ELSEIF)[^\n]*
    )*"""
)


def spans(program: Steps) -> Iterator[tuple[int, int]]:
    """Where each piece of a program stands that no other piece holds."""
    for step in program:
        yield step.piece.span
        for field in fields(step):
            held = getattr(step, field.name)
            if isinstance(step, Loop) and step.until and field.name == "test" and held is not None:
                yield held.span
            if not isinstance(held, tuple):
                continue
            for number, one in enumerate(held):
                if isinstance(one, Arm):
                    if number and one.test is not None:
                        yield one.test.span
                    yield from spans(one.body)
                elif hasattr(one, "body") and hasattr(one, "conditions"):
                    yield one.piece.span
                    yield from spans(one.body)
            if field.name == "body":
                yield from spans(held)


def leaves(program: Steps) -> Iterator[ScriptPiece]:
    """The pieces of steps that hold no others."""
    for step in program:
        if not any(hasattr(step, name) for name in ("arms", "body")):
            yield step.piece
        for arm in getattr(step, "arms", ()):
            yield from leaves(arm.body)
        yield from leaves(getattr(step, "body", None) or ())
        for handler in getattr(step, "handlers", ()):
            yield from leaves(handler.body)


def gaps(program: Steps, text: str) -> Iterator[str]:
    """The text between the pieces, in order; AssertionError where two of them overlap."""
    last = 0
    for first, end in sorted(spans(program)):
        assert first >= last, f"twice: {text[first:last]}"
        yield text[last:first]
        last = max(end, last)
    yield text[last:]


def plain(value: object) -> object:
    """A program without places: what its pieces say, as nested tuples."""
    if isinstance(value, ScriptPiece):
        return tuple(token.text for token in value.tokens) or value.text.split()
    if isinstance(value, tuple):
        return tuple(plain(one) for one in value)
    if is_dataclass(value):
        return (type(value).__name__, *(plain(getattr(value, field.name)) for field in fields(value)))
    return value
