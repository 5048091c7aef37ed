"""What a finished game changes for everybody who played it: rating, sums, encounters.

It depends on nothing but the games in their order, so a server that goes on and one that starts
again from the first game get the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from cabochon.ratings.method import Contestant, rated
from cabochon.ratings.strength import RatingKind, Strength, first_strength
from cabochon.record import Record
from cabochon.rules import Buy, Hand, Position, Reserve
from cabochon.rules.gems import COLOURS

# One finished game in figures, seat by seat: from its record, and later from its review.


NOBLES_SOURCE = "nobles"
MISTAKES = ("?", "??")
"""The marks that are worth learning from."""


@dataclass(frozen=True, slots=True)
class SeatStats:
    """What one seat has made of a game. `sources` are its points by the colour of the card they
    stand on, and those of nobles; `colours` are its cards by colour."""

    points: int
    cards: int
    nobles: int
    sources: Mapping[str, int]
    colours: Mapping[str, int]
    reserved: int
    reserved_bought: int
    turns: int


@dataclass(frozen=True, slots=True)
class SeatReview:
    """What a review says of one seat: accuracy in per cent (None without a choice), luck in
    points of win chance, and how many mistakes."""

    accuracy: float | None
    luck: float
    mistakes: int


def seat_stats(record: Record) -> tuple[SeatStats, ...]:
    """By seat. Raises RecordError at a ply that cannot be played."""
    seats = record.ruleset.seats
    turns, reserved, bought = ([0] * seats for _ in range(3))
    positions = list(record.replay())
    for position, event, after in zip(positions, record.events, positions[1:], strict=False):
        seat = position.seat
        if isinstance(event, Reserve):
            reserved[seat] += 1
        elif isinstance(event, Buy):
            bought[seat] += position.hands[seat].holds(event.card)
        turns[seat] += _is_last(position, after)
    hands = positions[-1].hands
    return tuple(
        _of_hand(hands[seat], reserved[seat], bought[seat], turns[seat]) for seat in range(seats)
    )


def rounds_of(stats: Sequence[SeatStats]) -> int:
    """How many rounds were begun."""
    return max((seat.turns for seat in stats), default=0)


def _is_last(position: Position, after: Position) -> bool:
    """Whether that decision ended the seat's turn."""
    return after.turn != position.turn or after.outcome() is not None


def _of_hand(hand: Hand, reserved: int, bought: int, turns: int) -> SeatStats:
    sources = {
        colour.letter: sum(card.points for card in hand.bought if card.bonus is colour)
        for colour in COLOURS
    }
    from_nobles = sum(noble.points for noble in hand.nobles)
    return SeatStats(
        points=hand.points,
        cards=len(hand.bought),
        nobles=len(hand.nobles),
        sources=sources | {NOBLES_SOURCE: from_nobles},
        colours={colour.letter: hand.bonuses[colour] for colour in COLOURS},
        reserved=reserved,
        reserved_bought=bought,
        turns=turns,
    )


def seat_reviews(review: Mapping[str, Any]) -> tuple[SeatReview, ...]:
    """By seat, from a whole review as JSON (docs/analysis.md)."""
    found = sorted(review["summary"], key=lambda summary: int(summary["seat"]))
    return tuple(
        SeatReview(
            summary["accuracy"],
            round(summary["luck"] * 100, 2),
            sum(summary["marks"].get(mark, 0) for mark in MISTAKES),
        )
        for summary in found
    )


WON, LOST, DRAWN = "w", "l", "d"


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a seat has fared. `person` and `bot` are None for somebody of whom nothing is known;
    `fixed` is the bot's rating. Seats of one `side` are partners."""

    person: str | None
    bot: str | None
    side: int
    place: int
    result: str
    stats: SeatStats
    fixed: Strength | None = None

    @property
    def opponent_key(self) -> str | None:
        """As what others meet it."""
        if self.person is not None:
            return f"person:{self.person}"
        return None if self.bot is None else f"bot:{self.bot}"


@dataclass(frozen=True, slots=True)
class SettledResult:
    """A finished game. `whole` means that it was played to its end, `is_open` that anybody may
    know of it."""

    kind: RatingKind
    is_rated: bool
    is_open: bool
    whole: bool
    rounds: int
    seats: tuple[SeatResult, ...]

    @property
    def people(self) -> tuple[str, ...]:
        """In the order of their seats, each once."""
        found = (seat.person for seat in self.seats if seat.person is not None)
        return tuple(dict.fromkeys(found))

    @property
    def counts(self) -> bool:
        """Whether it changes ratings: everybody is known, each at one seat, on two sides at
        least."""
        known = all(seat.person is not None or seat.fixed is not None for seat in self.seats)
        persons = [seat.person for seat in self.seats if seat.person is not None]
        return (
            self.is_rated
            and known
            and len(set(persons)) == len(persons) > 0
            and len({seat.side for seat in self.seats}) > 1
        )

    @property
    def is_practice(self) -> bool:
        """A friendly game against bots alone, in which one may take back and ask: it is in
        somebody's list, and in no sum."""
        others = sum(seat.bot is None for seat in self.seats)
        return not self.is_rated and others < 2


