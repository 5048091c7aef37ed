"""Playing blocks of games: fast bots in the kernel, any others through the law."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from cabochon.bots import Bot, Limit, make_bot
from cabochon.dataset import fast_games
from cabochon.dataset.errors import DatasetError, DatasetFault
from cabochon.dataset.record_text import record_text
from cabochon.game import ENDLESS, Game, play_on
from cabochon.kernel import actions_of, new_states, pack
from cabochon.kernel.actions import ACTION_COUNT, CHOOSE_NOBLE, GIVE_BACK
from cabochon.kernel.checked import clear_for, seed_word
from cabochon.kernel.entrypoints import STEP, advance_at_unchecked, legal_at
from cabochon.kernel.layout import OVER, RETURN
from cabochon.kernel.legal import FIRST_ACTION
from cabochon.notation import format_record
from cabochon.record import Record
from cabochon.rules import Deal, Move, Ruleset, ShuffledDealer, View
from cabochon.rules.ending import outcome_of, ranks

FAST_BOTS = ("uniform", "biased")
MASK_BYTES = ACTION_COUNT // 8
"""One bit per action of the table."""
FAST_BLOCK, SLOW_BLOCK = 500, 10
_ROWS_A_GAME = 400

_FIRST = np.array(FIRST_ACTION, np.uint64)


@dataclass(frozen=True)
class Job:
    """What is to be played. `bots` is one name for all seats, or one per seat. When all are
    FAST_BOTS, the kernel's own policies play; else every bot is asked through the law, and
    `biased` is none of those. Same job, same games. Raises DatasetError or UnknownBot."""

    ruleset: Ruleset
    bots: tuple[str, ...]
    seed: int
    games: int
    visits: int | None = None
    decisions: bool = False

    def __post_init__(self) -> None:
        if len(self.bots) not in (1, self.ruleset.seats):
            raise DatasetError(
                DatasetFault.BOTS_COUNT, seats=self.ruleset.seats, given=len(self.bots)
            )
        if not self.is_fast:
            for name in self.bots:
                make_bot(name)

    @property
    def players(self) -> tuple[str, ...]:
        """Names by seat."""
        return self.bots * self.ruleset.seats if len(self.bots) == 1 else self.bots

    @property
    def is_fast(self) -> bool:
        return all(name in FAST_BOTS for name in self.bots)

    def blocks(self) -> Iterator[tuple[Job, int, int]]:
        """Pieces of work: this job, the first game and how many."""
        size = FAST_BLOCK if self.is_fast else SLOW_BLOCK
        for first in range(0, self.games, size):
            yield self, first, min(size, self.games - first)


@dataclass
class GameColumns:
    """Columns of a few games, ready to be written."""

    games: dict[str, list[Any]]
    rows: dict[str, Any] = field(default_factory=dict)

    @property
    def decisions(self) -> int:
        return sum(self.games["decisions"])


def play_block(task: tuple[Job, int, int]) -> GameColumns:
    """Play the games of one piece of work."""
    job, first, count = task
    return _fast(job, first, count) if job.is_fast else _slow(job, first, count)


# In the kernel


def _fast(job: Job, first: int, count: int) -> GameColumns:
    states = new_states(1)
    clear_for(job.ruleset, states, 0)
    policies = np.array([FAST_BOTS.index(name) for name in job.players], np.int64)
    done, parts = 0, []
    room = count * _ROWS_A_GAME
    while done < count:
        games = np.zeros(count - done, fast_games.GAME)
        rows = np.zeros(room, fast_games.ROW)
        seed = seed_word(job.seed)
        played = int(fast_games.play_games(states, policies, seed, first + done, games, rows))
        parts.append((first + done, games[:played], rows))
        done += played
        room *= 1 if played else 2
    return _joined(job, parts)


def _joined(job: Job, parts: list[tuple[int, Any, Any]]) -> GameColumns:
    columns: dict[str, list[Any]] = {name: [] for name in _GAME_FIELDS}
    kept = []
    for first, games, rows in parts:
        for number, game in enumerate(games):
            _add_game(job, columns, first + number, game, rows[game["start"] : game["stop"]])
        if job.decisions and len(games):
            kept.append(_row_columns(first, games, rows))
    joined = (
        {name: np.concatenate([part[name] for part in kept]) for name in kept[0]} if kept else {}
    )
    return GameColumns(columns, joined)


_GAME_FIELDS = (
    "game", "ruleset", "players", "turns", "decisions", "ranking", "points", "cards", "ending",
    "record",
)  # fmt: skip


def _add_game(job: Job, columns: dict[str, list[Any]], number: int, game: Any, rows: Any) -> None:
    seats = job.ruleset.seats
    points, cards = game["points"][:seats].tolist(), game["cards"][:seats].tolist()
    ending = ENDLESS
    if game["phase"] == OVER:
        ending = "stalled" if game["passes"] >= seats else "target"
    ranking = list(ranks([(p, -c) for p, c in zip(points, cards, strict=True)]))
    values = (
        number, str(job.ruleset), list(job.players), int(game["turns"]), len(rows), ranking,
        points, cards, ending, record_text(job.ruleset, job.players, game, rows, ranking, ending),
    )  # fmt: skip
    for name, value in zip(_GAME_FIELDS, values, strict=True):
        columns[name].append(value)


def _row_columns(first: int, games: Any, rows: Any) -> dict[str, Any]:
    lengths = games["stop"] - games["start"]
    rows = rows[: int(games["stop"][-1])]
    game = np.repeat(np.arange(len(games)), lengths)
    seats = rows["seat"].astype(np.int64)
    return {
        "game": game + first,
        "decision": np.arange(len(rows), dtype=np.int32) - games["start"][game].astype(np.int32),
        "turn": rows["turn"].astype(np.int32),
        "seat": rows["seat"].astype(np.int8),
        "phase": rows["phase"].astype(np.int8),
        "action": rows["action"],
        "legal": legal_bytes(rows["legal"], rows["phase"]),
        "share": games["shares"][game, seats],
    }


def legal_bytes(words: Any, phases: Any) -> Any:
    """(n, MASK_BYTES) bytes, one bit per action, from words whose bit 0 is the first action of the
    phase."""
    shift = _FIRST[phases]
    low = words << np.minimum(shift, np.uint64(63))
    low[shift == CHOOSE_NOBLE] = 0
    high = np.zeros(len(words), np.uint64)
    returns, nobles = shift == GIVE_BACK, shift == CHOOSE_NOBLE
    high[returns] = words[returns] >> np.uint64(64 - GIVE_BACK)
    high[nobles] = words[nobles] << np.uint64(CHOOSE_NOBLE - 64)
    out = np.empty((len(words), MASK_BYTES), np.uint8)
    out[:, :8] = low.astype("<u8").view(np.uint8).reshape(-1, 8)
    out[:, 8] = high.astype(np.uint8)
    return out


# Through the law


def _slow(job: Job, first: int, count: int) -> GameColumns:
    columns: dict[str, list[Any]] = {name: [] for name in _GAME_FIELDS}
    kept: list[tuple[Any, ...]] = []
    for number in range(first, first + count):
        record = _played(job, number)
        rows = list(_decided(record, number))
        outcome = outcome_of(record.final())
        ending = record.result.reason.value if record.result else ENDLESS
        values = (
            number, str(job.ruleset), list(job.players), record.final().turn, len(rows),
            list(outcome.ranking), list(outcome.points), list(outcome.cards), ending,
            format_record(record),
        )  # fmt: skip
        for name, value in zip(_GAME_FIELDS, values, strict=True):
            columns[name].append(value)
        won = outcome.winners
        sides = len(won) // 2 if job.ruleset.teams else len(won)
        kept += [(*row, 1 / sides if row[3] in won else 0.0) for row in rows]
    return GameColumns(columns, _stacked(kept) if job.decisions else {})


def _played(job: Job, number: int) -> Record:
    random = Random(f"{job.seed} {number}")
    dealer = ShuffledDealer(f"selfplay {job.seed} {number}")
    bots: list[Bot] = [make_bot(name, random.getrandbits(31)) for name in job.players]
    game = Game.from_dealer(job.ruleset, dealer, names=job.players)

    def ask(view: View) -> Move:
        return bots[view.seat].choose(view, Limit(visits=job.visits, seed=random.getrandbits(62)))

    for _ in play_on(game, dict.fromkeys(range(len(bots)), ask)):
        pass
    return game.record


def _decided(record: Record, number: int) -> Iterator[tuple[Any, ...]]:
    """A row for each action of the table that the record's moves are."""
    states, decision = new_states(1), 0
    for position, event in zip(record.replay(), record.events, strict=False):
        if isinstance(event, Deal):
            continue
        pack(position, states)
        for action in actions_of(position, event):
            legal, phase = int(legal_at(states, 0)), int(states["phase"][0])
            yield number, decision, position.turn, position.seat, phase, action, legal
            decision += 1
            if phase == RETURN:
                advance_at_unchecked(states, 0, STEP, action)


def _stacked(rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    game, decision, turn, seat, phase, action, legal, share = zip(*rows, strict=True)
    phases = np.array(phase, np.int8)
    return {
        "game": np.array(game, np.int64),
        "decision": np.array(decision, np.int32),
        "turn": np.array(turn, np.int32),
        "seat": np.array(seat, np.int8),
        "phase": phases,
        "action": np.array(action, np.uint8),
        "legal": legal_bytes(np.array(legal, np.uint64), phases),
        "share": np.array(share, np.float32),
    }
