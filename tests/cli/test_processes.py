"""Real processes and real terminals: colours, Ctrl-C, closed pipes, the end of the input."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cabochon.notation import parse_record
from cabochon.record import verify
from tests.cli.driver import PATIENCE, Screen, command, environment, process
from tests.cli.test_play import kept_file

ASK = "your move (? for help): "
PLAY = ("play", "--seed", "a", "--keep-order")


def kept_events(home: Path) -> list[str]:
    record = parse_record(kept_file(home).read_text("utf-8"))
    assert verify(record).ok
    return [str(event) for event in record.events]


def assert_no_traceback(text: str) -> None:
    assert "Traceback" not in text
    assert "Exception" not in text
    assert "Error" not in text


# On a terminal


def test_who_waits_for_the_compiler_is_told(tmp_path: Path) -> None:
    told = "The first time, the engine is made ready for this machine"
    fresh = {"CABOCHON_CACHE_DIR": str(tmp_path / "cache")}
    with Screen((*PLAY, "--bots", "diamond"), tmp_path, **fresh) as screen:
        screen.wait_for(ASK)
        screen.type("q\n")
        assert screen.end() == 0
    assert told in screen.seen
    with Screen((*PLAY, "--no-save", "--bots", "greedy"), tmp_path, **fresh) as screen:
        screen.wait_for(ASK)
        screen.type("q\n")
        screen.end()
    assert told not in screen.seen
    with Screen(("analyse", kept_file(tmp_path), "--ply", "0"), tmp_path, **fresh) as screen:
        screen.wait_for(told)
        assert screen.interrupt() == 130
    assert_no_traceback(screen.seen)


def test_a_terminal_gets_colours(tmp_path: Path) -> None:
    with Screen(PLAY, tmp_path) as screen:
        screen.wait_for(ASK)
        screen.type("wug\n")
        screen.wait_for(ASK, times=2)
        screen.type("q\n")
        assert screen.end() == 0
    assert "\x1b[30;107m w \x1b[0m" in screen.seen
    assert_no_traceback(screen.seen)


@pytest.mark.parametrize("more", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_stay_away_where_they_are_not_wanted(tmp_path: Path, more: dict[str, str]) -> None:
    with Screen(("show", "-"), tmp_path, **more) as screen:
        screen.type("\x04")
        screen.end()
    with Screen(PLAY, tmp_path, **more) as screen:
        screen.wait_for(ASK)
        screen.type("q\n")
        screen.end()
    assert "\x1b[3" not in screen.seen
    assert "\x1b[1m" not in screen.seen


def test_ctrl_c_at_the_prompt_loses_nothing(tmp_path: Path) -> None:
    with Screen(PLAY, tmp_path) as screen:
        screen.wait_for(ASK)
        screen.type("wug\n")
        screen.wait_for(ASK, times=2)
        assert screen.interrupt() == 130
    assert "cabochon play --resume" in screen.seen
    assert_no_traceback(screen.seen)
    assert len(kept_events(tmp_path)) >= 2


def test_ctrl_d_at_the_prompt_loses_nothing(tmp_path: Path) -> None:
    with Screen(PLAY, tmp_path) as screen:
        screen.wait_for(ASK)
        screen.type("wug\n")
        screen.wait_for(ASK, times=2)
        screen.type("\x04")
        assert screen.end() == 0
    assert "cabochon play --resume" in screen.seen
    assert_no_traceback(screen.seen)
    assert len(kept_events(tmp_path)) >= 2


def test_ctrl_c_while_bots_play_loses_nothing(tmp_path: Path) -> None:
    argv = ("play", "--humans", "0", "--players", "4", "--seed", "long", "--ruleset",
            "standard/4:target=50")  # fmt: skip
    with Screen(argv, tmp_path) as screen:
        screen.wait_for("Greedy 4: ", times=3)
        assert screen.interrupt() == 130
    assert_no_traceback(screen.seen)
    assert len(kept_events(tmp_path)) >= 12


def test_a_terminal_that_goes_away_loses_nothing(tmp_path: Path) -> None:
    with Screen(PLAY, tmp_path) as screen:
        screen.wait_for(ASK)
        screen.type("wug\n")
        screen.wait_for(ASK, times=2)
        screen.process.send_signal(signal.SIGHUP)
        screen.end()
    assert len(kept_events(tmp_path)) >= 2


def test_several_people_find_an_empty_screen(tmp_path: Path) -> None:
    argv = (*PLAY, "--humans", "2", "--name", "Ann,Bo")
    with Screen(argv, tmp_path) as screen:
        screen.wait_for("Pass the keyboard to Ann")
        screen.type("\n")
        screen.wait_for("Ann, " + ASK)
        screen.type("r d1\n")
        screen.wait_for("Pass the keyboard to Bo")
        screen.type("\n")
        screen.wait_for("Bo, " + ASK)
        screen.type("q\n")
        assert screen.end() == 0
    assert screen.seen.count("\x1b[2J\x1b[3J\x1b[H") == 4


def test_replay_goes_on_and_back_by_keys(tmp_path: Path) -> None:
    path = tmp_path / "game.cabochon"
    done = process("play", "--humans", "0", "--variant", "quick", "--seed", "film", "--record",
                   path, home=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    with Screen(("replay", path), tmp_path) as screen:
        for keys, turn in (("", 0), ("\n", 1), ("\n", 2), ("b\n", 1), ("g 12\n", 12), ("5\n", 5)):
            screen.type(keys)
            screen.wait_for(f"Turn {turn} of ", times=2 if keys == "b\n" else 1)
        screen.type("zork\n")
        screen.wait_for("Enter goes on, b goes back")
        screen.type("l\n")
        screen.wait_for(" target\n")
        screen.type("q\n")
        assert screen.end() == 0
    assert_no_traceback(screen.seen)


# On pipes


def test_a_pipe_that_closes_loses_nothing_and_says_nothing(tmp_path: Path) -> None:
    running = subprocess.Popen(
        command(*PLAY),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    assert running.stdin is not None
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.readline()
    running.stdout.close()
    running.stdin.write(b"wug\n" * 2)
    running.stdin.close()
    assert running.wait(PATIENCE) == 141
    assert running.stderr.read() == b""
    running.stderr.close()
    assert len(kept_events(tmp_path)) >= 1


@pytest.mark.parametrize("verb", [("rules",), ("perft", "--divide"), ("--help",)])
def test_every_verb_stops_when_nobody_reads(verb: tuple[str, ...], tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        command(*verb),
        stdout=writer,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        timeout=PATIENCE,
    )
    os.close(writer)
    assert done.returncode == 141
    assert done.stderr == b""


def test_sigint_in_line_mode_says_where_the_game_is(tmp_path: Path) -> None:
    running = subprocess.Popen(
        command(*PLAY, "--json"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        text=True,
    )
    assert running.stdin is not None
    assert running.stdout is not None
    assert '"start"' in running.stdout.readline()
    assert '"turn"' in running.stdout.readline()
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert '"left"' in out
    assert err == ""


def test_bytes_that_are_no_text_are_only_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        command(*PLAY, "--no-save"),
        input=b"\xff\xfe\x00wug\n",
        capture_output=True,
        env=environment(tmp_path),
        timeout=PATIENCE,
    )
    assert done.returncode == 0
    assert b"Can't read" in done.stdout
    assert done.stderr == b""


def test_an_ascii_terminal_gets_ascii(tmp_path: Path) -> None:
    done = subprocess.run(
        command(*PLAY, "--no-save"),
        input=b"",
        capture_output=True,
        env=environment(tmp_path, PYTHONIOENCODING="ascii"),
        timeout=PATIENCE,
    )
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert b"-" * 80 in done.stdout


def test_chinese_where_the_system_is_chinese(tmp_path: Path) -> None:
    done = process(*PLAY, "--no-save", home=tmp_path, LANG="zh_CN.UTF-8")
    assert "请行动" in done.stdout


def test_playing_imports_neither_numba_nor_numpy(tmp_path: Path) -> None:
    script = (
        "import sys; from cabochon.cli import main;"
        "code = main(['play', '--humans', '0', '--variant', 'quick', '--no-save', '--seed', 'a']);"
        "heavy = [name for name in ('numba', 'numpy') if name in sys.modules];"
        "sys.exit(repr(heavy) if heavy else code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment(tmp_path), text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
