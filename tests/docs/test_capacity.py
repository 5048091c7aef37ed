"""The capacity model in the hosting guide is what its script works out, and every figure says how
it was made."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from benchmarks.capacity import FIGURES, Assumed, figures, needs_of, report

ROOT = Path(__file__).resolve().parents[2]


def test_the_guide_has_the_tables_that_the_script_prints() -> None:
    guide = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    lines = guide.splitlines()
    for line in report([10_000, 1_000_000]):
        assert line in lines


def test_every_figure_names_a_command_that_exists() -> None:
    for name, entry in tomllib.loads(FIGURES.read_text("utf-8")).items():
        assert entry["value"] > 0, name
        assert entry["unit"], name
        program, script, *_ = entry["command"].split()
        assert program == "python"
        assert (ROOT / script).is_file(), name


def test_needs_grow_with_people_and_not_faster() -> None:
    few, many = (needs_of(count, figures(), Assumed()) for count in (10_000, 1_000_000))
    for name in ("moves_per_s", "server_cores", "bot_cores", "storage_gb_per_year", "memory_gib"):
        assert getattr(many, name) == pytest.approx(100 * getattr(few, name))
