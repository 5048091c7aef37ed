"""A game in progress on this machine: where it stands, who sits where, the cards to come, and the
record so far.

    game = Game(players=2, bots={1: "diamond"})
    game.play("take wug")         # text or a Move; the card that is due is dealt by itself
    game.play_bots()              # until a person is to move
    game.save("mine.cabochon")

`play_on` is the one loop behind every game that is played here: ask, play, and again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias

from cabochon.bots import NO_LIMIT, Bot, Limit, make_bot
from cabochon.bots.roster import HOUSE_BOT
from cabochon.notation import describe_turn, format_move, parse_move, parse_position
from cabochon.notation.recordfiles import read_record, write_record
from cabochon.record import Reason, Record, Result, Variation
from cabochon.rules import (
    CARDS,
    LEVELS,
    CabochonError,
    Deal,
    Dealer,
    Event,
    Move,
    Opening,
    Outcome,
    Phase,
    Position,
    Ruleset,
    ScriptedDealer,
    ShuffledDealer,
    View,
    commitment,
    new_seed,
)
from cabochon.rules.dealer import shuffled
from cabochon.rules.ending import ranking_without
from cabochon.rules.errors import wrong

if TYPE_CHECKING:
    from cabochon.search import Analysis

__all__ = ["HUMAN", "BadGame", "Game", "GameFault", "play_on"]

HUMAN = "human"
KINDS_HEADER = "Kinds"
"""The record's header that says which seats are bots, so that a saved game goes on as it was."""
LONGEST_GAME = 1000
"""Turns after which bots stop: tokens could go round for ever."""
ENDLESS = "endless"
"""The ending of a game that was stopped that way."""

Ask: TypeAlias = Callable[[View], Move]
"""Something that chooses for the seat that looks at the view."""
Bots: TypeAlias = "Mapping[int, str | Bot] | Sequence[str | Bot | None]"


class GameFault(StrEnum):
    """Why a game can't do what was asked."""

    NO_SUCH_SEAT = "game-no-such-seat"
    NO_BOT_HERE = "game-no-bot-here"
    NOTHING_TO_UNDO = "game-nothing-to-undo"
    FINISHED = "game-finished"


class BadGame(CabochonError):
    """This game can't do that; `code` is a `GameFault`."""


# The loop


class Sitting(Protocol):
    """What the loop needs to know of a game, whether the law plays it or the kernel."""

    @property
    def is_over(self) -> bool: ...
    @property
    def seat(self) -> int: ...
    @property
    def turn(self) -> int: ...
    def view(self, seat: int) -> View: ...
    def play(self, move: Move) -> object: ...


def play_on(
    game: Sitting, asks: Mapping[int, Ask], most_turns: int = LONGEST_GAME
) -> Iterator[int]:
    """Ask the seat to move and play its answer, as long as that seat is in `asks`; yields the seat
    after each decision. If asking raises, the exception comes through and the game stays as it
    was."""
    while not game.is_over and game.seat in asks and game.turn < most_turns:
        seat = game.seat
        game.play(asks[seat](game.view(seat)))
        yield seat


# The game


