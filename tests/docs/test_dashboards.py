"""The dashboard and the alert rules ask for metrics that the server has, by labels they have."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from scripts.write_dashboard import written

from cabochon.server import metrics

ROOT = Path(__file__).resolve().parents[2]
DASHBOARD = ROOT / "deploy" / "grafana-dashboard.json"
ALERTS = ROOT / "deploy" / "alerts.yaml"
KNOWN = {
    name
    for line in metrics.exposition().decode().splitlines()
    if line.startswith("# TYPE ")
    for _, _, name, kind in [line.split(" ")]
    for name in (
        [f"{name}_{end}" for end in ("bucket", "sum", "count")] if kind == "histogram" else [name]
    )
}
STATES = {"waiting", "working", "done", "failed"}


def expressions(path: Path) -> list[str]:
    text = path.read_text("utf-8")
    if path.suffix == ".yaml":
        return re.findall(r"^ *expr: (.*)$", text, re.M)
    return [target["expr"] for panel in json.loads(text)["panels"] for target in panel["targets"]]


@pytest.mark.parametrize("path", [DASHBOARD, ALERTS], ids=["dashboard", "alerts"])
def test_every_metric_that_is_asked_for_exists(path: Path) -> None:
    asked = {name for query in expressions(path) for name in re.findall(r"cabochon_\w+", query)}
    assert len(asked) >= 6
    assert asked <= KNOWN


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
