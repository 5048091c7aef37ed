"""Programs as bots: good ones play, bad ones lose their decision to a clear policy."""

from __future__ import annotations

import io
import json
import sys
import time
from pathlib import Path

import pytest

from cabochon.bots import Limit, make_bot
from cabochon.bots.command import CommandBot, EngineFailed, EngineFault
from cabochon.bots.engine import answer
from cabochon.cli import main
from cabochon.notation import parse_move, view_to_json
from cabochon.rules import View
from tests.play.sittings import duel

EXAMPLE = Path(__file__).parents[2] / "examples" / "engine_bot.py"
HELLO = """
import sys, json, time
input()
print(json.dumps({"type": "id", "name": "odd"}), flush=True)
"""
WAIT_FOR_GO = 'while "go" not in input(): pass\n'


def best_move(move: str) -> str:
    said = f'{{"type": "bestmove", "move": {move}}}'
    return f"print({said!r}, flush=True)\ninput()"


BAD = {
    "crashes at once": ("raise SystemExit(3)", EngineFault.CRASHED),
    "crashes when asked": (HELLO + WAIT_FOR_GO + "1 / 0", EngineFault.CRASHED),
    "hangs": (HELLO + "time.sleep(60)", EngineFault.HUNG),
    "floods lines": (
        HELLO + 'while True: print(\'{"type": "info", "depth": 1}\')',
        EngineFault.FLOODED,
    ),
    "floods without a line": (
        HELLO + "while True: sys.stdout.write('x' * 10000)",
        EngineFault.FLOODED,
    ),
    "says nonsense": (
        HELLO
        + WAIT_FOR_GO
        + 'print(\'{"type": "bestmove", "move": "checkmate"}\', flush=True)\ninput()',
        EngineFault.NONSENSE,
    ),
    "moves illegally": (
        HELLO
        + WAIT_FOR_GO
        + 'print(\'{"type": "bestmove", "move": "pass"}\', flush=True)\ninput()',
        EngineFault.NONSENSE,
    ),
    "has no move": (
        HELLO + WAIT_FOR_GO + best_move("7"),
        EngineFault.NONSENSE,
    ),
}


def first_view() -> View:
    return duel().running.view(0)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cabochon.bots.command.GRACE_S", 0.3)


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_program_loses_its_decision(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    program, fault = BAD[kind]
    failures: list[EngineFailed] = []
    with CommandBot([sys.executable, "-c", program], on_fault=failures.append) as bot:
        move = bot.choose(first_view(), Limit(seconds=1.5))
    assert [failure.code for failure in failures] == [fault]
    assert failures[0].en
    assert failures[0].zh
    assert move == make_bot("greedy").choose(first_view())


@pytest.mark.parametrize("command", ["/no/such/program", "", "  "])
def test_a_program_that_is_not_there(command: str) -> None:
    failures: list[EngineFailed] = []
    with CommandBot(command, on_fault=failures.append) as bot:
        bot.choose(first_view())
    assert failures[0].code is EngineFault.NOT_STARTED


def test_a_program_that_does_not_read_is_not_waited_for() -> None:
    failures: list[EngineFailed] = []
    program = [sys.executable, "-c", HELLO + "time.sleep(60)"]
    with CommandBot(program, {"book": "x" * 300_000}, failures.append) as bot:
        began = time.monotonic()
        bot.choose(first_view(), Limit(seconds=1.5))
        assert time.monotonic() - began < 30
    assert [failure.code for failure in failures] == [EngineFault.HUNG]


def test_after_three_faults_it_is_not_asked_any_more() -> None:
    with CommandBot([sys.executable, "-c", "raise SystemExit"]) as bot:
        for _ in range(3):
            bot.choose(first_view())
        for _ in range(5):
            bot.choose(first_view())
        assert bot.faults == 3


def test_a_child_of_the_program_does_not_stay(tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    child = f"import time; time.sleep(2); open({str(mark)!r}, 'w')"
    program = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}])\n"
    with CommandBot([sys.executable, "-c", program + HELLO + WAIT_FOR_GO]) as bot:
        bot.choose(first_view(), Limit(seconds=0.1))
    time.sleep(2.3)
    assert not mark.exists()


def test_the_example_plays_a_whole_game() -> None:
    table = duel()
    with CommandBot([sys.executable, str(EXAMPLE)]) as bot:
        while table.to_act is not None:
            seat = table.running.seat
            view = table.running.view(seat)
            move = bot.choose(view) if seat == 0 else make_bot("greedy").choose(view)
            table = table.submit(seat, table.version, (move,), 0).table
        assert bot.faults == 0
        assert bot.name == "example"
    assert table.ended is not None


def test_any_bot_can_answer() -> None:
    view = first_view()
    said = [
        {"type": "hello", "v": 1},
        {"type": "newgame"},
        {"type": "position", "view": view_to_json(view)},
        {"type": "go", "ms": 100, "visits": None, "seed": 1},
        {"type": "quit"},
        {"type": "go"},
    ]
    lines = io.StringIO("\n".join(map(json.dumps, said)))
    out = io.StringIO()
    answer(make_bot("greedy"), "greedy", lines, out)
    hello, best = map(json.loads, out.getvalue().splitlines())
    assert hello == {"type": "id", "name": "greedy", "options": []}
    assert parse_move(best["move"]) == make_bot("greedy").choose(view)


@pytest.mark.parametrize("program", [f"{sys.executable} {EXAMPLE}", f"{sys.executable} -c 1/0"])
def test_a_program_plays_at_the_terminal(
    program: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.cabochon"
    arguments = ["play", "--humans", "0", "--bots", "greedy", "--brief", "--record", str(path)]
    assert main([*arguments, "--bot-command", program]) == 0
    out, err = capfd.readouterr()
    assert "The game is over." in out
    complaints = [line for line in err.splitlines() if "The bot's program has exited." in line]
    assert len(complaints) == (3 if "1/0" in program else 0)
    assert "engine_bot" not in path.read_text("utf-8")
    assert "command" not in path.read_text("utf-8")
