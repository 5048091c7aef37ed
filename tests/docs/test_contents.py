"""What documents say about themselves, and statements that only a look at the code can check."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from cabochon.server.tables import seatcommands
from tests.docs.test_names import DOCUMENTS, FENCE, is_path
from tests.server.serving import serving

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
WIDEST = 100
"""Columns of prose; tables and code are as wide as they are."""


# Decisions


def test_decisions_are_numbered_without_gaps_and_each_holds_one() -> None:
    assert [int(path.name[:4]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))
    for number, path in enumerate(DECISIONS, 1):
        titles = re.findall(r"^# (.*)$", path.read_text("utf-8"), re.M)
        assert len(titles) == 1, path.name
        assert titles[0].startswith(f"{number}. "), path.name


def test_the_list_of_decisions_is_complete() -> None:
    listed = " ".join((ROOT / "docs" / "decisions" / "README.md").read_text("utf-8").split())
    for path in DECISIONS:
        title = path.read_text("utf-8").partition("\n")[0].removeprefix("# ")
        assert f"[{title}]({path.name})" in listed


# How to add


def recipes() -> dict[str, str]:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## How to add")[2]
    parts = re.split(r"^### (.*)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_there_is_a_recipe_for_everything_people_add() -> None:
    assert list(recipes()) == [
        "A rule option",
        "A named variant",
        "A bot style",
        "An endpoint",
        "A language",
        "A sentence",
        "A statistic",
        "A page",
    ]


@pytest.mark.parametrize("name", recipes())
def test_a_recipe_names_files_that_exist_and_the_tests_that_hold_it(name: str) -> None:
    files = re.findall(r"`([\w.-]+(?:/[\w.-]+)+/?)`", recipes()[name])
    assert len(files) >= 3
    assert [file for file in files if not is_path(file)] == []
    assert any(file.startswith("tests/") for file in files)


# The contract for other languages


def _positions(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "pending" in value and "rows" in value:
            yield value
        for inner in value.values():
            yield from _positions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _positions(inner)


def test_the_vectors_count_places_as_their_readme_says() -> None:
    readme = (ROOT / "conformance" / "README.md").read_text("utf-8")
    assert "for a place of a row, counted from 1" in readme
    seen = 0
    for path in sorted((ROOT / "conformance" / "illegal").glob("*.json")):
        for position in _positions(json.loads(path.read_text("utf-8"))):
            pending = position["pending"]
            if pending and pending["place"] is not None:
                seen += 1
                assert position["rows"][pending["level"] - 1][pending["place"] - 1] is None
    assert seen > 20


# The life of a move


class Watcher:
    """Which functions were called in threads that start while it watches."""

    def __init__(self) -> None:
        self.called: set[tuple[str, str]] = set()

    def __enter__(self) -> Watcher:
        threading.setprofile(self._look)
        return self

    def __exit__(self, *_: object) -> None:
        threading.setprofile(None)

    def _look(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            self.called.add((frame.f_globals.get("__name__", ""), code.co_qualname))


def hops() -> list[str]:
    """The names of Python's part of the table in docs/architecture.md."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    life = page.partition("## The life of one move")[2].partition("\n\nFewer files")[0]
    return re.findall(r"`(cabochon\.[\w.]+)`", life)


def test_a_move_passes_through_everything_that_its_life_names(tmp_path: Path) -> None:
    seatcommands._parse.cache_clear()  # another test may have had the same move read before
    with Watcher() as watcher, serving(tmp_path / "tables.db") as here:
        table, keys = here.strangers()
        with here.socket(table, keys[0], facts=True) as talk:
            full = talk.hear("gameFull")
            reserve = next(m["move"] for m in full["legal"] if m["move"].startswith("reserve 1"))
            answer = talk.ask(type="move", version=full["version"], moves=[reserve])
            assert answer["type"] == "accepted"
    assert len(hops()) > 12
    reached = {module for module, _ in watcher.called}
    reached |= {f"{module}.{name}" for module, name in watcher.called}
    assert [hop for hop in hops() if not _is_reached(hop, reached)] == []


def test_the_life_of_a_move_is_as_short_as_it_says() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    life = page.partition("## The life of one move")[2].partition("\n\nFewer files")[0]
    python = {_home(hop) for hop in hops()}
    shown = set(re.findall(r"`(web/[\w./]+)`", life))
    said = re.search(r"through (\d+) files \((\d+) of Python, (\d+) of the page\)", life)
    assert said is not None
    counted = (len(python) + len(shown), len(python), len(shown))
    assert tuple(map(int, said.groups())) == counted
    assert counted[0] <= 24, "the walk of a move only gets shorter"


def _home(name: str) -> str:
    """The module that a name is in."""
    while not _is_module(name):
        name = name.rpartition(".")[0]
    return name


def _is_module(name: str) -> bool:
    return (ROOT / "src" / f"{name.replace('.', '/')}.py").is_file()


def _is_reached(hop: str, reached: set[str]) -> bool:
    return hop in reached or any(name.startswith(f"{hop}.") for name in reached)


# How it looks


@pytest.mark.parametrize("document", [name for name in DOCUMENTS if name != "CHANGELOG.md"])
def test_prose_is_wrapped(document: str) -> None:
    text = FENCE.sub("", (ROOT / document).read_text("utf-8"))
    prose = [line for line in text.splitlines() if not line.lstrip().startswith(("|", "- `tests/"))]
    assert [line for line in prose if _width(line) > WIDEST] == []


def _width(line: str) -> int:
    """Chinese is wrapped by its reader; links are as long as they are."""
    plain = re.sub(r"\]\([^)]*\)", "]", line)
    return 0 if re.search(r"[\u4e00-\u9fff]", plain) else len(plain)


def test_the_watcher_sees_calls() -> None:
    def work() -> None:
        Path("x").as_posix()

    with Watcher() as watcher:
        thread: Callable[[], None] = work
        started = threading.Thread(target=thread)
        started.start()
        started.join()
    assert (__name__, f"{test_the_watcher_sees_calls.__name__}.<locals>.work") in watcher.called
    assert sys.getprofile() is None
