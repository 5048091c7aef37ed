"""The session in docs/search.md gives what it shows."""

from __future__ import annotations

import doctest
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs" / "search.md"


def test_session() -> None:
    outcome = doctest.testfile(str(DOCS), module_relative=False)
    assert outcome.attempted >= 6
    assert outcome.failed == 0
