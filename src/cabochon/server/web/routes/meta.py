"""What a client needs to know of the game and of this server.

What a person reads about each bot: its words, and its measured rating where there is one.
"""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter, Request

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
from cabochon.notation.moves import MOST
from cabochon.play.messages import VERSION, words_of
from cabochon.play.staging import MOST_MOVES
from cabochon.play.talking import PHRASES
from cabochon.ratings.strength import WHOLE_INTERVAL
from cabochon.rules import CARDS, NOBLES, VARIANTS, Ruleset
from cabochon.server.web.models import (
    BotInfo,
    CardInfo,
    Cards,
    Limits,
    Meta,
    NobleInfo,
    Phrase,
    VariantInfo,
)
from cabochon.server.web.routes.common import PROBLEMS, HubHere
from cabochon.server.web.sockets import MOST_BYTES
from cabochon.version import __version__
from cabochon.words import in_all_languages


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


router = APIRouter(prefix="/api", tags=["meta"], responses=PROBLEMS)


@router.get("/meta", operation_id="getMeta")
async def get_meta(request: Request, hub: HubHere) -> Meta:
    """Variants, bots, phrases and limits."""
    return Meta(
        version=__version__,
        protocol=VERSION,
        variants=[_variant(name) for name in VARIANTS],
        bots=list(bots()),
        phrases=[Phrase(id=name, **in_all_languages(f"chat.{name}")) for name in PHRASES],
        limits=Limits(
            name_length=30,
            move_length=MOST,
            moves_per_turn=MOST_MOVES,
            message_bytes=MOST_BYTES,
            requests_per_s=hub.settings.requests_per_s,
        ),
    )


@router.get("/cards", operation_id="getCards")
async def get_cards() -> Cards:
    """The ninety cards and ten nobles. Costs are in the order w u g r k."""
    return Cards(
        cards=[
            CardInfo(
                code=card.code,
                level=card.level,
                bonus=card.bonus.letter,
                points=card.points,
                cost=list(card.cost[:5]),
            )
            for card in CARDS
        ],
        nobles=[
            NobleInfo(
                code=noble.code,
                name=words_of(f"nobles.{noble.code}"),
                points=noble.points,
                cost=list(noble.cost[:5]),
            )
            for noble in NOBLES
        ],
    )


def _variant(name: str) -> VariantInfo:
    ruleset = Ruleset.preset(name)
    return VariantInfo(
        name=name,
        seats=[4] if ruleset.teams else [2, 3, 4],
        target=ruleset.target,
        row_width=ruleset.row_width,
        teams=ruleset.teams,
        title=words_of(f"variants.{name}"),
    )
