"""What the page takes from Python is current, and is what everybody else is promised."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from scripts import describe_protocol, write_page_data

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


def test_the_request_bodies_in_the_docs_are_those_of_the_schema() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    chair = "object (`kind`: `me`, `name`, `share_hash`?)"
    assert chair in page, "what to write stands there, and what may be left out"
    assert describe_protocol.described(page) == page, "run: python scripts/describe_protocol.py"
    assert page.count("| `POST /api/tables` |") > 1


@pytest.mark.parametrize("name", [path.name for path in write_page_data.files()])
def test_what_the_page_shows_is_what_the_rules_say(name: str) -> None:
    text = write_page_data.files()[WEB / "src" / "generated" / name]
    kept = (WEB / "src" / "generated" / name).read_text("utf-8")
    assert text == kept, "run: python scripts/write_page_data.py"


def test_no_rule_constant_is_typed_in_the_page() -> None:
    """The limit of ten, as it is shown beside a count."""
    for path in (WEB / "src").rglob("*.svelte"):
        markup = re.sub(r"<style>.*?</style>|<!--.*?-->", "", path.read_text("utf-8"), flags=re.S)
        assert not re.search(r"[}>]\s*/\s*10\b", markup), path.name
    for language in ("en", "zh"):
        texts = (WEB / "src" / "i18n" / f"{language}.ts").read_text("utf-8")
        assert not re.search(r"visits,? \+3|来访 ?\+3", texts)


def test_no_length_that_the_server_asks_for_is_typed_in_the_page() -> None:
    """A name that the page lets somebody type is one that the server takes."""
    typed = {
        (path.name, found)
        for path in (WEB / "src").rglob("*.svelte")
        for found in re.findall(r'maxlength="(\d+)"', path.read_text("utf-8"))
    }
    assert typed == {("MoveTree.svelte", "2000")}, "half of what the server would take"


def test_the_lock_names_no_registry() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text("utf-8"))
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
