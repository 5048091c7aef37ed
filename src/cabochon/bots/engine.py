"""The other end of the engine protocol: a bot that answers on standard output.

    from cabochon.bots.engine import answer
    answer(MyBot(), "mine")

What is said is described in `cabochon.bots.command`.
"""

from __future__ import annotations

import json
import sys
from typing import Any, TextIO

from cabochon.bots.bot import Bot, Limit
from cabochon.notation import format_move, view_from_json
from cabochon.rules import View


def answer(bot: Bot, name: str, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
    """Answer questions until told to quit, or until the input ends."""
    view: View | None = None
    for line in stdin or sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            _say(stdout, {"type": "id", "name": name, "options": []})
        elif kind == "position":
            view = view_from_json(message["view"])
        elif kind == "go" and view is not None:
            move = bot.choose(view, _limit(message))
            _say(stdout, {"type": "bestmove", "move": format_move(move)})
        elif kind == "quit":
            return


def _limit(message: dict[str, Any]) -> Limit:
    ms = message.get("ms")
    seconds = None if ms is None else ms / 1000
    return Limit(seconds, message.get("visits"), message.get("seed"))


def _say(stdout: TextIO | None, message: dict[str, object]) -> None:
    print(json.dumps(message), file=stdout or sys.stdout, flush=True)
