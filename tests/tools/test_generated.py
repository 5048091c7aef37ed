"""What the page takes from Python is current, and is what everybody else is promised."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"

needs_node = pytest.mark.skipif(
    not (WEB / "node_modules" / "json-schema-to-typescript").exists(), reason="make web was not run"
)


@needs_node
def test_the_page_s_types_are_those_of_the_published_schemas() -> None:
    run = subprocess.run(
        ["node", "scripts/types.mjs", "--check"],
        cwd=WEB,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_the_lock_names_no_registry() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text("utf-8"))
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
