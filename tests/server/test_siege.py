"""Honest players beside every attack at once, in short; `make soak-server` does it for ten
minutes, and measures."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from benchmarks.attacks import ATTACKS
from benchmarks.siege import Plan, besieged, holds

pytestmark = pytest.mark.servers


def test_under_attack_no_honest_move_is_refused_and_none_is_lost(tmp_path: Path) -> None:
    plan = Plan(attack_s=10, quiet_s=4, tables=8, pause_s=0.4, warm_up_s=1)
    found = asyncio.run(besieged(str(tmp_path / "tables.db"), tmp_path, plan))
    assert found["honest_refused"] == 0
    assert found["refused_at_own_tables"] == []
    assert found["refused_in_peace"] == 0
    assert found["honest_tables_refused"] == 0
    assert found["lost"] == 0
    assert found["honest_moves_quiet"] >= 20
    assert found["honest_moves_attacked"] >= 5
    tried = found["attacks"]
    assert {"log_events", "control_bytes", "leaves", "tables", "slow_readers"} <= tried.keys()
    assert {"record", "metrics", "bad_hellos", "churn"} <= tried.keys()
    assert len(ATTACKS) == 8


def test_a_broken_promise_is_named() -> None:
    sound = {
        "honest_refused": 0,
        "honest_tables_refused": 0,
        "p99_ratio": 3.0,
        "memory_deviation_percent": 5.0,
    }
    assert holds(sound) == []
    for name, value in (
        ("honest_refused", 1),
        ("honest_tables_refused", 1),
        ("p99_ratio", 3.01),
        ("memory_deviation_percent", 5.1),
    ):
        assert len(holds({**sound, name: value})) == 1
