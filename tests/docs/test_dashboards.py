"""The dashboard and the alert rules ask for metrics that the server has, by labels they have, and
the dashboard for all of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from prometheus_client import Metric
from prometheus_client.metrics import MetricWrapperBase
from scripts.write_dashboard import written

from cabochon.server import metrics

ROOT = Path(__file__).resolve().parents[2]
DASHBOARD = ROOT / "deploy" / "grafana-dashboard.json"
ALERTS = ROOT / "deploy" / "alerts.yaml"
FROM_PROMETHEUS = {"le", "job", "instance"}
STATES = {"waiting", "working", "done", "failed"}
UNSHOWN = ("process_virtual_memory_bytes", "process_start_time_seconds", "process_max_fds")


def _names(family: Metric) -> list[str]:
    """What can be asked for of it."""
    if family.type == "histogram":
        return [f"{family.name}_{end}" for end in ("bucket", "sum", "count")]
    return [f"{family.name}_total" if family.type == "counter" else family.name]


FAMILIES = list(metrics.REGISTRY.collect())
KNOWN = {name for family in FAMILIES for name in _names(family)}


def expressions(path: Path) -> list[str]:
    text = path.read_text("utf-8")
    if path.suffix == ".yaml":
        return re.findall(r"^ *expr: (.*)$", text, re.M)
    return [target["expr"] for panel in json.loads(text)["panels"] for target in panel["targets"]]


@pytest.mark.parametrize("path", [DASHBOARD, ALERTS], ids=["dashboard", "alerts"])
def test_every_metric_that_is_asked_for_exists(path: Path) -> None:
    asked = {name for query in expressions(path) for name in asked_for(query)}
    assert len(asked) >= 6
    assert asked <= KNOWN


def asked_for(query: str) -> list[str]:
    return re.findall(r"\b(?:cabochon|process)_\w+", query)


def labels_of(name: str) -> set[str]:
    """Those of our metrics that have any; a label is only there once something was counted."""
    for kept in vars(metrics).values():
        if isinstance(kept, MetricWrapperBase) and name.startswith(kept._name):
            return set(kept._labelnames)
    return set()


@pytest.mark.parametrize("path", [DASHBOARD, ALERTS], ids=["dashboard", "alerts"])
def test_every_label_that_is_asked_for_exists(path: Path) -> None:
    found = set()
    for query in expressions(path):
        groups = re.findall(r"\bby \(([^)]*)\)", query)
        asked = {label.strip() for group in groups for label in group.split(",")}
        asked |= set(re.findall(r"[{,] *(\w+)=~?\"", query))
        known = {label for name in asked_for(query) for label in labels_of(name)}
        assert asked <= known | FROM_PROMETHEUS, query
        found |= asked
        assert set(re.findall(r'state="(\w+)"', query)) <= STATES
    assert found & {"state"}


def test_the_dashboard_shows_everything_that_is_counted() -> None:
    asked = {name for query in expressions(DASHBOARD) for name in asked_for(query)}
    unseen = [family.name for family in FAMILIES if asked.isdisjoint(_names(family))]
    assert [name for name in unseen if name not in UNSHOWN] == []


@pytest.mark.parametrize("path", [DASHBOARD, ALERTS], ids=["dashboard", "alerts"])
def test_every_expression_is_closed(path: Path) -> None:
    for query in expressions(path):
        bare = re.sub(r'"[^"]*"', "", query)
        for opening, closing in ("()", "[]", "{}"):
            assert bare.count(opening) == bare.count(closing), query


def test_the_dashboard_is_what_its_script_writes() -> None:
    assert DASHBOARD.read_text("utf-8") == written()


def test_alerts_have_a_sentence_and_something_to_do() -> None:
    text = ALERTS.read_text("utf-8")
    rules = text.split("- alert: ")[1:]
    assert len(rules) == text.count("severity: ") >= 8
    for rule in rules:
        assert re.search(r'summary: "[^"]+"', rule)
        assert re.search(r'action: "[^"]+"', rule)
