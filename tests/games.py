"""Random games for the properties: seeded, quick, and biased by a temperament so that they reach
nobles, returns, blind reserves, all endings."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from cabochon.rules import (
    Buy,
    Deck,
    Event,
    Move,
    Phase,
    Position,
    Reserve,
    Ruleset,
    ShuffledDealer,
    Take,
)

Weigh = Callable[[Move], float]
MOST_EVENTS = 400


def _uniform(move: Move) -> float:
    return 1


def _builder(move: Move) -> float:
    """Buys whenever it can: reaches nobles and the target."""
    if isinstance(move, Buy):
        return 60 + 40 * move.card.points
    return 4 if isinstance(move, Take) else 1


def _hoarder(move: Move) -> float:
    """Takes whatever it can: reaches the limit and a bank without colours."""
    return 30 if isinstance(move, Take) else 1


def _gambler(move: Move) -> float:
    """Draws unseen cards and buys from the hand."""
    if isinstance(move, Reserve):
        return 20 if isinstance(move.target, Deck) else 4
    return 8 if isinstance(move, Buy) else 2


def _miser(move: Move) -> float:
    """Takes and reserves and hardly ever buys: reaches tables where everybody is stuck."""
    if isinstance(move, Buy):
        return 0.05
    return 5 if isinstance(move, Reserve) else 20


TEMPERAMENTS: dict[str, Weigh] = {
    "uniform": _uniform,
    "builder": _builder,
    "hoarder": _hoarder,
    "gambler": _gambler,
    "miser": _miser,
}

RULESETS = tuple(
    Ruleset.parse(text)
    for text in (
        "standard/2",
        "standard/3",
        "standard/4",
        "quick/2",
        "quick/3",
        "quick/4",
        "teams/4",
        "quick-teams/4",
        "standard/2:scarce=no",
        "teams/4:scarce=no",
        "standard/3:target=1,width=1",
        "standard/2:target=21,width=2",
        "standard/4:target=7,scarce=no",
    )
)


class Step(NamedTuple):
    before: Position
    event: Event
    after: Position


@dataclass(frozen=True)
class RandomGame:
    """A game that is not yet played: the same value always plays the same moves."""

    ruleset: Ruleset
    seed: int
    temperament: str
    most_events: int = MOST_EVENTS

    def start(self) -> Position:
        return Position.start(self.ruleset, ShuffledDealer(str(self.seed)).opening(self.ruleset))

    def steps(self) -> Iterator[Step]:
        """What happens, one decision or deal after the other."""
        rng = random.Random(self.seed)
        weigh = TEMPERAMENTS[self.temperament]
        dealer = ShuffledDealer(str(self.seed))
        position = self.start()
        for _ in range(self.most_events):
            if position.phase is Phase.OVER:
                return
            event: Event = (
                dealer.deal(position)
                if position.phase is Phase.DEAL
                else paid(rng, position, picked(rng, position.legal_moves(), weigh))
            )
            after = position.apply(event)
            yield Step(position, event, after)
            position = after

    def positions(self) -> Iterator[Position]:
        """All positions, the last included."""
        yield self.start()
        for step in self.steps():
            yield step.after


def picked(rng: random.Random, moves: Sequence[Move], weigh: Weigh) -> Move:
    return rng.choices(moves, [weigh(move) for move in moves])[0]


def paid(rng: random.Random, position: Position, move: Move) -> Move:
    """The move; a purchase now and then with any other legal payment."""
    if isinstance(move, Buy) and rng.random() < 0.3:
        return Buy(move.card, rng.choice(position.legal_payments(move.card)))
    return move


Property = Callable[["RandomGame"], None]
Decorator = Callable[[Property], Property]


def random_games(most_events: int = MOST_EVENTS) -> st.SearchStrategy[RandomGame]:
    """Games of every ruleset and temperament."""
    return st.builds(
        RandomGame,
        st.sampled_from(RULESETS),
        st.integers(0, 2**32 - 1),
        st.sampled_from(sorted(TEMPERAMENTS)),
        st.just(most_events),
    )


def over_games(most_events: int = MOST_EVENTS, share: float = 0.4) -> Decorator:
    """The property holds in one game of every ruleset, and in as many more as Hypothesis draws:
    a share of what the profile says."""

    def decorate(check: Property) -> Property:
        for number, ruleset in enumerate(RULESETS):
            temperament = sorted(TEMPERAMENTS)[number % len(TEMPERAMENTS)]
            check = example(RandomGame(ruleset, number, temperament, most_events))(check)
        drawn = round(share * settings().max_examples)
        return settings(max_examples=drawn)(given(random_games(most_events))(check))

    return decorate
