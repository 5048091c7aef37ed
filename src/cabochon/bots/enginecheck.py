"""Trying out a program that wants to be a bot: what it does right and what it does wrong.

    for finding in check_engine("python mine.py"):
        print(finding.step, finding.is_good, finding.facts)

The steps, in order; the first that fails in a way that leaves nothing to ask ends the check:

    hello     it starts and says who it is
    options   what it offers can be set
    moves     it answers every position of some whole games with a legal move
    time      it keeps to the milliseconds it is given
    visits    it answers when visits are all that is said
    strange   a message and a field that it cannot know do no harm
    output    it writes no more than it may, and nothing but messages
    quit      it goes when it is told to
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cabochon.bots.bot import Limit
from cabochon.bots.command import (
    GRACE_S,
    MOST_LINE,
    MOST_LINES,
    START_S,
    EngineFailed,
    EngineFault,
    EngineProgram,
    position_message,
    words_of,
)
from cabochon.notation import NotationError, format_view, parse_move, parse_position
from cabochon.rules import CabochonError, Move, Position, Ruleset, ShuffledDealer, View
from cabochon.rules.errors import quoted

GAMES = (2, 3, 4)
"""Players of the games that are played."""
HELLO: dict[str, object] = {"type": "hello", "v": 1}
MOST_DECISIONS = 60
SHORT_MS = 100
QUIT_S = 2.0
SECOND_ANSWER_S = 0.5
_NOBLES = (
    "standard/2 20 noble 0 - w4u4g4r4k4o5 1w5,1w6,1w7,1u5/2g5,2k1,2k6,2r3/3k3,3u2,3r4,3w3 "
    "wug3,wu4,rk4 -|1w1,1w2,1w3,1w4,1u1,1u2,1u3,1u4,1g1,1g2,1g3|-|- -|-|-|-"
)
"""Two nobles wish to come, which hardly happens in games of random moves."""


@dataclass(frozen=True, slots=True)
class EngineFinding:
    """What one step showed; `facts` fill the sentence `check-engine.STEP-good` or `-bad`."""

    step: str
    is_good: bool
    facts: dict[str, object] = field(default_factory=dict)


class _Stopped(Exception):
    """There is nobody left to ask."""

    def __init__(self, finding: EngineFinding) -> None:
        self.finding = finding


def check_engine(command: str | Sequence[str]) -> Iterator[EngineFinding]:
    """Try the program out, step by step. Raises WrongArgument for anything but a command line."""
    try:
        trial = _Trial(EngineProgram(words_of(command)))
    except EngineFailed as failure:
        yield _bad("hello", failure)
        return
    try:
        yield trial.hello()
        yield trial.options()
        yield trial.moves()
        yield trial.time()
        yield trial.visits()
        yield trial.strange()
        yield trial.output()
        yield trial.quit()
    except _Stopped as stopped:
        yield stopped.finding
    finally:
        trial.engine.close()


def _bad(step: str, failure: CabochonError, **facts: object) -> EngineFinding:
    return EngineFinding(step, False, {"why": failure, **facts})


class _Trial:
    """One program under test."""

    def __init__(self, engine: EngineProgram) -> None:
        self.engine = engine
        self._offered: list[dict[str, Any]] = []
        self._asked: View | None = None

    def hello(self) -> EngineFinding:
        self._say("hello", HELLO)
        told = self._hear("hello", "id", START_S)
        name, offered = told.get("name"), told.get("options", [])
        is_named = isinstance(name, str) and bool(name.strip())
        is_list = isinstance(offered, list) and all(
            isinstance(option, dict) and isinstance(option.get("name"), str) for option in offered
        )
        if not is_named or not is_list:
            said = json.dumps(told, ensure_ascii=False)[:120]
            return EngineFinding("hello", False, {"why": "id", "said": said})
        self._offered = offered
        return EngineFinding("hello", True, {"name": str(name)[:40]})

    def options(self) -> EngineFinding:
        step = "moves"  # it was given no options, so what fails isn't their fault
        if self._offered:
            step = "options"
            values = {option["name"]: option.get("default") for option in self._offered}
            self._say(step, {"type": "options", "values": values})
        self._say(step, {"type": "newgame"})
        self._move(step, _opening(Ruleset(2), 0).view(0), Limit(seconds=1.0))
        return EngineFinding("options", True, {"count": len(self._offered)})

    def moves(self) -> EngineFinding:
        asked, phases = 0, set()
        for seats in GAMES:
            self._say("moves", {"type": "newgame"})
            for view in _walk(Ruleset(seats), seats):
                self._move("moves", view, Limit(seconds=1.0))
                phases.add(view.phase.value)
                asked += 1
        view = parse_position(_NOBLES).view(0)
        self._move("moves", view, Limit(seconds=1.0))
        phases.add(view.phase.value)
        asked += 1
        return EngineFinding("moves", True, {"count": asked, "phases": ", ".join(sorted(phases))})

    def time(self) -> EngineFinding:
        longest = 0.0
        for number in range(5):
            view = _opening(Ruleset(2), number).view(0)
            began = time.monotonic()
            self._move("time", view, Limit(seconds=SHORT_MS / 1000))
            longest = max(longest, time.monotonic() - began)
        facts: dict[str, object] = {"asked": SHORT_MS, "took": round(1000 * longest)}
        facts["grace"] = round(1000 * GRACE_S)
        return EngineFinding("time", longest <= SHORT_MS / 1000 + GRACE_S, facts)

    def visits(self) -> EngineFinding:
        self._move("visits", _opening(Ruleset(2), 9).view(0), Limit(visits=16, seed=7))
        return EngineFinding("visits", True)

    def strange(self) -> EngineFinding:
        self._say("strange", {"type": "news", "what": "a message of a later version"})
        view = _opening(Ruleset(2), 10).view(0)
        self._say("strange", position_message(view) | {"later": [1, 2, 3]})
        self._say("strange", {"type": "go", "ms": 500, "visits": None, "seed": 1, "later": True})
        self._answer("strange", view, 0.5 + GRACE_S)
        return EngineFinding("strange", True)

    def output(self) -> EngineFinding:
        said, odd = self.engine.lines_heard, self.engine.odd_lines
        return EngineFinding("output", odd == 0, {"lines": said, "odd": odd})

    def quit(self) -> EngineFinding:
        self._say("quit", {"type": "quit"})
        return EngineFinding("quit", self.engine.waited(QUIT_S), {"seconds": round(QUIT_S)})

    def _move(self, step: str, view: View, limit: Limit) -> Move:
        self._asked = view
        self._expect_silence(step, 0.0)
        self._say(step, position_message(view))
        ms = None if limit.seconds is None else int(limit.seconds * 1000)
        self._say(step, {"type": "go", "ms": ms, "visits": limit.visits, "seed": limit.seed})
        return self._answer(step, view, (limit.seconds or 10.0) + GRACE_S)

    def _answer(self, step: str, view: View, seconds: float) -> Move:
        told = self._hear(step, "bestmove", seconds)
        self._asked = None
        text = told.get("move")
        if not isinstance(text, str) or not _is_legal(text, view):
            # It may be a second answer to the question before.
            self._expect_silence(step, SECOND_ANSWER_S)
        facts = {"said": str(text)[:80], "position": format_view(view)}
        if not isinstance(text, str):
            raise _Stopped(EngineFinding(step, False, {"why": "no-move", **facts}))
        try:
            move = parse_move(text)
        except NotationError as error:
            raise _Stopped(_bad(step, error, **facts)) from error
        refusal = view.refusal(move)
        if refusal is not None:
            raise _Stopped(_bad(step, refusal, **facts))
        return move

    def _expect_silence(self, step: str, seconds: float) -> None:
        if self.engine.has_more("bestmove", seconds):
            raise _Stopped(EngineFinding(step, False, {"why": "twice"}))

    def _say(self, step: str, message: dict[str, object]) -> None:
        try:
            self.engine.say(message)
        except EngineFailed as failure:
            raise _Stopped(self._silenced(step, failure)) from failure

    def _hear(self, step: str, kind: str, seconds: float) -> dict[str, Any]:
        try:
            return self.engine.hear(kind, seconds)
        except EngineFailed as failure:
            raise _Stopped(self._silenced(step, failure, kind, seconds)) from failure

    def _silenced(
        self, step: str, failure: EngineFailed, kind: str = "", seconds: float = GRACE_S
    ) -> EngineFinding:
        """Why nothing more is to be had of it, with what helps to find the mistake."""
        facts: dict[str, object] = {"seconds": f"{seconds:g}", "kind": kind}
        if self._asked is not None:
            facts["asked"] = format_view(self._asked)
        match failure.code:
            case EngineFault.HUNG if self.engine.passed_over:
                said = quoted(self.engine.passed_over.decode(errors="replace").strip())
                facts |= {"why": "other", "said": said}
            case EngineFault.HUNG if kind == "id":
                facts |= {"why": "deaf", "sent": json.dumps(HELLO)}
            case EngineFault.HUNG:
                facts["why"] = "silent"
            case EngineFault.FLOODED:
                facts |= {"why": "flooded", "lines": MOST_LINES, "kib": MOST_LINE // 1024}
            case _:
                code = self.engine.exit_code
                if code is not None and code < 0:
                    facts |= {"why": "killed", "signal": _signal_name(-code)}
                else:
                    facts |= {"why": "closed" if code is None else "exited", "code": code}
        return EngineFinding(step, False, facts)


def _is_legal(text: str, view: View) -> bool:
    try:
        return view.is_legal(parse_move(text))
    except NotationError:
        return False


def _signal_name(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else str(number)


def _opening(ruleset: Ruleset, number: int) -> Position:
    dealer = ShuffledDealer(f"check {number}")
    return Position.start(ruleset, dealer.opening(ruleset))


def _walk(ruleset: Ruleset, number: int) -> Iterator[View]:
    """What each seat sees in a game of random moves: tokens are hoarded, so some must go back."""
    random, dealer = Random(number), ShuffledDealer(f"check {number}")
    position = Position.start(ruleset, dealer.opening(ruleset))
    for _ in range(MOST_DECISIONS):
        if position.outcome() is not None:
            return
        yield position.view(position.seat)
        position = position.play(random.choice(position.legal_moves()))
        while position.pending is not None:
            position = position.deal(dealer.deal(position))
