"""Objects -> files of a folder that is nobody else's, with a manifest that is written last.

A run begins with a manifest that says it is running: a folder where that is still so holds half an extraction.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from mdw.drafting import PRIVATE_FILE, PRIVATE_FOLDER, drafted, drafts_of, put_all_on_disk, put_on_disk
from mdw.extract.filenames import filename
from mdw.extract.objects import DatabaseObject
from mdw.model.errors import OutputError, writing
from mdw.readers.files.manifests import (
    SETTINGS,
    ExtractedFile,
    ExtractionManifest,
    digest_of,
    read_manifest,
)
from mdw.readers.recognising import MANIFEST
from mdw.readers.sql.masking import masked

# A link that somebody put where a file belongs is not followed.
WRITTEN = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)

TOGETHER = 100
"""Files that are brought to the disk together."""


class ExtractedFolder:
    """The folder that files are written to; ``former`` is the manifest of what was extracted into it before."""

    def __init__(self, path: Path, database: str) -> None:
        self.path = path
        self.former = read_manifest(path)
        with writing(path):
            # A run killed before its first manifest was there leaves a draft of it, which is no thing of others.
            foreign = self.former is None and path.exists() and {*path.iterdir()} - drafts_of(path / MANIFEST)
        if foreign:
            raise OutputError(f"{path} holds other things: name a folder that is empty or not there yet")
        if self.former and self.former.database != database:
            raise OutputError(f"{path} holds what was extracted from {self.former.database}: name another folder")
        self._files: dict[str, ExtractedFile] = {}
        self._folders = {""}
        # The disk works while the catalogue is asked: a thread waits for it.
        self._disk = ThreadPoolExecutor(1, "disk")
        self._unsettled: list[str] = []
        self._settling: list[Future[None]] = []

    def begin(self, manifest: ExtractionManifest) -> None:
        """From here on the folder is known to hold half an extraction."""
        with writing(self.path):
            self.path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            self.path.chmod(PRIVATE_FOLDER)
            for draft in drafts_of(self.path / MANIFEST):
                draft.unlink(missing_ok=True)
        self._say(replace(manifest, objects=self.former.objects if self.former else ()))

    def write(self, one: DatabaseObject, dialect: str) -> ExtractedFile:
        """One object's file; OutputError if it cannot be written."""
        text = masked(one.text, dialect)
        name = f"{filename(one.schema, ending='')}/{one.kind.replace(' ', '_')}s/{filename(one.name, one.signature)}"
        if name in self._files:
            raise OutputError(f"two objects are called {one.schema}.{one.name}: their names end in one digest")
        digest = self._write(name, text)
        signature = ",".join(one.signature or ())
        self._files[name] = found = ExtractedFile(
            one.kind, one.schema, one.name, signature, name, digest, one.enabled, one.note, text != one.text
        )
        return found

    def end(self, manifest: ExtractionManifest) -> ExtractionManifest:
        """What is no more is taken away, then the manifest says what is there."""
        settings = self._write(SETTINGS, _settings(manifest.dialect, manifest.search_path))
        now = {one.file for one in manifest.objects}
        for one in self.former.objects if self.former else ():
            # What somebody has changed is theirs.
            if one.file not in now and digest_of(self.path, one.file) == one.sha256:
                with writing(self.path / one.file):
                    (self.path / one.file).unlink(missing_ok=True)
        ended = replace(self._compared(manifest), settings=settings)
        self._settle()
        with writing(self.path):
            for files in self._settling:
                files.result()
            for folder in filter(None, self._folders):
                put_on_disk(self.path / folder)
        self._say(ended)
        return ended

    def _compared(self, manifest: ExtractionManifest) -> ExtractionManifest:
        """The same with what has changed since the run before, if that came to its end."""
        former = self.former
        if former is None or former.state == "running":
            return manifest
        before = {one.file: one.sha256 for one in former.objects}
        now = {one.file: one.sha256 for one in manifest.objects}
        changed = tuple(sorted(file for file in now.keys() & before.keys() if now[file] != before[file]))
        new, gone = tuple(sorted(now.keys() - before.keys())), tuple(sorted(before.keys() - now.keys()))
        return replace(manifest, since=former.ended, new=new, changed=changed, gone=gone)

    def _write(self, name: str, text: str) -> str:
        path, data = f"{self.path}/{name}", text.encode("utf-8", "replace")
        with writing(path):
            self._make(name.rpartition("/")[0])
            with os.fdopen(os.open(path, WRITTEN, PRIVATE_FILE), "wb") as file:
                file.write(data)
        self._unsettled.append(path)
        if len(self._unsettled) == TOGETHER:
            self._settle()
        return sha256(data).hexdigest()

    def _settle(self) -> None:
        """Begin to bring to the disk what has been written since the last time."""
        self._settling.append(self._disk.submit(put_all_on_disk, tuple(self._unsettled)))
        self._unsettled.clear()

    def _make(self, folder: str) -> None:
        """A folder within the folder, and the one above it."""
        if folder in self._folders:
            return
        self._make(folder.rpartition("/")[0])
        path = self.path / folder
        if path.is_symlink():
            raise OutputError(f"cannot write {path}: it leads out of {self.path}")
        path.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        self._folders.add(folder)

    def _say(self, manifest: ExtractionManifest) -> None:
        text = _shown(manifest.to_dict())
        with writing(self.path / MANIFEST), drafted(self.path / MANIFEST, private=True) as draft:
            draft.write_text(text, encoding="utf-8")


def _shown(manifest: Mapping[str, object]) -> str:
    """JSON with a line for each object of the database: a tenth of the time of the indenting that Python does."""
    return "{\n" + ",\n".join(f" {json.dumps(key)}: {_listed(value)}" for key, value in manifest.items()) + "\n}\n"


def _listed(value: object) -> str:
    if not value or not isinstance(value, list):
        return json.dumps(value)
    return "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"


def _settings(dialect: str, search_path: tuple[str, ...]) -> str:
    said: Mapping[str, object] = {"dialect": dialect} | ({"search_path": list(search_path)} if search_path else {})
    # What JSON writes of texts and of lists of texts TOML reads.
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in said.items())
