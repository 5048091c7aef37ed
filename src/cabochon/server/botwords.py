"""What a person reads about each bot: its words, and its measured rating where there is one."""

from __future__ import annotations

from functools import cache

from cabochon.bots import BOT_NAMES
from cabochon.bots.roster import LEVELS, RATED_PLAYERS, STYLES, Entry, ratings
from cabochon.server.models import BotInfo

_PLAIN = (
    Entry(
        "uniform",
        {"en": "Random", "zh": "随机"},
        {
            "en": "Plays any legal move: for trying things out.",
            "zh": "随意走任何合法的一步：适合试玩。",
        },
    ),
    Entry(
        "greedy",
        {"en": "Greedy", "zh": "贪心"},
        {
            "en": "Looks one move ahead and takes what promises most.",
            "zh": "只看一步，选择看来最划算的。",
        },
    ),
)


def titles() -> tuple[str, ...]:
    """What the bots are called, in both languages."""
    return tuple(title for entry in (*_PLAIN, *LEVELS, *STYLES) for title in entry.title.values())


@cache
def bots() -> tuple[BotInfo, ...]:
    """All that can be seated by name, in the order of the roster: weaker levels first."""
    entries = {entry.name: entry for entry in (*_PLAIN, *LEVELS, *STYLES)}
    rated = {players: ratings(players) for players in RATED_PLAYERS}
    return tuple(
        BotInfo(
            name=name,
            title={"en": entries[name].title["en"], "zh": entries[name].title["zh"]},
            about={"en": entries[name].about["en"], "zh": entries[name].about["zh"]},
            elo={
                str(players): round(found[name].elo)
                for players, found in rated.items()
                if name in found
            },
        )
        for name in BOT_NAMES
        if name in entries
    )
