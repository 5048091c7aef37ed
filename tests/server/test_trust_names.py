"""Names: nobody hides one, or passes for a bot of the house or for somebody at the table."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.bots import BOT_NAMES
from cabochon.bots.roster import titles
from cabochon.play.errors import TableRefused
from cabochon.server.access.playernames import (
    LONGEST_NAME,
    check_apart,
    free_name,
    looks,
    skeleton,
    tidy,
)
from cabochon.server.problems import ServerRefused
from tests.server.serving import Here

ALIKE = [
    ("Ada", "ADA"),
    ("Ada", "Аdа"),  # Cyrillic
    ("Ada", "Αda"),  # Greek
    ("Ada", "Ａｄａ"),  # full width
    ("Ada", "𝐀𝐝𝐚"),  # mathematical
    ("Ada", "A.d-a"),
    ("Hal", "HaI"),
    ("Tom", "Torn"),
    ("Zoë", "Zoe\u0308"),
    ("B0b", "BOb"),
    ("石英", "石 英"),
    ("Bo", "Bօ"),  # Armenian
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert looks(one) & looks(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ada", "Bo"), ("Hal", "Hai"), ("Ada", "Ada 2"), ("阿达", "阿大"), ("Zoë", "Zoe"), ("!", "?")],
)
def test_names_that_look_different_are_different(one: str, other: str) -> None:
    assert not looks(one) & looks(other)


@pytest.mark.parametrize(
    "name",
    [
        "\u200b",
        "\u3164",
        "\u2800",
        "\u115f\u1160",
        "Ada\u3164",
        "A\u200dda",
        "A\u034fda",
        "Ada\u00ad",
        "Ada\U000e0041",
        "Ada\ufe0f",
        "Ad\ue000a",
        "‮adA",
        "a\u2028b",
        "a" + "\u0301\u0300\u0302\u0303\u0304\u0306",
        "\u0301",
    ],
)
def test_a_name_with_something_invisible_is_refused_in_both_languages(
    here: Here, name: str
) -> None:
    answer = here.try_post("/tables", _two({"kind": "me", "name": name}, {"kind": "open"}))
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "unseen-name")
    assert "choose another" in problem["sentence"]["en"]
    assert "换一个名字" in problem["sentence"]["zh"]


@pytest.mark.parametrize(
    "name", ["阿达", "Zoë 👩‍🚀", "می‌خواهم", "क्‍ष", "❤️ Bo", "O'Neil", "ﾀﾞｲ", "Guest", "x" * 30]
)
def test_a_name_in_anybody_s_script_is_welcome(here: Here, name: str) -> None:
    made = here.post("/tables", _two({"kind": "me", "name": name}, {"kind": "open"}))
    assert name in [chair["name"] for chair in made["table"]["chairs"]]


def test_a_name_is_kept_in_its_usual_form() -> None:
    assert tidy("Zoe\u0308") == "Zoë"
    assert tidy("\u3000Ada\u00a0\u2003 B ") == "Ada B"


@pytest.mark.parametrize("name", sorted({*BOT_NAMES, *titles(), "Bot", "机器人"}))
def test_nobody_is_called_like_a_bot_of_the_house(name: str) -> None:
    alike = (name, name.upper(), name.replace("o", "о"), name.upper().replace("I", "l"))
    for disguise in (*alike, f"{name}.", f" {name[0]} {name[1:]}"):
        with pytest.raises(ServerRefused, match="bot") as refused:
            tidy(disguise)
        assert refused.value.code == "bot-s-name"


def test_a_bot_s_name_is_refused_wherever_names_are_given(here: Here) -> None:
    table, _ = _open_table(here)
    like = "Diаmond"
    answers = (
        here.try_post("/tables", _two({"kind": "me", "name": like}, {"kind": "open"})),
        here.try_post(f"/tables/{table}/join", {"name": like}),
        here.try_post("/tokens", {"name": like}),
    )
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (422, "bot-s-name")


def test_nobody_joins_under_the_name_of_somebody_at_the_table(here: Here) -> None:
    table, code = _open_table(here)
    answer = here.try_post(f"/tables/{table}/join", {"name": "Аda", "code": code})
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (409, "name-taken")
    assert problem["params"]["free"] == "Аda 2"
    assert "Аda 2" in problem["sentence"]["zh"]
    again = {"name": problem["params"]["free"], "code": code}
    joined = here.post(f"/tables/{table}/join", again)
    assert joined["table"]["chairs"][1]["name"] == "Аda 2"


def test_two_at_one_device_have_two_names(here: Here) -> None:
    chairs = _two({"kind": "me", "name": "Ada"}, {"kind": "local", "name": "ada"})
    answer = here.try_post("/tables", chairs)
    assert (answer.status_code, answer.json()["code"]) == (409, "name-taken")


def test_programs_of_one_name_get_a_number(here: Here) -> None:
    """A program cannot be asked to choose again."""
    chairs: list[Any] = [{"kind": "open"}] * 3
    made = here.post("/tables", {"seats": 3, "chairs": chairs, "seat_order": "fixed"})
    for _ in range(3):
        token = here.post("/tokens", {"name": "helper"})["token"]
        joined = here.post(f"/tables/{made['table']['id']}/join", {"name": "x"}, token)
    names = [chair["name"] for chair in joined["table"]["chairs"]]
    assert names == ["helper", "helper 2", "helper 3"]


@given(st.text(max_size=LONGEST_NAME))
def test_whatever_is_accepted_can_be_seen_and_stays_as_it_is(name: str) -> None:
    try:
        tidied = tidy(name)
    except ServerRefused:
        return
    assert tidy(tidied) == tidied
    assert 0 < len(tidied) <= LONGEST_NAME
    assert unicodedata.is_normalized("NFC", tidied)
    assert any(unicodedata.category(c)[0] in "LNSP" for c in tidied)


@given(
    st.text(min_size=1, max_size=LONGEST_NAME), st.lists(st.text(max_size=LONGEST_NAME), max_size=3)
)
def test_there_is_always_a_free_name(name: str, others: list[str]) -> None:
    free = free_name(name, others)
    assert len(free) <= max(LONGEST_NAME, len(name))
    check_apart(free, others)
    if free != name:
        with pytest.raises(TableRefused):
            check_apart(name, others)


@given(st.text(max_size=LONGEST_NAME))
def test_a_skeleton_is_its_own_skeleton(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)


def _two(*chairs: Any) -> Any:
    return {"chairs": list(chairs), "seat_order": "fixed"}


def _open_table(here: Here) -> tuple[str, str]:
    made = here.post("/tables", _two({"kind": "me", "name": "Ada"}, {"kind": "open"}))
    return made["table"]["id"], made["invites"][0]["code"]
