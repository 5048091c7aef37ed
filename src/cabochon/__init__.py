"""Splendor for Python: start a game, play it, ask a bot, analyse, save.

    >>> import cabochon
    >>> game = cabochon.Game(players=2, seed="a seed")
    >>> position = game.play("take wug")
    >>> game.seat
    1

This is the front door: it has everything you need for the first hour. A name is loaded when it is
first used, so `import cabochon` costs next to nothing. docs/python.md has recipes.
"""

# ruff: noqa: I001 - one import for each home, as the table below has it

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cabochon.version import __version__

if TYPE_CHECKING:
    from cabochon.arena import (
        Report as Report,
        play_games as play_games,
    )
    from cabochon.bots import (
        BOT_NAMES as BOT_NAMES,
        Bot as Bot,
        Limit as Limit,
        UnknownBot as UnknownBot,
        make_bot as make_bot,
    )
    from cabochon.game import (
        BadGame as BadGame,
        Game as Game,
        play_on as play_on,
    )
    from cabochon.notation import (
        NotationError as NotationError,
        describe_turn as describe_turn,
        format_move as format_move,
        format_position as format_position,
        format_record as format_record,
        format_records as format_records,
        format_view as format_view,
        parse_move as parse_move,
        parse_position as parse_position,
        parse_record as parse_record,
        parse_records as parse_records,
        parse_view as parse_view,
    )
    from cabochon.record import (
        Record as Record,
        RecordError as RecordError,
        Result as Result,
        Turn as Turn,
        verify as verify,
    )
    from cabochon.render.svg import (
        svg as svg,
    )
    from cabochon.render.text import (
        board as board,
    )
    from cabochon.rules import (
        CARDS as CARDS,
        COLOURS as COLOURS,
        NOBLES as NOBLES,
        VARIANTS as VARIANTS,
        BadRuleset as BadRuleset,
        BadSetup as BadSetup,
        Buy as Buy,
        CabochonError as CabochonError,
        Card as Card,
        ChooseNoble as ChooseNoble,
        Deal as Deal,
        Dealer as Dealer,
        Deck as Deck,
        Ending as Ending,
        Event as Event,
        Gem as Gem,
        Gems as Gems,
        Hand as Hand,
        Hidden as Hidden,
        IllegalDeal as IllegalDeal,
        IllegalMove as IllegalMove,
        Move as Move,
        Noble as Noble,
        Opening as Opening,
        Outcome as Outcome,
        Pass as Pass,
        Phase as Phase,
        Position as Position,
        Reserve as Reserve,
        Reserved as Reserved,
        Return as Return,
        Ruleset as Ruleset,
        ScriptedDealer as ScriptedDealer,
        Setup as Setup,
        ShuffledDealer as ShuffledDealer,
        Take as Take,
        View as View,
        card as card,
        commitment as commitment,
        new_seed as new_seed,
        noble as noble,
        perft as perft,
    )
    from cabochon.search import (
        Analysis as Analysis,
        Searcher as Searcher,
    )

_HOMES = {
    "cabochon.game": (
        "BadGame",
        "Game",
        "play_on",
    ),
    "cabochon.rules": (
        "CARDS",
        "COLOURS",
        "NOBLES",
        "VARIANTS",
        "BadRuleset",
        "BadSetup",
        "Buy",
        "CabochonError",
        "Card",
        "ChooseNoble",
        "Deal",
        "Dealer",
        "Deck",
        "Ending",
        "Event",
        "Gem",
        "Gems",
        "Hand",
        "Hidden",
        "IllegalDeal",
        "IllegalMove",
        "Move",
        "Noble",
        "Opening",
        "Outcome",
        "Pass",
        "Phase",
        "Position",
        "Reserve",
        "Reserved",
        "Return",
        "Ruleset",
        "ScriptedDealer",
        "Setup",
        "ShuffledDealer",
        "Take",
        "View",
        "card",
        "commitment",
        "new_seed",
        "noble",
        "perft",
    ),
    "cabochon.notation": (
        "NotationError",
        "describe_turn",
        "format_move",
        "format_position",
        "format_record",
        "format_records",
        "format_view",
        "parse_move",
        "parse_position",
        "parse_record",
        "parse_records",
        "parse_view",
    ),
    "cabochon.record": (
        "Record",
        "RecordError",
        "Result",
        "Turn",
        "verify",
    ),
    "cabochon.bots": (
        "BOT_NAMES",
        "Bot",
        "Limit",
        "UnknownBot",
        "make_bot",
    ),
    "cabochon.render.svg": ("svg",),
    "cabochon.render.text": ("board",),
    "cabochon.search": (
        "Analysis",
        "Searcher",
    ),
    "cabochon.arena": (
        "Report",
        "play_games",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [*_HOME_OF, "__version__"]


def __getattr__(name: str) -> object:
    """Load what is asked for, once."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """What there is, without what this module is made of."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
