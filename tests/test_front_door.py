"""`import cabochon` is enough for the first hour, and costs next to nothing."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.yardstick import slowness

import cabochon

SOURCE = Path(cabochon.__file__).read_text("utf-8")
LOADED = """
import sys, time
before = set(sys.modules)
began = time.process_time()
import cabochon
seconds = time.process_time() - began
new = {name.partition(".")[0] for name in set(sys.modules) - before}
print(seconds, *sorted(new - set(sys.stdlib_module_names)))
"""


def loaded() -> tuple[float, set[str]]:
    """What a fresh Python spends on `import cabochon`, and what it loads beside its own library."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    seconds, *modules = done.stdout.split()
    return float(seconds), set(modules)


def test_importing_it_loads_nothing_but_itself() -> None:
    assert loaded()[1] == {"cabochon"}


def test_importing_it_takes_a_few_hundredths_of_a_second() -> None:
    assert min(loaded()[0] for _ in range(5)) < 0.03 * slowness()


def typed_names() -> dict[str, str]:
    """What an editor and a type checker see: the imports that never run."""
    tree = ast.parse(SOURCE)
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {
        alias.name: node.module or ""
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_what_a_shell_completes_is_what_there_is() -> None:
    shown = {name for name in dir(cabochon) if not name.startswith("_")}
    assert shown == {name for name in cabochon.__all__ if not name.startswith("_")}


def test_what_an_editor_completes_is_what_there_is() -> None:
    assert typed_names() == cabochon._HOME_OF


@pytest.mark.parametrize("name", sorted(cabochon._HOME_OF))
def test_every_name_is_the_one_from_its_home(name: str) -> None:
    home = importlib.import_module(cabochon._HOME_OF[name])
    assert getattr(cabochon, name) is getattr(home, name)
    assert name in dir(cabochon)


def test_what_is_not_there_is_said_so() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        _ = cabochon.chess


def test_many_games_with_one_call() -> None:
    report = cabochon.play_games("greedy", "uniform", games=6, seed="few")
    assert len(report.games) == 6
    assert report.games == cabochon.play_games("greedy", "uniform", games=6, seed="few").games
    assert "greedy" in str(report)


def test_fewer_entrants_than_seats_sit_alone_among_copies() -> None:
    report = cabochon.play_games("greedy", "uniform", players=3, games=3)
    assert {tuple(sorted(game.seats)) for game in report.games} == {(0, 1, 1), (0, 0, 1)}
