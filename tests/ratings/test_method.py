"""Ratings: what a game does to those who played it."""

from __future__ import annotations

from dataclasses import replace
from math import isclose
from random import Random

import pytest
from benchmarks.ratings import SCENES, World, alone, figures
from hypothesis import given
from hypothesis import strategies as st

from cabochon.ratings import (
    Contestant,
    RatingKind,
    Strength,
    first_strength,
    fixed_point,
    fixed_points,
    is_ratable,
    kind_of,
    rated,
)
from cabochon.rules import Ruleset

strengths = st.builds(Strength, st.floats(100, 2500), st.floats(30, 350), st.integers(0, 500))


def _seats(*found: Strength) -> list[Contestant]:
    return [Contestant(seat, strength) for seat, strength in enumerate(found)]


@given(st.lists(strengths, min_size=2, max_size=4), st.data())
def test_a_victory_raises_and_a_defeat_lowers_and_both_make_surer(
    found: list[Strength], data: st.DataObject
) -> None:
    seats = _seats(*found)
    winner = data.draw(st.integers(0, len(seats) - 1))
    after = rated(seats, [winner])
    for seat, (before, now) in enumerate(zip(found, after, strict=True)):
        assert (now.value > before.value) == (seat == winner)
        assert now.deviation < (before.deviation**2 + 5.0**2) ** 0.5 + 1e-9
        assert now.games == before.games + 1


@given(strengths, strengths)
def test_whoever_is_fixed_stays_and_the_order_of_seats_says_nothing(
    one: Strength, other: Strength
) -> None:
    person, bot = Contestant(0, one), Contestant(1, other, is_fixed=True)
    new, fixed = rated([person, bot], [0])
    assert fixed == other
    assert rated([replace(bot, side=0), replace(person, side=1)], [1])[1] == new


def test_equal_people_at_a_table_of_four_win_and_lose_the_same_sum() -> None:
    """With a chance of a quarter each, the winner gains what the three others lose."""
    start = first_strength(RatingKind.MORE)
    after = rated(_seats(*[start] * 4), [2])
    assert after[0] == after[1] == after[3]
    assert isclose(after[2].value - start.value, 3 * (start.value - after[0].value), rel_tol=1e-9)


def test_a_surer_partner_moves_less() -> None:
    team = [Contestant(seat % 2, Strength(900, 60 + 100 * (seat // 2))) for seat in range(4)]
    sure, _, unsure, _ = rated(team, [0])
    assert 900 < sure.value < unsure.value


def test_a_shared_victory_of_equals_changes_no_value() -> None:
    start = Strength(1200, 100, 3)
    assert rated(_seats(start, start), [0, 1])[0].value == pytest.approx(1200)


def test_the_numbers_are_these() -> None:
    """Whoever changes the method, or the library, changes everybody's rating: say so."""
    person = Contestant(0, first_strength(RatingKind.TWO))
    bot = Contestant(1, Strength(1220.0, 55.0), is_fixed=True)
    won, _ = rated([person, bot], [0])
    lost, _ = rated([person, bot], [1])
    assert (round(won.value, 6), round(won.deviation, 6)) == (1364.78702, 311.058048)
    assert (round(lost.value, 6), round(lost.deviation, 6)) == (1043.629122, 311.058048)


@pytest.mark.parametrize("seats", [2, 4])
def test_a_hundred_new_names_that_lose_on_purpose_are_worth_little(seats: int) -> None:
    """To somebody whose rating has settled; and whoever is new themselves stays provisional."""
    kind = RatingKind.TWO if seats == 2 else RatingKind.MORE
    new = [first_strength(kind)] * (seats - 1)
    settled, beginner = Strength(first_strength(kind).value + 300, 50), first_strength(kind)
    farmed = settled
    for _ in range(100):
        farmed, beginner = (rated(_seats(one, *new), [0])[0] for one in (farmed, beginner))
    assert 0 < farmed.value - settled.value < 20
    assert farmed.deviation < 60
    assert beginner.is_provisional


def test_among_people_whose_ratings_have_settled_every_game_counts_whole() -> None:
    """One at the edge of being settled, one as sure as people become."""
    won, lost = rated(_seats(Strength(1500, 80), Strength(1500, 45)), [0])
    assert (round(won.value, 6), round(lost.value, 6)) == (1517.289256, 1495.304386)


def test_a_newcomer_learns_as_much_from_somebody_who_is_known_as_ever() -> None:
    _, new = rated(_seats(Strength(1500, 50), first_strength(RatingKind.TWO)), [1])
    assert round(new.value, 6) == 1414.315065


def test_kinds_of_games() -> None:
    kinds = {
        "standard/2": "two",
        "standard/3": "more",
        "standard/4": "more",
        "quick/2": "quick",
        "quick/4": "quick",
        "teams/4": "teams",
        "quick-teams/4": "teams",
    }
    assert {text: kind_of(Ruleset.parse(text)) for text in kinds} == kinds
    assert all(is_ratable(Ruleset.parse(text)) for text in kinds)
    assert not is_ratable(Ruleset.parse("standard/2:target=21"))
    assert not is_ratable(Ruleset.parse("standard/2:scarce=no"))


def test_bots_are_where_they_were_measured() -> None:
    diamond = fixed_point("diamond", Ruleset())
    assert diamond is not None
    assert 2000 < diamond.value < 2200
    assert 40 < diamond.deviation < 80
    quick, elsewhere = (fixed_point("diamond", Ruleset.preset("quick", n)) for n in (2, 4))
    assert quick is not None
    assert elsewhere is not None
    assert quick.value != diamond.value  # measured in quick games
    assert elsewhere.deviation > 60  # not measured: taken from standard games, and believed less
    assert fixed_point("uniform", Ruleset()) is None
    assert fixed_points(RatingKind.TWO)[0].bot == "diamond"
    assert fixed_points(RatingKind.PUZZLES) == ()


@pytest.mark.parametrize("scene", ["fitting", "four", "teams"])
def test_deviations_are_honest(scene: str) -> None:
    """The whole measurement is `make bench-ratings`; here a small one, with room for chance."""
    world = World(SCENES[scene], Random(scene))
    for row in figures(alone(world, 150)):
        assert row["inside"] >= 0.9
        assert row["error"] < 1.25 * row["deviation"]
