"""Who plays with whom."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.pairing import PATIENCE, UNHURRIED, Waiting, paired, spread
from cabochon.rules.errors import WrongArgument

NOW = 1_000_000


def person(who: str, rating: float, waited_s: float = 0, *avoids: str) -> Waiting:
    return Waiting(who, rating, NOW - int(1000 * waited_s), frozenset(avoids))


def tables(*people: Waiting, seats: int = 2) -> list[set[str]]:
    return [{one.who for one in group} for group in paired(people, seats, NOW)]


@st.composite
def crowds(draw: st.DrawFn) -> list[Waiting]:
    names = [f"p{number}" for number in range(draw(st.integers(0, 24)))]
    return [
        Waiting(
            name,
            draw(st.integers(600, 2400)),
            NOW - draw(st.integers(0, 200_000)),
            draw(st.frozensets(st.sampled_from(names), max_size=4)),
        )
        for name in names
    ]


def test_the_nearest_rating_sits_opposite() -> None:
    near, far = person("near", 1540), person("far", 1590)
    assert tables(person("me", 1500, 5), near, far) == [{"me", "near"}]


def test_whoever_waited_longest_chooses_first() -> None:
    early, late, between = person("early", 1400, 9), person("late", 1500, 1), person("mid", 1450)
    assert tables(late, between, early) == [{"early", "mid"}]


def test_a_wide_gap_waits_and_closes_with_time() -> None:
    assert tables(person("a", 1200), person("b", 1500)) == []
    assert tables(person("a", 1200, 19), person("b", 1500, 19)) == []
    assert tables(person("a", 1200, 20), person("b", 1500, 20)) == [{"a", "b"}]


def test_one_who_waited_long_may_have_somebody_who_just_came() -> None:
    assert tables(person("old", 1200, 40), person("new", 1500, 0)) == [{"old", "new"}]


def test_the_width_stops_growing() -> None:
    assert PATIENCE.width(10**9) == PATIENCE.most
    assert PATIENCE.width(-5000) == PATIENCE.first
    assert UNHURRIED.width(600_000) == pytest.approx(200)


def test_nobody_sits_with_somebody_they_blocked_either_way_round() -> None:
    assert tables(person("a", 1500, 900, "b"), person("b", 1500, 900)) == []
    assert tables(person("a", 1500, 900), person("b", 1500, 900, "a")) == []
    friend = person("c", 1700, 900)
    assert tables(person("a", 1500, 901, "b"), person("b", 1500, 900), friend) == [{"a", "c"}]


def test_at_a_table_of_four_one_block_moves_one_person_on() -> None:
    people = [person(name, 1500, 60) for name in "abcd"] + [person("e", 1500, 60, "a")]
    (table,) = tables(*people, seats=4)
    assert table == {"a", "b", "c", "d"}


def test_three_seats_take_the_three_that_are_closest() -> None:
    ratings = {"a": 1300, "b": 1500, "c": 1510, "d": 1530, "e": 1900}
    people = [person(name, rating, 30 if name == "c" else 20) for name, rating in ratings.items()]
    assert tables(*people, seats=3)[0] == {"b", "c", "d"}


def test_somebody_whom_everybody_avoids_waits_and_costs_little() -> None:
    crowd = [person(f"p{number}", 1500, 60, "me") for number in range(401)]
    groups = paired([*crowd, person("me", 1500, 900)], 2, NOW)
    assert len(groups) == 200
    assert all(one.who != "me" for group in groups for one in group)


def test_one_seat_is_no_table() -> None:
    with pytest.raises(WrongArgument):
        paired([], 1, NOW)


@given(crowds(), st.integers(2, 4))
def test_groups_are_whole_disjoint_near_and_on_good_terms(
    people: list[Waiting], seats: int
) -> None:
    groups = paired(people, seats, NOW)
    seated = [one.who for group in groups for one in group]
    assert len(seated) == len(set(seated))
    for group in groups:
        assert len(group) == seats
        assert all(a.gets_along_with(b) for a, b in combinations(group, 2))
        widths = [PATIENCE.width(NOW - one.since_ms) for one in group]
        assert spread(group) <= sum(widths) / seats
        assert list(group) == sorted(group, key=lambda one: (one.since_ms, one.who))


@given(crowds(), st.integers(2, 4), st.randoms())
def test_the_order_in_which_people_are_named_does_not_matter(
    people: list[Waiting], seats: int, chance: object
) -> None:
    shuffled = list(people)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert paired(shuffled, seats, NOW) == paired(people, seats, NOW)


@given(crowds())
def test_after_a_long_wait_only_blocks_keep_two_apart(people: list[Waiting]) -> None:
    later = NOW + 200_000
    seated = {one.who for group in paired(people, 2, later) for one in group}
    left = [one for one in people if one.who not in seated]
    for a, b in combinations(left, 2):
        assert not a.gets_along_with(b) or spread([a, b]) > PATIENCE.width(later)
