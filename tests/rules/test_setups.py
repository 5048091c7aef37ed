"""Any arrangement, and everything that is wrong with it."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from cabochon.rules import (
    BadSetup,
    Fault,
    Hand,
    Hidden,
    Phase,
    Place,
    Position,
    Setup,
    WrongArgument,
    card,
)
from cabochon.rules.errors import SetupFault
from tests.arrange import arrange, arrange_setup, bonus_cards, codes, hand, reserve, stuck
from tests.galleries import Broken, broken_setups

BROKEN = broken_setups()


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_broken_set_up_names_all_its_faults(broken: Broken) -> None:
    assert tuple(fault.code for fault in broken.setup.faults()) == broken.codes
    with pytest.raises(BadSetup) as caught:
        broken.setup.position()
    assert caught.value.faults == broken.setup.faults()
    assert caught.value.code is broken.codes[0]


def test_every_fault_of_a_set_up_has_a_situation() -> None:
    assert {code for broken in BROKEN for code in broken.codes} == set(SetupFault)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_every_fault_of_a_set_up_is_said_in_both_languages(broken: Broken) -> None:
    for fault in broken.setup.faults():
        for sentence in (fault.en, fault.zh):
            assert sentence
            assert not set(sentence) & set("{}")
        assert fault.en in BadSetup([fault]).en
        assert fault.zh in BadSetup([fault]).zh


def test_a_bad_set_up_says_all_faults_and_survives_pickling() -> None:
    faults = [broken.setup.faults()[0] for broken in BROKEN[:3]]
    error = BadSetup(faults)
    assert error.en == " ".join(fault.en for fault in faults)
    assert error.zh == "".join(fault.zh for fault in faults)
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, BadSetup)
    assert again.faults == error.faults
    assert str(error) == error.en


def test_a_good_set_up_becomes_a_position_and_back() -> None:
    setup = arrange_setup(hands=[hand("wwu", bought="1k1 1w5", reserved="2u5 ?3k1")])
    position = setup.position()
    assert isinstance(position, Position)
    assert Setup.of(position).position() == position


def test_the_decks_of_parts_of_other_types_cannot_be_counted() -> None:
    broken = replace(arrange_setup(), rows=None)  # type: ignore[arg-type]
    with pytest.raises(BadSetup) as caught:
        broken.decks()
    assert caught.value.code is SetupFault.PART_TYPE


def test_only_a_position_or_a_view_can_be_taken_apart() -> None:
    for thing in (None, "act", arrange_setup()):
        with pytest.raises(WrongArgument):
            Setup.of(thing)  # type: ignore[arg-type]


def test_bought_cards_are_put_in_order() -> None:
    position = arrange(hands=[hand(bought="3k1 1k1 2u5 1w5")])
    assert codes(position.hands[0].bought) == "1w5 1k1 2u5 3k1"


def test_the_decks_follow_from_the_other_cards() -> None:
    setup = arrange_setup(hands=[hand(bought="1k1 2k1 2k2", reserved="3k1 ?3k2")])
    assert setup.decks() == (35, 24, 14)
    hidden = replace(setup, hands=(setup.hands[0], Hand(reserved=(Hidden(1), Hidden(3)))))
    assert hidden.decks() == (34, 24, 13)


@pytest.mark.parametrize(
    "setup",
    [
        arrange_setup("standard/4", hands=[hand("wwwuuuggrrkoo")], phase=Phase.RETURN),
        arrange_setup(
            hands=[hand(bought=bonus_cards("wwwwrrrrkkkk"))],
            nobles="rk4 wk4 ug4",
            phase=Phase.NOBLE,
        ),
        arrange_setup(rows={2: "2k1 ."}, phase=Phase.DEAL, pending=Place(2, 1)),
        arrange_setup(phase=Phase.DEAL, pending=Place(2, None)),
        arrange_setup(hands=[hand(bought="3w4 3u4 3g4")], turn=1, last_round=True),
        arrange_setup(
            hands=[hand(bought="3w4 3u4 3g4")], turn=2, last_round=True, phase=Phase.OVER
        ),
        arrange_setup(
            hands=[hand("wwuuggrrkko", bought="3w4 3u4 3g4")], turn=2, phase=Phase.RETURN
        ),
        Setup.of(replace(stuck(turn=5), phase=Phase.OVER, passes=2)),
        arrange_setup("standard/2:target=50", used_up={1: 1}, rows={1: ". . . ."}),
    ],
)
def test_every_phase_can_be_set_up(setup: Setup) -> None:
    """Returning, choosing, refilling, drawing, last round, its end, a reached target before the
    turn has ended, a stalled end, a row whose deck is used up."""
    assert setup.faults() == ()
    assert setup.position().phase is setup.phase


def test_a_set_up_of_a_view_lacks_the_hidden_cards() -> None:
    view = arrange(hands=[hand(), hand(reserved="?3k1")]).view(0)
    assert [fault.code for fault in Setup.of(view).faults()] == [SetupFault.CARD_HIDDEN]
    assert view.decks == Setup.of(view).decks()


def test_a_fault_is_a_value() -> None:
    assert Fault(SetupFault.CARD_TWICE, {"card": "1w1"}) == Fault(
        SetupFault.CARD_TWICE, {"card": "1w1"}
    )
    assert Fault(SetupFault.LAST_ROUND).params == {}


def test_a_position_can_be_asked_where_a_card_lies() -> None:
    position = arrange(rows={2: "2k1 2u5"})
    assert position.place_of(card("2u5")) == Place(2, 1)
    assert position.place_of(card("2k6")) is None
    assert position.play(reserve("2u5")).place_of(card("2u5")) is None
