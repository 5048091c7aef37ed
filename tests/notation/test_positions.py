"""Positions, set-ups and views on one line and as JSON."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cabochon.notation import (
    NotationError,
    dumps,
    format_position,
    format_view,
    loads,
    parse_position,
    parse_ruleset,
    parse_setup,
    parse_view,
    position_from_json,
    position_to_json,
    setup_from_json,
    view_from_json,
    view_to_json,
)
from cabochon.notation.positionjson import public_fields_to_json
from cabochon.rules import (
    BadRuleset,
    BadSetup,
    CabochonError,
    Phase,
    Place,
    Position,
    Ruleset,
    Setup,
    ShuffledDealer,
)
from cabochon.rules.errors import SetupFault
from tests.notation.written import sample

START = (
    "standard/2 0 act 0 - w4u4g4r4k4o5 1r3,1k7,1g2,1k6/2u6,2u5,2r6,2w3/3w3,3r3,3w2,3g4 "
    "rk4,ugr3,wug3 -|-|-|- -|-|-|-"
)
DRAWN = (
    START.replace("0 act", "1 act")
    .replace("o5", "o4")
    .replace("-|-|-|- -|-|-|-", "o1|-|(2w6)|- -|-|-|-")
)


def fault_codes(text: str) -> set[str]:
    return {fault.code.value for fault in parse_setup(text).faults()}


def test_the_first_position_of_a_game() -> None:
    ruleset = Ruleset.parse("standard/2")
    position = Position.start(ruleset, ShuffledDealer("cabochon").opening(ruleset))
    assert format_position(position) == START
    assert parse_position(START) == position
    assert format_position(Setup.of(position)) == START


def test_generous_reading() -> None:
    position = parse_position(START)
    assert parse_position("\t" + START.upper().replace(" ", "   ") + "\n") == position
    assert parse_position(START.replace("w4u4g4r4k4o5", "wwwwu4g4r4k4*5")) == position


@pytest.mark.parametrize(
    ("phase", "step", "pending"),
    [
        ("act", Phase.ACT, None),
        ("deal2.3", Phase.DEAL, Place(2, 2)),
        ("deal2", Phase.DEAL, Place(2, None)),
        ("noble", Phase.NOBLE, None),
        ("return", Phase.RETURN, None),
        ("over", Phase.OVER, None),
    ],
)
def test_the_phases(phase: str, step: Phase, pending: Place | None) -> None:
    text = START.replace("act", phase)
    setup = parse_setup(text)
    assert (setup.phase, setup.pending) == (step, pending)
    assert format_position(setup) == text


def test_an_impossible_arrangement_is_read_and_all_its_faults_are_told() -> None:
    text = START.replace("w4u4", "w-1u9").replace("rk4,ugr3", "rk4,rk4").replace("2u6", "2u5")
    assert fault_codes(text) == {"tokens-negative"}
    text = text.replace("w-1", "w3")
    assert fault_codes(text) == {"tokens-lost", "noble-twice", "card-twice"}
    with pytest.raises(BadSetup) as caught:
        parse_position(text)
    assert len(caught.value.faults) == 4
    assert fault_codes(START + " -|-|-|-") == {"hands-count"}
    assert fault_codes(START.replace("/3w3,3r3,3w2,3g4", "")) == {"row-shape"}
    assert fault_codes(START.replace("1r3,1k7,1g2,1k6", "-")) == {"row-shape"}
    assert fault_codes(START.replace("1r3,", ".,")) == {"row-hole"}


def test_a_hidden_card_is_a_fault_of_a_position_and_not_of_a_view() -> None:
    text = DRAWN.replace("(2w6)", "2?")
    assert fault_codes(text) == {"card-hidden"}
    view = parse_view("seat1 " + text)
    assert view == parse_position(DRAWN).view(1)
    assert format_view(view) == "seat1 " + text
    assert parse_view("WATCH " + text).viewer is None
    with pytest.raises(BadSetup) as caught:
        parse_view("seat0 " + text)
    assert [fault.code for fault in caught.value.faults] == [SetupFault.CARD_HIDDEN]


@pytest.mark.parametrize("whose", ["seat1", "watch"])
def test_a_view_that_names_what_it_cannot_know_is_refused(whose: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_view(f"{whose} {DRAWN}")
    assert caught.value.code == "knows-too-much"


def test_bought_cards_are_sorted_in_a_view_as_in_a_position() -> None:
    view = sample().final().view(0)
    hand = format_view(view).split()[-1].split("|")[1]
    assert "," in hand
    shuffled = ",".join(reversed(hand.split(",")))
    assert parse_view(format_view(view).replace(hand, shuffled)) == view


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not-a-position"),
        ("standard/2 0 act", "not-a-position"),
        ("x" * 5000, "too-long"),
        (START.replace("standard/2", "s" * 70), "bad-field"),
        (START.replace(" 0 act", " zero act"), "bad-field"),
        (START.replace(" 0 act", " 1234567 act"), "bad-field"),
        (START.replace("act", "acting"), "bad-field"),
        (START.replace("act 0", "act x"), "bad-field"),
        (START.replace("0 -", "0 first"), "bad-field"),
        (START.replace("w4u4", "w4x4"), "bad-field"),
        (START.replace("-|-|-|-", "-|-|-", 1), "bad-field"),
        (START.replace("-|-|-|-", "x|-|-|-", 1), "bad-field"),
        (START.replace("1r3", "9r3"), "unknown-card"),
        (START.replace("-|-|-|-", "-|-|(9r3)|-", 1), "unknown-card"),
        (START.replace("rk4,", "rr4,"), "unknown-noble"),
        (START.replace("standard/2", "standard/5"), "seats-out-of-range"),
        (START.replace("standard/2", "cities/2"), "cities-not-supported"),
        ("seat0 " + START, "view-given"),
    ],
)
def test_what_is_no_position(text: str, code: str) -> None:
    with pytest.raises((NotationError, BadRuleset)) as caught:
        parse_setup(text)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "not-a-view"), (START, "not-a-view"), ("seat2 " + START, "bad-field")],
)
def test_what_is_no_view(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_view(text)
    assert caught.value.code == code


def test_rulesets_in_any_case() -> None:
    assert parse_ruleset("QUICK/3") == Ruleset.preset("quick", 3)
    with pytest.raises(NotationError):
        parse_ruleset("standard/2\x00")


# JSON


def as_json(text: str = DRAWN) -> dict[str, Any]:
    return position_to_json(parse_position(text))


def test_the_shape_of_a_view() -> None:
    view = view_to_json(parse_position(DRAWN).view(1))
    assert " ".join(view) == (
        "v ruleset viewer turn seat phase last_round passes bank rows decks nobles hands pending"
    )
    hands: Any = view["hands"]
    assert hands[0] == {
        "tokens": [0, 0, 0, 0, 0, 1],
        "bought": [],
        "reserved": [{"level": 2}],
        "nobles": [],
    }
    assert view["decks"] == [36, 25, 16]
    assert view["pending"] is None
    assert "viewer" not in as_json()


@pytest.mark.parametrize(
    ("phase", "pending"),
    [("deal2.3", {"level": 2, "place": 3}), ("deal2", {"level": 2, "place": None})],
)
def test_places_are_counted_from_one(phase: str, pending: dict[str, int | None]) -> None:
    setup = parse_setup(START.replace("act", phase))
    value = position_to_json(setup)
    assert value["pending"] == pending
    assert setup_from_json(loads(dumps(value))) == setup


def test_what_follows_from_the_rest_may_be_left_out() -> None:
    value = as_json(START)
    for key in ("v", "seat", "decks", "pending", "turn", "phase", "passes", "last_round"):
        del value[key]
    assert position_from_json(value) == parse_position(START)
    value["hands"][0]["reserved"] = [{"card": "2u1"}]
    assert setup_from_json(value).hands[0].reserved[0].level == 2


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("v",), 2),
        (("viewer",), 0),
        (("ruleset",), 7),
        (("ruleset",), "s" * 70),
        (("turn",), "1"),
        (("turn",), True),
        (("turn",), 10**9),
        (("turn",), 1.5),
        (("seat",), 0),
        (("decks",), [1, 2, 3]),
        (("phase",), "acting"),
        (("phase",), None),
        (("passes",), None),
        (("last_round",), 0),
        (("bank",), {}),
        (("bank",), [1, 2]),
        (("rows",), None),
        (("rows", 0), None),
        (("rows", 0, 0), 5),
        (("nobles",), "rk4"),
        (("nobles", 0), None),
        (("hands",), None),
        (("hands", 0), []),
        (("hands", 0), {1: 2}),
        (("hands", 0, "tokens"), None),
        (("hands", 0, "bought"), [1]),
        (("hands", 0, "reserved"), None),
        (("hands", 0, "reserved", 0), "2w6"),
        (("hands", 0, "reserved", 0), {"level": 4}),
        (("hands", 0, "reserved", 0), {"card": "2w6", "blind": 1}),
        (("pending",), 3),
        (("pending",), {"level": None, "place": None}),
        (("pending",), {"level": 2, "place": "3"}),
    ],
)
def test_a_wrong_field_is_named(path: tuple[str | int, ...], wrong: object) -> None:
    value = as_json()
    inner: Any = value
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = wrong
    with pytest.raises(NotationError) as caught:
        position_from_json(value)
    assert caught.value.code == "bad-field"
    assert str(caught.value.params["field"]) in caught.value.en


@pytest.mark.parametrize("value", [None, 3, [], "text"])
def test_what_is_no_object(value: object) -> None:
    for read in (position_from_json, view_from_json, setup_from_json):
        with pytest.raises(NotationError):
            read(value)


@pytest.mark.parametrize("viewer", [-1, 2, "0", True])
def test_a_view_of_nobody(viewer: object) -> None:
    value = view_to_json(parse_position(START).view(0))
    with pytest.raises(NotationError) as caught:
        view_from_json({**value, "viewer": viewer})
    assert caught.value.params["field"] == "viewer"


def test_a_view_says_whose_it_is() -> None:
    with pytest.raises(NotationError):
        view_from_json(as_json(START))


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, "1" * 10_000, b"\xff\xfe\x00", "nul", "\x00" * 300]
)
def test_what_is_no_json(text: str | bytes) -> None:
    with pytest.raises(NotationError) as caught:
        loads(text)
    assert caught.value.code == "not-json"
    assert len(str(caught.value.params["text"])) <= 60


def test_an_impossible_position_in_json_tells_all_its_faults() -> None:
    value = as_json()
    value["bank"] = [0, 0, 0, 0, 0, 0]
    with pytest.raises(BadSetup) as caught:
        position_from_json(value)
    assert len(caught.value.faults) == 6


def test_messages_exist_in_both_languages() -> None:
    with pytest.raises(CabochonError) as caught:
        parse_setup(START.replace("act", "acting"))
    assert re.search("acting", caught.value.en)
    assert re.search("[一-鿿].*acting", caught.value.zh)


def test_single_public_fields_are_written_as_in_the_whole_view() -> None:
    ruleset = Ruleset(3)
    position = Position.start(ruleset, ShuffledDealer("fields").opening(ruleset))
    whole = view_to_json(position.view(None))
    names = ["turn", "seat", "phase", "last_round", "passes", "bank", "rows", "decks", "pending"]
    assert public_fields_to_json(position, names) == {name: whole[name] for name in names}
    with pytest.raises(KeyError):
        public_fields_to_json(position, ["hands"])
