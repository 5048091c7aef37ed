"""What the README shows is run; the Chinese one shows the same."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def blocks(name: str) -> list[tuple[str, str]]:
    return [(m[1], m[2]) for m in BLOCK.finditer((ROOT / name).read_text("utf-8"))]


SESSIONS = ["README.md", "README.zh.md", "docs/python.md", "docs/analysis.md"]


@pytest.mark.parametrize("name", SESSIONS)
def test_the_session_gives_what_it_shows(name: str) -> None:
    session = "\n".join(text for language, text in blocks(name) if language == "python")
    examples = doctest.DocTestParser().get_doctest(session, {}, name, name, 0)
    assert len(examples.examples) >= (7 if name == "docs/analysis.md" else 10)
    outcome = doctest.DocTestRunner().run(examples)
    assert outcome.failed == 0


def test_both_readmes_show_the_same_commands_and_sessions() -> None:
    def without_remarks(name: str) -> list[str]:
        return [re.sub(r" +#.*", "", text) for language, text in blocks(name) if language]

    assert len(without_remarks("README.md")) > 1
    assert without_remarks("README.md") == without_remarks("README.zh.md")


def test_both_readmes_name_the_same_rooms_of_the_house() -> None:
    def rooms(name: str) -> list[str]:
        (house,) = [text for language, text in blocks(name) if not language]
        return re.findall(r"(?:^|(?<=  )|(?<= · ))(?!SVG\b)[a-z]{3,}(?= {2,}| ·)", house, re.M)

    assert len(rooms("README.md")) > 20
    assert rooms("README.md") == rooms("README.zh.md")


def test_both_readmes_have_the_same_headings() -> None:
    def depths(name: str) -> list[str]:
        text = BLOCK.sub("", (ROOT / name).read_text("utf-8"))
        return re.findall(r"^(#+) ", text, re.M)

    assert depths("README.md") == depths("README.zh.md")


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_every_make_target_that_a_readme_names_exists(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+(?: [a-z-]+)*):", (ROOT / "Makefile").read_text(), re.M))
    known = {target for line in targets for target in line.split()}
    named = set(re.findall(r"make ([a-z-]+)", (ROOT / name).read_text("utf-8")))
    assert named <= known


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_every_file_that_a_readme_links_exists(name: str) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text("utf-8")):
        assert (ROOT / target).exists(), target
