"""A language is a file: a toy one, put into a folder, is spoken everywhere without any code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cabochon.notation import (
    NotationError,
    describe_turn,
    error_to_json,
    noble_name,
    parse_noble,
    parse_turn,
)
from cabochon.play.messages import words_of
from cabochon.play.staging import Line, LineKind, line_for
from cabochon.rules import BadRuleset, Pass, Ruleset, noble
from cabochon.server.problems import ServerFault, ServerRefused, language_of, problem
from cabochon.server.web.clientmessages import Hello
from cabochon.words import FOLDER, Words, forget, in_all_languages, languages, rules_text, spoken

TOY = """
[colours]
w = "wit"

[nobles]
rk4 = "Koning Toy"

[errors.rules]
seats-out-of-range = "Toy: {seats}?"

[errors.server]
no-such-page = "Toy, toy."

[turns]
pass = "toyt"

[terminal.args]
about = "Toy op het toy."

[variants]
quick = "Toy!"
"""
"""Not complete: what it lacks is said in English."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qt.toml").write_text(TOY, "utf-8")
    (tmp_path / "rules.qt.md").write_text("# Toy\n", "utf-8")
    (tmp_path / "Notes for me.toml").write_text("", "utf-8")
    (tmp_path / "en.toml").write_text("", "utf-8")
    return tmp_path


@pytest.fixture
def toy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv(FOLDER, str(folder))
    forget()
    yield "qt"
    monkeypatch.undo()
    forget()


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        check=True,
        env={FOLDER: str(folder), "PYTHONPATH": ":".join(sys.path), "PYTHONUTF8": "1"},
    )


def test_a_file_in_the_folder_is_a_language_and_ours_stay_as_they_are(toy: str) -> None:
    assert languages() == ("en", "zh", toy)
    assert in_all_languages("turns.pass")["en"] != ""


def test_an_error_speaks_it_and_english_where_it_has_no_words(toy: str) -> None:
    with pytest.raises(BadRuleset) as refused:
        Ruleset(7)
    assert refused.value.text(toy) == "Toy: 7?"
    assert error_to_json(refused.value)[toy] == "Toy: 7?"
    with pytest.raises(BadRuleset) as refused:
        Ruleset(2, target=99)
    assert refused.value.text(toy) == refused.value.en


def test_the_terminal_the_notation_and_the_rules_speak_it(toy: str) -> None:
    assert Words(toy)("args.about") == "Toy op het toy."
    assert Words(toy).colour("w") == "wit"
    assert spoken({"LANG": "qt_NL.UTF-8"}) == toy
    assert noble_name(noble("rk4"), toy) == "Koning Toy"
    assert describe_turn(parse_turn("1a pass"), toy) == "toyt"
    assert rules_text(toy) == "# Toy\n"


def test_the_command_line_speaks_it(folder: Path) -> None:
    assert "Toy op het toy." in run(folder, "-m", "cabochon", "--lang", "qt").stdout
    assert "en|zh|qt" in run(folder, "-m", "cabochon", "--help").stdout


def test_a_noble_can_be_named_in_it(folder: Path) -> None:
    code = "from cabochon.notation import parse_noble; print(parse_noble('koning toy').code)"
    assert run(folder, "-c", code).stdout == "rk4\n"
    with pytest.raises(NotationError):
        parse_noble("koning toy")


def test_the_server_speaks_it(toy: str) -> None:
    asked = language_of("fr, qt-NL;q=0.9, en")
    document = problem(ServerRefused(ServerFault.NO_SUCH_PAGE), asked)
    assert document["detail"] == "Toy, toy."
    assert json.loads(json.dumps(document))["sentence"][toy] == "Toy, toy."
    assert json.loads(json.dumps(words_of("variants.quick")))[toy] == "Toy!"
    line = line_for(Line(1, 1, 0, LineKind.PASS, at=987_654, move=Pass()), None)
    assert json.loads(json.dumps(line))["text"][toy] == "toyt"


@pytest.mark.parametrize("lang", ["en", "zh", "qt"])
def test_a_client_may_ask_for_it(toy: str, lang: str) -> None:
    assert Hello(type="hello", lang=lang).lang == lang


def test_a_language_nobody_wrote_is_refused() -> None:
    with pytest.raises(ValueError, match="we speak en, zh"):
        Hello(type="hello", lang="qt")


SERVED = """
import asyncio, httpx, json
from cabochon.server.settings import Settings
from cabochon.server.web.app import make_app

async def ask():
    there = httpx.ASGITransport(app=make_app(Settings()))
    async with httpx.AsyncClient(transport=there, base_url="http://localhost") as client:
        return (await client.get("/api/nothing", headers={"Accept-Language": "qt"})).json()

print(json.dumps(asyncio.run(ask())))
"""


def test_a_running_server_answers_in_it(folder: Path) -> None:
    document = json.loads(run(folder, "-c", SERVED).stdout)
    assert document["detail"] == document["sentence"]["qt"] == "Toy, toy."
