"""Any program as a bot: it is started by a command and spoken to in JSON lines.

    we say   {"type":"hello","v":1}
    it says  {"type":"id","name":"mine","options":[{"name":"level","default":3}]}
    we say   {"type":"options","values":{"level":5}}          only if there are any
    we say   {"type":"newgame"}
    we say   {"type":"position","view":{...},"legal":[...]}   what its seat may know, its moves
    we say   {"type":"go","ms":1000,"visits":null,"seed":7}
    it says  {"type":"info",...}                              as often as it likes, within reason
    it says  {"type":"bestmove","move":"take wug"}
    we say   {"type":"quit"}

A program that does not start, crashes, hangs, floods or answers nonsense loses that decision to
the house bot; after three such faults it is not asked any more. It never takes anybody else down.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import select
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from cabochon.bots.bot import NO_LIMIT, Limit, choices_within
from cabochon.bots.greedy import GreedyBot
from cabochon.notation import NotationError, format_move, parse_move, view_to_json
from cabochon.rules import CabochonError, Move, View
from cabochon.rules.errors import quoted, wrong

GRACE_S = 2.0
"""What a program may take beyond the time it was given."""
UNTIMED_S = 60.0
"""What it may take when no time was given."""
START_S = 20.0
MOST_LINE = 65_536
MOST_LINES = 1_000
MOST_FAULTS = 3


class EngineFault(StrEnum):
    """What a program did wrong."""

    NOT_STARTED = "engine-not-started"
    CRASHED = "engine-crashed"
    HUNG = "engine-hung"
    FLOODED = "engine-flooded"
    NONSENSE = "engine-nonsense"
    RAISED = "engine-raised"


class EngineFailed(CabochonError):
    """The program lost its decision; `code` is an `EngineFault`."""


class CommandBot:
    """A `Bot` whose thoughts are another program's. Close it, or use it as a context manager.

    `on_fault` is called for every failed decision; `faults` counts them. Raises WrongArgument for
    anything but a command line.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        options: Mapping[str, Any] | None = None,
        on_fault: Callable[[EngineFailed], None] | None = None,
    ) -> None:
        self._command = words_of(command)
        if options is not None and not isinstance(options, Mapping):
            raise wrong("options", "options", options)
        self._options = dict(options or {})
        self._on_fault = on_fault
        self._house = GreedyBot()
        self._engine: EngineProgram | None = None
        self.faults = 0
        self.name: str | None = None

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        """The program's move, or the house bot's when the program fails."""
        choices_within(view, limit)
        if self.faults < MOST_FAULTS:
            try:
                return self._asked(view, limit)
            except EngineFailed as failure:
                self.faults += 1
                self.close()
                if self._on_fault is not None:
                    self._on_fault(failure)
        return self._house.choose(view, limit)

    def new_game(self) -> None:
        """Tell the program, if it is already running, that another game follows."""
        if self._engine is not None:
            with contextlib.suppress(EngineFailed):
                self._engine.say({"type": "newgame"})

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def __enter__(self) -> CommandBot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _asked(self, view: View, limit: Limit) -> Move:
        engine = self._started()
        allowed = UNTIMED_S if limit.seconds is None else limit.seconds + GRACE_S
        engine.say(position_message(view))
        ms = None if limit.seconds is None else int(limit.seconds * 1000)
        engine.say({"type": "go", "ms": ms, "visits": limit.visits, "seed": limit.seed})
        answer = engine.hear("bestmove", allowed)
        text = answer.get("move")
        if not isinstance(text, str):
            raise EngineFailed(EngineFault.NONSENSE, text=quoted(text))
        try:
            move = parse_move(text)
        except NotationError:
            raise EngineFailed(EngineFault.NONSENSE, text=quoted(text)) from None
        if not view.is_legal(move):
            raise EngineFailed(EngineFault.NONSENSE, text=quoted(text))
        return move

    def _started(self) -> EngineProgram:
        if self._engine is None:
            self._engine = EngineProgram(self._command)
            self._engine.say({"type": "hello", "v": 1})
            told = self._engine.hear("id", START_S)
            self.name = str(told.get("name", ""))[:40]
            if self._options:
                self._engine.say({"type": "options", "values": self._options})
            self._engine.say({"type": "newgame"})
        return self._engine


