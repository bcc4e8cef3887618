"""The part of YAML in which people write what views measure: maps, lists and scalars, by how far they are indented.

dimensions:
  - name: day            {"dimensions": [{"name": "day", "expr": "CAST(at AS DATE)"}]}
    expr: CAST(at
      AS DATE)
"""

from __future__ import annotations

import re
from typing import TypeAlias

Yaml: TypeAlias = "str | list[Yaml] | dict[str, Yaml]"
KEY = re.compile(r"(\"[^\"]*\"|'[^']*'|[^\s\"'#\-\[{|>][^#]*?|-[^\s#][^#]*?)\s*:(?:\s+(.*))?$")
REMARK = re.compile(r"(?:^|\s)#.*$")
BLOCK = re.compile(r"([|>])[+\-\d]*\s*(?:#.*)?$")


def read_yaml(text: str) -> Yaml:
    """What a text of YAML says; of what is none of these parts, its words.

    >>> read_yaml("a: 1  # one\\nb:\\n- x: 'it''s'\\n  y: >\\n    c\\n    d\\n- z")
    {'a': '1', 'b': [{'x': "it's", 'y': 'c d'}, 'z']}
    """
    return _YamlLines(text).value(0)


class _YamlLines:
    """Lines of YAML, from the one that is read next on."""

    def __init__(self, text: str) -> None:
        self.lines = [(len(line) - len(line.lstrip()), line.strip()) for line in text.expandtabs().split("\n")]
        self.at = 0

    def value(self, indent: int) -> Yaml:
        """What stands here, if it is indented that far."""
        own, words = self._next()
        if own < indent:
            return ""
        if words == "-" or words.startswith("- "):
            return self._list(own)
        return self._map(own) if KEY.match(words) else self._scalar("", own - 1)

    def _next(self) -> tuple[int, str]:
        """The next line that says anything; at the end one that is indented less than any."""
        while self.at < len(self.lines) and (not self.lines[self.at][1] or self.lines[self.at][1][0] == "#"):
            self.at += 1
        return self.lines[self.at] if self.at < len(self.lines) else (-1, "")

    def _list(self, indent: int) -> Yaml:
        found: list[Yaml] = []
        while True:
            own, words = self._next()
            if own != indent or not (words == "-" or words.startswith("- ")):
                return found
            rest = words[1:].lstrip()
            # What stands behind the dash is indented as far as it stands in the line.
            self.lines[self.at] = (own + len(words) - len(rest), rest)
            found.append(self.value(own + 1))

    def _map(self, indent: int) -> Yaml:
        found: dict[str, Yaml] = {}
        while True:
            own, words = self._next()
            key = KEY.match(words) if own == indent else None
            if key is None:
                return found
            self.at += 1
            name, rest = _plain(key[1]), REMARK.sub("", key[2] or "") if (key[2] or "")[:1] == "#" else key[2] or ""
            block = BLOCK.match(rest)
            if block is not None:
                found[name] = self._block(indent, "\n" if block[1] == "|" else " ")
            elif rest:
                found[name] = self._scalar(rest, indent)
            else:
                # The items of a list may stand as far out as its name.
                listed = self._next()[1][:1] == "-" and self._next()[0] == indent
                found[name] = self.value(indent if listed else indent + 1)

    def _block(self, indent: int, mark: str) -> str:
        found = []
        while self.at < len(self.lines) and (self.lines[self.at][0] > indent or not self.lines[self.at][1]):
            found.append(self.lines[self.at][1])
            self.at += 1
        return mark.join(found).strip()

    def _scalar(self, first: str, indent: int) -> Yaml:
        """A scalar, which goes on as long as lines are indented further."""
        found = [first]
        while self.at < len(self.lines) and (self.lines[self.at][0] > indent or not self.lines[self.at][1]):
            found.append(self.lines[self.at][1])
            self.at += 1
        words = " ".join(part if part[:1] in ("'", '"') else REMARK.sub("", part) for part in found).strip()
        if words[:1] == "[" and words[-1:] == "]":
            return [_plain(part.strip()) for part in words[1:-1].split(",") if part.strip()]
        return _plain(words)


def _plain(words: str) -> str:
    """A scalar without its quotes."""
    if len(words) > 1 and words[0] == words[-1] == "'":
        return words[1:-1].replace("''", "'")
    if len(words) > 1 and words[0] == words[-1] == '"':
        return re.sub(r"\\(.)", lambda one: {"n": "\n", "t": "\t"}.get(one[1], one[1]), words[1:-1])
    return words
