"""Agents that are not among our bots, each by a prefix; what is behind it runs as code on this
machine, so only whoever plays here may name one.

    cmd:./engine --x            another program over stdin and stdout
    python:my_module:MyBot      a class with `choose(view, limit)`, or a function that makes one
    network:my-net.npz          a weight file behind the usual search (800 visits, or @64v);
                                in nets/players-{players}.npz the number of players is filled in
    llm:llm -m some-model       a language model, through a command that reads a prompt
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from cabochon.bots import Bot, BotFault, Limit, UnknownBot
from cabochon.bots.bot import NO_LIMIT, choices_within
from cabochon.bots.prompted import PromptedBot
from cabochon.rules import Move, View
from cabochon.rules.errors import quoted

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
    """The file for so many players."""
    return path.replace(PLAYERS, str(players))


def _python(text: str) -> Bot:
    """A class or function of a module, found from where we are."""
    module, _, name = text.rpartition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        made: Bot = getattr(import_module(module), name)()
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        why = f"python:{text} ({error})"
        raise UnknownBot(BotFault.UNKNOWN_BOT, name=quoted(why), known="python:module:Class") from (
            error
        )
    return made


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
    if agent_of(name) is not None:
        return "external"
    return None


def is_agent(name: str) -> bool:
    return name.startswith(tuple(MAKERS))
