"""Run the command line: in this process, as a process, or on a terminal of its own."""

from __future__ import annotations

import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cabochon.cli import main
from cabochon.cli.terminal import Terminal

PATIENCE = 60.0


@dataclass(frozen=True)
class Done:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str


def run(
    *argv: str | Path,
    stdin: str = "",
    home: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Done:
    """The command in this process. `home` is where games are kept."""
    out, err = io.StringIO(), io.StringIO()
    environment = dict(env or {})
    if home is not None:
        environment["XDG_DATA_HOME"] = str(home)
    terminal = Terminal(environment, io.StringIO(stdin), out, err)
    code = main([str(argument) for argument in argv], terminal)
    return Done(code, out.getvalue(), err.getvalue())


def play_bots(path: Path, seed: str) -> Path:
    """A finished quick game between two bots, with its seed, in that file."""
    done = run(
        *("play", "--humans", "0", "--bots", "greedy,uniform", "--variant", "quick"),
        *("--seed", seed, "--record", path),
    )
    assert done.code == 0, done.err
    return path


def command(*argv: str | Path) -> list[str]:
    return [sys.executable, "-m", "cabochon", *map(str, argv)]


def environment(home: Path, **more: str) -> dict[str, str]:
    """A plain English environment, whatever the tests are run in. Compiled code is kept where it
    always is: half a minute of compiling for each home would prove nothing."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    compiled = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    own = {"XDG_DATA_HOME": str(home), "HOME": str(home), "LANG": "C.UTF-8"}
    own["XDG_CACHE_HOME"] = compiled
    return {**kept, **own, "TERM": "xterm-256color", "INPUTRC": "/dev/null", **more}


def process(
    *argv: str | Path, home: Path, stdin: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own, on pipes."""
    return subprocess.run(
        command(*argv),
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(home, **more),
        timeout=PATIENCE,
    )


class Screen:
    """The command on a terminal of its own: type, and wait for what appears."""

    def __init__(self, argv: Sequence[str | Path], home: Path, **more: str) -> None:
        self._own, other = pty.openpty()
        self.process = subprocess.Popen(
            command(*argv),
            stdin=other,
            stdout=other,
            stderr=other,
            env=environment(home, **more),
            start_new_session=True,
            close_fds=True,
        )
        os.close(other)
        self.seen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._own)

    def type(self, text: str) -> None:
        os.write(self._own, text.encode())

    def interrupt(self) -> int:
        """Press Ctrl-C, as a person does: again when nothing happens, for Python sees a signal
        that comes just before it begins to wait only after the wait. The exit code."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, f"no end after\n{self.seen}"
            self.process.send_signal(signal.SIGINT)
            pause = time.monotonic() + 1
            while self.process.poll() is None and time.monotonic() < pause:
                self._read(0.05)
        return self.end()

    def wait_for(self, text: str, times: int = 1) -> str:
        """Read until the text has appeared that often. Raises AssertionError when it does not."""
        end = time.monotonic() + PATIENCE
        while self.seen.count(text) < times:
            came = time.monotonic() < end and self._read()
            assert came, f"no {text!r} in\n{self.seen}"
        return self.seen

    def end(self) -> int:
        """Read to the end; the exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE)

    def _read(self, patience: float = PATIENCE) -> bool:
        """Whether anything more came."""
        ready, _, _ = select.select([self._own], [], [], patience)
        if not ready:
            return False
        try:
            data = os.read(self._own, 65536)
        except OSError:
            return False
        self.seen += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)
