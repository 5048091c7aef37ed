"""The page's tables are the current ones; the examples run."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import cabochon
from cabochon import Game
from cabochon.kernel import ACTION_TABLE_VERSION, OBSERVATION_VERSION, table_hash
from cabochon.kernel.describe import filled
from cabochon.rules import Return

ROOT = Path(__file__).resolve().parents[2]


def loaded(path: str) -> ModuleType:
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_and_the_curve_are_the_current_ones() -> None:
    """Else: python scripts/describe_environments.py"""
    describe = loaded("scripts/describe_environments.py")
    page = describe.PAGE.read_text("utf-8")
    assert filled(page, describe.SECTIONS) == page
    assert describe.CURVE.read_text("utf-8") == describe.ppo_curve()


PAGE = (ROOT / "docs" / "environments.md").read_text("utf-8")
SNIPPETS = re.findall(r"^```python\n(>>> .*?)^```", PAGE, re.M | re.S)


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_every_snippet_of_the_page_stands_alone(number: int) -> None:
    """Whoever copies one into a fresh shell gets what the page shows."""
    if "pyspiel" in SNIPPETS[number]:
        pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    snippet = doctest.DocTestParser().get_doctest(SNIPPETS[number], {}, f"{number}", None, 0)
    assert doctest.DocTestRunner().run(snippet).failed == 0


def test_the_citation_names_what_there_is() -> None:
    page = (ROOT / "docs" / "environments.md").read_text("utf-8")
    cited = page[page.index("@software") :]
    assert f"version = {{{cabochon.__version__}}}" in cited
    assert f"action table {ACTION_TABLE_VERSION} ({table_hash()})" in cited
    assert f"observation {OBSERVATION_VERSION}}}" in cited


def test_the_run_in_the_docs_beats_the_uniform_bot_within_ten_minutes() -> None:
    points = json.loads((ROOT / "docs" / "img" / "ppo.json").read_text("utf-8"))
    assert points[-1]["minutes"] < 10
    assert points[0]["win_rate"] < 0.6 < 0.9 < points[-1]["win_rate"]


def test_ppo_is_one_short_file_and_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="PPO needs torch")
    assert len((ROOT / "examples" / "ppo.py").read_text("utf-8").splitlines()) < 150
    ppo = loaded("examples/ppo.py")
    examined = ppo.win_rate
    for name, value in {"GAMES": 16, "STEPS": 8, "BATCH": 64}.items():
        monkeypatch.setattr(ppo, name, value)
    monkeypatch.setattr(ppo, "win_rate", lambda net, players: examined(net, players, games=4))
    curve = ppo.train(300)
    assert [point["decisions"] for point in curve] == [0, 128, 256, 384]
    assert all(0 <= point["win_rate"] <= 1 for point in curve)


def test_what_ppo_has_learnt_plays_whole_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an agent of the benchmark; with three players tokens have to be given back, too."""
    pytest.importorskip("torch", reason="PPO needs torch")
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.setenv("PPO_NETWORKS", str(tmp_path))
    ppo = importlib.import_module("ppo")
    ppo.train(0, players=3, save=tmp_path / "ppo-3.pt")
    bot = importlib.import_module("ppo_bot").PpoBot()
    returns = 0
    for seed in range(3):
        game = Game(players=3, seed=str(seed))
        while not game.is_over:
            move = bot.choose(game.view(game.seat))
            returns += isinstance(move, Return)
            game.play(move)
    assert returns > 0


def test_the_notebook_runs_and_shows_pictures() -> None:
    """Else: python scripts/run_notebook.py examples/positions.ipynb"""
    kept = json.loads((ROOT / "examples" / "positions.ipynb").read_text("utf-8"))
    fresh = loaded("scripts/run_notebook.py").executed(kept)

    def kinds(notebook: dict[str, Any]) -> list[list[str]]:
        return [
            sorted(kind for output in cell["outputs"] for kind in output.get("data", {"text": 0}))
            for cell in notebook["cells"]
            if cell["cell_type"] == "code"
        ]

    assert kinds(fresh) == kinds(kept)
    assert sum("image/svg+xml" in cell for cell in kinds(fresh)) == 3


MISSING = """
import sys

for name in ("pettingzoo", "gymnasium", "pyspiel", "mcp", "pyarrow"):
    sys.modules[name] = None
import cabochon.envs
from cabochon.cli import main
from cabochon.extras import ExtraMissing

for what in ("env", "CabochonEnv", "CabochonVectorEnv"):
    try:
        getattr(cabochon.envs, what)
    except ExtraMissing as error:
        assert isinstance(error, ImportError)
        print(error.en)
try:
    import cabochon.envs.openspiel
except ExtraMissing as error:
    print(error.en)
assert main(["mcp", "--lang", "en"]) == 2
assert main(["selfplay", "--out", "x.parquet", "--lang", "en"]) == 2
"""


def test_each_extra_says_in_one_sentence_what_is_missing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MISSING], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines() + done.stderr.splitlines()
    assert len(said) == 6
    for line, extra in zip(said, ("envs", "envs", "envs", "openspiel", "mcp", "data"), strict=True):
        assert line.endswith(f"which is not installed: pip install 'cabochon[{extra}]'.")
