"""Playing blocks of games, all in compiled code: by chance in the kernel, or by bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any

import numpy as np

from cabochon.dataset import fast_games
from cabochon.game import ENDLESS
from cabochon.kernel import ACTIONS, OBSERVATION_SIZE, new_states
from cabochon.kernel.actions import ACTION_COUNT, CHOOSE_NOBLE, GIVE_BACK, ActionKind
from cabochon.kernel.checked import clear_for, seed_word
from cabochon.kernel.layout import NO_CARD, OVER, Floats
from cabochon.kernel.legal import FIRST_ACTION
from cabochon.notation import turn_label
from cabochon.rules import CARDS, NOBLES, Gem, Ruleset
from cabochon.rules.ending import ranks
from cabochon.rules.errors import CabochonError
from cabochon.rules.gems import LETTERS

# What a data set can be refused for.


class DatasetFault(StrEnum):
    BOTS_COUNT = "dataset-bots-count"
    NOT_OURS = "dataset-not-ours"
    DIFFERS = "dataset-differs"
    OTHER_JOB = "dataset-other-job"
    NO_GAMES = "dataset-no-games"
    NO_RECORDS = "dataset-no-records"


class DatasetError(CabochonError):
    """A job that cannot be played, or a file that is not what it should be; `code` is a
    `DatasetFault`."""


# The record's text straight from the kernel's log: the same bytes as `format_record` writes, many
# times faster. A test compares the two.


_CODES = [card.code for card in CARDS]
_NOBLE_CODES = [noble.code for noble in NOBLES]
_KINDS = [action.kind for action in ACTIONS]
_TEXTS = [action.text for action in ACTIONS]


def record_text(
    ruleset: Ruleset,
    players: Sequence[str],
    game: Any,
    rows: Any,
    ranking: Sequence[int],
    ending: str,
) -> str:
    """The canonical text of one game of the log."""
    result = "*" if ending == "endless" else f"result {'-'.join(map(str, ranking))} {ending}"
    turns = _turns(ruleset.seats, rows)
    blocks = [_headers(ruleset, players), _opening(ruleset, game), "\n".join([*turns, result])]
    return "\n\n".join(blocks) + "\n"


def _headers(ruleset: Ruleset, players: Sequence[str]) -> str:
    lines = ['[Cabochon "1"]', f'[Ruleset "{ruleset}"]']
    lines += [f'[Seat{seat} "{name}"]' for seat, name in enumerate(players)]
    return "\n".join(lines)


def _opening(ruleset: Ruleset, game: Any) -> str:
    nobles = game["nobles"].tolist()[: ruleset.noble_count]
    board, width = game["board"].tolist(), ruleset.row_width
    lines = ["nobles " + " ".join(_NOBLE_CODES[noble] for noble in nobles)]
    for level in range(3):
        row = board[4 * level : 4 * level + width]
        lines.append(f"row{level + 1} " + " ".join(_CODES[card] for card in row))
    return "\n".join(lines)


def _turns(seats: int, rows: Any) -> list[str]:
    """One line per turn; tokens that go back one by one are one return."""
    lines: list[str] = []
    line, returned, last = "", "", -1
    columns = (rows[name].tolist() for name in ("turn", "action", "thing", "paid", "dealt"))
    for turn, action, thing, paid, dealt in zip(*columns, strict=True):
        if turn != last:
            if line:
                lines.append(line + _given_back(returned))
            line, returned, last = f"{turn_label(turn, seats)}. ", "", turn
        else:
            line += "" if _KINDS[action] is ActionKind.RETURN else "; "
        if _KINDS[action] is ActionKind.RETURN:
            returned += LETTERS[action - GIVE_BACK]
            continue
        line += _move(action, thing, paid)
        if dealt != NO_CARD:
            line += f"; deal {_CODES[dealt]}"
    if line:
        lines.append(line + _given_back(returned))
    return lines


def _move(action: int, thing: int, paid: int) -> str:
    kind = _KINDS[action]
    if kind is ActionKind.BUY or kind is ActionKind.BUY_RESERVED:
        return f"buy {_CODES[thing]} ={_gems(paid)}"
    if kind is ActionKind.RESERVE:
        return f"reserve {_CODES[thing]}"
    if kind is ActionKind.NOBLE:
        return f"noble {_NOBLE_CODES[thing]}"
    return _TEXTS[action]


@cache
def _gems(lanes: int) -> str:
    """Counts in a word of lanes as letters; `-` for nothing."""
    return "".join(LETTERS[gem] * (lanes >> 8 * gem & 255) for gem in Gem) or "-"


def _given_back(letters: str) -> str:
    return "; return " + "".join(sorted(letters, key=LETTERS.index)) if letters else ""


FAST_BOTS = ("uniform", "biased")
MASK_BYTES = ACTION_COUNT // 8
"""One bit per action of the table."""
FAST_BLOCK, SLOW_BLOCK = 500, 20
_ROWS_A_GAME = 400

_FIRST = np.array(FIRST_ACTION, np.uint64)


@dataclass(frozen=True)
class Job:
    """What is to be played. `bots` is one name for all seats, or one per seat, each a name that
    `cabochon.bots.minds` knows. `decisions` asks for a row of each decision, `observations` for
    what was seen there too. Same job, same games. Raises DatasetError or UnknownBot."""

    ruleset: Ruleset
    bots: tuple[str, ...]
    seed: int
    games: int
    visits: int | None = None
    decisions: bool = False
    observations: bool = False
    first: int = 0
    """The number of the first game: a job can be done in parts."""

    def __post_init__(self) -> None:
        if len(self.bots) not in (1, self.ruleset.seats):
            raise DatasetError(
                DatasetFault.BOTS_COUNT, seats=self.ruleset.seats, given=len(self.bots)
            )
        if not self.is_fast:
            from cabochon.bots.minds import known_mind

            for name in self.bots:
                known_mind(name)

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
        for first in range(self.first, self.first + self.games, size):
            yield self, first, min(size, self.first + self.games - first)


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
    states = new_states(1)
    clear_for(job.ruleset, states, 0)
    play = _by_chance(job) if job.is_fast else _by_minds(job)
    done, parts = 0, []
    room = count * _ROWS_A_GAME
    while done < count:
        games = np.zeros(count - done, fast_games.GAME)
        rows = np.zeros(room, fast_games.ROW)
        seen = np.zeros((room if job.observations else 0, OBSERVATION_SIZE), np.float32)
        played, log = play(states, first + done, games, rows, seen)
        parts.append(_Part(first + done, games[:played], rows, seen, log))
        done += played
        room *= 1 if played else 2
    return _joined(job, parts)


@dataclass(frozen=True)
class _Part:
    """Some games in a row, as the compiled loops leave them; `log` is what searches said."""

    first: int
    games: Any
    rows: Any
    seen: Floats
    log: Any = None


def _by_chance(job: Job) -> Any:
    policies = np.array([FAST_BOTS.index(name) for name in job.players], np.int64)
    seed = seed_word(job.seed)

    def play(states: Any, first: int, games: Any, rows: Any, seen: Floats) -> tuple[int, Any]:
        return int(fast_games.play_games(states, policies, seed, first, games, rows, seen)), None

    return play


def _by_minds(job: Job) -> Any:
    from cabochon.bots.minds import minds_for
    from cabochon.dataset.level_games import new_log, play_level_games

    names = tuple(dict.fromkeys(job.players))
    minds = minds_for(job.ruleset, names, job.visits)
    who = np.array([names.index(name) for name in job.players], np.int64)
    seed = seed_word(job.seed)

    def play(states: Any, first: int, games: Any, rows: Any, seen: Floats) -> tuple[int, Any]:
        log = new_log(len(rows))
        played = play_level_games(states, who, minds, seed, first, games, rows, log, seen)
        return int(played), log

    return play


def _joined(job: Job, parts: list[_Part]) -> GameColumns:
    columns: dict[str, list[Any]] = {name: [] for name in _GAME_FIELDS}
    kept = []
    for part in parts:
        for number, game in enumerate(part.games):
            rows = part.rows[game["start"] : game["stop"]]
            _add_game(job, columns, part.first + number, game, rows)
        if job.decisions and len(part.games):
            kept.append(_row_columns(job, part))
    joined = (
        {name: np.concatenate([part[name] for part in kept]) for name in kept[0]} if kept else {}
    )
    return GameColumns(columns, joined)


_GAME_FIELDS = (
    "game", "ruleset", "players", "turns", "decisions", "ranking", "points", "cards", "ending",
    "record", "actions",
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
        rows["action"].tolist(),
    )  # fmt: skip
    for name, value in zip(_GAME_FIELDS, values, strict=True):
        columns[name].append(value)


def _row_columns(job: Job, part: _Part) -> dict[str, Any]:
    games = part.games
    stop = int(games["stop"][-1])
    rows = part.rows[:stop]
    game = np.repeat(np.arange(len(games)), games["stop"] - games["start"])
    seats = rows["seat"].astype(np.int64)
    columns = {
        "game": game + part.first,
        "decision": np.arange(stop, dtype=np.int32) - games["start"][game].astype(np.int32),
        "turn": rows["turn"].astype(np.int32),
        "seat": rows["seat"].astype(np.int8),
        "phase": rows["phase"].astype(np.int8),
        "action": rows["action"],
        "legal": legal_bytes(rows["legal"], rows["phase"]),
        "share": games["shares"][game, seats],
        "visits": np.zeros(stop, np.int32) if part.log is None else part.log.visits[:stop],
        "policy": np.zeros((stop, ACTION_COUNT), np.uint8),
        "value": np.zeros((stop, 4), np.float32),
    }
    if part.log is not None:
        columns["policy"] = part.log.policies[:stop]
        columns["value"] = part.log.values[:stop]
    if job.observations:
        columns["observation"] = part.seen[:stop]
    return columns


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
