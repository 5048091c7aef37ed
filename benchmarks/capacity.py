"""What so many people need, worked out from measured figures (benchmarks/figures.toml) and stated
assumptions.

    python benchmarks/capacity.py [--people 10000,1000000]

People are those who are connected at the same time, at the busiest hour. What it prints stands in
docs/hosting.md, which a test compares.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

FIGURES = Path(__file__).resolve().parent / "figures.toml"
SIMULATED_CONNECTIONS = 100_000


@dataclass(frozen=True)
class Assumed:
    """How people behave: nobody has measured that yet. Change it here when you know better."""

    playing: float = 0.6
    """Of those connected; the others watch, or look at pages."""
    people_per_table: float = 1.6
    """Two tables in five have a bot."""
    s_between_moves: float = 8.0
    """At one table, bots' moves included."""
    by_bots: float = 0.3
    """Of all moves."""
    bot_core_s: float = 0.25
    """Processor time of one decision of a bot: most people choose one of the middle levels, which
    take less than the second that the strongest may."""
    mean_load: float = 0.4
    """Of a whole day, compared with the busiest hour."""
    busy: float = 0.6
    """So far a core may be used before people notice."""


@dataclass(frozen=True)
class Needs:
    """Of one number of people."""

    people: int
    tables: float
    moves_per_s: float
    server_cores: float
    database_cores: float
    bot_cores: float
    memory_gib: float
    traffic_mbit_s: float
    games_per_day: float
    storage_gb_per_year: float
    log_gb_per_day: float
    commits_per_process_s: float
    notices_share: float
    """Of what one process can hear."""


def figures() -> dict[str, float]:
    """The measured values by name."""
    return {name: float(entry["value"]) for name, entry in _entries().items()}


def _entries() -> dict[str, dict[str, str | float]]:
    return tomllib.loads(FIGURES.read_text("utf-8"))


def needs_of(people: int, found: dict[str, float], assumed: Assumed) -> Needs:
    tables = people * assumed.playing / assumed.people_per_table
    moves = tables / assumed.s_between_moves
    games = moves * assumed.mean_load * 86_400 / found["events_per_game"]
    servers = moves * found["server_ms_per_move"] / 1000 / assumed.busy
    memory = people * found["kib_per_connection"] + tables * found["kib_per_table"]
    return Needs(
        people=people,
        tables=tables,
        moves_per_s=moves,
        server_cores=servers,
        database_cores=moves * found["database_ms_per_move"] / 1000 / assumed.busy,
        bot_cores=moves * assumed.by_bots * assumed.bot_core_s / assumed.busy,
        memory_gib=memory / 2**20,
        traffic_mbit_s=moves * found["client_bytes_per_move"] * 8 / 1e6,
        games_per_day=games,
        storage_gb_per_year=games * 365 * found["bytes_per_game"] / 1e9,
        log_gb_per_day=games * found["wal_bytes_per_game"] / 1e9,
        commits_per_process_s=found["notifying_commits_per_s"] / max(1.0, servers),
        notices_share=moves / found["notices_heard_per_s"],
    )


ROWS: tuple[tuple[str, str, str], ...] = (
    ("tables being played", "tables", ",.0f"),
    ("moves a second", "moves_per_s", ",.0f"),
    ("server processes, a core each", "server_cores", ",.1f"),
    ("cores of the database", "database_cores", ",.1f"),
    ("cores of the bots", "bot_cores", ",.0f"),
    ("memory of all servers, GiB", "memory_gib", ",.1f"),
    ("traffic to and from people, Mbit/s", "traffic_mbit_s", ",.1f"),
    ("games a day", "games_per_day", ",.0f"),
    ("storage a year, GB", "storage_gb_per_year", ",.0f"),
    ("the database's log a day, GB", "log_gb_per_day", ",.1f"),
    ("commits a second left for each process", "commits_per_process_s", ",.0f"),
    ("notifications, of what one process can hear", "notices_share", ".1%"),
)


def table(all_needs: list[Needs]) -> list[str]:
    head = "| people connected | " + " | ".join(f"{needs.people:,}" for needs in all_needs) + " |"
    lines = [head, "| --- |" + " ---: |" * len(all_needs)]
    for title, name, how in ROWS:
        values = " | ".join(format(getattr(needs, name), how) for needs in all_needs)
        lines.append(f"| {title} | {values} |")
    return lines


def breaking(found: dict[str, float], assumed: Assumed) -> list[tuple[float, str, str]]:
    """At how many people each part is full, the first one first, and what to do then."""
    one = needs_of(1_000_000, found, assumed)
    per = {name: getattr(one, name) / one.people for _, name, _ in ROWS}
    enough_commits = 20.0
    return sorted(
        [
            (
                2 / per["bot_cores"],
                "two cores for the bots",
                "more cores; until there are, each bot thinks for a shorter time",
            ),
            (1 / per["server_cores"], "one server process", "`--workers`, with PostgreSQL"),
            (
                found["notifying_commits_per_s"] / enough_commits / per["server_cores"],
                "commits with a notification, fifty milliseconds apart at each process",
                "a faster disk for the database's log; then a relay instead of NOTIFY",
            ),
            (
                assumed.busy * found["notices_heard_per_s"] / per["moves_per_s"],
                "what one process can hear of the others",
                "several databases, each with its own tables, or a relay by table",
            ),
            (
                16 / per["database_cores"],
                "a database of sixteen cores",
                "several databases, each with its own tables",
            ),
        ]
    )


def connections(found: dict[str, float]) -> float:
    """GiB of memory that a hundred thousand connections take."""
    return SIMULATED_CONNECTIONS * found["kib_per_connection"] / 2**20


def report(people: list[int]) -> list[str]:
    found, assumed = figures(), Assumed()
    lines = table([needs_of(count, found, assumed) for count in people])
    lines += ["", "| people connected | what is full | what to do then |", "| ---: | --- | --- |"]
    for count, part, remedy in breaking(found, assumed):
        lines.append(f"| {_rounded(count):,} | {part} | {remedy} |")
    gib = connections(found)
    lines += ["", f"A hundred thousand connections take {gib:.1f} GiB of memory."]
    return lines


def _rounded(count: float) -> int:
    """To two digits: more would be a claim."""
    digits = max(0, len(str(int(count))) - 2)
    return int(round(count, -digits))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--people", default="10000,1000000")
    args = parser.parse_args()
    print("\n".join(report([int(count) for count in args.people.split(",")])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
