"""A first game waits for nothing that it does not need."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_opens_before_anything_is_compiled() -> None:
    """`make play` needs the base install and the page; bots are compiled beside it."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    found = re.search(r"^play: (.*?) ##.*\n((?:\t.*\n)+)", makefile, re.M)
    assert found is not None
    assert found[1].split() == [".venv/base.stamp", "web"]
    beside, last = found[2].strip().splitlines()
    assert "kernel.stamp" in beside
    assert beside.rstrip().endswith("&)")
    assert last.strip() == "$(BIN)/cabochon serve --open"
