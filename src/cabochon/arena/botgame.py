"""One game between bots, played by the law: a bot sees its view, and its move is checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cabochon.arena.match import Lineup
from cabochon.bots import Bot, Limit
from cabochon.game import ENDLESS, Ask, Game, play_on
from cabochon.rules import CabochonError, Outcome, Position, Ruleset
from cabochon.rules.dealer import Dealer
from cabochon.rules.ending import outcome_of

FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class GameResult:
    """One finished game; all tuples by seat. `ending` is that of the law, or `endless`, or
    `forfeit` when a seat moved illegally or its program failed: that seat is last, the others
    share the victory."""

    deal: int
    seats: Lineup
    ranking: tuple[int, ...]
    points: tuple[int, ...]
    cards: tuple[int, ...]
    turns: int
    ending: str

    def shares(self, entrants: int) -> list[float]:
        """What each entrant won: a victory is 1, a shared one is split by the winning seats."""
        winners = [who for who, rank in zip(self.seats, self.ranking, strict=True) if rank == 1]
        return [winners.count(entrant) / len(winners) for entrant in range(entrants)]


@dataclass(frozen=True, slots=True)
class SeatFailure:
    """Why a seat lost without playing on."""

    seat: int
    error: CabochonError


@dataclass(frozen=True, slots=True)
class Played:
    """How a game went: where it stopped, and the failure that stopped it, if one did."""

    position: Position
    failure: SeatFailure | None = None


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Who forfeited a game, and why: a code, and a sentence in every language. `game` is the game's
    place in the report."""

    entrant: str
    code: str
    why: dict[str, str]
    game: int


@dataclass(frozen=True, slots=True)
class BlockResult:
    """The games of one block, and those of them that were forfeited."""

    games: tuple[GameResult, ...]
    forfeits: tuple[Forfeit, ...] = ()


def play_game(ruleset: Ruleset, dealer: Dealer, table: Sequence[tuple[Bot, Limit]]) -> Played:
    """Play to the end. A refused move, or a bot's own CabochonError, ends the game there; any
    other exception is a fault of our own code and comes through."""
    game = Game.from_dealer(ruleset, dealer)
    asks = {seat: _ask_of(bot, limit) for seat, (bot, limit) in enumerate(table)}
    try:
        for _ in play_on(game, asks):
            pass
    except CabochonError as error:
        return Played(game.position, SeatFailure(game.seat, error))
    return Played(game.position)


def _ask_of(bot: Bot, limit: Limit) -> Ask:
    return lambda view: bot.choose(view, limit)


def written(played: Played, deal: int, seats: Lineup) -> GameResult:
    """What a report keeps of it."""
    position = played.position
    outcome = position.outcome() or outcome_of(position)
    ranking, ending = outcome.ranking, _ending(played, outcome)
    if played.failure is not None:
        side = position.ruleset.side(played.failure.seat)
        ranking = tuple(2 if seat in side else 1 for seat in range(len(seats)))
    return GameResult(
        deal=deal,
        seats=seats,
        ranking=ranking,
        points=outcome.points,
        cards=outcome.cards,
        turns=position.turn,
        ending=ending,
    )


def _ending(played: Played, outcome: Outcome) -> str:
    if played.failure is not None:
        return FORFEIT
    return ENDLESS if played.position.outcome() is None else outcome.ending.value
