"""Bots as they sit down: ours are made afresh for every game, so that nothing is carried over;
other programs are kept running from game to game and told that a new one begins."""

from __future__ import annotations

import atexit
import shlex
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from cabochon.arena.agents import agent_engine, agent_of
from cabochon.arena.entrants import COMMAND, Entrant
from cabochon.arena.match import Match
from cabochon.bots import Bot, Limit, make_bot
from cabochon.bots.command import CommandBot, EngineFailed, EngineFault
from cabochon.version import __version__


def seated(entrants: Sequence[Entrant], seeds: Sequence[int]) -> list[tuple[Bot, Limit]]:
    """The bot in each seat, and its limit. Raises UnknownBot."""
    copies: Counter[str] = Counter()
    table: list[tuple[Bot, Limit]] = []
    for entrant, seed in zip(entrants, seeds, strict=True):
        if entrant.is_command:
            program = _programs.program(entrant.name, copies[entrant.name])
            copies[entrant.name] += 1
            table.append((program, replace(entrant.limit, seed=seed)))
        else:
            agent = agent_of(entrant.name)
            bot = make_bot(entrant.name, seed) if agent is None else agent
            limit = entrant.limit if agent is None else replace(entrant.limit, seed=seed)
            table.append((bot, limit))
    return table


def engine_of(entrant: Entrant, players: int) -> str:
    """What a report says played under that name: two equal texts of our own bots play the same
    moves. Raises UnknownBot, or EngineFailed for a program that is not there."""
    if entrant.is_command:
        _find_program(entrant.name.removeprefix(COMMAND))
        return "external"
    if (agent := agent_engine(entrant.name, players)) is not None:
        return agent
    engine = getattr(make_bot(entrant.name), "engine", None)
    return f"cabochon {__version__}" if engine is None else str(engine(players))


def engines_of(match: Match) -> tuple[str, ...]:
    """What plays under each entrant's name. Raises UnknownBot."""
    return tuple(engine_of(entrant, match.ruleset.seats) for entrant in match.entrants)


def _find_program(command: str) -> None:
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words or shutil.which(words[0]) is None:
        raise EngineFailed(EngineFault.NOT_STARTED, command=command[:60])


class _Programs:
    """The running programs of this process: one for each command and copy at a table."""

    def __init__(self) -> None:
        self._running: dict[tuple[str, int], CommandBot] = {}
        atexit.register(self.close)

    def program(self, name: str, copy: int) -> CommandBot:
        """Ready for a new game."""

        def failed(failure: EngineFailed) -> NoReturn:
            """Its game is forfeited; the next one has a fresh start."""
            self._running.pop((name, copy)).close()
            raise failure

        bot = self._running.get((name, copy))
        if bot is None:
            bot = CommandBot(name.removeprefix(COMMAND), on_fault=failed)
            self._running[name, copy] = bot
        bot.new_game()
        return bot

    def close(self) -> None:
        while self._running:
            self._running.popitem()[1].close()


_programs = _Programs()
