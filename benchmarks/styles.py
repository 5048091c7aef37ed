"""Are the styles what their names say? Each sits among copies of the level it is made from.

    python benchmarks/styles.py [--players 2 3 4] [--games 120] [--jobs N] [--seed TEXT] [STYLE ...]

A style plays alone against copies of its base (the same search without the taste), every deal in
all seats. Beside its Elo against the base the table shows, for the style's seat and for an average
seat of the base: cards bought, points a card, nobles, and the rounds of games among copies of the
style alone and of the base alone. Prints a table and, last, one JSON line.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from cabochon.arena.botgame import play_game
from cabochon.arena.elo import elo_of_share
from cabochon.arena.statistics import Tally, share, share_interval
from cabochon.bots import NO_LIMIT, Bot, make_bot
from cabochon.bots.levels import JudgingBot, judgements_of
from cabochon.bots.roster import STYLE_NAMES
from cabochon.rules import Position, Ruleset, ShuffledDealer
from cabochon.workers import Executor, local_executor

BASE = "base"


@dataclass(frozen=True, slots=True)
class Hand:
    """What one seat had in the end."""

    name: str
    won: float
    cards: int
    points: int
    nobles: int
    rounds: float


@dataclass(frozen=True, slots=True)
class Manner:
    """How a player plays on average."""

    cards: float
    points_a_card: float
    nobles: float
    rounds: float

    @classmethod
    def of(cls, hands: Sequence[Hand]) -> Manner:
        cards = fmean(hand.cards for hand in hands)
        return cls(
            cards,
            (fmean(hand.points for hand in hands) - 3 * fmean(h.nobles for h in hands)) / cards,
            fmean(hand.nobles for hand in hands),
            fmean(hand.rounds for hand in hands),
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """A style beside its base: in the same games, and each among its own kind."""

    style: Manner
    base: Manner
    style_alone: Manner
    base_alone: Manner
    elo: float
    elo_low: float
    elo_high: float
    games: int


def play_deal(task: tuple[str, int, str, int]) -> tuple[list[Hand], list[Hand], list[Hand]]:
    """One deal: the style in every seat among its base, all seats the style, all the base."""
    style, players, seed, deal = task
    own, base = (
        _played([name] * players, style, Ruleset(players), f"{seed} {deal}")
        for name in (style, BASE)
    )
    return among_base(style, players, f"{seed} {deal}"), own, base


def among_base(style: str, players: int, seed: str) -> list[Hand]:
    """The hands at the end of one deal with the style in every seat in turn."""
    hands: list[Hand] = []
    for alone in range(players):
        names = [style if seat == alone else BASE for seat in range(players)]
        hands += _played(names, style, Ruleset(players), seed)
    return hands


def _played(names: Sequence[str], style: str, ruleset: Ruleset, seed: str) -> list[Hand]:
    bots = [_bot(name, style, seat) for seat, name in enumerate(names)]
    end = play_game(ruleset, ShuffledDealer(seed), [(bot, NO_LIMIT) for bot in bots]).position
    outcome = end.outcome()
    winners = () if outcome is None else outcome.winners
    return [
        _hand(end, seat, name, (seat in winners) / max(1, len(winners)))
        for seat, name in enumerate(names)
    ]


def _bot(name: str, style: str, seed: int) -> Bot:
    return JudgingBot(judgements_of(style), seed) if name == BASE else make_bot(name, seed)


def _hand(end: Position, seat: int, name: str, won: float) -> Hand:
    hand = end.hands[seat]
    rounds = end.turn / end.ruleset.seats
    return Hand(name, won, len(hand.bought), end.points(seat), len(hand.nobles), rounds)


def look_at(style: str, players: int, games: int, seed: str, executor: Executor) -> Seen:
    """Play about as many games against the base and say what was seen."""
    deals = -(-games // players)
    mixed: list[Hand] = []
    own: list[Hand] = []
    base: list[Hand] = []
    tallies = []
    for found in executor.map(play_deal, ((style, players, seed, deal) for deal in range(deals))):
        mixed += found[0]
        own += found[1]
        base += found[2]
        tallies.append(_tally(style, players, found[0]))
    interval = share_interval(tallies)
    middle, low, high = (
        elo_of_share(min(max(part, 0.001), 0.999), 1, players - 1)
        for part in (share(tallies), interval.low, interval.high)
    )
    return Seen(
        Manner.of([hand for hand in mixed if hand.name == style]),
        Manner.of([hand for hand in mixed if hand.name == BASE]),
        Manner.of(own),
        Manner.of(base),
        middle,
        low,
        high,
        deals * players,
    )


def _tally(style: str, players: int, hands: Iterable[Hand]) -> Tally:
    tally = Tally()
    for hand in hands:
        if hand.name == style:
            tally = tally.plus(hand.won, 1 / players)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description="styles beside their base")
    parser.add_argument("styles", nargs="*", default=list(STYLE_NAMES))
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], choices=(2, 3, 4))
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--seed", default="styles")
    args = parser.parse_args()
    executor = local_executor(args.jobs)
    figures = {}
    print("style    players games  Elo to base (95 %)  cards     points/card nobles     rounds")
    try:
        for players in args.players:
            for style in args.styles:
                seen = look_at(style, players, args.games, args.seed, executor)
                print(_line(style, players, seen), flush=True)
                figures[f"{style}/{players}"] = _figures(seen)
    finally:
        executor.close()
    print(json.dumps(figures))


def _line(style: str, players: int, seen: Seen) -> str:
    a, b = seen.style, seen.base
    return (
        f"{style:8} {players:7} {seen.games:5}  {seen.elo:+5.0f} ({seen.elo_low:+.0f} to "
        f"{seen.elo_high:+.0f})".ljust(43)
        + f"{a.cards:4.1f}:{b.cards:4.1f} {a.points_a_card:5.2f}:{b.points_a_card:4.2f}"
        f"   {a.nobles:5.2f}:{b.nobles:4.2f}"
        f"  {seen.style_alone.rounds:5.1f}:{seen.base_alone.rounds:4.1f}"
    )


def _figures(seen: Seen) -> dict[str, float]:
    return {
        "elo": round(seen.elo),
        "cards": round(seen.style.cards - seen.base.cards, 2),
        "points_a_card": round(seen.style.points_a_card - seen.base.points_a_card, 3),
        "nobles": round(seen.style.nobles - seen.base.nobles, 2),
        "rounds": round(seen.style_alone.rounds - seen.base_alone.rounds, 2),
    }


if __name__ == "__main__":
    main()
