"""Games between strong bots, watched: what the lessons say about good play is counted here."""

from __future__ import annotations

from dataclasses import dataclass, field

from cabochon.limit import Limit
from cabochon.rules import (
    Buy,
    Card,
    Move,
    Phase,
    Position,
    Reserve,
    Ruleset,
    ShuffledDealer,
    Take,
)
from cabochon.rules.buying import missing


@dataclass(frozen=True, slots=True)
class WatchedTask:
    """Which game: the same task is always the same game."""

    seats: int
    number: int
    visits: int
    seed: int


@dataclass(slots=True)
class SeatStory:
    """What one seat did, each entry with the round it happened in."""

    takes: int = 0
    pairs: int = 0
    reserves: list[tuple[int, bool]] = field(default_factory=list)
    """The round, and whether an opponent could have bought that card at once."""
    buys: list[tuple[int, int, int]] = field(default_factory=list)
    """The round, the level and the points of the card."""
    nobles: int = 0
    points: list[int] = field(default_factory=list)
    """After each round."""

    @property
    def turns(self) -> int:
        return self.takes + len(self.reserves) + len(self.buys)


@dataclass(frozen=True, slots=True)
class StudiedGame:
    """One finished game."""

    seats: tuple[SeatStory, ...]
    rounds: int
    winners: tuple[int, ...]
    is_level: bool
    """Whether somebody else had as many points as the winner, and more cards."""


def watch_game(task: WatchedTask) -> StudiedGame:
    """Play it: every seat is the shipped network with so many visits per decision."""
    # Not above: a server reads the figures that this made, and must not load the search.
    from cabochon.search import Searcher, shipped_for

    ruleset = Ruleset(seats=task.seats)
    dealer = ShuffledDealer(f"lessons {task.seed} {task.seats} {task.number}")
    position = Position.start(ruleset, dealer.opening(ruleset))
    searcher = Searcher(shipped_for(ruleset))
    stories = tuple(SeatStory() for _ in range(task.seats))
    decisions = 0
    while position.phase is not Phase.OVER:
        before = position
        if position.phase is Phase.DEAL:
            position = position.deal(dealer.deal(position))
        else:
            limit = Limit(visits=task.visits, seed=decisions)
            move = searcher.analyse(position.view(position.seat), limit).best
            _note(stories[position.seat], position, move)
            position = position.play(move)
            decisions += 1
        if position.turn != before.turn:
            stories[before.seat].points.append(position.hands[before.seat].points)
    return _finished(position, stories)


def _note(story: SeatStory, position: Position, move: Move) -> None:
    if isinstance(move, Take):
        story.takes += 1
        story.pairs += 2 in move.gems
    elif isinstance(move, Buy):
        story.buys.append((position.round, move.card.level, move.card.points))
    elif isinstance(move, Reserve):
        target = move.target
        denies = isinstance(target, Card) and _is_in_reach(position, target)
        story.reserves.append((position.round, denies))


def _is_in_reach(position: Position, card: Card) -> bool:
    """Whether an opponent could buy the card now."""
    return any(
        missing(card, position.bonuses(seat), position.hands[seat].tokens) == 0
        for seat in range(position.ruleset.seats)
        if seat != position.seat
    )


def _finished(position: Position, stories: tuple[SeatStory, ...]) -> StudiedGame:
    outcome = position.outcome()
    assert outcome is not None
    for story, hand in zip(stories, position.hands, strict=True):
        story.nobles = len(hand.nobles)
    best = max(outcome.points)
    is_level = sum(points == best for points in outcome.points) > 1
    return StudiedGame(stories, position.round, outcome.winners, is_level)
