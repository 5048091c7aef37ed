"""Compile the kernel and keep the result: ``python -m cabochon.kernel.build``.

`make setup` runs this, so that nobody waits for it in a game.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from cabochon.kernel import checked
from cabochon.kernel.batch import Autoreset, Batch
from cabochon.kernel.cache import cache_directory
from cabochon.kernel.layout import States, new_states
from cabochon.rules.ruleset import Ruleset

OnPart = Callable[[int, int, str], None]
KEPT, KEPT_SECONDS = 8, 24 * 3600
"""Compiled versions stay on disk while they are among the latest or were used within a day."""


def _steps() -> list[tuple[str, Callable[[States], object]]]:
    """What there is to compile, each called once on a game in its first position."""
    ruleset = Ruleset()
    return [
        ("dealing", lambda states: checked.new_game(ruleset, 1, states)),
        ("checking", lambda states: checked.legal_actions(states)),
        ("stepping", lambda states: checked.step(states, 0, 0)),
        ("imagining", lambda states: checked.imagined(checked.unpack(states).view(0), 1)),
        ("observing", lambda states: checked.observation(states, 0, 0)),
        ("masks", lambda states: checked.action_mask(states)),
        ("playouts", lambda states: checked.playouts(states, 0, 1, 1)),
        ("batches", lambda states: _step_batch(ruleset)),
    ]


def _step_batch(ruleset: Ruleset) -> None:
    batch = Batch(ruleset, 2, seed=1, autoreset=Autoreset.SAME_STEP)
    batch.step(batch.sample_actions(1))


def warm_up(report: OnPart | None = None) -> float:
    """Compile what is not in the cache and load what is; returns the seconds it took.

    ``report`` is called before each part with its number, how many there are, and its name.
    """
    start = time.perf_counter()
    states = new_states(1)
    steps = _steps()
    for number, (name, step) in enumerate(steps, start=1):
        if report is not None:
            report(number, len(steps), name)
        step(states)
    _mark_ready()
    return time.perf_counter() - start


def is_compiled() -> bool:
    """Whether ``warm_up`` has run for exactly these sources and this machine."""
    place = cache_directory("kernel")
    return place is not None and (place / "ready").exists()


def _mark_ready() -> None:
    place = cache_directory("kernel")
    if place is not None:
        (place / "ready").touch()


def prune() -> list[Path]:
    """Remove old compiled versions; returns what went."""
    place = cache_directory("kernel")
    if place is None:
        return []
    gone: list[Path] = []
    oldest = time.time() - KEPT_SECONDS
    for part in ("kernel", "upper"):
        found = sorted(place.parent.glob(f"{part}-*"), key=lambda path: path.stat().st_mtime)
        gone += [path for path in found[:-KEPT] if path.stat().st_mtime < oldest]
    for path in gone:
        shutil.rmtree(path, ignore_errors=True)
    return gone


def main() -> int:
    """The command: a progress line on standard error, then what it took."""
    verb = "loading the kernel" if is_compiled() else "compiling the kernel, once"
    live = sys.stderr.isatty()

    def report(number: int, total: int, name: str) -> None:
        line = f"{verb}: {number}/{total} {name}"
        print(f"\r{line:<60}" if live else line, end="" if live else "\n", file=sys.stderr)
        sys.stderr.flush()

    seconds = warm_up(report)
    prune()
    print(f"{chr(13) if live else ''}{verb}: ready in {seconds:.1f} s".ljust(61), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
