"""The rules as a value: presets, texts, and what is refused."""

from __future__ import annotations

import itertools
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from cabochon.rules import VARIANTS, BadRuleset, Gems, Ruleset, WrongArgument
from cabochon.rules.errors import RulesetFault
from cabochon.rules.ruleset import PRESETS, Preset, _nearest
from tests.arrange import HUGE


def caught_from(text: str) -> BadRuleset:
    with pytest.raises(BadRuleset) as caught:
        Ruleset.parse(text)
    return caught.value


def fault(text: str) -> Any:
    return caught_from(text).code


def test_the_presets() -> None:
    assert Ruleset.preset() == Ruleset() == Ruleset(2, 15, 4, False, True)
    assert Ruleset.preset("standard", 3) == Ruleset(3)
    assert Ruleset.preset("quick", 4) == Ruleset(4, 10, 3)
    assert Ruleset.preset("teams") == Ruleset(4, teams=True)
    assert Ruleset.preset("quick-teams") == Ruleset(4, 10, 3, teams=True)


@pytest.mark.parametrize(
    ("text", "ruleset"),
    [
        ("standard/2", Ruleset()),
        ("standard", Ruleset()),
        (" quick/3 ", Ruleset(3, 10, 3)),
        ("teams", Ruleset(4, teams=True)),
        ("quick-teams/4", Ruleset(4, 10, 3, teams=True)),
        ("standard/2:scarce=no", Ruleset(scarce_take=False)),
        ("standard/2:scarce=yes", Ruleset()),
        ("standard/2:target=12,width=3", Ruleset(target=12, row_width=3)),
        ("quick/2:width=4", Ruleset(target=10)),
    ],
)
def test_a_ruleset_is_read_from_text(text: str, ruleset: Ruleset) -> None:
    assert Ruleset.parse(text) == ruleset


def test_a_named_variant_is_one_row_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRESETS, "to-21", Preset(21, 4))
    monkeypatch.setattr(
        "cabochon.rules.ruleset._nearest", _nearest.__wrapped__
    )  # without its memory
    assert Ruleset.preset("to-21", 3) == Ruleset.parse("to-21/3") == Ruleset(3, target=21)
    assert str(Ruleset(3, target=21, scarce_take=False)) == "to-21/3:scarce=no"
    assert str(Ruleset(target=12)) == "standard/2:target=12"
    assert "to-21" in str(caught_from("to-22").params["known"])


def test_every_ruleset_is_written_as_a_text_that_reads_back() -> None:
    every = itertools.product((2, 3, 4), (1, 10, 15, 50), (1, 3, 4), (False, True), (False, True))
    for seats, target, width, teams, scarce in every:
        if teams and seats != 4:
            continue
        ruleset = Ruleset(seats, target, width, teams, scarce)
        assert Ruleset.parse(str(ruleset)) == ruleset


def test_the_usual_text_names_the_variant_and_the_seats() -> None:
    assert [str(Ruleset.preset(variant)) for variant in VARIANTS] == [
        "standard/2",
        "quick/2",
        "teams/4",
        "quick-teams/4",
    ]
    assert str(Ruleset(2, 10, 4)) == "standard/2:target=10"
    assert str(Ruleset(2, 15, 3, scarce_take=False)) == "standard/2:width=3,scarce=no"


@pytest.mark.parametrize("variant", ["城市", "城市扩展", "標準+城市擴充", "standard/城市"])
def test_cities_is_refused_by_name_in_chinese(variant: str) -> None:
    with pytest.raises(BadRuleset) as caught:
        Ruleset.preset(variant)
    assert caught.value.code is RulesetFault.CITIES
    assert fault(f"{variant.replace('/', '+')}/2") is RulesetFault.CITIES


@pytest.mark.parametrize("option", ["teams", "scarce_take"])
@pytest.mark.parametrize("value", ["no", "", 0, 1, None, 1.0, [], HUGE])
def test_an_option_is_on_or_off_and_nothing_that_looks_like_it(option: str, value: Any) -> None:
    with pytest.raises(BadRuleset) as caught:
        Ruleset(**{"seats": 4, option: value})
    assert caught.value.code is RulesetFault.NOT_A_SWITCH
    assert option in caught.value.en
    assert option in caught.value.zh


