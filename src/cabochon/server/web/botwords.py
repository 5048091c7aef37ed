"""What a person reads about each bot: its words, and its measured rating where there is one."""

from __future__ import annotations

from functools import cache

from cabochon.bots import BOT_NAMES
from cabochon.bots.roster import (
    HARDNESS,
    LEVELS,
    PLAIN,
    RATED_PLAYERS,
    STYLE_NAMES,
    STYLES,
    ratings,
)
from cabochon.play.messages import words_of
from cabochon.ratings.fixedpoints import WHOLE_INTERVAL
from cabochon.server.web.models import BotInfo


@cache
def bots() -> tuple[BotInfo, ...]:
    """All that can be seated by name, in the order of the roster: weaker levels first."""
    listed = {entry.name for entry in (*PLAIN, *LEVELS, *STYLES)}
    rated = {players: ratings(players) for players in RATED_PLAYERS}
    return tuple(
        BotInfo(
            name=name,
            title=words_of(f"bots.{name}.title"),
            about=words_of(f"bots.{name}.about"),
            elo={
                str(players): round(found[name].elo)
                for players, found in rated.items()
                if name in found
            },
            error={
                str(players): round(found[name].error)
                for players, found in rated.items()
                if name in found
            },
            deviation={
                str(players): round(found[name].error / WHOLE_INTERVAL)
                for players, found in rated.items()
                if name in found
            },
            kind="level" if name in HARDNESS else "style" if name in STYLE_NAMES else "plain",
            hardness=HARDNESS.get(name),
        )
        for name in BOT_NAMES
        if name in listed
    )
