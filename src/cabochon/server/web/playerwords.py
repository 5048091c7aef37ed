"""What the book of games holds, as the API answers it."""

from __future__ import annotations

from typing import Any, cast

import orjson
from sqlalchemy import Row

from cabochon.bots.roster import LEVEL_NAMES
from cabochon.play.messages import Translations
from cabochon.ratings import FixedPoint, RatingKind, Strength, first_strength
from cabochon.ratings.bookkeeping import DRAWN, LOST, WON, PersonTally
from cabochon.ratings.strength import LadderStep, advise
from cabochon.server.storage.gamebook import REVIEWED, sources_of
from cabochon.server.storage.gamereads import Accuracy, BoardPlace, BookedGame, Met
from cabochon.server.web.memodels import RatingInfo
from cabochon.server.web.playermodels import (
    BoardBot,
    BoardRow,
    FinishedGame,
    FinishedSeat,
    LadderInfo,
    LadderLevel,
    Meeting,
    PlayerStats,
    SeatScore,
)
from cabochon.words import template

_RESULTS = {WON: "won", LOST: "lost", DRAWN: "drawn"}
RESULT_LETTERS = {word: letter for letter, word in _RESULTS.items()}


def rating_info(strength: Strength) -> RatingInfo:
    return RatingInfo(
        value=round(strength.value),
        deviation=round(strength.deviation),
        games=strength.games,
        provisional=strength.is_provisional,
    )


def fixed_rating(point: FixedPoint) -> RatingInfo:
    """A bot's: never provisional."""
    return RatingInfo(
        value=round(point.value),
        deviation=round(point.deviation),
        games=point.games,
        provisional=False,
    )


def bot_on_board(point: FixedPoint) -> BoardBot:
    return BoardBot(bot=point.bot, rating=fixed_rating(point))


def board_row(rung: BoardPlace) -> BoardRow:
    return BoardRow(
        rank=rung.rank,
        id=rung.person,
        name=rung.name,
        rating=rating_info(rung.strength),
        games=rung.strength.games,
        recent=[round(value) for value in rung.recent],
    )


def player_stats(tally: PersonTally, accuracies: list[Accuracy]) -> PlayerStats:
    games = tally.games
    colours = (tally.white, tally.blue, tally.green, tally.red, tally.black)
    return PlayerStats(
        games=games,
        won=_mean(tally.won, games),
        drawn=_mean(tally.drawn, games),
        lost=_mean(tally.lost, games),
        played_out=tally.whole,
        rounds=_mean(tally.rounds, tally.whole) if tally.whole else None,
        first=SeatScore(games=tally.seat0, won=tally.seat0_won),
        later=SeatScore(games=games - tally.seat0, won=tally.won - tally.seat0_won),
        points=_mean(tally.points, games),
        card_points=_mean(tally.points - tally.noble_points, games),
        noble_points=_mean(tally.noble_points, games),
        cards=_mean(tally.cards, games),
        nobles=_mean(tally.nobles, games),
        reserved=_mean(tally.reserved, games),
        reserved_bought=_mean(tally.reserved_bought, games),
        colours=[_mean(count, tally.cards) if tally.cards else 0.0 for count in colours],
        reviewed=tally.reviewed,
        mistakes=tally.mistakes,
        luck=_mean(tally.luck, 100 * tally.reviewed) if tally.reviewed else None,
        mean_accuracy=_mean(tally.accuracy, 10 * tally.reviewed) if tally.reviewed else None,
        accuracy=accuracies,
        streak=tally.streak,
        best_streak=tally.best_streak,
    )


def _mean(total: int, count: int) -> float:
    return round(total / count, 4)


def meeting(met: Met, lang: str) -> Meeting:
    return Meeting(
        person=met.person,
        bot=met.bot,
        name=_bot_title(met.bot, lang) if met.bot else met.name or somebody(lang),
        won=met.won,
        lost=met.lost,
        drawn=met.drawn,
    )


def somebody(lang: str) -> str:
    """What is left of a name that is gone."""
    return template("server.somebody", lang)


def _bot_title(bot: str, lang: str) -> str:
    try:
        return template(f"bots.{bot}.title", lang)
    except KeyError:  # of a release that knew other bots
        return bot


def finished_game(booked: BookedGame, person_id: str | None, lang: str) -> FinishedGame:
    """As in the list of that person's games."""
    game, seats = booked.game, booked.seats
    you = next((s for s in seats if person_id is not None and s.person_id == person_id), None)
    return FinishedGame(
        table=game.table_id,
        ended_ms=game.ended_ms,
        kind=RatingKind(game.kind),
        ruleset=game.ruleset,
        seats=[_finished_seat(booked, row, lang, person_id) for row in seats],
        you=None if you is None else you.seat,
        result=None if you is None else cast(Any, _RESULTS[you.result]),
        reason=game.reason,
        rounds=game.rounds,
        clock=None if game.clock is None else orjson.loads(game.clock),
        rated=game.rated,
        review=game.review_id if game.review_state == REVIEWED else None,
        mistakes=None if you is None else you.mistakes,
        public=game.open,
    )


def _finished_seat(
    booked: BookedGame, row: Row[Any], lang: str, person_id: str | None
) -> FinishedSeat:
    """Of others who don't want to be seen, no rating is given."""
    told = row.person_id == person_id or row.person_id not in booked.hidden
    rating = row.fixed_value if row.before_value is None else row.before_value
    rating = rating if told else None
    changed = row.value is not None and told
    return FinishedSeat(
        person=row.person_id,
        bot=row.bot,
        name=_seat_name(booked, row, lang),
        rating=None if rating is None else round(rating),
        change=round(row.value) - round(row.before_value) if changed else None,
        points=row.points,
        place=row.place,
        sources=cast(Any, sources_of(row)),
        accuracy=None if row.accuracy is None else row.accuracy / 10,
        luck=None if row.luck is None else row.luck / 100,
    )


def _seat_name(booked: BookedGame, row: Row[Any], lang: str) -> str:
    if row.person_id is not None:
        return booked.names.get(row.person_id) or somebody(lang)
    return _bot_title(row.bot, lang) if row.bot else row.name or somebody(lang)


def ladder_info(
    kind: RatingKind, strength: Strength | None, played: dict[str, tuple[int, int]]
) -> LadderInfo:
    """With advice for somebody of that strength, or for a beginner."""
    steps = {
        bot: LadderStep(bot, *played[bot]) for bot in LEVEL_NAMES if played.get(bot, (0, 0))[0]
    }
    levels = [
        LadderLevel(bot=bot, played=played.get(bot, (0, 0))[0], won=played.get(bot, (0, 0))[1])
        for bot in LEVEL_NAMES
    ]
    advice = advise(kind, strength or first_strength(kind), steps)
    return LadderInfo(
        kind=kind, levels=levels, fair=advice.fair, why=cast(Translations, dict(advice.why))
    )