@pytest.mark.parametrize("thing", [None, 5, b"standard", ["standard"], True])
def test_what_is_no_text_names_no_ruleset(thing: Any) -> None:
    with pytest.raises(BadRuleset) as caught:
        Ruleset.preset(thing)
    assert caught.value.code is RulesetFault.UNKNOWN_VARIANT
    assert fault(thing) is RulesetFault.NOT_A_RULESET


@pytest.mark.parametrize("seat", [-1, 2, True, 0.0, None, "0"])
def test_a_seat_that_is_not_there_has_no_side(seat: Any) -> None:
    with pytest.raises(WrongArgument, match="no seat"):
        Ruleset().side(seat)


@pytest.mark.parametrize("variant", ["cities", "Cities", "standard+cities", "CITIES/2"])
def test_cities_is_refused_by_name(variant: str) -> None:
    with pytest.raises(BadRuleset) as caught:
        Ruleset.preset(variant)
    assert caught.value.code is RulesetFault.CITIES
    assert "Cities" in caught.value.en
    assert "Cities" in caught.value.zh


@pytest.mark.parametrize("variant", ["", "chess", "Standard", "quick teams", "orient"])
def test_an_unknown_variant_is_refused_with_those_there_are(variant: str) -> None:
    with pytest.raises(BadRuleset) as caught:
        Ruleset.preset(variant)
    assert caught.value.code is RulesetFault.UNKNOWN_VARIANT
    assert "quick-teams" in caught.value.en


@pytest.mark.parametrize(
    "text",
    [
        "standard/x",
        "standard/-2",
        "standard/2.0",
        "standard/2222",
        "standard/²",
        "standard/2:target",
        "standard/2:target=x",
        "standard/2:target=-1",
        "standard/2:target=9999",
        "standard/2:width=٣",
        "standard/2:scarce=maybe",
        "standard/2:nobles=4",
    ],
)
def test_a_text_that_is_no_ruleset_is_refused(text: str) -> None:
    assert fault(text) is RulesetFault.NOT_A_RULESET


@pytest.mark.parametrize("text", ["standard/1", "standard/5", "quick/0", "standard/999"])
def test_a_text_with_too_few_or_too_many_players_is_refused(text: str) -> None:
    assert fault(text) is RulesetFault.SEATS


def test_a_text_of_teams_without_four_players_is_refused() -> None:
    assert fault("teams/3") is RulesetFault.TEAMS_NEED_FOUR


@pytest.mark.parametrize("target", [0, -1, 51, 15.0, "15", True, None, HUGE])
def test_the_target_is_one_to_fifty_points(target: Any) -> None:
    with pytest.raises(BadRuleset) as caught:
        Ruleset(target=target)
    assert caught.value.code is RulesetFault.TARGET
    assert caught.value.en
    assert fault("standard/2:target=51") is RulesetFault.TARGET


@pytest.mark.parametrize("width", [0, -1, 5, 4.0, "4", True, None, HUGE])
def test_a_row_shows_one_to_four_cards(width: Any) -> None:
    with pytest.raises(BadRuleset) as caught:
        Ruleset(row_width=width)
    assert caught.value.code is RulesetFault.ROW_WIDTH
    assert caught.value.zh
    assert fault("standard/2:width=5") is RulesetFault.ROW_WIDTH


def test_a_ruleset_is_a_frozen_value() -> None:
    ruleset: Any = Ruleset()
    with pytest.raises(FrozenInstanceError):
        ruleset.target = 3
    assert len({Ruleset(), Ruleset(2), Ruleset(3)}) == 2
    assert eval(repr(ruleset), {"Ruleset": Ruleset}) == ruleset


def test_all_the_tokens_follow_from_the_seats() -> None:
    assert Ruleset(3).bank == Gems(5, 5, 5, 5, 5, 5)
    assert [Ruleset(seats).noble_count for seats in (2, 3, 4)] == [3, 4, 5]
