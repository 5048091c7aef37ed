"""What a match consists of."""

from __future__ import annotations

import pytest

from cabochon.arena import ArenaError, Match, Seating, parse_entrant
from cabochon.arena.entrants import format_limit, parse_limit
from cabochon.arena.match import around, rotations
from cabochon.bots import Limit
from cabochon.rules import Ruleset


def match_of(
    *names: str,
    rules: str = "standard/2",
    games: int = 4,
    seating: Seating = Seating.MIXED,
) -> Match:
    entrants = tuple(parse_entrant(name) for name in names)
    return Match(entrants, Ruleset.parse(rules), games, "s", seating)


def test_two_players_swap_seats_in_every_deal() -> None:
    match = match_of("a", "b")
    assert match.deals == 2
    assert [(block.deal, block.table) for block in match.blocks()] == [(0, (0, 1)), (1, (0, 1))]
    assert rotations((0, 1)) == ((0, 1), (1, 0))


def test_everybody_has_every_chair() -> None:
    turned = rotations((0, 1, 2, 3))
    assert len(turned) == 4
    for chair in range(4):
        assert {table[chair] for table in turned} == {0, 1, 2, 3}


def test_neighbours_change_from_deal_to_deal() -> None:
    assert {around((0, 1, 2), deal) for deal in range(2)} == {(0, 1, 2), (0, 2, 1)}
    assert len({around((0, 1, 2, 3), deal) for deal in range(6)}) == 6
    assert around((0, 1, 1, 1), 5) == (0, 1, 1, 1)


def test_more_entrants_than_chairs_play_in_all_combinations() -> None:
    assert len(match_of("a", "b", "c", "d").tables) == 6
    assert len(match_of("a", "b", "c", "d", rules="standard/3").tables) == 4


def test_fewer_entrants_than_chairs_sit_against_copies() -> None:
    lone = match_of("a", "b", rules="standard/3", seating=Seating.LONE)
    assert lone.tables == ((0, 1, 1), (1, 0, 0))
    gauntlet = match_of("a", "b", "c", rules="standard/4", seating=Seating.GAUNTLET)
    assert gauntlet.tables == ((0, 1, 1, 1), (0, 2, 2, 2))
    with pytest.raises(ArenaError) as caught:
        match_of("a", "b", rules="standard/3")
    assert "--tables lone" in caught.value.en


def test_partners_are_one_entrant() -> None:
    teams = match_of("a", "b", rules="teams/4")
    assert teams.sides == 2
    assert teams.tables == ((0, 1, 0, 1),)
    assert rotations(teams.tables[0]) == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert teams.deals == 2


def test_games_are_rounded_up_to_whole_deals() -> None:
    assert match_of("a", "b", games=5).deals == 3
    assert match_of("a", "b", "c", rules="standard/3", games=4).deals == 2
    assert match_of("a", "b", games=50).shortened(3).deals == 3


def test_every_bot_has_a_seed_of_its_own() -> None:
    match = match_of("a", "b")
    seeds = {
        match.bot_seed(deal, turn, seat) for deal in (0, 1) for turn in (0, 1) for seat in (0, 1)
    }
    assert len(seeds) == 8
    assert all(0 <= seed < 2**63 for seed in seeds)


@pytest.mark.parametrize("names", [("a",), ("a", "a"), ()])
def test_a_match_needs_two_different_entrants(names: tuple[str, ...]) -> None:
    with pytest.raises(ArenaError):
        match_of(*names)


def test_an_entrant_may_have_its_own_limit() -> None:
    usual = Limit(visits=10)
    assert parse_entrant("greedy", usual).limit == usual
    assert parse_entrant("greedy@100ms", usual).limit == Limit(seconds=0.1)
    assert parse_entrant("greedy@64v").limit == Limit(visits=64)
    assert parse_entrant("greedy@100ms,64v").limit == Limit(seconds=0.1, visits=64)
    assert parse_entrant("cmd:mail me@home").name == "cmd:mail me@home"
    assert parse_entrant("cmd:./engine@50ms").name == "cmd:./engine"
    for text in ("greedy@", "greedy@fast", "greedy@0v"):
        with pytest.raises(ArenaError):
            parse_entrant(text)


@pytest.mark.parametrize("text", ["100ms", "64v", "100ms,64v"])
def test_limits_are_read_and_written(text: str) -> None:
    limit = parse_limit(text)
    assert limit is not None
    assert format_limit(limit) == text


def test_only_clocks_and_other_programs_make_a_match_unrepeatable() -> None:
    assert match_of("a", "b@9v").is_reproducible
    assert not match_of("a", "b@9ms").is_reproducible
    assert not match_of("a", "cmd:b").is_reproducible
