"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mdw.drafting import drafted


def test_a_file_is_the_old_one_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    path.write_text("old")
    with drafted(path) as draft:
        draft.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_block_that_fails_leaves_the_old_file_and_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), drafted(path) as draft:
        draft.write_text("half" + chr(0xD800), encoding="utf-8")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_content_is_on_the_disk_before_the_name_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda file: (done.append("on the disk"), sync(file))[1])
    monkeypatch.setattr(Path, "replace", lambda a, b: (done.append("in place"), replace(a, b))[1])
    with drafted(tmp_path / "a") as draft:
        draft.write_text("new")
    assert done == ["on the disk", "in place", "on the disk"], "the name is on the disk, too"


def test_several_writers_have_drafts_of_their_own(tmp_path: Path) -> None:
    with drafted(tmp_path / "a") as one, drafted(tmp_path / "a") as other:
        assert one != other
        one.write_text("1")
        other.write_text("2")
    assert (tmp_path / "a").read_text() == "1", "the first to be entered is the last to leave"


@pytest.mark.skipif(os.name == "nt", reason="files have no modes there")
def test_nobody_else_reads_a_draft_or_guesses_its_name(tmp_path: Path) -> None:
    open_to_all = tmp_path / "open"
    open_to_all.touch()
    open_to_all.chmod(0o664)
    mask = os.umask(0o027)
    try:
        for name, private, mode in (("new", False, 0o640), ("open", False, 0o664), ("secret", True, 0o600)):
            with drafted(tmp_path / name, private=private) as draft:
                draft.write_text("new")
                assert draft.stat().st_mode & 0o777 == 0o600
                guessed = tmp_path / f".{name}.draft"
                assert draft != guessed
            assert (tmp_path / name).stat().st_mode & 0o777 == mode
    finally:
        os.umask(mask)


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with drafted(path) as draft:
        draft.write_text("new")
    assert (os.read(reader, 10), path.is_fifo(), list(tmp_path.iterdir())) == (b"new", True, [path])
    os.close(reader)
