"""The site: built without a warning, with every document, the API and a search."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

pytestmark = [pytest.mark.xdist_group("site"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `make docs` builds it."""
    out = tmp_path_factory.mktemp("site")
    (recipe,) = re.findall(
        r"^\t\$\(BIN\)/python (-m sphinx .*) docs build/docs$", _makefile(), re.M
    )
    command = [sys.executable, *recipe.split(), str(DOCS), str(out)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "--fail-on-warning" in command
    return out


def _makefile() -> str:
    return (ROOT / "Makefile").read_text("utf-8")


@pytest.mark.slow  # whichever comes first builds the site
def test_every_document_is_a_page(site: Path) -> None:
    for path in DOCS.rglob("*.md"):
        assert (site / path.relative_to(DOCS).with_suffix(".html")).exists(), path


@pytest.mark.slow  # whichever comes first builds the site
def test_the_api_pages_say_what_the_docstrings_say(site: Path) -> None:
    rules = (site / "api" / "rules.html").read_text("utf-8")
    assert 'id="cabochon.rules.position.Position.legal_moves"' in rules
    assert "What is being played. Raises BadRuleset" in rules


@pytest.mark.slow  # whichever comes first builds the site
def test_the_site_can_be_searched(site: Path) -> None:
    index = (site / "searchindex.js").read_text("utf-8")
    for word in ("takeback", "ruleset", "lease"):
        assert word in index


def conf() -> Any:
    spec = importlib.util.spec_from_file_location("conf", DOCS / "conf.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_docstrings_become_what_sphinx_reads() -> None:
    written = conf().as_restructured(
        ["A `Move` of *a* seat_.", "", "- one", "  two", "", ">>> 1", "1"]
    )
    assert written == [
        r"A \ ``Move``\  of \*a\* seat\_.",
        "",
        "| - one",
        "| two",
        "",
        ">>> 1",
        "1",
        "",
    ]


def test_every_package_of_the_api_exists() -> None:
    for name in conf().PUBLIC:
        place = ROOT / "src" / "cabochon" / name
        assert place.is_dir() or place.with_suffix(".py").exists()
