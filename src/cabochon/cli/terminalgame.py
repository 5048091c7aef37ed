"""A game at this terminal, kept in a file.

Every decision is on the disk before anybody is shown it, so nothing that was played is ever lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cabochon.bots import Bot
from cabochon.game import HOUSE_BOT, HUMAN, KINDS_HEADER, Bots, Game
from cabochon.record import Record
from cabochon.rules import Ruleset

__all__ = ["HUMAN", "KeptGame", "new_game", "resumed_game"]


class KeptGame(Game):
    """A game that writes itself down after every change. `trouble` says why the last save failed,
    if it did: the game goes on without."""

    path: Path | None = None
    trouble: OSError | None = None

    def keep_in(self, path: Path | None) -> None:
        """Keep the game there from now on; None keeps it nowhere."""
        self.path = path
        self.keep()

    def keep(self) -> None:
        if self.path is None:
            return
        try:
            self.save(self.path)
            self.trouble = None
        except OSError as error:
            self.trouble = error

    def play_bot(self) -> None:
        """Let the bot whose turn it is move."""
        self.play(self.ask())

    def _changed(self) -> None:
        self.keep()


def new_game(
    ruleset: Ruleset,
    seed: str,
    names: Sequence[str],
    bots: Sequence[str | Bot | None],
    headers: dict[str, str],
    path: Path | None,
) -> KeptGame:
    """A game before its first move. `bots` is by seat, None where a person sits."""
    game = KeptGame(
        ruleset=ruleset,
        seed=seed,
        names=names,
        bots=bots,
        headers={**headers, KINDS_HEADER: ""},  # filled in by the game, also when nobody is a bot
    )
    game.keep_in(path)
    return game


def resumed_game(record: Record, path: Path | None) -> KeptGame:
    """The game of an unfinished record. Without its seed the cards to come are shuffled anew; a
    record that does not say who plays gives seat 0 to a person."""
    seats = record.ruleset.seats
    said = [kind for kind in record.headers.get(KINDS_HEADER, "").split(",") if kind.strip()]
    bots: Bots | None = None if len(said) == seats else (None, *(HOUSE_BOT,) * (seats - 1))
    game = KeptGame.from_record(record, bots=bots)
    game.path = path
    return game
