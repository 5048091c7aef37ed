"""What is counted, for Prometheus. Numbers only: no table, seat, address or card is a label."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

REGISTRY = CollectorRegistry()
PROCESS = ProcessCollector(registry=REGISTRY)
"""Memory, processor time and open files of this process; its bots' and reviews' are not in it."""

_LATENCY = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

COMMIT_SIZE = Histogram(
    "cabochon_commit_size",
    "Submissions kept by one commit",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
    registry=REGISTRY,
)
COMMIT_SECONDS = Histogram(
    "cabochon_commit_seconds", "Time of one commit", buckets=_LATENCY, registry=REGISTRY
)
_COMMANDS = Counter(
    "cabochon_commands_total", "Commands by outcome", ["outcome"], registry=REGISTRY
)
ACCEPTED = _COMMANDS.labels("accepted")
REFUSED = _COMMANDS.labels("refused")
TOLD_SECONDS = Histogram(
    "cabochon_told_seconds",
    "From the arrival of a command until everybody was told",
    buckets=_LATENCY,
    registry=REGISTRY,
)
CONNECTIONS = Gauge("cabochon_connections", "Open sockets and streams", ["kind"], registry=REGISTRY)
LIVE_TABLES = Gauge("cabochon_live_tables", "Tables in memory", registry=REGISTRY)
BOT_SECONDS = Histogram(
    "cabochon_bot_seconds", "Time a bot took for a decision", buckets=_LATENCY, registry=REGISTRY
)
BOT_FAULTS = Counter(
    "cabochon_bot_faults_total", "Decisions a bot of the house got wrong", registry=REGISTRY
)
BOT_PLACES = Gauge(
    "cabochon_bot_places",
    "Bots that can think at the same time, here and elsewhere",
    ["where"],
    registry=REGISTRY,
)
BOT_DEATHS = Counter(
    "cabochon_bot_deaths_total", "Decisions that had to be asked again", registry=REGISTRY
)
LIMITED = Counter("cabochon_limited_total", "Requests refused by a limit", registry=REGISTRY)
LOOP_LAG_SECONDS = Histogram(
    "cabochon_loop_lag_seconds",
    "How late the event loop came to what was due",
    buckets=sorted({*_LATENCY, 0.02}),
    registry=REGISTRY,
)
TURNED_AWAY = Counter(
    "cabochon_turned_away_total",
    "Connections from a page elsewhere (origin), or by a name that is not ours (host)",
    ["why"],
    registry=REGISTRY,
)
REVIEWS = Gauge(
    "cabochon_reviews", "Reviews in the database, by state", ["state"], registry=REGISTRY
)
LOOKS = Gauge("cabochon_looks", "Positions that the live engine looks at", registry=REGISTRY)
SLOW_CLIENTS = Counter(
    "cabochon_slow_clients_total", "Connections closed because they did not read", registry=REGISTRY
)


def exposition() -> bytes:
    """Everything, in the text format that Prometheus reads."""
    return generate_latest(REGISTRY)
