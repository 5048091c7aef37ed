"""What a client needs to know of the game and of this server."""

from __future__ import annotations

from fastapi import APIRouter, Request

from cabochon.notation.moves import MOST
from cabochon.play.messages import VERSION, words_of
from cabochon.play.phrases import PHRASES
from cabochon.play.staging import MOST_MOVES
from cabochon.rules import CARDS, NOBLES, VARIANTS, Ruleset
from cabochon.server.web.botwords import bots
from cabochon.server.web.models import (
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
