"""Writes deploy/grafana-dashboard.json: one row of the list below is one panel.

python scripts/write_dashboard.py
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "deploy" / "grafana-dashboard.json"
SOURCE = {"type": "prometheus", "uid": "${source}"}
WIDTH, HEIGHT, ACROSS = 8, 7, 3


@dataclass(frozen=True)
class Panel:
    """A picture: its title, its unit in Grafana's words, and what it shows by legend."""

    title: str
    unit: str
    shown: dict[str, str]
    about: str = ""


def quantile(part: float, metric: str) -> str:
    rate = f'rate({metric}_bucket{{job=~"$job"}}[$__rate_interval])'
    return f"histogram_quantile({part}, sum by (le) ({rate}))"


def rate(metric: str, by: str = "") -> str:
    found = f'rate({metric}{{job=~"$job"}}[$__rate_interval])'
    return f"sum by ({by}) ({found})" if by else f"sum({found})"


def total(metric: str, by: str = "") -> str:
    found = f'{metric}{{job=~"$job"}}'
    return f"sum by ({by}) ({found})" if by else f"sum({found})"


def times(metric: str) -> dict[str, str]:
    return {f"p{round(100 * part)}": quantile(part, metric) for part in (0.5, 0.99)}


PANELS = (
    Panel(
        "Until everybody is told",
        "s",
        times("cabochon_told_seconds"),
        "The figure people feel. The goal is a 99th percentile below 100 ms.",
    ),
    Panel(
        "How late the event loop is",
        "s",
        times("cabochon_loop_lag_seconds"),
        "The first thing to look at when everything is slow: this process has too much to do.",
    ),
    Panel("Commands", "reqps", {"{{outcome}}": rate("cabochon_commands_total", "outcome")}),
    Panel("Commits", "s", times("cabochon_commit_seconds"), "The database or its disk."),
    Panel(
        "Submissions in one commit",
        "short",
        {
            "mean": f"{rate('cabochon_commit_size_sum')} / {rate('cabochon_commit_size_count')}",
        },
        "Rises when moves come thick and fast: that's as it should be.",
    ),
    Panel("Commits a second", "ops", {"commits": rate("cabochon_commit_size_count")}),
    Panel("Open connections", "short", {"{{kind}}": total("cabochon_connections", "kind")}),
    Panel("Tables in memory", "short", {"{{instance}}": total("cabochon_live_tables", "instance")}),
    Panel("Slow clients cut off", "ops", {"closed": rate("cabochon_slow_clients_total")}),
    Panel("Bots: time for a decision", "s", times("cabochon_bot_seconds")),
    Panel(
        "Bots: decisions, and wrong ones",
        "ops",
        {
            "decisions": rate("cabochon_bot_seconds_count"),
            "wrong": rate("cabochon_bot_faults_total"),
            "asked again": rate("cabochon_bot_deaths_total"),
        },
    ),
    Panel("Bots: places to think", "short", {"{{where}}": total("cabochon_bot_places", "where")}),
    Panel(
        "Reviews",
        "short",
        {"{{state}}": 'max by (state) (cabochon_reviews{job=~"$job"})'},
        "Of the whole database, so every process says the same.",
    ),
    Panel("Positions the live engine looks at", "short", {"looks": total("cabochon_looks")}),
    Panel("Refused by a limit", "ops", {"limited": rate("cabochon_limited_total")}),
    Panel("Turned away", "ops", {"{{why}}": rate("cabochon_turned_away_total", "why")}),
    Panel(
        "Memory of the servers",
        "bytes",
        {"{{instance}}": total("process_resident_memory_bytes", "instance")},
        "Flat after a quarter of an hour. Bots and reviews have processes of their own.",
    ),
    Panel(
        "Processor time of the servers",
        "percentunit",
        {"{{instance}}": rate("process_cpu_seconds_total", "instance")},
        "Of one core: near 60 % it is time for another process.",
    ),
    Panel("Open files", "short", {"{{instance}}": total("process_open_fds", "instance")}),
)


def dashboard() -> dict[str, Any]:
    return {
        "title": "Cabochon",
        "uid": "cabochon",
        "schemaVersion": 39,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": [_source(), _job()]},
        "panels": [_panel(number, panel) for number, panel in enumerate(PANELS)],
    }


def _source() -> dict[str, Any]:
    return {"name": "source", "type": "datasource", "query": "prometheus", "label": "Source"}


def _job() -> dict[str, Any]:
    return {
        "name": "job",
        "type": "query",
        "label": "Job",
        "datasource": SOURCE,
        "query": {"query": "label_values(cabochon_live_tables, job)", "refId": "job"},
        "includeAll": True,
        "allValue": ".*",
        "multi": True,
        "refresh": 1,
    }


def _panel(number: int, panel: Panel) -> dict[str, Any]:
    down, across = divmod(number, ACROSS)
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": panel.title,
        "description": panel.about,
        "datasource": SOURCE,
        "gridPos": {"x": across * WIDTH, "y": down * HEIGHT, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": [
            {"refId": chr(65 + index), "expr": query, "legendFormat": legend, "datasource": SOURCE}
            for index, (legend, query) in enumerate(panel.shown.items())
        ],
    }


def written() -> str:
    return json.dumps(dashboard(), indent=2) + "\n"


if __name__ == "__main__":
    TARGET.write_text(written(), "utf-8")
