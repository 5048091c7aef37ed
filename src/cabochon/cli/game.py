"""One sitting at this terminal: the record, who plays, and the file that keeps it.

Every decision is on the disk before anybody is shown it, so nothing that was played is ever lost.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from cabochon.bots import Bot, Limit, make_bot
from cabochon.cli.files import write_private, written
from cabochon.record import Reason, Record
from cabochon.rules import (
    CARDS,
    LEVELS,
    Dealer,
    Move,
    Opening,
    Phase,
    Position,
    Ruleset,
    ScriptedDealer,
    ShuffledDealer,
    commitment,
    new_seed,
)
from cabochon.rules.dealer import shuffled
from cabochon.rules.ending import outcome_of

HUMAN = "human"
_PLAYERS_HEADER = "Kinds"


@dataclass(slots=True)
class Game:
    """A game that goes on. `bots` has an entry a seat, None where a person sits."""

    record: Record
    seed: str | None
    bots: tuple[Bot | None, ...]
    path: Path | None = None
    trouble: OSError | None = field(default=None, init=False)
    """Why the last save failed, if it did: the game goes on without."""

    _dealer: Dealer = field(init=False)

    def __post_init__(self) -> None:
        self._dealer = _dealer(self.record, self.seed)
        self._deal_due()

    @property
    def position(self) -> Position:
        return self.record.final()

    @property
    def is_over(self) -> bool:
        return self.record.result is not None

    @property
    def humans(self) -> tuple[int, ...]:
        return tuple(seat for seat, bot in enumerate(self.bots) if bot is None)

    def play(self, move: Move) -> None:
        """Make the move of the seat whose turn it is. Raises RecordError, and then nothing has
        changed."""
        self.record = self.record.append(move)
        self._deal_due()
        self.save()

    def play_bot(self) -> None:
        """Let the bot whose turn it is move. What is random in it follows from the commitment,
        which is public, so a bot learns nothing about the seed."""
        position = self.position
        bot = self.bots[position.seat]
        assert bot is not None
        token = f"{self.record.commitment} {len(self.record.events)}"
        number = int.from_bytes(hashlib.sha256(token.encode()).digest()[:8], "big")
        self.play(bot.choose(position.view(position.seat), Limit(seed=number)))

    def resign(self) -> None:
        """The seat to move gives up: it, and in teams its partner, ranks last."""
        position = self.position
        side, outcome = position.ruleset.side(position.seat), outcome_of(position)
        merits = [
            (seat not in side, outcome.points[seat], -outcome.cards[seat])
            for seat in range(position.ruleset.seats)
        ]
        ranking = tuple(1 + sum(other > mine for other in merits) for mine in merits)
        self.record = self.record.ended(Reason.RESIGNED, ranking)
        self.save()

    def full_record(self) -> Record:
        """The record with its seed: for the file, and for everybody once the game is over."""
        return self.record if self.seed is None else self.record.revealed(self.seed)

    def save(self) -> None:
        """Keep the game in its file; a failure is noted in `trouble` and stops nothing."""
        if self.path is None:
            return
        try:
            write_private(self.path, written(self.full_record(), self.path.name))
            self.trouble = None
        except OSError as error:
            self.trouble = error

    def _deal_due(self) -> None:
        while self.position.phase is Phase.DEAL:
            self.record = self.record.append(self._dealer.deal(self.position))


def new_game(
    ruleset: Ruleset,
    seed: str,
    names: tuple[str, ...],
    kinds: tuple[str, ...],
    headers: dict[str, str],
    path: Path | None,
) -> Game:
    """A game before its first move. `kinds` are `human` or a bot's name, by seat."""
    record = Record.start(
        ruleset,
        ShuffledDealer(seed).opening(ruleset),
        names,
        headers={**headers, _PLAYERS_HEADER: ",".join(kinds)},
        commitment=commitment(seed),
    )
    game = Game(record, seed, _bots(kinds), path)
    game.save()
    return game


def resumed_game(record: Record, path: Path | None) -> Game:
    """The game of an unfinished record. Without its seed the cards to come are shuffled anew; a
    record that does not say who plays gives seat 0 to a person."""
    said = record.headers.get(_PLAYERS_HEADER, "")
    kinds = tuple(kind.strip() for kind in said.split(",") if kind.strip())
    if len(kinds) != record.ruleset.seats:
        kinds = (HUMAN, *("greedy",) * (record.ruleset.seats - 1))
    return Game(record, record.seed, _bots(kinds), path)


def _bots(kinds: tuple[str, ...]) -> tuple[Bot | None, ...]:
    return tuple(None if kind == HUMAN else make_bot(kind, seat) for seat, kind in enumerate(kinds))


def _dealer(record: Record, seed: str | None) -> Dealer:
    if seed is not None and isinstance(record.opening, Opening):
        return ShuffledDealer(seed)
    position, order = record.final(), new_seed()
    unseen = [card for card in CARDS if position.in_deck(card)]
    one, two, three = (
        shuffled([card for card in unseen if card.level == level], order, f"deck{level}")
        for level in LEVELS
    )
    return ScriptedDealer(Opening((), ()), (one, two, three))
