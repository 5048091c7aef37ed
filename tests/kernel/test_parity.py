"""The kernel is the law: a seeded run of the comparison, here, bounds-checked and without BMI2.

The long run is `make parity-long`.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cabochon.kernel import ACTIONS, Batch, new_states
from cabochon.kernel.checked import clear_for, seed_word
from cabochon.kernel.playout import sum_playouts
from cabochon.rules import Pass, Phase, Position, Ruleset
from tests.arrange import arrange, bonus_cards, hand, play, stuck, take
from tests.galleries import illegal_moves
from tests.games import RULESETS, TEMPERAMENTS
from tests.kernel.parity import ALL_RULESETS, Seen, Twins, games, play_twice

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def seen() -> Seen:
    """One round of games: every ruleset, every temperament."""
    total = Seen()
    for ruleset, seed, temperament in games(5):
        total.add(play_twice(ruleset, seed, temperament))
    return total


def test_a_round_of_games_agrees_and_meets_everything(seen: Seen) -> None:
    assert seen.games == len(ALL_RULESETS) * len(TEMPERAMENTS)
    assert seen.decisions > 8000
    assert set(seen.phases) == {"act", "deal", "noble", "return"}
    assert set(seen.endings) >= {"target", "stalled"}
    assert seen.shared > 0
    assert [action.text for action in ACTIONS if not seen.actions[action.index]] == []


def _situations() -> dict[str, Position]:
    """Positions that random games are slow to reach."""
    two = bonus_cards("wwwwrrrrkkkk")
    return {
        "start": arrange(),
        "a forced pass": stuck(),
        "the last pass": stuck(passes=1, turn=1),
        "a pass that brings a noble": stuck(bought={0: bonus_cards("rrrrkkkk")}, nobles="rk4"),
        "a choice of nobles": play(
            arrange(hands=[hand(bought=two)], nobles="rk4 wk4 ug4"), take("wug")
        ),
        "a choice of nobles in teams": play(
            arrange(
                "teams/4",
                hands=[
                    hand(bought=bonus_cards("wwwwrr")),
                    hand(),
                    hand(bought="1r3 1r4 1k1 1k2 1k3 1k4"),
                ],
                nobles="rk4 wk4 ug4",
            ),
            take("wug"),
        ),
        "twelve tokens": play(arrange("standard/3", hands=[hand("wwwuuggrro")]), take("kk")),
        "an empty deck": arrange("standard/2:target=50", used_up={1: 1}),
        "two colours left": arrange("standard/3", bank="wwk"),
        "one colour left": arrange("standard/3", bank="k"),
        "one colour left, forbidden": arrange("standard/3:scarce=no", bank="kkkk"),
        "three blind cards": arrange(hands=[hand("ooo", reserved="?1w1 ?2u5 ?3k1")]),
    }


@pytest.mark.parametrize("name", _situations())
def test_named_situations_agree_for_every_move(name: str) -> None:
    position = _situations()[name]
    for move in position.legal_moves():
        twins = Twins(position)
        twins.compare()
        twins.play(move, random.Random(1))
        twins.compare()


def test_the_galleries_positions_agree() -> None:
    for case in illegal_moves():
        Twins(case.position).compare()


def test_a_stalled_game_ends_in_both() -> None:
    twins = Twins(stuck(passes=1, turn=1))
    twins.play(Pass(), random.Random(1))
    assert twins.position.phase is Phase.OVER
    twins.compare()


def digest() -> str:
    """A fingerprint of many random games: the same on every path through the CPU."""
    text = hashlib.sha256()
    for ruleset in RULESETS:
        table = new_states(1)
        clear_for(ruleset, table, 0)
        shares = np.zeros(4)
        for biased in (False, True):
            count = sum_playouts(table, 0, new_states(1), seed_word(3), 40, biased, shares)
            text.update(f"{count} {shares.tolist()}\n".encode())
    batch = Batch([Ruleset(seats=n) for n in (2, 3, 4)], seed=5)
    for turn in range(60):
        batch.step(batch.sample_actions(turn))
        text.update(batch.observations.tobytes() + batch.masks.tobytes())
    return text.hexdigest()


SMALL_RUN = """
from tests.kernel.parity import games, play_twice
from tests.kernel.test_parity import digest
decisions = sum(play_twice(*game).decisions for game in games(77)[::5])
print(decisions, digest())
"""


SWITCHES = pytest.mark.parametrize(
    "switch",
    [
        pytest.param({variable: "1"}, id=name, marks=pytest.mark.xdist_group(name))
        for name, variable in (("bounds", "NUMBA_BOUNDSCHECK"), ("portable", "CABOCHON_PORTABLE"))
    ],
)
"""Index checks on; no BMI2.  Each has a cache directory of its own, since its name depends on
them; the first test of a group fills it.
"""


def _python(*arguments: str, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@SWITCHES
def test_the_same_games_with_bounds_checks_and_without_bmi2(switch: dict[str, str]) -> None:
    decisions, theirs = _python("-c", SMALL_RUN, **switch).split()
    assert int(decisions) > 500
    assert theirs == digest()


@SWITCHES
def test_the_conformance_files_with_bounds_checks_and_without_bmi2(switch: dict[str, str]) -> None:
    vectors = ROOT / "tests" / "kernel" / "test_conformance.py"
    _python("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", str(vectors), **switch)
