"""`cabochon arena` and `cabochon bots`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cabochon.bots import roster
from cabochon.bots.roster import LEVELS, STYLES
from cabochon.cli import bots as verb
from cabochon.render.width import width
from cabochon.words import Words, languages
from tests.cli.driver import run

MATCH = ("arena", "greedy", "uniform", "--variant", "quick", "--games", "4", "--jobs", "1")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("arena") / "report.json"
    done = run(*MATCH, "--json", path)
    assert done.code == 0, done.err
    assert "greedy" in done.out
    return path


def test_a_report_gives_its_bytes_again(report: Path) -> None:
    done = run("arena", "--again", report, "--jobs", "1")
    assert done.code == 0, done.err
    assert f"the same {report.stat().st_size} bytes" in done.out


@pytest.mark.parametrize("lang", languages())
def test_a_report_gives_its_table_again(report: Path, lang: str) -> None:
    table = run("arena", "--table", report, "--lang", lang)
    assert table.code == 0
    assert table.out == run(*MATCH, "--lang", lang).out


def test_the_report_can_be_the_output(report: Path) -> None:
    done = run(*MATCH, "--json", "-")
    assert done.out == report.read_text("utf-8")
    assert json.loads(done.out)["summary"]["games"] == 4


def test_other_results_are_noticed(report: Path, tmp_path: Path) -> None:
    """A report whose bots have changed since: everything fits but the engine's name."""
    old = tmp_path / "old.json"
    old.write_text(report.read_text("utf-8").replace('"cabochon 0', '"cabochon older 0'), "utf-8")
    done = run("arena", "--again", old, "--jobs", "1")
    assert done.code == 1
    assert "no longer the same" in done.out
    assert "differs, first in line" in done.out


def test_an_altered_report_is_refused(report: Path, tmp_path: Path) -> None:
    altered = tmp_path / "altered.json"
    altered.write_text(report.read_text("utf-8").replace('"won": 4.0', '"won": 5.0'), "utf-8")
    done = run("arena", "--table", altered)
    assert done.code == 2
    assert "altered" in done.err


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("greedy",),
        ("greedy", "greedy"),
        ("greedy", "nobody"),
        ("greedy", "uniform@soon"),
        ("greedy", "uniform", "--sprt", "5"),
        ("greedy", "uniform", "--sprt", "50,0"),
        ("greedy", "uniform", "--players", "5"),
        ("greedy", "uniform", "--players", "3", "--tables", "mixed"),
        ("greedy", "uniform", "--games", "0"),
        ("--table", "nowhere.json"),
        ("--again", "nowhere.json"),
        ("greedy", "uniform", "--games", "2", "--variant", "quick", "--json", "/nowhere/x.json"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_played_is_said_in_one_line(arguments: tuple[str, ...], lang: str) -> None:
    done = run("arena", *arguments, "--lang", lang)
    assert done.code == 2
    assert done.out == ""
    complaint = done.err.strip().splitlines()[-1]
    assert complaint
    assert "Traceback" not in done.err


@pytest.mark.parametrize("lang", languages())
def test_bots_are_listed(lang: str) -> None:
    done = run("bots", "--lang", lang)
    assert done.code == 0, done.err
    for entry in (*LEVELS, *STYLES):
        assert entry.title[lang] in done.out
    lines = [line for line in done.out.splitlines() if "benchmarks/" not in line]
    assert max(map(width, lines)) <= 80


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("measured", [(), (2,), (2, 3, 4)])
def test_bots_say_what_was_measured(
    lang: str, measured: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No figure where there is none, and a plain word in its place."""
    monkeypatch.setattr(roster, "level_data", lambda: _data(measured))
    monkeypatch.setattr(verb, "level_data", lambda: _data(measured))
    monkeypatch.setattr(roster, "network_fingerprint", lambda players: "net")
    out = run("bots", "--lang", lang).out
    missing = [str(n) for n in roster.RATED_PLAYERS if n not in measured]
    gap = Words(lang)("bots.unmeasured", players=", ".join(missing))
    assert (_joined(gap) in _joined(out)) is bool(missing)
    assert out.count("1234 ±21") == len(measured)
    assert out.count("71 %") == len(measured)
    assert ("make-it" in out) is bool(measured)


def _data(measured: tuple[int, ...]) -> dict[str, Any]:
    step = {"pair": ["calcite", "talc"], "chance": 0.71, "interval": [0.66, 0.76], "games": 400}
    rating = {"talc": {"elo": 1234.0, "error": 21.0, "games": 400}}
    return {
        "made": {"command": "make-it", "games": 400},
        "ratings": {str(n): rating if n in measured else {} for n in (2, 3, 4)},
        "steps": {str(n): [step] if n in measured else [] for n in (2, 3, 4)},
        "networks": {str(n): "net" for n in measured},
    }


def _joined(text: str) -> str:
    """Without the places where lines are broken."""
    return "".join(text.split())


def test_bots_as_json() -> None:
    data = json.loads(run("bots", "--json").out)
    assert set(data["ratings"]) == {"2", "3", "4"}