class Game:
    """One game, between people, bots and callers of `play`.

    `players` and `variant`, or a whole `ruleset`, say what is played. `seed` fixes every card;
    without one nobody can guess them. `bots` says which seats bots play, by seat or in order (None
    for a person); each keeps its seat for the whole game. `limit` is how long they may think.

    Bots draw their random numbers from the game's public commitment and the number of moves so
    far, so a game with a seed plays the same way again. With `steady=False` they draw fresh ones
    each time and build on what they thought before.

    Raises BadRuleset, UnknownBot, BadGame, RecordError or WrongArgument for a game that cannot be.
    """

    def __init__(
        self,
        players: int | None = None,
        variant: str = "standard",
        *,
        ruleset: Ruleset | str | None = None,
        seed: str | None = None,
        names: Sequence[str] = (),
        bots: Bots = (),
        limit: Limit = NO_LIMIT,
        steady: bool = True,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        rules = _ruleset(players, variant, ruleset)
        if isinstance(names, str):
            raise wrong("names", "texts", names)
        seed = new_seed() if seed is None else seed
        opening = ShuffledDealer(seed).opening(rules)
        sheet = Record.start(rules, opening, names, headers=headers, commitment=commitment(seed))
        self._sit_down(sheet, seed, bots, limit, steady)

    @classmethod
    def from_record(
        cls,
        record: Record,
        *,
        bots: Bots | None = None,
        limit: Limit = NO_LIMIT,
        steady: bool = True,
    ) -> Self:
        """Go on from the end of a record. Without its seed the cards to come are shuffled anew.
        Bots sit where the record says, unless `bots` says otherwise. Raises RecordError."""
        game = cls.__new__(cls)
        seated = _kinds_in(record) if bots is None else bots
        game._sit_down(record, record.seed, seated, limit, steady)
        return game

    @classmethod
    def from_dealer(
        cls,
        ruleset: Ruleset,
        dealer: Dealer,
        *,
        names: Sequence[str] = (),
        bots: Bots = (),
        limit: Limit = NO_LIMIT,
        steady: bool = True,
    ) -> Self:
        """A game whose cards come from that dealer; it has no seed. Raises as `Game`."""
        game = cls.__new__(cls)
        sheet = Record.start(ruleset, dealer.opening(ruleset), names)
        game._sit_down(sheet, None, bots, limit, steady, dealer)
        return game

    @classmethod
    def from_position(
        cls,
        position: Position | str,
        *,
        names: Sequence[str] = (),
        bots: Bots = (),
        limit: Limit = NO_LIMIT,
        steady: bool = True,
    ) -> Self:
        """Play on from any position, given as a value or as text; the decks are shuffled anew.
        Raises NotationError, BadSetup or WrongArgument."""
        start = parse_position(position) if isinstance(position, str) else position
        if not isinstance(start, Position):
            raise wrong("position", "position", start)
        record = Record.start(start.ruleset, start, names)
        return cls.from_record(record, bots=bots, limit=limit, steady=steady)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The game in a file (`~` is your home), with its bots in their seats. Raises OSError,
        NotationError, RecordError."""
        return cls.from_record(read_record(Path(path).expanduser()))

    def _sit_down(
        self,
        record: Record,
        seed: str | None,
        bots: Bots,
        limit: Limit,
        steady: bool,
        dealer: Dealer | None = None,
    ) -> None:
        self.seed = seed
        self.limit = limit
        self.steady = steady
        self.bots: dict[int, Bot] = {}
        self._kinds = [HUMAN] * record.ruleset.seats
        self._sheet = record
        self._events: list[Event] = list(record.events)
        self._unchanged = len(record.events)
        self._position = record.final()
        self._result: Result | None = record.result
        self._before: list[tuple[int, Position]] = _before_each_move(record)
        self._dealer = _dealer(record, seed) if dealer is None else dealer
        self._advisers: dict[str, Bot] = {}
        for seat, bot in _by_seat(bots):
            self.seat_bot(seat, bot)
        self._position, deals = self._dealt(self._position)
        self._events += deals

    # Where it stands

    @property
    def ruleset(self) -> Ruleset:
        return self._sheet.ruleset

    @property
    def position(self) -> Position:
        """Everything, hidden cards included; `view` shows what a player may know."""
        return self._position

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self._position.seat

    @property
    def turn(self) -> int:
        """How many turns are finished."""
        return self._position.turn

    @property
    def plies(self) -> int:
        """How many moves and deals there have been."""
        return len(self._events)

    @property
    def is_over(self) -> bool:
        return self._result is not None

    @property
    def result(self) -> Result | None:
        """The ranking and why it ended, once it has."""
        return self._result

    @property
    def outcome(self) -> Outcome | None:
        """The outcome by the rules, if the game was played to its end."""
        return self._position.outcome()

    @property
    def names(self) -> tuple[str, ...]:
        return self._sheet.players

    @property
    def commitment(self) -> str | None:
        """What fixes the seed from the start without revealing it."""
        return self._sheet.commitment

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that no bot plays."""
        return tuple(seat for seat in range(self.ruleset.seats) if seat not in self.bots)

    def view(self, seat: int | None = None) -> View:
        """What a seat may know, or a watcher (None). Raises BadGame for a seat that isn't there."""
        if seat is not None:
            self._check_seat(seat)
        return self._position.view(seat)

    def legal_moves(self) -> list[Move]:
        """Every legal move, in a fixed order; none when the game is over."""
        return [] if self.is_over else self._position.legal_moves()

    def legal_texts(self) -> list[str]:
        """The same as texts that `play` takes."""
        return [format_move(move) for move in self.legal_moves()]

    # Playing

    def play(self, move: Move | str) -> Position:
        """Make a move for the seat whose turn it is, as a value or as text; the card that is due
        is dealt. Raises NotationError or IllegalMove, and then nothing has changed."""
        if self._result is not None:
            raise BadGame(GameFault.FINISHED)
        chosen = parse_move(move) if isinstance(move, str) else move
        before = self._position
        after = before.play(chosen)
        after, deals = self._dealt(after)
        self._before.append((len(self._events), before))
        self._events += [before.completed(chosen), *deals]
        self._position = after
        outcome = after.outcome()
        self._result = None if outcome is None else Result.of(outcome)
        self._changed()
        return after

    def undo(self) -> Position:
        """Take back the last decision and the card it brought, or the resignation if that ended the
        game. Raises BadGame if there is nothing to take back."""
        gave_up = self._result is not None and self.outcome is None
        if not gave_up:
            if not self._before:
                raise BadGame(GameFault.NOTHING_TO_UNDO)
            length, self._position = self._before.pop()
            del self._events[length:]
            self._unchanged = min(self._unchanged, length)
        self._result = None
        self._changed()
        return self._position

    def resign(self, seat: int | None = None) -> Result:
        """A seat gives up (the one to move, if none is named): it comes last, in teams with its
        partner. Raises BadGame."""
        if self._result is not None:
            raise BadGame(GameFault.FINISHED)
        seat = self.seat if seat is None else seat
        self._check_seat(seat)
        self._result = Result(ranking_without(self._position, (seat,)), Reason.RESIGNED)
        self._changed()
        return self._result

    # Bots

    def seat_bot(self, seat: int, bot: str | Bot) -> None:
        """Let a bot play that seat from now on. Raises UnknownBot, BadGame or WrongArgument."""
        self._check_seat(seat)
        _check_bot(bot)
        named = isinstance(bot, str)
        self.bots[seat] = make_bot(bot, seat) if isinstance(bot, str) else bot
        self._kinds[seat] = str(bot).strip().lower() if named else HOUSE_BOT

    def ask(
        self,
        bot: str | Bot | None = None,
        *,
        visits: int | None = None,
        seconds: float | None = None,
    ) -> Move:
        """What a bot would do now: the named one, or the one that sits there. Nothing is played.
        Raises UnknownBot, BadGame or WrongArgument."""
        if self._result is not None:
            raise BadGame(GameFault.FINISHED)
        limit = self.limit
        if visits is not None or seconds is not None:
            limit = Limit(seconds=seconds, visits=visits)
        return self._adviser(bot).choose(self.view(self.seat), self._steadied(limit))

    def play_bots(self) -> tuple[Move, ...]:
        """Let bots play until a person is to move, or the game is over; returns their moves."""
        made = len(self._events)
        for _ in play_on(self, self._asks()):
            pass
        return tuple(event for event in self._events[made:] if not isinstance(event, Deal))

    def play_out(self, bot: str | Bot = HOUSE_BOT) -> Outcome | None:
        """Let bots finish the game; `bot` plays the seats without one. None if nobody finishes it
        within a thousand turns."""
        asks = {seat: self._ask_of(bot) for seat in self.people} | self._asks()
        for _ in play_on(self, asks):
            pass
        return self.outcome

    def _asks(self) -> dict[int, Ask]:
        return {seat: self._ask_of(bot) for seat, bot in self.bots.items()}

    def _ask_of(self, bot: str | Bot) -> Ask:
        adviser = self._adviser(bot)
        return lambda view: adviser.choose(view, self._steadied(self.limit))

    def _adviser(self, bot: str | Bot | None) -> Bot:
        if bot is None:
            if self.seat not in self.bots:
                raise BadGame(GameFault.NO_BOT_HERE, seat=self.seat)
            return self.bots[self.seat]
        _check_bot(bot)
        if not isinstance(bot, str):
            return bot
        if bot not in self._advisers:
            self._advisers[bot] = make_bot(bot)
        return self._advisers[bot]

    def _steadied(self, limit: Limit) -> Limit:
        if not self.steady or limit.seed is not None:
            return limit
        token = f"{self._sheet.commitment} {len(self._events)}"
        number = int.from_bytes(hashlib.sha256(token.encode()).digest()[:8], "big")
        return replace(limit, seed=number)

    # Thinking about it

    def analyse(
        self, *, visits: int | None = None, seconds: float | None = None, seed: int | None = None
    ) -> Analysis:
        """What every legal move is worth to the seat to move, judged by what it may know; the best
        comes first. Raises BadGame when the game is over."""
        from cabochon.search import Searcher, shipped_for

        if self._result is not None:
            raise BadGame(GameFault.FINISHED)
        searcher = Searcher(shipped_for(self.ruleset))
        return searcher.analyse(self.view(self.seat), Limit(seconds, visits, seed))

    # Written down

    @property
    def record(self) -> Record:
        """The game so far; with its seed once it is over."""
        record = replace(
            self._sheet,
            headers=self._headers(),
            events=tuple(self._events),
            comments=self._kept_comments(),
            variations=self._kept_variations(),
            result=self._result,
            seed=self.seed if self.is_over else None,
        )
        record.__dict__["_final"] = self._position
        return record

    def record_with_seed(self) -> Record:
        """The same with its seed, so that the game can go on from it. Keep it to yourself: it tells
        the cards to come."""
        return self.record if self.seed is None else self.record.revealed(self.seed)

    def save(self, path: str | Path) -> None:
        """Write the game to a file, seed included: all of it or nothing. A name ending in `.json`
        makes it JSON, and `~` is your home. Raises OSError."""
        write_record(Path(path).expanduser(), self.record_with_seed())

    def log(self, lang: str = "en") -> list[str]:
        """A sentence for every turn so far."""
        return [describe_turn(turn, lang) for turn in self.record.turns()]

    def __str__(self) -> str:
        from cabochon.render.text import board

        return board(self.view(self.seat))

    def __repr__(self) -> str:
        state = f"result={str(self._result)!r}" if self._result else f"seat={self.seat}"
        return f"<Game {self.ruleset} turn={self.turn} {state}>"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the table as the seat to move may see it."""
        return self.view(self.seat)._repr_svg_()

    # Inside

    def _changed(self) -> None:
        """Called after every change, for games that save themselves."""

    def _dealt(self, position: Position) -> tuple[Position, list[Event]]:
        """The position once no card is due, and what was dealt."""
        deals: list[Event] = []
        while position.phase is Phase.DEAL:
            deal = self._dealer.deal(position)
            position = position.deal(deal)
            deals.append(deal)
        return position, deals

    def _headers(self) -> Mapping[str, str]:
        if not self.bots and KINDS_HEADER not in self._sheet.headers:
            return self._sheet.headers
        return {**self._sheet.headers, KINDS_HEADER: ",".join(self._kinds)}

    def _kept_comments(self) -> dict[int, str]:
        return {ply: text for ply, text in self._sheet.comments.items() if ply <= len(self._events)}

    def _kept_variations(self) -> tuple[Variation, ...]:
        """Those of the first record that still branch off what was played."""
        return tuple(each for each in self._sheet.variations if each.ply <= self._unchanged + 1)

    def _check_seat(self, seat: int) -> None:
        if type(seat) is not int or seat not in range(self.ruleset.seats):
            raise BadGame(GameFault.NO_SUCH_SEAT, seat=str(seat)[:20], last=self.ruleset.seats - 1)


def _ruleset(players: int | None, variant: str, ruleset: Ruleset | str | None) -> Ruleset:
    if ruleset is None:
        return Ruleset.preset(variant, players)
    return Ruleset.parse(ruleset) if isinstance(ruleset, str) else ruleset


def _by_seat(bots: Bots) -> list[tuple[int, str | Bot]]:
    if isinstance(bots, str) or not isinstance(bots, Iterable):
        raise wrong("bots", "bots", bots)
    pairs = bots.items() if isinstance(bots, Mapping) else enumerate(bots)
    return [(seat, bot) for seat, bot in pairs if bot is not None]


def _check_bot(bot: object) -> None:
    if not isinstance(bot, str) and not callable(getattr(bot, "choose", None)):
        raise wrong("bot", "bot", bot)


def _kinds_in(record: Record) -> dict[int, str | Bot]:
    """The bots that the record's header names; none where it says nothing that fits."""
    kinds = [kind.strip() for kind in record.headers.get(KINDS_HEADER, "").split(",")]
    if len(kinds) != record.ruleset.seats:
        return {}
    return {seat: kind for seat, kind in enumerate(kinds) if kind and kind != HUMAN}


def _before_each_move(record: Record) -> list[tuple[int, Position]]:
    """Where each move stands among the events, and the position it was made in."""
    steps = enumerate(zip(record.replay(), record.events, strict=False))
    return [(index, position) for index, (position, event) in steps if not isinstance(event, Deal)]


def _dealer(record: Record, seed: str | None) -> Dealer:
    """Deals on from the record: by its seed, or what lies in the decks in a new order."""
    if seed is not None and isinstance(record.opening, Opening):
        return ShuffledDealer(seed)
    position, order = record.final(), new_seed()
    unseen = [card for card in CARDS if position.in_deck(card)]
    one, two, three = (
        shuffled([card for card in unseen if card.level == level], order, f"deck{level}")
        for level in LEVELS
    )
    return ScriptedDealer(Opening((), ()), (one, two, three))
