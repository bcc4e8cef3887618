"""What became of an extraction, as text for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mdw.readers.files.manifests import ExtractedFile, ExtractionManifest

NAMED = 10
"""Objects that are named one by one."""


def told(manifest: ExtractionManifest) -> str:
    """What was written, what is to be known of it, and what could not be read."""
    return "\n".join(_lines(manifest))


def _lines(manifest: ExtractionManifest) -> Iterator[str]:
    counts = Counter(one.kind for one in manifest.objects)
    listed = ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in counts.items())
    errors = len(manifest.errors)
    failed = f"; {errors} error{'' if errors == 1 else 's'}" if errors else ""
    yield f"{manifest.database} ({manifest.server}): {listed or 'nothing'}{failed}"
    if manifest.untried:
        yield f"no test has met a database of this kind ({manifest.system}): look whether all of it is there"
    disabled = [one for one in manifest.objects if not one.enabled]
    masked = [one for one in manifest.objects if one.masked]
    hidden = [one for one in manifest.objects if one.note.startswith("hidden")]
    elsewhere = [one for one in manifest.objects if one.note.startswith("its body is outside")]
    for what, some in (
        ("not enabled", disabled),
        ("secrets masked in", masked),
        ("definition hidden, wrapped or encrypted", hidden),
        ("body outside of the database", elsewhere),
    ):
        if some:
            yield f"  {what}: {_named(some)}"
    if manifest.since and not (manifest.new or manifest.changed or manifest.gone):
        yield f"  nothing has changed since {manifest.since}"
    for what, files in (("new", manifest.new), ("changed", manifest.changed), ("gone", manifest.gone)):
        if files:
            yield f"  {what} since {manifest.since}: {_shortened(files)}"
    for one in manifest.errors[:NAMED]:
        yield f"  not read: {one.what}: {one.message}"
    if errors > NAMED:
        yield f"  and {errors - NAMED} more: manifest.json names all"
    if errors:
        yield "--again runs only what was not read"


def _named(some: Iterable[ExtractedFile]) -> str:
    return _shortened([f"{one.kind} {one.schema}.{one.name}" for one in some])


def _shortened(names: Sequence[str]) -> str:
    rest = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {rest} more" if rest > 0 else "")
