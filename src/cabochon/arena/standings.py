"""What the games say: shares with intervals, ratings with errors, the test, seats and lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from cabochon.arena.botgame import FORFEIT, GameResult
from cabochon.arena.elo import Contest, DealScore, Ratings, TestState, expectation, fit, judge
from cabochon.arena.match import Hypotheses, Match
from cabochon.arena.statistics import Interval, Tally, share, share_interval
from cabochon.game import ENDLESS


@dataclass(frozen=True, slots=True)
class EntrantStanding:
    """One entrant: `equal` is the share that players of equal strength would have."""

    entrant: int
    games: int
    won: float
    share: float
    interval: Interval
    equal: float
    elo: float
    error: float
    forfeits: int


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two entrants at the same tables: what the first won of what either of them won, as a
    part of one, and the rating difference of the fit with half its 95 % interval."""

    one: int
    other: int
    games: int
    part: float
    interval: Interval
    difference: float
    error: float


@dataclass(frozen=True, slots=True)
class Summary:
    """All figures of a report; `standings` the strongest first."""

    games: int
    deals: int
    standings: tuple[EntrantStanding, ...]
    encounters: tuple[Encounter, ...]
    seats: tuple[float, ...]
    turns: float
    endless: int
    test: TestState | None


def summarise(match: Match, games: Sequence[GameResult]) -> Summary:
    """The figures of these games; they need not be all of the match."""
    ratings = fit([_contest(game) for game in games], len(match.entrants))
    standings = [_standing(i, match, games, ratings) for i in range(len(match.entrants))]
    standings.sort(key=lambda s: (-s.elo, s.entrant))
    return Summary(
        games=len(games),
        deals=len({game.deal for game in games}),
        standings=tuple(standings),
        encounters=tuple(_encounters(standings, games, ratings)),
        seats=_seat_shares(games),
        turns=fsum(game.turns for game in games) / len(games) if games else 0.0,
        endless=sum(game.ending == ENDLESS for game in games),
        test=None if match.stop is None else judge(deal_scores(games, match.stop), match.stop),
    )


def deal_scores(games: Iterable[GameResult], hypotheses: Hypotheses) -> list[DealScore]:
    """The first entrant's games, deal by deal."""
    scores: dict[int, DealScore] = {}
    for game in games:
        own = game.seats.count(0)
        if 0 < own < len(game.seats):
            low, high = expectation(hypotheses, own, len(game.seats) - own)
            old = scores.get(game.deal, DealScore(0.0, 0.0, 0.0, 0))
            scores[game.deal] = DealScore(
                old.won + game.shares(1)[0], old.if_low + low, old.if_high + high, old.games + 1
            )
    return list(scores.values())


def _contest(game: GameResult) -> Contest:
    seats = Counter(game.seats)
    shares = game.shares(max(seats) + 1)
    return Contest(game.deal, seats, {entrant: shares[entrant] for entrant in seats})


def _standing(
    entrant: int, match: Match, games: Sequence[GameResult], ratings: Ratings
) -> EntrantStanding:
    tallies: dict[int, Tally] = {}
    for game in games:
        own = game.seats.count(entrant)
        if own:
            won = game.shares(len(match.entrants))[entrant]
            tally = tallies.get(game.deal, Tally())
            tallies[game.deal] = tally.plus(won, own / len(game.seats))
    by_deal = list(tallies.values())
    played = sum(tally.games for tally in by_deal)
    return EntrantStanding(
        entrant=entrant,
        games=played,
        won=fsum(tally.won for tally in by_deal),
        share=share(by_deal),
        interval=share_interval(by_deal),
        equal=fsum(tally.equal for tally in by_deal) / played if played else 0.0,
        elo=ratings.elo[entrant],
        error=ratings.error(entrant),
        forfeits=sum(_forfeited(game, entrant) for game in games),
    )


def _forfeited(game: GameResult, entrant: int) -> bool:
    return game.ending == FORFEIT and any(
        who == entrant and rank > 1 for who, rank in zip(game.seats, game.ranking, strict=True)
    )


def _encounters(
    standings: Sequence[EntrantStanding], games: Sequence[GameResult], ratings: Ratings
) -> Iterable[Encounter]:
    """Every two that met, the stronger first."""
    order = [standing.entrant for standing in standings]
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            tallies = _between(one, other, games)
            if tallies:
                difference, error = ratings.difference(one, other)
                yield Encounter(
                    one=one,
                    other=other,
                    games=sum(tally.games for tally in tallies),
                    part=share(tallies),
                    interval=share_interval(tallies),
                    difference=difference,
                    error=error,
                )


def _between(one: int, other: int, games: Sequence[GameResult]) -> list[Tally]:
    """The games that one of the two won, by deal; a shared victory counts in part."""
    tallies: dict[int, Tally] = {}
    for game in games:
        if one in game.seats and other in game.seats:
            shares = game.shares(max(one, other) + 1)
            both = shares[one] + shares[other]
            if both:
                tally = tallies.get(game.deal, Tally())
                tallies[game.deal] = tally.plus(shares[one] / both, 0.5)
    return list(tallies.values())


def _seat_shares(games: Sequence[GameResult]) -> tuple[float, ...]:
    """How much each chair won, no matter who sat in it."""
    if not games:
        return ()
    won = [0.0] * len(games[0].seats)
    for game in games:
        winners = [seat for seat, rank in enumerate(game.ranking) if rank == 1]
        for seat in winners:
            won[seat] += 1 / len(winners)
    return tuple(total / len(games) for total in won)
