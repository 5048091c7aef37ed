"""Files of records: either form is read, and nothing is ever half written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cabochon.notation import NotationError
from cabochon.notation.recordfiles import json_text, read_record, records_in, write_record
from cabochon.record import Record
from cabochon.rules import Ruleset, ShuffledDealer


def record() -> Record:
    ruleset = Ruleset(2)
    return Record.start(ruleset, ShuffledDealer("files").opening(ruleset), ("Ada", "Bo"))


@pytest.mark.parametrize("name", ["game.cabochon", "game.json", "deep/down/GAME.JSON"])
def test_what_is_written_is_read_back_and_is_the_owner_s_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_record(path, record())
    assert read_record(path) == record()
    assert path.stat().st_mode & 0o077 == 0
    assert path.read_text("utf-8").startswith("{") == name.lower().endswith(".json")


def test_several_records_in_one_text() -> None:
    assert records_in(json_text([record(), record()])) == (record(), record())


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("{]", "utf-8")
    with pytest.raises(NotationError):
        read_record(path)


def test_a_write_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.cabochon"
    write_record(path, record())
    before = path.read_bytes()

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_record(path, record().commented(0, "never kept"))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_whoever_interrupts_a_write_finds_no_draft_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl+C in the very moment in which the file came to be."""
    real = os.open

    def interrupted(*given: Any, **named: Any) -> int:
        os.close(real(*given, **named))
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_record(tmp_path / "game.cabochon", record())
    assert list(tmp_path.iterdir()) == []
