"""Hints for somebody who plays against bots: a short look of the live engine, in words."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Any

import orjson

from cabochon.notation import parse_move
from cabochon.play.chairs import Chair
from cabochon.play.driver import TUTOR
from cabochon.rules import ChooseNoble, Return, View
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.reviews.lookdesk import RETRY_S, Look, LookDesk
from cabochon.server.reviews.questions import question_of
from cabochon.server.reviews.reviewmessages import ReasonJson
from cabochon.server.storage.reviewqueue import ReviewAsker
from cabochon.words import languages, text

HINT_VISITS = 4000
HINT_SECONDS = 8.0
"""After this time the best move known so far will do."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The moves of a turn, why the first of them, and what chance it leaves its player."""

    moves: list[str]
    why: list[ReasonJson]
    chance: float


async def suggest(
    looks: LookDesk, view: View, chairs: tuple[Chair, ...], asker: ReviewAsker
) -> Suggestion:
    """What the engine would do, knowing what the seat knows. Raises ServerRefused when there is no
    engine, or none is free."""
    asked = {
        "position": question_of(view),
        "lines": 1,
        "visits": HINT_VISITS,
        "knowledge": "own",
        "names": {
            lang: [_name(chair, seat, lang) for seat, chair in enumerate(chairs)]
            for lang in languages()
        },
    }
    look = await looks.begin(view, asked, asker)
    try:
        found = await _last_line(look)
    finally:
        look.stop()
    if found is None:
        raise ServerRefused(ServerFault.ENGINE_BUSY, seconds=RETRY_S)
    return _suggestion(view, found["analysis"])


async def _last_line(look: Look) -> Any:
    last = None
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(HINT_SECONDS):
            async for line in look.lines():
                last = orjson.loads(line)
    return last


def _suggestion(view: View, analysis: Any) -> Suggestion:
    best = analysis["moves"][0]
    moves = [best["move"]]
    for follows in analysis["variation"][1:]:
        if not isinstance(parse_move(follows), ChooseNoble | Return):
            break
        moves.append(follows)
    chance = best["value"] if best["value"] is not None else analysis["chances"][view.seat]
    return Suggestion(moves, best["why"], chance)


def _name(chair: Chair, seat: int, lang: str) -> str:
    if chair.bot is not None and chair.bot != TUTOR:
        return text(f"bots.{chair.bot}.title", lang)
    return chair.name or text("reasons.reason-seat", lang, seat=seat + 1)
