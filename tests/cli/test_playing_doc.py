"""docs/playing.md: every example is run, every option and command it names exists."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cabochon.cli.entry import COMMANDS
from cabochon.words import template
from tests.cli.driver import environment, run

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
PAGES = ("playing.md", "playing.zh.md")


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text("utf-8")
    return [found[2] for found in BLOCK.finditer(text) if found[1] == language]


def examples(block: str) -> list[tuple[str, str]]:
    """Each command of a console block with the output it shows."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def pattern(shown: str) -> str:
    """`...` alone on a line stands for any lines, at the end of a line for the rest of it."""
    escaped = re.escape(shown)
    escaped = re.sub(r"(?m)^\\\.\\\.\\\.\\?\n", r"(?s:.*)", escaped)
    return re.sub(r"(?m)\\\.\\\.\\\.(?=\\?$)", r"[^\\n]*", escaped)


@pytest.mark.parametrize("page", PAGES)
def test_every_console_example_gives_what_it_shows(page: str, tmp_path: Path) -> None:
    env = environment(tmp_path)
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    count = 0
    for block in blocks(page, "console"):
        for line, shown in examples(block):
            done = subprocess.run(
                ["bash", "-c", line],
                cwd=tmp_path,
                env=env,
                capture_output=True,
                encoding="utf-8",
                timeout=60,
            )
            assert done.stderr == "", line
            assert re.fullmatch(pattern(shown), done.stdout), f"{line}\n{done.stdout}"
            count += 1
    assert count >= 10


def test_the_script_plays_a_whole_game(tmp_path: Path) -> None:
    (script,) = {script for page in PAGES for script in blocks(page, "python")}
    env = environment(tmp_path)
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("result target 2\n", "")


def test_both_pages_have_the_same_sections_and_tables() -> None:
    def shape(page: str) -> list[str]:
        return re.findall(r"^(#+ |\| )", (DOCS / page).read_text("utf-8"), re.M)

    assert shape(PAGES[0]) == shape(PAGES[1])


@pytest.mark.parametrize("page", PAGES)
def test_every_option_of_play_is_described(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    options = set(re.findall(r"--[a-z-]+", run("play", "--help").out)) - {"--help"}
    assert options <= set(re.findall(r"--[a-z-]+", text))


@pytest.mark.parametrize("page", PAGES)
def test_every_command_at_the_prompt_is_described(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    for name in COMMANDS:
        assert f"`{name}" in text, name
        assert template(f"commands.{name}", "zh").split()[-1] in text, name
