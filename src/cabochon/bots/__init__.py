"""Those who choose. Each is made by name, so that a level can join without anybody else knowing;
a bot's module is imported only when the bot is asked for."""

from collections.abc import Callable
from importlib import import_module
from typing import cast

from cabochon.bots.bot import NO_LIMIT, Bot, BotFault, Limit, UnknownBot
from cabochon.bots.roster import LEVEL_NAMES, STYLE_NAMES
from cabochon.rules.errors import check_whole, quoted, shown

_HOMES = {
    "uniform": "cabochon.bots.bot:UniformBot",
    "greedy": "cabochon.bots.greedy:GreedyBot",
    **{name: f"cabochon.bots.levels:{name}" for name in LEVEL_NAMES},
    **{name: f"cabochon.bots.styles:{name}" for name in STYLE_NAMES},
}

BOT_NAMES = tuple(_HOMES)

_MEASURING = {"playouts": "cabochon.bots.levels:PlayoutBot"}
"""Made by name as well, but nobody to play against."""

_SPELLED = {
    "level:": "cabochon.bots.levels:spelled",
    "frozen:": "cabochon.bots.levels:frozen",
}
"""Bots that are made from the rest of the text."""


def make_bot(name: str, seed: int = 0) -> Bot:
    """The bot of that name. Raises UnknownBot, which lists the names there are, and WrongArgument
    for a seed that isn't a whole number."""
    if not isinstance(name, str):
        raise UnknownBot(BotFault.UNKNOWN_BOT, name=shown(name), known=", ".join(BOT_NAMES))
    check_whole("seed", seed)
    name = name.strip()
    for prefix, home in _SPELLED.items():
        if name.startswith(prefix):
            return cast(Bot, _maker(home)(name, seed))
    found = (_HOMES | _MEASURING).get(name.lower())
    if found is None:
        raise UnknownBot(BotFault.UNKNOWN_BOT, name=quoted(name), known=", ".join(BOT_NAMES))
    return cast(Bot, _maker(found)(seed))


def _maker(home: str) -> Callable[..., object]:
    module, _, maker = home.partition(":")
    return cast(Callable[..., object], getattr(import_module(module), maker))


__all__ = ["BOT_NAMES", "NO_LIMIT", "Bot", "BotFault", "Limit", "UnknownBot", "make_bot"]
