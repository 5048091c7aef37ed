"""Where cards come from: shuffled from a seed, or scripted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cabochon.rules import (
    CARDS,
    NOBLES,
    Card,
    Deal,
    IllegalDeal,
    Opening,
    Phase,
    Position,
    Ruleset,
    ScriptedDealer,
    ShuffledDealer,
    WrongArgument,
    card,
    commitment,
    new_seed,
    seating,
)
from cabochon.rules.dealer import _below, shuffled
from cabochon.rules.errors import ArgumentFault, DealFault
from tests.arrange import arrange, buy, codes, hand, reserve

DECKS = tuple([c for c in CARDS if c.level == level] for level in (1, 2, 3))


def by_the_book(count: int, seed: str, purpose: str) -> list[int]:
    """The shuffle once more, as its description says it, without the package's code."""

    def words() -> Iterator[int]:
        block = 0
        while True:
            text = f"cabochon deal 1\n{purpose}\n{block}\n{seed}"
            digest = hashlib.sha256(text.encode("utf-8")).digest()
            for i in range(8):
                yield int.from_bytes(digest[4 * i : 4 * i + 4], "big")
            block += 1

    order = list(range(count))
    stream = words()
    for last in range(count - 1, 0, -1):
        word = next(stream)
        while word >= 2**32 // (last + 1) * (last + 1):
            word = next(stream)
        other = word % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


@pytest.mark.parametrize("seed", ["", "0", "a longer seed", "种子", "f" * 64])
def test_the_shuffle_is_the_one_described(seed: str) -> None:
    for count in (1, 2, 10, 40):
        assert list(shuffled(range(count), seed, "deck1")) == by_the_book(count, seed, "deck1")


def test_the_opening_of_a_known_seed_stays_what_it_is() -> None:
    opening = ShuffledDealer("cabochon").opening(Ruleset(2))
    rows = [codes(row) for row in opening.rows]
    assert rows == [
        "1r3 1k7 1g2 1k6",
        "2u6 2u5 2r6 2w3",
        "3w3 3r3 3w2 3g4",
    ]
    assert [noble.code for noble in opening.nobles] == ["rk4", "ugr3", "wug3"]


def test_a_seed_always_deals_the_same_game_and_another_seed_another() -> None:
    openings = [ShuffledDealer(str(seed)).opening(Ruleset(4)) for seed in range(50)]
    assert openings == [ShuffledDealer(str(seed)).opening(Ruleset(4)) for seed in range(50)]
    assert len(set(openings)) == 50


def test_words_past_the_last_whole_multiple_are_skipped() -> None:
    assert _below(3, iter([2**32 - 1, 7])) == 1
    assert _below(4, iter([2**32 - 1])) == 3


def test_every_order_of_a_few_things_is_about_equally_likely() -> None:
    orders = [shuffled("abc", str(seed), "test") for seed in range(1200)]
    counts = [orders.count(order) for order in set(orders)]
    assert len(counts) == 6
    assert all(150 < count < 250 for count in counts)


def test_a_deck_is_dealt_once_through_without_repeats() -> None:
    rules = Ruleset(2, row_width=1)
    dealer = ShuffledDealer("all")
    opening = dealer.opening(rules)
    seen = [opening.rows[0][0]]
    position = Position.start(rules, opening)
    for left in range(position.decks[0], 0, -1):
        waiting = replace(position.play(reserve("deck1")), decks=(left, 0, 0))
        seen.append(dealer.deal(waiting).card)
    assert sorted(c.id for c in seen) == [c.id for c in DECKS[0]]


def test_a_dealer_keeps_no_count_so_a_restart_deals_the_same_card() -> None:
    dealer = ShuffledDealer("restart")
    position = Position.start(Ruleset(2), dealer.opening(Ruleset(2))).play(reserve("deck2"))
    assert dealer.deal(position) == dealer.deal(position)
    assert ShuffledDealer("restart").deal(position) == dealer.deal(position)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_dealer_deals_the_level_that_is_due(level: int) -> None:
    dealer = ShuffledDealer("level")
    position = Position.start(Ruleset(2), dealer.opening(Ruleset(2))).play(reserve(f"deck{level}"))
    assert dealer.deal(position).card.level == level
    assert position.deal(dealer.deal(position)).phase is Phase.ACT


