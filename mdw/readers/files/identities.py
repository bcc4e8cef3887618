"""Which file is which: the path within its folder, led by the folder's name where two folders have a file of that path.

    /x/one/a.sql, /x/two/a.sql      named together: one/a.sql and two/a.sql
    /x/two/a.sql                    after /x/one, where it is a.sql: two/a.sql

A file keeps what it was called when its folder was loaded before. A folder that lies elsewhere now is the same folder.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path, PurePath

from mdw.model.files import FileRecord
from mdw.readers.inputs import Input


def identified(
    inputs: Sequence[Input], known: Mapping[str, FileRecord], taken: Collection[str] = ()
) -> tuple[list[Input], list[str]]:
    """The inputs, those in folders with a label that nothing else has, and notes of new ones led by their folder."""
    labels = {number: "" for number, one in enumerate(inputs) if one.folder and one.path}
    used = set(taken)

    def give(number: int, label: str) -> None:
        labels[number] = label
        used.add(label)

    # A label without the folder's name goes first: a folder may hold a folder of its own name.
    for led in (False, True):
        for number in [number for number, label in labels.items() if not label]:
            one = inputs[number]
            named = _leading(one.root, one.label) if led else [one.label]
            mine = [
                label for label in named if label not in used and label in known and known[label].folder == one.root
            ]
            if mine:
                give(number, mine[0])
    rest: dict[str, list[int]] = {}
    for number in [number for number, label in labels.items() if not label]:
        rest.setdefault(inputs[number].label, []).append(number)
    fresh: list[int] = []
    for label, numbers in rest.items():
        if len(numbers) == 1 and label not in used and not _another(known.get(label), inputs[numbers[0]]):
            give(numbers[0], label)
            continue
        fresh += numbers
        for number, led_label in zip(numbers, _apart([inputs[one] for one in numbers], known, used), strict=True):
            give(number, led_label)
    given = [_led(one, labels[number]) if number in labels else one for number, one in enumerate(inputs)]
    return given, list(_notes([given[number] for number in fresh]))


def _apart(files: Sequence[Input], known: Mapping[str, FileRecord], used: Collection[str]) -> list[str]:
    """Labels of files of one path in several folders: led by as many parts of the folders' paths as it takes."""
    for parts in count():
        some = [_leading(one.root, one.label) for one in files]
        found = [labels[min(parts, len(labels) - 1)] for labels in some]
        free = all(
            label not in used and not _another(known.get(label), one) for label, one in zip(found, files, strict=True)
        )
        # Led by their whole paths they differ, whatever else is called so: there is nothing more to lead them by.
        if (len({*found}) == len(found) and free) or parts >= max(map(len, some)):
            return found
    raise AssertionError("counting has no end")


def _leading(root: str, label: str) -> list[str]:
    """The label led by the last part of a folder's path, by the last two, and so on.

    >>> _leading("/x/one", "a.sql")
    ['one/a.sql', 'x/one/a.sql']
    """
    parts = PurePath(root).parts[1:] or (root,)
    return ["/".join((*parts[-number:], label)) for number in range(1, len(parts) + 1)]


def _another(record: FileRecord | None, one: Input) -> bool:
    """Whether a record is of another file, which is still where it was."""
    if record is None or record.folder in ("", one.root) or one.path is None:
        return False
    # The record has no word on what of its name is the folder's, as which the file was led: any beginning may be.
    inside = [
        record.file,
        *(record.file[len(lead) :] for lead in _leading(record.folder, "") if record.file.startswith(lead)),
    ]
    there = [path for path in (Path(record.folder, name) for name in inside) if path.is_file()]
    return bool(there) and os.path.realpath(there[0]) != os.path.realpath(one.path)


def _led(one: Input, label: str) -> Input:
    lead = label[: len(label) - len(one.label)].rstrip("/")
    return replace(one, lead=lead) if lead else one


def _notes(files: Sequence[Input]) -> Iterator[str]:
    """One note a folder."""
    folders: dict[str, list[Input]] = {}
    for one in files:
        folders.setdefault(one.root, []).append(one)
    for root, some in sorted(folders.items()):
        path = some[0].label.removeprefix(f"{some[0].lead}/")
        shown = f"{path} and {len(some) - 1} more" if len(some) > 1 else path
        yield f"{shown} of {root}: another folder has a file of that name, so this one is told as {some[0].label}"
