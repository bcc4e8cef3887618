"""Answers in notebooks: the picture, and what does not fit into it folded away below."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from mdw.model.answers.answer import Answer
from mdw.render.picture import lineage_svg
from mdw.render.summary import basis
from mdw.render.telling import because
from mdw.render.words import clipped, contributes, count, ends, role, via

LONGEST_LIST = 100
LONGEST_TEXT = 2000


def answer_html(answer: Answer) -> str:
    """The answer as a piece of HTML without scripts and without styles of its own beyond scrolling."""
    # Notebooks on the web take scripts and styles out of what they show; <details> folds without either.
    picture = f'<div style="overflow-x:auto">{lineage_svg(answer)}</div>'
    parts = [picture, _folded(count(len(ends(answer)), role(answer)), _ends(answer))]
    dropped = [
        f"<code>{escape(one.step.source)}</code> {escape(via(one.step))}: {_text(because(one))}"
        for one in answer.dropped
    ]
    parts.append(_folded(f"{count(len(dropped), 'step')} left out", _list(dropped)))
    parts.append(_folded(count(len(answer.assumptions), "assumption"), _list(map(escape, answer.assumptions))))
    parts.append(_folded(count(len(answer.notes), "note"), _list(map(escape, answer.notes))))
    parts.append(f"<p>{_text(basis(answer))}</p>" if basis(answer) else "")
    return f"<div>{''.join(parts)}</div>"


def _ends(answer: Answer) -> str:
    rows = []
    for end in ends(answer)[:LONGEST_LIST]:
        said = _text(contributes(answer, end))
        rows.append(
            f"<tr><td><code>{escape(end.attribute)}</code></td><td>{said}</td><td><code>{_text(end.sql)}</code></td></tr>"
        )
    if not rows:
        return ""
    return f"<table><tr><th>{role(answer)}</th><th>contributes</th><th>SQL WHERE</th></tr>{''.join(rows)}</table>"


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{content}</details>" if content else ""


def _list(items: Iterable[str]) -> str:
    every = list(items)
    lines = [f"<li>{item}</li>" for item in every[:LONGEST_LIST]]
    if len(every) > LONGEST_LIST:
        lines.append(f"<li>{len(every) - LONGEST_LIST:,} more</li>")
    return f"<ul>{''.join(lines)}</ul>" if lines else ""


def _text(text: str) -> str:
    return escape(clipped(text, LONGEST_TEXT))