def scripted() -> ScriptedDealer:
    opening = Opening(NOBLES[:3], tuple(tuple(deck[:4]) for deck in DECKS))
    decks: tuple[list[Card], list[Card], list[Card]] = (
        [card("1k8"), *(c for c in DECKS[0][4:] if c.code != "1k8")],
        DECKS[1][4:],
        DECKS[2][4:],
    )
    return ScriptedDealer(opening, decks)


def test_a_script_is_dealt_in_its_order() -> None:
    dealer = scripted()
    position = Position.start(Ruleset(2), dealer.opening(Ruleset(2))).play(reserve("1w1"))
    assert dealer.deal(position) == Deal(card("1k8"))
    position = position.deal(dealer.deal(position)).play(reserve("deck1"))
    assert dealer.deal(position) == Deal(card("1w5"))


def test_a_script_that_is_too_short_says_so() -> None:
    opening = scripted().opening(Ruleset(2))
    dealer = ScriptedDealer(opening, ([], [], []))
    position = Position.start(Ruleset(2), opening).play(reserve("deck3"))
    with pytest.raises(IllegalDeal) as caught:
        dealer.deal(position)
    assert caught.value.code is DealFault.SCRIPT_EMPTY
    assert caught.value.params == {"level": 3}


@pytest.mark.parametrize("dealer", [ShuffledDealer("x"), scripted()])
def test_a_dealer_deals_nothing_when_no_card_is_due(dealer: ShuffledDealer) -> None:
    with pytest.raises(IllegalDeal) as caught:
        dealer.deal(arrange())
    assert caught.value.code is DealFault.DEAL_NOT_PENDING


def test_neither_text_nor_position_tells_the_seed() -> None:
    dealer = ShuffledDealer("secret-seed")
    position = Position.start(Ruleset(2), dealer.opening(Ruleset(2)))
    assert "secret-seed" not in repr(dealer)
    assert "secret-seed" not in repr(position)
    assert not [name for name in dir(position) if "deal" in name and "er" in name[-2:]]


def test_a_commitment_fixes_the_seed_without_telling_it() -> None:
    assert commitment("seed") == hashlib.sha256(b"cabochon commitment 1\nseed").hexdigest()
    assert commitment("seed") != commitment("seed ")
    assert "seed" not in commitment("seed")


def test_a_new_seed_cannot_be_guessed() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(len(bytes.fromhex(seed)) == 32 for seed in seeds)


def test_a_dealt_position_plays_on() -> None:
    dealer = ShuffledDealer("go on")
    rules = Ruleset(2)
    position = Position.start(rules, dealer.opening(rules))
    waiting = position.play(reserve("deck1"))
    assert waiting.apply(dealer.deal(waiting)) == waiting.deal(dealer.deal(waiting))
    assert position.apply(reserve("deck1")) == waiting
    rich = arrange(hands=[hand("rrk")])
    assert rich.apply(buy("1w1")).phase is Phase.DEAL


@pytest.mark.parametrize("seed", [None, 7, b"seed", ["seed"], "\ud800", "half \udfff"])
def test_a_seed_is_text_that_can_be_written(seed: Any) -> None:
    for use in (ShuffledDealer, commitment, lambda text: seating(text, 2)):
        with pytest.raises(WrongArgument) as caught:
            use(seed)
        assert caught.value.code is ArgumentFault.BAD_SEED
        assert (caught.value.en + caught.value.zh).isprintable()


def test_a_dealer_deals_for_a_ruleset_a_position_and_a_script_of_cards() -> None:
    opening = scripted().opening(Ruleset(2))
    for ask in (ShuffledDealer("x").opening, ShuffledDealer("x").deal, scripted().deal):
        with pytest.raises(WrongArgument):
            ask(None)  # type: ignore[arg-type]
    for first, decks in ((None, ([], [], [])), (opening, None), (opening, ([], [])),
                         (opening, ([], [], [None])), (opening, (1, 2, 3))):  # fmt: skip
        with pytest.raises(WrongArgument):
            ScriptedDealer(first, decks)  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [1, 5, True, 2.0, None, "2"])
def test_who_sits_where_is_drawn_for_two_to_four(seats: Any) -> None:
    with pytest.raises(WrongArgument):
        seating("seed", seats)
