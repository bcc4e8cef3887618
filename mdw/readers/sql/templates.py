"""What templates leave in SQL: it becomes words SQL has, of the same length, so that every place stays where it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MARKS = re.compile(r"\{\{.*?\}\}|\$\{[^{}\n]*\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
ASKED = {
    "oracle": re.compile(rf"{MARKS.pattern}|&&?\w+\.?", re.DOTALL),
    "snowflake": re.compile(rf"{MARKS.pattern}|(?<![&\w])&(?:\w+|\{{\w+\}})", re.DOTALL),
}
"""By dialect: with what its client puts in before a statement runs, SQL*Plus &x, &&x and &x., SnowSQL &x and &{x}."""
# Behind these words a name is meant, elsewhere a constant.
NAMED = re.compile(r"(?i)(?:\b(?:from|join|into|table|update|view|using|exists)|\.)\s*\Z")


# What sets up a template stands before the statement and is no part of it.
SETTING = re.compile(r"\{\{-?\s*(?:config|set|import)\b")


# A macro may give columns, or what is made of some. Variables, and what Airflow gives a run, are constants.
MACRO = re.compile(
    r"\{\{-?\s*(?!(?:var|env_var|config|macros|dag_run|params|conf|ti|task|task_instance|ds|ts|logical_date|execution_date"
    r"|data_interval_\w+|next_\w+|prev_\w+)\b)[\w.]+\s*\("
)


@dataclass(frozen=True, slots=True)
class Template:
    """A template that was left where a name or a part of a statement should stand: its words, and where they begin.

    So is a macro, of which nobody knows what it gives.
    """

    words: str
    start: int


def without_templates(text: str, *, asked: str = "") -> tuple[str, tuple[Template, ...]]:
    """The text with parameters and names in the place of templates, and those of which it is not known what they say.

    ``asked``: the dialect, whose client may have marks of its own.

    Templates within strings stay, as constants do; so do unknown constants: they say what they are.

    >>> text, left = without_templates("select {{ x }} from ${schema}.t")
    >>> text, [one.words for one in left]
    ('select :_x____ from _schema__.t', ['${schema}'])
    """
    if "{" not in text and not (asked in ASKED and "&" in text):
        return text, ()
    quoted = _quoted(text)
    left: list[Template] = []

    def replaced(found: re.Match[str]) -> str:
        words = found.group()
        start = found.start()
        if any(first < start < last for first, last in quoted):
            return words
        if words.startswith("{%"):
            left.append(Template(words, start))
        if words.startswith(("{%", "{#")) or SETTING.match(words):
            return re.sub(r"[^\n]", " ", words)
        # As long as what it stands for, and spelled like it: {{ x }} is _x_____, the same wherever it is written so.
        name = "_" + re.sub(r"\W", "_", words[1 if words[0] == "&" else 2 :].lstrip(" "))
        name = name.ljust(len(words), "_")[: len(words)]
        beside = text[start - 1 : start] + text[found.end() : found.end() + 1]
        if NAMED.search(text[max(0, start - 20) : start]) or re.search(r"[\w.`\"]", beside):
            left.append(Template(words, start))
            return name
        if MACRO.match(words):
            left.append(Template(words, start))
        return ":" + name[: len(words) - 1]

    return ASKED.get(asked, MARKS).sub(replaced, text), tuple(left)


BRANCHES = re.compile(r"\{%-?\s*(if|elif|else|endif)\b")


def other_branches(templates: Iterable[Template], *, last: bool = False) -> Iterator[tuple[int, int]]:
    """Where the branches of a template stand but the first of each, or but the last.

    >>> left = without_templates("{% if x %} a {% else %} b {% endif %}")[1]
    >>> list(other_branches(left)), list(other_branches(left, last=True))
    ([(13, 26)], [(0, 13)])
    """
    # Of each {% if %} that is open, where its branches begin.
    starts: list[list[int]] = []
    for one in templates:
        found = BRANCHES.match(one.words)
        if found is None:
            continue
        if found[1] == "if":
            starts.append([one.start])
        elif starts and found[1] != "endif":
            starts[-1].append(one.start)
        elif starts and len(branches := starts.pop()) > 1:
            yield (branches[0], branches[-1]) if last else (branches[1], one.start)


STRINGS = re.compile(r"'(?:[^'\\\n]|''|\\.)*'|--[^\n]*|/\*.*?\*/", re.DOTALL)


def _quoted(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in STRINGS.finditer(text) if found.group().startswith("'")]
