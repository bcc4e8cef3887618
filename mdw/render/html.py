"""Answers in notebooks: the picture, and what does not fit into it folded away below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from mdw.model.answers.answer import Answer, Impact, Lineage
from mdw.model.name import entity_of
from mdw.render.picture import lineage_svg
from mdw.render.summary import basis
from mdw.render.telling import because
from mdw.render.unread import unread_lines
from mdw.render.words import beside, clipped, contributes, count, deciding, deciding_title, ends, role, via, written

LONGEST_LIST = 100
LONGEST_TEXT = 2000


def answer_html(answer: Answer) -> str:
    """The answer as a piece of HTML without scripts and without styles of its own beyond scrolling."""
    # Notebooks on the web take scripts and styles out of what they show; <details> folds without either.
    picture = f'<div style="overflow-x:auto">{lineage_svg(answer)}</div>'
    parts = [picture, *(_folded(title, content) for title, content in _sections(answer))]
    parts.append(f"<p>{_text(basis(answer))}</p>" if basis(answer) else "")
    return f"<div>{''.join(parts)}</div>"


def _sections(answer: Answer) -> Iterator[tuple[str, str]]:
    yield f"{count(len(answer.unread), 'statement')} not read", _list(map(_text, unread_lines(answer)))
    yield count(len(ends(answer)), role(answer)), _ends(answer)
    values = (
        f"<code>{_text(one.value)}</code> in {_code(one.target)} by {escape(one.mapping)}" for one in written(answer)
    )
    yield count(len(written(answer)), "written value"), _list(values)
    if isinstance(answer, Lineage):
        yield f"interrupted at {count(len(answer.interrupted), 'attribute')}", _list(map(_code, answer.interrupted))
    if isinstance(answer, Impact):
        yield f"stops at {count(len(answer.stopped), 'attribute')}", _list(map(_code, answer.stopped))
        yield f"unused: {count(len(answer.unused), 'attribute')}", _list(map(_code, answer.unused))
    yield deciding_title(answer), _deciding(answer)
    yield f"{count(len(answer.dropped), 'step')} left out", _left_out(answer)
    unsure = (f"{_code(one.source)} into {_code(one.target)} {escape(via(one))}" for one in answer.undecided)
    yield f"{count(len(answer.undecided), 'step')} undecided, therefore kept", _list(unsure)
    yield count(len(answer.assumptions), "assumption"), _list(map(_text, answer.assumptions))
    yield count(len(answer.notes), "note"), _list(map(_text, answer.notes))


def _ends(answer: Answer) -> str:
    """A row for the ends of one entity that contribute alike."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for end in ends(answer)[:LONGEST_LIST]:
        said = entity_of(end.attribute), end.sql, contributes(answer, end), *beside(answer, end)
        groups.setdefault(said, []).append(end.attribute)
    rows = [
        (
            "<br/>".join(map(_code, names)),
            "<br/>".join([_text(says), *(f"<small>{_text(one)}</small>" for one in more)]),
            f"<code>{_text(sql)}</code>",
        )
        for (_, sql, says, *more), names in groups.items()
    ]
    return _table((role(answer), "contributes", "SQL WHERE"), rows)


def _deciding(answer: Answer) -> str:
    rows = [(escape(how), ", ".join(map(_code, names[:LONGEST_LIST]))) for how, _, names in deciding(answer)]
    return _table(("how", "attributes"), rows)


def _left_out(answer: Answer) -> str:
    """Steps that are left out for one reason share a row."""
    groups: dict[str, list[str]] = {}
    for one in answer.dropped[:LONGEST_LIST]:
        groups.setdefault(because(one), []).append(f"{_code(one.step.source)} {escape(via(one.step))}")
    rows = [("<br/>".join(steps), _text(reason)) for reason, steps in groups.items()]
    more = len(answer.dropped) - LONGEST_LIST
    return _table(("step", "because"), rows) + (f"<p>{more:,} more</p>" if more > 0 else "")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of HTML below their heads; "" of none."""
    # Notebooks set cells to the right and keep them on one line: what is read is set to the left.
    cells = ["".join(f'<td style="text-align:left;white-space:normal">{cell}</td>' for cell in row) for row in rows]
    names = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in head)
    return f"<table><tr>{names}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>" if cells else ""


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{content}</details>" if content else ""


def _list(items: Iterable[str]) -> str:
    every = list(items)
    lines = [f"<li>{item}</li>" for item in every[:LONGEST_LIST]]
    if len(every) > LONGEST_LIST:
        lines.append(f"<li>{len(every) - LONGEST_LIST:,} more</li>")
    return f"<ul>{''.join(lines)}</ul>" if lines else ""


def _code(name: str) -> str:
    return f"<code>{escape(name)}</code>"


def _text(text: str) -> str:
    return escape(clipped(text, LONGEST_TEXT))