@dataclass(frozen=True, slots=True)
class PersonTally:
    """Sums over somebody's games of one kind, all whole numbers: see the table `tallies`."""

    games: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    streak: int = 0
    best_streak: int = 0
    seat0: int = 0
    seat0_won: int = 0
    seat1: int = 0
    seat1_won: int = 0
    seat2: int = 0
    seat2_won: int = 0
    seat3: int = 0
    seat3_won: int = 0
    whole: int = 0
    rounds: int = 0
    points: int = 0
    cards: int = 0
    nobles: int = 0
    noble_points: int = 0
    reserved: int = 0
    reserved_bought: int = 0
    white: int = 0
    blue: int = 0
    green: int = 0
    red: int = 0
    black: int = 0
    reviewed: int = 0
    accuracy: int = 0
    luck: int = 0
    mistakes: int = 0

    def plus(self, game: SettledResult, seat: int) -> PersonTally:
        """With one more game."""
        mine = game.seats[seat]
        won = int(mine.result == WON)
        streak = _streak(self.streak, mine.result)
        added = {
            "games": 1,
            "won": won,
            "lost": int(mine.result == LOST),
            "drawn": int(mine.result == DRAWN),
            f"seat{seat}": 1,
            f"seat{seat}_won": won,
            "whole": int(game.whole),
            "rounds": game.rounds if game.whole else 0,
            **_of_stats(mine.stats),
        }
        sums = {name: getattr(self, name) + more for name, more in added.items()}
        return replace(self, streak=streak, best_streak=max(self.best_streak, streak), **sums)

    def reviewed_with(self, accuracy: int, luck: int, mistakes: int) -> PersonTally:
        """With what a review says of one of the games."""
        return replace(
            self,
            reviewed=self.reviewed + 1,
            accuracy=self.accuracy + accuracy,
            luck=self.luck + luck,
            mistakes=self.mistakes + mistakes,
        )


TALLY_NAMES = tuple(field.name for field in fields(PersonTally))


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How somebody has fared against one opponent, and in those games that anybody may know of;
    `last` numbers the last game."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    open_won: int = 0
    open_lost: int = 0
    open_drawn: int = 0
    played: int = 0
    open_played: int = 0
    last: int = 0

    def plus(self, mine: int, theirs: int, is_open: bool, number: int) -> HeadToHead:
        """With places in one more game: the better one has won, no matter who else did."""
        won, lost, drawn = mine < theirs, mine > theirs, mine == theirs
        return HeadToHead(
            won=self.won + won,
            lost=self.lost + lost,
            drawn=self.drawn + drawn,
            open_won=self.open_won + (won and is_open),
            open_lost=self.open_lost + (lost and is_open),
            open_drawn=self.open_drawn + (drawn and is_open),
            played=self.played + 1,
            open_played=self.open_played + is_open,
            last=max(self.last, number),
        )

    def together_with(self, other: HeadToHead) -> HeadToHead:
        """Of both, as if they had always been the same opponent."""
        sums = {
            name: getattr(self, name) + getattr(other, name)
            for name in MEETING_NAMES
            if name != "last"
        }
        return HeadToHead(**sums, last=max(self.last, other.last))


MEETING_NAMES = tuple(field.name for field in fields(HeadToHead))


def strengths_after(
    game: SettledResult, before: Mapping[str, Strength]
) -> dict[str, tuple[Strength, Strength]]:
    """Each person's strength before and after, if the game counts. Somebody who isn't in `before`
    has had no rated game of that kind."""
    if not game.counts:
        return {}
    contestants = [_contestant(game.kind, seat, before) for seat in game.seats]
    winners = sorted({seat.side for seat in game.seats if seat.result in (WON, DRAWN)})
    after = rated(contestants, winners)
    return {
        seat.person: (contestant.strength, strength)
        for seat, contestant, strength in zip(game.seats, contestants, after, strict=True)
        if seat.person is not None
    }


ALL_KINDS = "all"


def meetings(game: SettledResult) -> list[tuple[str, str, str, int, int]]:
    """Who met whom: a person, the other's key, in what kind of game and once more in all kinds, and
    both places. Two bots of one name count once, at the better one's place. Practice games don't
    count."""
    if game.is_practice:
        return []
    return [
        (one.person, key, kind, one.place, place)
        for kind in (game.kind.value, ALL_KINDS)
        for one in game.seats
        if one.person is not None
        for key, place in _opponents(game, one).items()
    ]


def _opponents(game: SettledResult, one: SeatResult) -> dict[str, int]:
    """The places of those whom a seat plays against, by their keys."""
    found: dict[str, int] = {}
    for other in game.seats:
        key = other.opponent_key
        if key is not None and other.side != one.side and other.person != one.person:
            found[key] = min(other.place, found.get(key, other.place))
    return found


def _contestant(kind: RatingKind, seat: SeatResult, before: Mapping[str, Strength]) -> Contestant:
    if seat.person is None:
        assert seat.fixed is not None
        return Contestant(seat.side, seat.fixed, is_fixed=True)
    return Contestant(seat.side, before.get(seat.person) or first_strength(kind))


def _streak(streak: int, result: str) -> int:
    if result == WON:
        return max(streak, 0) + 1
    return min(streak, 0) - 1 if result == LOST else 0


def _of_stats(stats: SeatStats) -> dict[str, int]:
    colours: Sequence[int] = tuple(stats.colours.values())
    return {
        "points": stats.points,
        "cards": stats.cards,
        "nobles": stats.nobles,
        "noble_points": stats.sources["nobles"],
        "reserved": stats.reserved,
        "reserved_bought": stats.reserved_bought,
        **dict(zip(("white", "blue", "green", "red", "black"), colours, strict=True)),
    }
