"""`cabochon check-engine` says of good programs that they are, and of bad ones why not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cabochon.arena import format_report, parse_report, play_games
from cabochon.arena.seating import agent_of
from cabochon.bots import Limit, enginecheck
from cabochon.bots.command import CommandBot
from cabochon.bots.enginecheck import check_engine
from cabochon.bots.prompted import PromptedBot, answered
from cabochon.cli import main
from cabochon.notation import parse_move
from tests.play.sittings import duel

EXAMPLES = Path(__file__).parents[2] / "examples"
DOCS = Path(__file__).parents[2] / "docs"
ID = (
    "import sys, json, time\ninput()\n"
    'print(json.dumps({"type": "id", "name": "odd"}), flush=True)\n'
)
OFFER = ID.replace('"odd"', '"odd", "options": [{"name": "depth", "default": 3}]')
WAIT = 'while "go" not in input(): pass\n'
ILLEGAL = 'print(json.dumps({"type": "bestmove", "move": "pass"}), flush=True)\ninput()'

ONLY_ACTS = (
    ID
    + """
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "position":
        legal = asked["legal"]
    if asked["type"] == "go":
        is_noble = legal[0].startswith("noble")
        move = "noble wk4" if is_noble else legal[0]
        print(json.dumps({"type": "bestmove", "move": move}), flush=True)
"""
)
"""Right until nobles wish to come."""


TWICE = ONLY_ACTS + ONLY_ACTS.splitlines()[-1] + "\n"
"""Says every answer two times: the second was taken for that to the next question."""


def starter(language: str, tmp_path: Path) -> str:
    """The command that runs a starter bot."""
    if language == "python":
        return f"{sys.executable} {EXAMPLES / 'starter_bot.py'}"
    if language == "javascript":
        return f"node {EXAMPLES / 'starter_bot.js'}"
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler is not None
    built = tmp_path / "starter"
    source = EXAMPLES / "starter_bot.c"
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-o", built, source], check=True)
    return str(built)


@pytest.mark.parametrize("language", ["python", "javascript", "c"])
def test_the_starter_bots_are_right_and_short(language: str, tmp_path: Path) -> None:
    findings = list(check_engine(starter(language, tmp_path)))
    assert [(found.step, found.is_good) for found in findings] == [
        (step, True)
        for step in ("hello", "options", "moves", "time", "visits", "strange", "output", "quit")
    ]
    ending = {"python": "py", "javascript": "js", "c": "c"}[language]
    lines = (EXAMPLES / f"starter_bot.{ending}").read_text("utf-8").splitlines()
    assert len(lines) < 60


BAD = {
    "does not exist": ("/nowhere/engine", "hello", "started"),
    "exits": (f"{sys.executable} -c 'raise SystemExit'", "hello", "exited"),
    "has no name": (
        f"{sys.executable} -c 'input(); print(\"{{}}\", flush=True)'",
        "hello",
        "exited",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_wrong_is_said(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, step, why = BAD[kind]
    assert main(["--lang", "en", "check-engine", command]) == 1
    told = capsys.readouterr().out
    assert f"WRONG {step}" in told
    assert why in told
    assert main(["--lang", "zh", "check-engine", command]) == 1
    assert "有误" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("program", "step", "word"),
    [
        (ID + WAIT + ILLEGAL, "moves", "You can pass only when nothing else is possible"),
        (ID + WAIT + "1 / 0", "moves", "has exited with code 1"),
        (ID + WAIT + "1 / 0", "moves", "position: seat0 standard/2"),
        (ID + WAIT + "while True: print('x' * 100)", "moves", "more than 1000 lines"),
        (ID + WAIT + "print('x' * 70_000); input()", "moves", "more than 64 KiB"),
        (
            ID + WAIT + """print('{"move": "take wug"}', flush=True)\ninput()""",
            "moves",
            'no message of the type bestmove came within 3 s. The last line it wrote: “{"move"',
        ),
        (ID + WAIT + "input()", "moves", "said nothing within 3 s. If it did write an answer"),
        (
            """input()\nprint('{"type": "id"}', flush=True)""",
            "hello",
            'but it said {"type": "id"}',
        ),
        (ONLY_ACTS, "moves", "it answered “noble wk4”"),
        (TWICE, "moves", "it answered the question before more than once"),
        (ID + WAIT + "import os; os.kill(os.getpid(), 9)", "moves", "ended by SIGKILL"),
        (
            OFFER + WAIT + "1 / 0",
            "options",
            "exited",
        ),
    ],
)
def test_a_program_that_goes_wrong_later(
    program: str, step: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "odd.py"
    script.write_text(program)
    assert main(["--lang", "en", "check-engine", f"{sys.executable} {script}"]) == 1
    told = capsys.readouterr().out
    assert word in told
    assert f"WRONG {step}" in told


def test_a_program_that_does_not_know_the_hello_is_shown_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever looks for the text of a message must know how it is written."""
    monkeypatch.setattr(enginecheck, "START_S", 0.5)
    assert main(["--lang", "en", "check-engine", "sleep 30"]) == 1
    assert 'It was sent the line {"type": "hello", "v": 1}; if' in capsys.readouterr().out


def test_the_protocol_shows_messages_as_they_are_sent(tmp_path: Path) -> None:
    heard = tmp_path / "heard.txt"
    script = tmp_path / "mine.py"
    lines = (EXAMPLES / "starter_bot.py").read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if "json.loads" in line)
    lines.insert(at, f"        open({str(heard)!r}, 'a').write(line)")
    script.write_text("\n".join(lines))
    with CommandBot(f"{sys.executable} {script}") as bot:
        bot.choose(duel().running.view(0), Limit(1.0, None, 7))
    said = heard.read_text("utf-8")
    section = (DOCS / "protocol.md").read_text("utf-8").partition("## Programs as bots")[2]
    shown = [row.split("`")[1] for row in section.splitlines() if row.startswith('| `{"type"')]
    assert len(shown) == 6
    for line in shown:
        begins = line.partition("{…}")[0].partition("…")[0]
        assert begins in said or '"options"' in line
        assert '":' not in line.replace('": ', "")


def test_a_report_says_why_games_were_forfeited(tmp_path: Path) -> None:
    script = tmp_path / "odd.py"
    script.write_text(ID + WAIT + ILLEGAL)
    report = play_games(f"cmd:{sys.executable} {script}", "uniform", games=2)
    assert {forfeit.code for forfeit in report.forfeits} == {"engine-nonsense"}
    assert [forfeit.game for forfeit in report.forfeits] == [0, 1]
    assert "2 ×" in str(report)
    text = format_report(report)
    again = parse_report(text)
    assert again.forfeits == report.forfeits
    assert format_report(again) == text
    clean = format_report(play_games("greedy", "uniform", games=2))
    assert '"forfeits": [' not in clean, "reports without any are as they always were"


def test_a_language_model_is_asked_in_plain_text(tmp_path: Path) -> None:
    script = tmp_path / "model.py"
    script.write_text(
        "import sys, re\n"
        "asked = sys.stdin.read()\n"
        "takes = re.search(r'take ([a-z]+)', asked.split('moves')[1])[1]\n"
        "print('Let me think.\\n\\n**take', takes + '**')\n"
    )
    view = duel().running.view(0)
    bot = PromptedBot(f"{sys.executable} {script}")
    assert bot.choose(view) == parse_move("take wug")
    assert answered("I would\n`take wug`.", view) == parse_move("take wug")
    assert answered("pass", view) is None
    agent = agent_of(f"llm:{sys.executable} {script}")
    assert isinstance(agent, PromptedBot)
    assert agent_of("greedy") is None
