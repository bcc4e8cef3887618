"""What models, snapshots, hooks and exposures of a dbt project say, as SQL that makes something of something.

A model's code is a query; what dbt does with it is left out of the manifest: it fills the model's relation. A snapshot
has four columns more than its query gives. An exposure, a report or a program outside of dbt, reads all of what it
depends on. A model that is `ephemeral` stands as a CTE in the code of those that use it.

    models/spend.sql      select sum(paid) as paid from "wh"."main"."claim"
    is read as            CREATE VIEW "wh"."main"."spend" AS select sum(paid) as paid from "wh"."main"."claim"
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from mdw.model.tree import lines_of
from mdw.readers.dbt.manifest import DbtManifest, DbtNode
from mdw.readers.dbt.runs import Run, asks, in_other_runs

ROW = "dbt_row"
CLOCK = "CURRENT_TIMESTAMP"
GONE = "{{ dbt_is_deleted }}"
"""Whether a row is gone is seen when dbt runs: an unknown constant."""
EXPOSURES = "exposure"
"""What the names of exposures begin with, as those of tables do with a schema."""
PAIRS = 1_000_000
"""Pairs of like lines, one compiled and one written, of which the best are looked for, in about a second."""
_CALL = re.compile(r"\{\{-?\s*(this|ref|source)\b\s*(?:\(([^()]*)\)|\.(\w+))?\s*-?\}\}")
_ARGUMENT = re.compile(r"(?:(\w+)\s*=\s*)?(?:'([^']*)'|\"([^\"]*)\"|([\w.]+))")
# The last is the rest of a text behind a tag that does not end: from each such tag it would be gone through to its end.
_TAGS = re.compile(r"""\{%.*?%\}|\{#.*?#\}|\{\{(?:'[^']*'|"[^"]*"|[^'"])*?\}\}|(\{[%#{].*)""", re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def model(node: DbtNode) -> str:
    """The statement by which a model fills its relation, on the lines where its code stands."""
    return f"CREATE VIEW {node.relation} AS {_query(node)}"


def snapshot(node: DbtNode) -> str:
    """The same of a snapshot, with the columns dbt adds.

    A row begins to hold when it was changed, as `updated_at` tells; where nothing does, when dbt ran. It ends when the
    next one of the same key begins, or when dbt found it gone.
    """
    config = node.config
    begins = str(config.get("updated_at") or CLOCK)
    unique = config.get("unique_key")
    keys = [str(one) for one in (unique if isinstance(unique, list) else [unique]) if one]
    over = f"PARTITION BY {', '.join(keys)} ORDER BY {begins}" if keys else f"ORDER BY {begins}"
    ends = f"LEAD({begins}) OVER ({over})"
    current = config.get("dbt_valid_to_current")
    deletes = config.get("hard_deletes") or (config.get("invalidate_hard_deletes") and "invalidate")
    if deletes in ("invalidate", "new_record"):
        ends = f"CASE WHEN {GONE} = 'True' THEN {CLOCK} ELSE {ends} END"
    if deletes == "new_record" and begins != CLOCK:
        begins = f"CASE WHEN {GONE} = 'True' THEN {CLOCK} ELSE {begins} END"
    made = {
        "dbt_scd_id": f"MD5(CONCAT({', '.join([*keys, begins])}))",
        "dbt_updated_at": begins,
        "dbt_valid_from": begins,
        "dbt_valid_to": f"COALESCE({ends}, {current})" if current else ends,
    }
    if deletes == "new_record":
        made["dbt_is_deleted"] = GONE
    renamed = config.get("snapshot_meta_column_names")
    names = renamed if isinstance(renamed, dict) else {}
    added = ", ".join(f"{value} AS {names.get(name) or name}" for name, value in made.items())
    return f"CREATE VIEW {node.relation} AS SELECT {ROW}.*, {added} FROM ({_query(node)}\n) AS {ROW}"


def _query(node: DbtNode) -> str:
    """Compiled code laid out so that its lines have the numbers they have in the model's file.

    Blocks of templates, `config` most of all, have many lines and leave none; calls of macros have one and leave many.
    """
    code = node.code.rstrip().rstrip(";")
    lines, written = lines_of(code), lines_of(node.raw.rstrip())
    compiled, raw = [one.strip() for one in lines], [one.strip() for one in written]
    if not raw or all(one == other or "{" in other for one, other in zip_longest(compiled, raw, fillvalue="")):
        return code
    # Lines that are the same in both anchor the others: what stands between two anchors gets as many lines as the file
    # has there, by lines put together where there are more, and by empty ones where there are fewer.
    alike = SequenceMatcher(None, *_told_apart(compiled, raw), autojunk=False)
    found: list[str] = []
    done = 0
    for start, place, size in alike.get_matching_blocks():
        found += _joined(lines[done:start], place - len(found))
        if any(line.strip() for line in lines[start : start + size]):
            found += [""] * (place - len(found))
        found += lines[start : start + size]
        done = start + size
    return "\n".join(found)


def _told_apart(compiled: list[str], raw: list[str]) -> tuple[list[str], list[str]]:
    """Lines of both; of many that are alike, blank ones most of all, only those that either has once are the same."""
    here, there = Counter(compiled), Counter(raw)
    if sum(count * there[line] for line, count in here.items()) <= PAIRS:
        return compiled, raw
    once = {line for line, count in here.items() if count == there[line] == 1}
    # No line has a break, so what has one is the same as no other.
    return (
        [line if line in once else f"{number}\n" for number, line in enumerate(compiled)],
        [line if line in once else f"\n{number}" for number, line in enumerate(raw)],
    )


def _joined(lines: list[str], room: int) -> list[str]:
    """Lines put together until there are no more of them than there is room for, or one."""
    first = len(lines) - 1
    while first >= max(room, 1) and _ends(lines[first - 1]):
        first -= 1
    last = [lines[first], *filter(None, map(str.strip, lines[first + 1 :]))] if lines else []
    return [*lines[: max(first, 0)], *([" ".join(last)] if last else [])]


def _ends(line: str) -> bool:
    """Whether nothing in a line goes on to its end: no comment and no text in quotes."""
    return "--" not in line and all(line.count(mark) % 2 == 0 for mark in ("'", '"', "`"))


def other_runs(node: DbtNode, manifest: DbtManifest) -> list[tuple[Run, str]] | None:
    """An incremental model's code in runs it was not compiled for; None if nothing tells what it is."""
    asked = node.materialized == "incremental" and asks(node.raw)
    return in_other_runs(node.code, node.raw, lambda call: filled(call, node, manifest)) if asked else []


def unread(node: DbtNode, manifest: DbtManifest) -> tuple[str, ...]:
    """The relations that a model depends on and its code does not name."""
    needs = relations(node.needs, manifest, through=True)
    return tuple(one.relation for one in needs if one.relation not in node.code)


def exposed(exposure: DbtNode, manifest: DbtManifest) -> Iterator[tuple[str, str]]:
    """For each thing an exposure depends on its name and the statement that takes all of it."""
    for node in relations(exposure.needs, manifest):
        query = f"SELECT * FROM {node.relation}" if node.relation else _query(node)
        yield node.name, f"CREATE VIEW {named(exposure)} AS {query}"


def named(exposure: DbtNode) -> str:
    """The name of an exposure, as SQL."""
    name = exposure.name if _PLAIN.match(exposure.name) else f'"{exposure.name}"'
    return f"{EXPOSURES}.{name}"


def relations(ids: Sequence[str], manifest: DbtManifest, *, through: bool = False) -> list[DbtNode]:
    """What has rows among nodes and what these depend on; ``through``: ephemeral models count as what they read."""
    found: dict[str, DbtNode] = {}
    pending, seen = list(reversed(ids)), set[str]()
    while pending:
        node = manifest.nodes.get(pending.pop())
        if node is None or node.id in seen:
            continue
        seen.add(node.id)
        # An ephemeral model has no table: it counts by its code, or by what it reads itself.
        if node.relation or (node.code and node.kind == "model" and not through):
            found[node.id] = node
        else:
            pending += reversed(node.needs)
    return list(found.values())


# -- hooks -------------------------------------------------------------------------------------------------------------


def hooks(node: DbtNode, when: str, manifest: DbtManifest) -> Iterator[str]:
    """What a model's hooks say, those before it ("pre-hook") or after it ("post-hook"), names filled in."""
    said = node.config.get(when)
    for one in said if isinstance(said, list) else [said]:
        text = one.get("sql") if isinstance(one, dict) else one
        if isinstance(text, str) and text.strip():
            yield filled(text, node, manifest)


def filled(text: str, node: DbtNode, manifest: DbtManifest) -> str:
    """Text with the names of relations for ``{{ this }}``, ``{{ ref('x') }}`` and ``{{ source('a', 'b') }}``."""

    def relation_of(found: re.Match[str]) -> str:
        word, arguments, part = found.groups()
        if word == "this":
            return node.relation if not part else str(_part(node, part))
        given = [(key, a or b or c) for key, a, b, c in _ARGUMENT.findall(arguments or "")]
        relation = _referred(word, [value for key, value in given if not key], dict(given), node, manifest)
        return relation or found.group()

    return _CALL.sub(relation_of, text)


def macros_only(text: str) -> bool:
    """Whether nothing but calls of macros is left of a hook: what they write is known when dbt runs."""
    return not _TAGS.sub(lambda found: found[1] or " ", text).replace(";", " ").strip()


def _part(node: DbtNode, part: str) -> Any:
    names = [one.strip('"`[]') for one in re.findall(r'"[^"]*"|`[^`]*`|\[[^\]]*\]|[^.]+', node.relation)]
    places = {"database": -3, "schema": -2, "identifier": -1, "name": -1, "table": -1}
    at = places.get(part, 0)
    return names[at] if at and len(names) >= -at else node.relation


def _referred(word: str, names: Sequence[str], options: Mapping[str, str], node: DbtNode, manifest: DbtManifest) -> str:
    """The relation that ``ref`` or ``source`` means: of the same package where several are called so."""
    if not names:
        return ""
    if word == "source":
        fits = [one for one in manifest.of("source") if [one.group, one.name] == list(names)]
    else:
        version = options.get("v") or options.get("version")
        fits = [
            one
            for one in manifest.of("model", "seed", "snapshot")
            if one.name == names[-1]
            and (len(names) == 1 or one.package == names[0])
            and (one.version == version if version else one.latest)
        ]
    fits.sort(key=lambda one: one.package != node.package)
    return fits[0].relation if fits else ""
