"""A language model as a bot, through any command that reads a prompt and prints an answer.

    bot = PromptedBot("llm -m some-model")

The command is started for every decision: the prompt comes on its standard input, and the last line
it prints that is a legal move is played. If there is none it is asked again.
"""

from __future__ import annotations

import shlex
import subprocess

from cabochon.bots.bot import NO_LIMIT, Limit, choices_within
from cabochon.bots.command import EngineFailed, EngineFault
from cabochon.notation import NotationError, parse_move
from cabochon.render.plain import plain_text
from cabochon.rules import Move, View
from cabochon.rules.errors import quoted, wrong
from cabochon.words import ENGLISH, text

ATTEMPTS = 3
PATIENCE_S = 300.0


class PromptedBot:
    """Sees the table as plain text, and answers in words. Raises EngineFailed when it gives no
    legal move three times, WrongArgument for anything but a command line."""

    def __init__(self, command: str, lang: str = ENGLISH) -> None:
        try:
            self._command = shlex.split(command)
        except (ValueError, AttributeError, TypeError):
            raise wrong("command", "command", command) from None
        self._lang = lang

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        moves = choices_within(view, limit)
        if len(moves) == 1:
            return moves[0]
        names = [f"seat {seat}" for seat in range(view.ruleset.seats)]
        names[view.seat] = text("prompt.you", self._lang)
        table = plain_text(view, names, moves, self._lang)
        prompt = text("prompt.ask", self._lang, table=table, target=view.ruleset.target)
        said = ""
        for _ in range(ATTEMPTS):
            said = self._asked(prompt)
            move = answered(said, view)
            if move is not None:
                return move
            prompt += "\n" + text("prompt.again", self._lang)
        raise EngineFailed(EngineFault.NONSENSE, text=quoted(said.strip()[-60:]))

    def _asked(self, prompt: str) -> str:
        try:
            done = subprocess.run(
                self._command, input=prompt, capture_output=True, text=True, timeout=PATIENCE_S
            )
        except subprocess.TimeoutExpired:
            raise EngineFailed(EngineFault.HUNG, seconds=round(PATIENCE_S)) from None
        except (OSError, IndexError):
            shown = quoted(" ".join(self._command))
            raise EngineFailed(EngineFault.NOT_STARTED, command=shown) from None
        return done.stdout


def answered(said: str, view: View) -> Move | None:
    """The last line of an answer that is a legal move, or None."""
    for line in reversed(said.splitlines()):
        try:
            move = parse_move(line.strip().strip("`*.\"'"))
        except NotationError:
            continue
        if view.is_legal(move):
            return move
    return None
