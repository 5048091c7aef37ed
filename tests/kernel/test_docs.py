"""docs/environments.md says what the code does."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from cabochon import kernel
from cabochon.kernel.describe import filled

PAGE = Path(__file__).resolve().parents[2] / "docs" / "environments.md"


def test_the_generated_tables_are_the_current_ones() -> None:
    """Else: python -m cabochon.kernel.describe docs/environments.md"""
    page = PAGE.read_text("utf-8")
    assert filled(page) == page


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="action table"):
        filled("# Nothing\n")


def test_the_sessions_run() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


def test_the_door_shows_what_it_says() -> None:
    assert doctest.testmod(kernel).failed == 0
    for name in kernel.__all__:
        assert hasattr(kernel, name)
