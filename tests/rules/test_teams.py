"""Two against two: partners sit opposite and share points and bonuses."""

from __future__ import annotations

import pytest

from cabochon.rules import BadRuleset, Gems, Outcome, Phase, Refusal, Ruleset
from cabochon.rules.errors import RulesetFault
from tests.arrange import (
    Arranged,
    arrange,
    bonus_cards,
    buy,
    hand,
    letters,
    play,
    refused,
    reserve,
    take,
)

NOBLES = "rk4 wu4 ug4 wug3 wuk3"


def finished(*hands: Arranged) -> Outcome:
    position = arrange("teams/4", hands=hands, phase=Phase.OVER, last_round=True, turn=4)
    outcome = position.outcome()
    assert outcome is not None
    return outcome


def test_partners_sit_opposite() -> None:
    teams = Ruleset.preset("teams")
    assert [teams.side(seat) for seat in range(4)] == [(0, 2), (1, 3), (0, 2), (1, 3)]
    assert Ruleset(4).side(2) == (2,)


def test_a_partners_bonuses_lower_the_price() -> None:
    position = arrange("teams/4", hands=[hand("r"), hand(), hand(bought="1r1 1k1")])
    assert position.bonuses(0) == position.bonuses(2) == Gems(red=1, black=1)
    after = play(position, buy("1w1"))
    assert letters(after, 0) == ""
    assert [len(mine.bought) for mine in after.hands] == [1, 0, 2, 0]


def test_an_opponents_bonuses_do_not_lower_the_price() -> None:
    position = arrange("teams/4", hands=[hand("r"), hand(bought="1r1 1k1")])
    assert refused(position, buy("1w1")) is Refusal.BUY_TOO_DEAR


def test_the_bonuses_of_both_partners_please_a_noble_and_it_comes_to_the_mover() -> None:
    position = arrange(
        "teams/4",
        hands=[hand(bought=bonus_cards("rrrr")), hand(), hand(bought=bonus_cards("kkkk"))],
        nobles=NOBLES,
    )
    after = play(position, take("wug"))
    assert [len(mine.nobles) for mine in after.hands] == [1, 0, 0, 0]
    assert after.points(0) == after.points(2) == 3


def test_a_team_may_choose_between_nobles_by_shared_bonuses() -> None:
    position = arrange(
        "teams/4",
        hands=[hand(bought=bonus_cards("rrrrwwww")), hand(), hand(bought=bonus_cards("kkkk"))],
        nobles="rk4 wk4 ug4 wug3 wuk3",
    )
    assert play(position, take("wug")).phase is Phase.NOBLE


def test_tokens_stay_each_players_own() -> None:
    position = arrange("teams/4", hands=[hand("r"), hand(), hand("rk")])
    assert refused(position, buy("1w1")) is Refusal.BUY_TOO_DEAR
    assert refused(position, buy("1w1", "rrk")) is Refusal.BUY_TOO_DEAR


@pytest.mark.parametrize("reserved", ["1u4", "?1u4"])
def test_reserved_cards_stay_each_players_own(reserved: str) -> None:
    position = arrange("teams/4", hands=[hand("wkk"), hand(), hand(reserved=reserved)])
    assert refused(position, buy("1u4")) is Refusal.BUY_NOT_THERE


def test_each_partner_has_a_token_limit_and_a_reserve_limit_of_its_own() -> None:
    position = arrange(
        "teams/4", hands=[hand("wwuuggr"), hand(), hand("wwuuggrrkk", reserved="2u5 2u6 3k1")]
    )
    assert play(position, take("wrk")).phase is Phase.ACT
    assert play(position, reserve("1w1")).phase is Phase.ACT


def test_the_sum_of_a_team_brings_the_last_round() -> None:
    position = arrange(
        "teams/4",
        hands=[hand("wwww", bought="3w4 3u4"), hand(), hand(bought="3g3")],
        rows={1: "1r8"},
        nobles=NOBLES,
    )
    after = play(position, buy("1r8"))
    assert after.points(0) == after.points(2) == 15
    assert after.last_round


def test_the_points_of_opponents_are_not_added_up() -> None:
    position = arrange("teams/4", hands=[hand(bought="3w4 3u4"), hand(bought="3r4 3k4")])
    assert (position.points(0), position.points(1)) == (10, 10)
    assert not play(position, take("wug")).last_round


def test_the_round_of_a_team_game_is_finished_by_the_fourth_seat() -> None:
    position = arrange(
        "teams/4", hands=[hand(), hand(bought="3w4 3u4 3g4")], turn=2, last_round=True
    )
    after = play(position, take("wug"))
    assert after.phase is Phase.ACT
    assert play(after, take("wug")).phase is Phase.OVER


def test_a_team_wins_together() -> None:
    outcome = finished(hand(bought="3w4 3u4"), hand(bought="3r4"), hand(bought="3g4"), hand())
    assert outcome.points == (15, 5, 15, 5)
    assert (outcome.ranking, outcome.winners) == ((1, 3, 1, 3), (0, 2))


def test_the_tie_break_counts_the_cards_of_the_team() -> None:
    outcome = finished(
        hand(bought="3w4 3u4 3g4"),
        hand(bought="3r4 3k4"),
        hand(bought="1w1 1w2"),
        hand(bought="3u3 1r8"),
    )
    assert outcome.points == (15, 15, 15, 15)
    assert outcome.cards == (5, 4, 5, 4)
    assert outcome.winners == (1, 3)


def test_teams_with_equal_points_and_cards_share_the_victory() -> None:
    outcome = finished(
        hand(bought="3w4 3u4"),
        hand(bought="3r4 3k4 3k3"),
        hand(bought="3u3 1r8"),
        hand(bought="1k8"),
    )
    assert outcome.winners == (0, 1, 2, 3)


@pytest.mark.parametrize("seats", [2, 3])
def test_teams_need_four_players(seats: int) -> None:
    with pytest.raises(BadRuleset) as caught:
        Ruleset.preset("teams", seats)
    assert caught.value.code is RulesetFault.TEAMS_NEED_FOUR
    with pytest.raises(BadRuleset):
        Ruleset(seats, teams=True)
