"""A data set to share: a folder of Parquet files, written shard by shard, with a card.

    publish(Job(Ruleset(2), ("corundum",), seed=1, games=1_000_000, decisions=True), "corundum-2")

    job.json                what is played: the same folder goes on with the same job only
    games-00000.parquet     the table of games, a shard each
    decisions-00000.parquet the table of decisions
    card.json, card.md      schema, licence, statistics, hashes: of the shards that are there

Stopped at any moment, the same call goes on after the last whole shard; with more games, the last
one is filled up first.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from cabochon.bots.roster import SEARCH_EDITION, network_fingerprint
from cabochon.dataset.gameblocks import DatasetError, DatasetFault, Job
from cabochon.dataset.parquet import (
    DECISION_COLUMNS,
    GAME_COLUMNS,
    OBSERVATION_COLUMN,
    SCHEMA_VERSION,
    parquet,
    write_dataset,
)
from cabochon.version import __version__
from cabochon.workers import Executor

SHARD = 1000
LICENCE = "MIT"
Published = Callable[[int, int], None]


def publish(
    job: Job,
    folder: Path | str,
    shard: int = SHARD,
    executor: Executor | None = None,
    told: Published = lambda games, decisions: None,
) -> dict[str, Any]:
    """Write what is missing of the data set and return its card. `told` is called as games are
    done. Raises DatasetError for a folder of another job, OSError and ExtraMissing."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    _claim(place, _about(job, shard))
    known: Known = {}
    for number, first in enumerate(range(0, job.games, shard)):
        games, decisions = (place / f"{kind}-{number:05}.parquet" for kind in _KINDS)
        count = min(shard, job.games - first)
        if not games.exists() or parquet().read_metadata(games).num_rows < count:
            part = replace(job, first=first, games=count, decisions=True)
            # The games appear last: a shard that has them is whole.
            draft = games.with_name(f".{games.name}")
            write_dataset(part, draft, decisions, executor)
            draft.replace(games)
            _write_card(place, job, shard, known)
        told(min(first + shard, job.games), job.games)
    return _write_card(place, job, shard, known)


_KINDS = ("games", "decisions")


def _about(job: Job, shard: int) -> dict[str, Any]:
    return {
        "ruleset": str(job.ruleset),
        "bots": list(job.players),
        "visits": job.visits,
        "seed": job.seed,
        "observations": job.observations,
        "shard": shard,
        "cabochon": __version__,
        "search": SEARCH_EDITION,
        "network": network_fingerprint(job.ruleset.seats),
    }


def _claim(place: Path, about: dict[str, Any]) -> None:
    """The folder is this job's, and nobody else's."""
    path = place / "job.json"
    if not path.exists():
        path.write_text(json.dumps(about, indent=1) + "\n", "utf-8")
        return
    before = json.loads(path.read_text("utf-8"))
    for name, value in about.items():
        if before.get(name) != value:
            raise DatasetError(
                DatasetFault.OTHER_JOB,
                path=str(place),
                what=name,
                was=str(before.get(name)),
                now=str(value),
            )


def _write_card(place: Path, job: Job, shard: int, known: Known) -> dict[str, Any]:
    paths = [path for path in sorted(place.glob("*.parquet")) if not path.name.startswith(".")]
    facts = [_facts(path, known) for path in paths]
    statistics = _statistics(sum((each.sums for each in facts), Counter()))
    files = {
        path.name: {"bytes": each.size, "sha256": each.sha256}
        for path, each in zip(paths, facts, strict=True)
    }
    card = {
        "name": place.name,
        "made_by": f"cabochon {__version__}, schema {SCHEMA_VERSION}",
        "licence": LICENCE,
        "job": _about(job, shard) | {"games": max(job.games, statistics["games"])},
        "statistics": statistics,
        "files": files,
    }
    (place / "card.json").write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", "utf-8")
    (place / "card.md").write_text(_card_text(card, job), "utf-8")
    return card


@dataclass(frozen=True, slots=True)
class _FileFacts:
    """What the card says of a file; `sums` are over its games."""

    size: int
    sha256: str
    sums: Counter[str]


Known: TypeAlias = dict[tuple[str, int, int], _FileFacts]
"""By name, size and time of writing: a card is written after every shard, and a thousand shards are
read a thousand times otherwise."""


def _facts(path: Path, known: Known) -> _FileFacts:
    stat = path.stat()
    key = (path.name, stat.st_size, stat.st_mtime_ns)
    if key not in known:
        sums = _sums(path) if path.name.startswith("games-") else Counter()
        known[key] = _FileFacts(stat.st_size, _hash(path), sums)
    return known[key]


def _hash(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def _sums(path: Path) -> Counter[str]:
    sums: Counter[str] = Counter()
    columns = ["decisions", "turns", "ranking", "points", "ending"]
    for row in parquet().read_table(path, columns=columns).to_pylist():
        winners = [seat for seat, rank in enumerate(row["ranking"]) if rank == 1]
        sums["games"] += 1
        sums["decisions"] += row["decisions"]
        sums["turns"] += row["turns"]
        sums["first"] += _SHARES * (0 in winners) // len(winners)
        sums["winner"] += row["points"][winners[0]]
        sums[f"{_ENDING}{row['ending']}"] += 1
    return sums


_SHARES = 12
"""A victory in parts that two, three and four winners can share."""
_ENDING = "ending "


def _statistics(sums: Counter[str]) -> dict[str, Any]:
    """Over all games that are there."""
    games = max(1, sums["games"])
    endings = {name: count for name, count in sums.items() if name.startswith(_ENDING)}
    return {
        "games": sums["games"],
        "decisions": sums["decisions"],
        "turns_per_game": round(sums["turns"] / games, 2),
        "first_seat_wins": round(sums["first"] / _SHARES / games, 4),
        "winner_points": round(sums["winner"] / games, 2),
        "endings": {name.removeprefix(_ENDING): endings[name] for name in sorted(endings)},
    }


def _card_text(card: dict[str, Any], job: Job) -> str:
    statistics = "\n".join(f"- {name}: {value}" for name, value in card["statistics"].items())
    files = "\n".join(
        f"| `{name}` | {file['bytes']:,} | `{file['sha256']}` |"
        for name, file in card["files"].items()
    )
    decisions = DECISION_COLUMNS + (OBSERVATION_COLUMN,) * job.observations
    job_lines = "\n".join(f"- {name}: {value}" for name, value in card["job"].items())
    return (
        f"# {card['name']}: games of Splendor\n\n"
        f"Self-play written by {card['made_by']}. Licence: {card['licence']}, as the package.\n\n"
        f"## What was played\n\n{job_lines}\n\n"
        f"## Statistics\n\n{statistics}\n\n"
        f"## Games\n\n{_columns(GAME_COLUMNS)}\n\n"
        f"## Decisions\n\n{_columns(decisions)}\n\n"
        f"## Files\n\n| file | bytes | SHA-256 |\n| --- | --- | --- |\n{files}\n"
    )


def _columns(columns: tuple[tuple[str, str, str], ...]) -> str:
    rows = "\n".join(f"| `{name}` | {kind} | {about} |" for name, kind, about in columns)
    return f"| column | type | meaning |\n| --- | --- | --- |\n{rows}"
