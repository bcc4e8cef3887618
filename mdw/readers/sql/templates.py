"""What templates leave in SQL: it becomes words SQL has, of the same length, so that every place stays where it is."""

from __future__ import annotations

import re

MARKS = re.compile(r"\{\{.*?\}\}|\$\{[^{}\n]*\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
# Behind these words a name is meant, elsewhere a constant.
NAMED = re.compile(r"(?i)(?:\b(?:from|join|into|table|update|view|using|exists)|\.)\s*\Z")


def without_templates(text: str) -> str:
    """The text with parameters and names in the place of templates; those within strings stay, as constants do.

    >>> without_templates("select {{ x }} from ${schema}.t")
    'select :_x____ from _schema__.t'
    """
    if "{" not in text:
        return text
    quoted = _quoted(text)

    def replaced(found: re.Match[str]) -> str:
        words = found.group()
        start = found.start()
        if any(first < start < last for first, last in quoted):
            return words
        if words.startswith(("{%", "{#")):
            return re.sub(r"[^\n]", " ", words)
        name = "_" + re.sub(r"\W", "_", words[2:].lstrip(" "))
        name = name.ljust(len(words), "_")[: len(words)]
        beside = text[start - 1 : start] + text[found.end() : found.end() + 1]
        if NAMED.search(text[max(0, start - 20) : start]) or re.search(r"[\w.`\"]", beside):
            return name
        return ":" + name[: len(words) - 1]

    return MARKS.sub(replaced, text)


STRINGS = re.compile(r"'(?:[^'\\\n]|''|\\.)*'|--[^\n]*|/\*.*?\*/", re.DOTALL)


def _quoted(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in STRINGS.finditer(text) if found.group().startswith("'")]
