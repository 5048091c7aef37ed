"""The cards and nobles themselves."""

from __future__ import annotations

import copy
import hashlib
import pickle
import re
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from cabochon.rules import CARDS, COLOURS, NOBLES, Gem, Gems, UnknownCode, card, noble

BY_HAND = Path(__file__).with_name("cards_typed_by_hand.txt").read_text("utf-8")
CARD = re.compile(r"(\d)  ([wugrk]+(?: [wugrk]+)*)")

Printed = tuple[int, str, int, str]


def typed_cards() -> Iterator[Printed]:
    """Level, bonus, points and price of each card in the hand-typed list."""
    level = 0
    for line in BY_HAND.partition("\nnobles\n")[0].splitlines():
        bonus, _, rest = line.partition(" ")
        if bonus == "level":
            level = int(rest)
        elif bonus in ("white", "blue", "green", "red", "black"):
            for points, price in CARD.findall(rest):
                yield level, bonus, int(points), price.replace(" ", "")


def typed_nobles() -> list[str]:
    found = re.findall(r"[wugrk]+(?: [wugrk]+)*", BY_HAND.partition("\nnobles\n")[2])
    return [asked.replace(" ", "") for asked in found]


def test_every_card_is_the_one_typed_by_hand() -> None:
    typed = sorted(typed_cards())
    ours = sorted((c.level, c.bonus.name.lower(), c.points, c.cost.letters) for c in CARDS)
    assert len(typed) == 90
    assert ours == typed


def test_every_noble_is_the_one_typed_by_hand_and_gives_three_points() -> None:
    assert [noble.cost.letters for noble in NOBLES] == typed_nobles()
    assert len(NOBLES) == 10
    assert {noble.points for noble in NOBLES} == {3}


def test_there_are_forty_thirty_and_twenty_cards() -> None:
    assert Counter(c.level for c in CARDS) == {1: 40, 2: 30, 3: 20}
    for level, each in ((1, 8), (2, 6), (3, 4)):
        assert Counter(c.bonus for c in CARDS if c.level == level) == dict.fromkeys(COLOURS, each)


@pytest.mark.parametrize(
    ("level", "points", "prices"),
    [
        (1, (0, 0, 0, 0, 0, 0, 0, 1), (3, 3, 4, 4, 4, 5, 5, 5)),
        (2, (1, 1, 2, 2, 2, 3), (5, 6, 7, 7, 8, 8)),
        (3, (3, 4, 4, 5), (7, 10, 12, 14)),
    ],
)
def test_every_colour_has_the_same_points_and_price_totals(
    level: int, points: tuple[int, ...], prices: tuple[int, ...]
) -> None:
    for colour in COLOURS:
        some = [c for c in CARDS if (c.level, c.bonus) == (level, colour)]
        assert tuple(sorted(c.points for c in some)) == points
        assert tuple(sorted(c.cost.total for c in some)) == prices


def test_prices_are_in_the_five_colours_only() -> None:
    assert {c.cost.gold for c in CARDS} == {0}
    assert all(0 <= n <= 7 for c in CARDS for n in c.cost)
    assert Gem.GOLD not in {c.bonus for c in CARDS}


def test_the_data_files_are_the_ones_that_were_cross_checked() -> None:
    data = resources.files("cabochon.rules").joinpath("data")
    hashes = {
        name: hashlib.sha256(data.joinpath(name).read_bytes()).hexdigest()[:16]
        for name in ("cards.csv", "nobles.csv")
    }
    assert hashes == {"cards.csv": "6e05f04516dfeddf", "nobles.csv": "8897be80c744e788"}


def test_codes_say_level_bonus_and_number_and_are_unique() -> None:
    assert len({c.code for c in CARDS}) == 90
    for c in CARDS:
        assert c.code[:2] == f"{c.level}{c.bonus.letter}"
        assert card(c.code) is c
        assert CARDS[c.id] is c
    assert [c.code for c in CARDS[:9]] == [*(f"1w{n}" for n in range(1, 9)), "1u1"]


def test_noble_codes_say_what_is_asked() -> None:
    assert " ".join(n.code for n in NOBLES) == "rk4 grk3 gr4 ugr3 ug4 wrk3 wuk3 wug3 wk4 wu4"
    for n in NOBLES:
        assert noble(n.code) is n
        assert NOBLES[n.id] is n
        assert n.name


def test_an_unknown_code_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        card("4w1")
    with pytest.raises(KeyError):
        noble("wo4")
    things: tuple[Any, ...] = (None, [], 5, b"1w1", "\ud800")
    for find in (card, noble):
        for thing in things:
            with pytest.raises(UnknownCode) as caught:
                find(thing)
            assert caught.value.en.startswith("There is no ")
            assert caught.value.en.isprintable()


def test_there_is_one_object_a_card_also_after_copying() -> None:
    for thing in (CARDS[7], NOBLES[3]):
        assert pickle.loads(pickle.dumps(thing)) is thing
        assert copy.deepcopy(thing) is thing
        assert eval(repr(thing), {"card": card, "noble": noble}) is thing


def test_the_colours_have_one_fixed_order_and_letters() -> None:
    assert "".join(gem.letter for gem in Gem) == "wugrko"
    assert [gem.name.lower() for gem in Gem] == ["white", "blue", "green", "red", "black", "gold"]
    assert Gem.GOLD not in COLOURS


def test_counts_of_gems_are_read_and_written_in_letters() -> None:
    assert Gems.parse("owW") == Gems(white=2, gold=1)
    assert Gems.parse("owW").letters == "wwo"
    assert Gems().letters == ""
    assert Gems.parse("wwo").total == 3
    with pytest.raises(ValueError, match="the letters w u g r k o"):
        Gems.parse("x")
    with pytest.raises(ValueError, match="the letters w u g r k o"):
        Gems.parse("wx")


def test_counts_of_gems_add_and_compare_by_colour() -> None:
    some, more = Gems.parse("wuo"), Gems.parse("wwuugo")
    assert more.minus(some).plus(some) == more
    assert more.covers(some)
    assert not some.covers(more)
    assert not Gems.parse("ww").covers(Gems.parse("u"))
