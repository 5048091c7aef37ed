"""Which Python the environment is made of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "quickest_python.py"


def chosen(folder: Path, **candidates: str) -> subprocess.CompletedProcess[str]:
    """Of programs that answer the probe with such a line, in this order."""
    paths = [folder / name for name in candidates]
    for path, line in zip(paths, candidates.values(), strict=True):
        path.write_text(f"#!/bin/sh\n{line}\n", "utf-8")
        path.chmod(0o755)
    command = [sys.executable, str(SCRIPT), *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("other", "takes"),
    [
        ("echo 3.11 0.40", "other"),
        ("echo 3.11 0.48", "first"),  # hardly faster
        ("echo 3.12 0.40", "first"),  # not the version that was asked for
        ("exit 1", "first"),  # makes no environments
    ],
)
def test_another_is_taken_only_if_it_is_clearly_faster(
    tmp_path: Path, other: str, takes: str
) -> None:
    said = chosen(tmp_path, first="echo 3.11 0.50", other=other)
    assert said.stdout == f"{tmp_path / takes}\n"


def test_without_any_it_says_what_to_install(tmp_path: Path) -> None:
    said = chosen(tmp_path, first="exit 1")
    assert (said.returncode, said.stdout) == (1, "")
    assert "install python3 and python3-venv" in said.stderr


def test_a_real_one_is_probed() -> None:
    command = [sys.executable, str(SCRIPT), sys.executable]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == sys.executable