def position_message(view: View) -> dict[str, object]:
    """What a program is sent with each question: the view, and the legal moves as it may answer
    them (a purchase once, with the least gold)."""
    legal = [format_move(move) for move in view.legal_moves()]
    return {"type": "position", "view": view_to_json(view), "legal": legal}


class EngineProgram:
    """The running program. A thread reads what it says, so that nobody waits for it for ever."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, IndexError, ValueError):
            shown = quoted(" ".join(command))
            raise EngineFailed(EngineFault.NOT_STARTED, command=shown) from None
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        self._lines: queue.Queue[bytes | EngineFault] = queue.Queue(MOST_LINES)
        self.lines_heard = 0
        self.odd_lines = 0
        """How many of them were no messages."""
        self.passed_over = b""
        """The last line that was not what was waited for."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            while line := self._process.stdout.readline(MOST_LINE + 1):
                if len(line) > MOST_LINE:
                    break
                try:
                    self._lines.put_nowait(line)
                except queue.Full:
                    break
            else:
                self._give(EngineFault.CRASHED)
                return
        self._give(EngineFault.FLOODED)

    def _give(self, fault: EngineFault) -> None:
        """The last word on this program, in place of what it said if need be."""
        while True:
            try:
                self._lines.put_nowait(fault)
                return
            except queue.Full:
                with contextlib.suppress(queue.Empty):
                    self._lines.get_nowait()

    def say(self, message: Mapping[str, object]) -> None:
        """Raises EngineFailed, also when the program doesn't read its input."""
        assert self._process.stdin is not None
        left = json.dumps(message).encode() + b"\n"
        until = time.monotonic() + GRACE_S
        try:
            pipe = self._process.stdin.fileno()
            while left:
                if not select.select([], [pipe], [], max(0.0, until - time.monotonic()))[1]:
                    raise EngineFailed(EngineFault.HUNG, seconds=round(GRACE_S))
                left = left[os.write(pipe, left) :]
        except (OSError, ValueError):
            raise EngineFailed(EngineFault.CRASHED) from None

    def hear(self, kind: str, seconds: float) -> dict[str, Any]:
        """The next message of that kind; others are passed over. Raises EngineFailed."""
        self.passed_over = b""
        until = time.monotonic() + seconds
        for _ in range(MOST_LINES):
            try:
                said = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise EngineFailed(EngineFault.HUNG, seconds=round(seconds)) from None
            if isinstance(said, EngineFault):
                raise EngineFailed(said)
            message = _read_message(said)
            self.lines_heard += 1
            self.odd_lines += message is None
            if message is not None and message.get("type") == kind:
                return message
            self.passed_over = said
        raise EngineFailed(EngineFault.FLOODED)

    def has_more(self, kind: str, seconds: float = 0.0) -> bool:
        """Whether a message of that kind comes within that time, although nobody has asked for it;
        what came until then is passed over."""
        try:
            self.hear(kind, seconds)
        except EngineFailed as failure:
            if failure.code is not EngineFault.HUNG:
                self._give(EngineFault(failure.code))
            return False
        return True

    @property
    def exit_code(self) -> int | None:
        """None while it still runs; a moment is given to a program that is about to go."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(0.5)
        return None

    def waited(self, seconds: float) -> bool:
        """Whether it has gone by itself within that time."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """Ask it to go; it and everything it started is gone afterwards."""
        with contextlib.suppress(EngineFailed):
            self.say({"type": "quit"})
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join(1.0)
        assert self._process.stdout is not None
        self._process.stdout.close()


def words_of(command: str | Sequence[str]) -> list[str]:
    """The command line in words. Raises WrongArgument, also for a quote that is never closed."""
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except (TypeError, ValueError):
        raise wrong("command", "command", command) from None
    if not all(isinstance(word, str) for word in words):
        raise wrong("command", "command", command)
    return words


def _read_message(line: bytes) -> dict[str, Any] | None:
    """A line that holds a JSON object; anything else a program prints isn't a message."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None
