"""Bots as they sit down: ours are made afresh for every game, so that nothing is carried over;
other programs are kept running from game to game and told that a new one begins.

Agents that are not among our bots are named by a prefix. What is behind it runs as code on this
machine, so only people at this machine may name one.

    cmd:./engine --x            another program over stdin and stdout
    python:my_module:MyBot      a class with `choose(view, limit)`, or a function that makes one
    network:my-net.npz          a weight file behind the usual search (800 visits, or @64v);
                                in nets/players-{players}.npz the number of players is filled in
    llm:llm -m some-model       a language model, through a command that reads a prompt
"""

from __future__ import annotations

import atexit
import os
import shlex
import shutil
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NoReturn

from cabochon.arena.entrants import COMMAND, Entrant
from cabochon.arena.match import Match
from cabochon.bots import Bot, BotFault, Limit, UnknownBot, make_bot
from cabochon.bots.bot import NO_LIMIT, choices_within
from cabochon.bots.command import CommandBot, EngineFailed, EngineFault
from cabochon.bots.prompted import PromptedBot
from cabochon.rules import CabochonError, Move, View
from cabochon.rules.errors import quoted
from cabochon.version import __version__

if TYPE_CHECKING:
    from cabochon.search import Searcher


PLAYERS = "{players}"
"""In a file's name: how many play."""


class NetworkBot:
    """The usual search with the network of a file. Raises BadWeights, at once or, if the name
    depends on the number of players, with the first choice."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._searchers: dict[str, Searcher] = {}
        if PLAYERS not in path:
            self._searcher(0)

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        choices_within(view, limit)
        return self._searcher(view.ruleset.seats).analyse(view, limit).best

    def _searcher(self, players: int) -> Searcher:
        from cabochon.search import Searcher, load_weights

        path = network_path(self._path, players)
        if path not in self._searchers:
            self._searchers[path] = Searcher(load_weights(Path(path)))
        return self._searchers[path]


def network_path(path: str, players: int) -> str:
    """The file for that number of players."""
    return path.replace(PLAYERS, str(players))


def _python(text: str) -> Bot:
    """A class or function of a module, found from where we are."""
    module, _, name = text.rpartition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        made = getattr(import_module(module), name)()
        return PythonAgent(made.choose)
    except Exception as error:
        name, why = quoted(f"python:{text}"), _said(error)
        raise UnknownBot(BotFault.NOT_MADE, name=name, why=why) from error


class PythonAgent:
    """Somebody's `choose(view, limit)`. Whatever it raises loses it the game, as EngineFailed; each
    kind of mistake is shown once with where it happened, on standard error."""

    _shown: ClassVar[set[str]] = set()

    def __init__(self, choose: Callable[[View, Limit], Move]) -> None:
        self._choose = choose

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        try:
            return self._choose(view, limit)
        except CabochonError:
            raise
        except Exception as error:
            what = _said(error)
            if what not in self._shown:
                self._shown.add(what)
                traceback.print_exc()
            raise EngineFailed(EngineFault.RAISED, what=what) from error


def _said(error: Exception) -> str:
    return quoted(f"{type(error).__name__}: {error}")


MAKERS: dict[str, Callable[[str], Bot]] = {
    "python:": _python,
    "network:": NetworkBot,
    "llm:": PromptedBot,
}


def agent_of(name: str) -> Bot | None:
    """The agent that the name's prefix asks for, or None for a bot of our own."""
    for prefix, maker in MAKERS.items():
        if name.startswith(prefix):
            return maker(name.removeprefix(prefix))
    return None


def agent_engine(name: str, players: int) -> str | None:
    """What a report says of it: a file by its hash, a program by nothing; None for our own. Raises
    BadWeights, UnknownBot."""
    if name.startswith("network:"):
        path = network_path(name.removeprefix("network:"), players)
        NetworkBot(path)
        return f"network {sha256(Path(path).read_bytes()).hexdigest()[:12]}"
    if name.startswith("llm:"):
        _find_program(name.removeprefix("llm:"))
    if agent_of(name) is not None:
        return "external"
    return None


def is_agent(name: str) -> bool:
    return name.startswith(tuple(MAKERS))


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
