"""A program as text, a line for each step, for people and tests."""

from __future__ import annotations

from collections.abc import Iterator

from mdw.readers.sql.pieces import NAMES, ScriptPiece
from mdw.readers.sql.programs.program import (
    Argument,
    Arm,
    Aside,
    Assign,
    BeginEnd,
    Client,
    Declare,
    Dynamic,
    Fetch,
    Jump,
    Loop,
    Open,
    ProgramVariable,
    Routine,
    RoutineCall,
    Run,
    Step,
    Steps,
    Test,
)

WIDTH = 100


def outline(program: Steps) -> str:
    """A program as lines, what steps hold further in.

    >>> piece = ScriptPiece((), "DELETE FROM t")
    >>> print(outline((Loop((Run(piece),), piece, label="l", record="r", cursor="c"),)))
    loop l: for r in cursor c
      DELETE FROM t
    """
    return "\n".join(line for step in program for line in _step(step, ""))


def words_of(piece: ScriptPiece | None) -> str:
    """The words of a piece with single blanks between those that the text parts, the beginning of many."""
    if piece is None:
        return ""
    parts, end = [piece.text if not piece.tokens else ""], 0
    for token in piece.tokens:
        written = piece.text[token.start : token.end + 1]
        # A word that was put there has the place of another.
        made = token.token_type not in NAMES and token.text.upper() not in written.upper()
        parts.append(" " * (made or token.start != end) + (token.text if made else written))
        end = token.end + 1
    found = " ".join("".join(parts).split())
    return found if len(found) <= WIDTH else found[: WIDTH - 3] + "..."


def _step(step: Step, lead: str) -> Iterator[str]:
    shown = f"! {step.piece.message}: " if step.piece.message else ""
    match step:
        case Run(piece, into, branches):
            yield f"{lead}{shown}{' | '.join(map(words_of, branches or (piece,)))}{_into(into)}"
        case Aside(piece):
            yield f"{lead}aside {words_of(piece)}"
        case Client(piece, runs):
            yield f"{lead}client {words_of(piece)}" + (f" -> {runs}" if runs else "")
        case Declare(variables, piece):
            yield from (f"{lead}declare {_variable(one)}" for one in variables)
            if not variables:
                yield f"{lead}declare - {words_of(piece)}"
        case Assign(names, value, _, query, keeps):
            marks = " (keeps)" * keeps
            yield f"{lead}{', '.join(names)} := {'query ' * query}{words_of(value)}{marks}"
        case Open(cursor, _, query, arguments, dynamic):
            of = f" for {'text ' * dynamic}{words_of(query)}" if query else ""
            yield f"{lead}open {cursor}{_given(arguments)}{of}"
        case Fetch(cursor, names, _):
            yield f"{lead}fetch {cursor}{_into(names)}"
        case RoutineCall(name, _, arguments, into, insert):
            yield f"{lead}call {name}{_given(arguments)}{_into(into)}" + (f" for {words_of(insert)}" if insert else "")
        case Dynamic(text, _, using, into, insert):
            yield f"{lead}dynamic {words_of(text)}{_given(using)}{_into(into)}" + (
                f" for {words_of(insert)}" if insert else ""
            )
        case Jump():
            yield lead + _jump(step)
        case _:
            yield from _held(step, lead)


def _held(step: Step, lead: str) -> Iterator[str]:
    further = lead + "  "
    match step:
        case Test(arms, _):
            yield from _arms(arms, lead)
        case Loop():
            yield lead + _loop(step)
            yield from _steps(step.body, further)
        case BeginEnd(body, _, label, handlers, undoes, timing):
            named = " ".join(one for one in ("begin", label, timing.lower()) if one)
            yield f"{lead}{named}{' (undoes)' * undoes}"
            yield from _steps(body, further)
            for one in handlers:
                yield f"{lead}when {' '.join(one.conditions.split())}{' (goes on)' * one.goes_on}"
                yield from _steps(one.body, further)
        case Routine():
            yield lead + _routine(step)
            yield from _steps(step.body or (), further)


def _steps(steps: Steps, lead: str) -> Iterator[str]:
    for step in steps:
        yield from _step(step, lead)


def _arms(arms: tuple[Arm, ...], lead: str) -> Iterator[str]:
    for number, arm in enumerate(arms):
        yield f"{lead}ELSE" if arm.test is None else f"{lead}{'ELSE' * bool(number)}IF {words_of(arm.test)}"
        yield from _steps(arm.body, lead + "  ")


def _into(names: tuple[str, ...]) -> str:
    return f" -> {', '.join(names)}" if names else ""


def _given(arguments: tuple[Argument, ...]) -> str:
    if not arguments:
        return ""
    shown = [f"{f'{one.name} = ' * bool(one.name)}{words_of(one.value)}{' out' * one.out}" for one in arguments]
    return f"({', '.join(shown)})"


def _variable(one: ProgramVariable) -> str:
    parts = ["" if one.kind in ("variable", "argument") else one.kind, "" if one.mode == "in" else one.mode, one.name]
    parts += [one.type if one.kind not in ("cursor", "table") else ""]
    if one.arguments:
        parts.append(f"({', '.join(map(_variable, one.arguments))})")
    if one.columns:
        parts.append(f"({', '.join(f'{name} {type_}'.strip() for name, type_ in one.columns)})")
    parts += [
        f"like {one.like}" if one.like else "",
        f"= {words_of(one.default)}" if one.default and one.kind != "cursor" else "",
    ]
    parts += [f"for {words_of(one.query)}" if one.query else ""]
    return " ".join(part for part in parts if part)


def _jump(step: Jump) -> str:
    value = f" {'query ' * step.query}{'text ' * step.dynamic}{words_of(step.value)}" if step.value else ""
    said = f" {words_of(step.piece)}" if step.kind in ("raise", "fail") else ""
    test = f" when {words_of(step.test)}" if step.test else ""
    return f"{step.kind}{' ' * bool(step.label)}{step.label}{value}{said}{test}"


def _loop(step: Loop) -> str:
    parts = ["loop", f"{step.label}:" if step.label else ""]
    if step.test is not None:
        parts += ["until" if step.until else "while", words_of(step.test)]
    if step.record:
        parts += ["for", step.record]
    if step.cursor:
        parts.append(f"in cursor {step.cursor}{_given(step.arguments)}")
    if step.query:
        parts.append(f"in {'text ' * step.dynamic}{words_of(step.query)}")
    return " ".join(part for part in parts if part)


def _routine(step: Routine) -> str:
    parts = [step.kind, step.name]
    if step.arguments:
        parts.append(f"({', '.join(map(_variable, step.arguments))})")
    parts += [f"returns {step.returns}" if step.returns else ""]
    if step.columns:
        parts.append(f"({', '.join(f'{name} {type_}' for name, type_ in step.columns)})")
    parts += [f"in {step.language}" if step.language else "", "without a body" if step.body is None else ""]
    trigger = step.trigger
    if trigger is not None:
        parts += [
            trigger.timing,
            ", ".join(trigger.events),
            f"of {', '.join(trigger.columns)}" if trigger.columns else "",
        ]
        parts += [f"on {trigger.table}", "each row" if trigger.each else "", f"new {trigger.new} old {trigger.old}"]
        parts += [f"when {words_of(trigger.when)}" if trigger.when else ""]
        parts += [f"runs {trigger.function}" if trigger.function else "", "" if trigger.enabled else "disabled"]
    return " ".join(part for part in parts if part)
