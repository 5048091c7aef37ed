"""What each seat and a watcher may know."""

from __future__ import annotations

import gc
import sys
from typing import Any

import pytest

from cabochon.rules import (
    CARDS,
    Card,
    Deal,
    Hidden,
    IllegalMove,
    NotAView,
    Phase,
    Position,
    Refusal,
    Reserved,
    Ruleset,
    ShuffledDealer,
    View,
    WrongArgument,
    card,
)
from cabochon.rules.view import choices, only_view
from tests.arrange import arrange, buy, hand, play, refused, reserve, reserved_codes, stuck, take

WATCHER = None


def table() -> Position:
    """Seat 0 holds one face-up and one unseen card, seat 1 the same."""
    return arrange(
        "standard/3",
        hands=[
            hand("wwo", bought="1k1", reserved="2u5 ?3k1"),
            hand("rko", reserved="?1g1 2k1"),
        ],
    )


@pytest.mark.parametrize("viewer", [0, 1, 2, WATCHER])
def test_everyone_sees_the_public_facts(viewer: int | None) -> None:
    position, view = table(), table().view(viewer)
    for name in ("ruleset", "bank", "rows", "decks", "nobles", "turn", "phase", "pending"):
        assert getattr(view, name) == getattr(position, name)
    assert (view.passes, view.last_round, view.seat) == (0, False, 0)
    for seat in range(3):
        assert view.hands[seat].tokens == position.hands[seat].tokens
        assert view.hands[seat].bought == position.hands[seat].bought
        assert view.hands[seat].nobles == position.hands[seat].nobles
        assert view.points(seat) == position.points(seat)
        assert view.bonuses(seat) == position.bonuses(seat)
    assert view.open_nobles == position.open_nobles


@pytest.mark.parametrize("viewer", [0, 1, 2, WATCHER])
def test_everyone_sees_how_many_cards_are_reserved_and_their_levels(viewer: int | None) -> None:
    view = table().view(viewer)
    assert [[r.level for r in mine.reserved] for mine in view.hands] == [[2, 3], [1, 2], []]


def test_the_owner_sees_all_its_reserved_cards() -> None:
    assert reserved_codes(table().view(0), 0) == "2u5 ?3k1"
    assert reserved_codes(table().view(1), 1) == "?1g1 2k1"


@pytest.mark.parametrize("viewer", [1, 2, WATCHER])
def test_a_card_drawn_unseen_shows_only_its_level_to_others(viewer: int | None) -> None:
    view = table().view(viewer)
    assert view.hands[0].reserved[1] == Hidden(3)
    assert "3k1" not in repr(view)


@pytest.mark.parametrize("viewer", [1, 2, WATCHER])
def test_a_card_reserved_face_up_is_remembered_by_all(viewer: int | None) -> None:
    assert table().view(viewer).hands[0].reserved[0] == Reserved(card("2u5"))


def test_a_card_drawn_unseen_is_named_to_all_once_it_is_bought() -> None:
    position = arrange(hands=[hand("uuu", reserved="?1w6")])
    assert "1w6" not in repr(position.view(1))
    assert card("1w6") in play(position, buy("1w6")).view(1).hands[0].bought


def test_while_a_card_is_being_drawn_only_its_level_is_public() -> None:
    waiting = arrange().play(reserve("deck3"))
    assert waiting.view(1).pending == waiting.pending
    one, other = (waiting.deal(Deal(card(code))) for code in ("3k1", "3k2"))
    assert one.view(1) == other.view(1)
    assert one.view(0) != other.view(0)


def test_partners_do_not_see_each_others_hidden_cards() -> None:
    position = arrange("teams/4", hands=[hand(), hand(), hand(reserved="?3k1")])
    assert position.view(0).hands[2].reserved == (Hidden(3),)


def test_a_view_of_a_finished_game_still_hides_what_was_hidden() -> None:
    over = arrange(
        hands=[hand(bought="3w4 3u4 3g4", reserved="?3k1")],
        phase=Phase.OVER,
        last_round=True,
        turn=2,
    )
    assert over.view(1).hands[0].reserved == (Hidden(3),)


@pytest.mark.parametrize("viewer", [True, False, 1.0, "1", [], (), object])
def test_only_a_whole_number_names_a_viewer(viewer: Any) -> None:
    for ask in (table().view, table().points, table().bonuses):
        with pytest.raises(WrongArgument, match="no seat") as caught:
            ask(viewer)
        assert "号座位" in caught.value.zh


def test_only_a_card_of_the_game_can_be_asked_about() -> None:
    for thing in (None, "1w1", 0, Card(0, "1w1", 1, card("1w1").bonus, 0, card("1w1").cost)):
        for ask in (table().place_of, table().in_deck, table().view(0).legal_payments):
            with pytest.raises(WrongArgument, match="a card of the game"):
                ask(thing)  # type: ignore[arg-type]


def test_only_a_view_may_be_thought_about() -> None:
    assert only_view(table().view(1)) == table().view(1)
    assert choices(table().view(0)) == table().legal_moves()
    for ask in (only_view, choices):
        with pytest.raises(NotAView, match="Only a View will do here"):
            ask(table())
    with pytest.raises(IllegalMove) as caught:
        choices(table().view(WATCHER))
    assert caught.value.code is Refusal.WRONG_SEAT


@pytest.mark.parametrize("viewer", [-1, 3, 99])
def test_there_is_no_view_of_a_seat_that_does_not_exist(viewer: int) -> None:
    with pytest.raises(ValueError, match="no seat"):
        table().view(viewer)


def test_the_viewer_to_act_has_the_moves_of_the_position() -> None:
    position, view = table(), table().view(0)
    assert view.legal_moves() == position.legal_moves()
    for move in position.legal_moves():
        assert view.is_legal(move)
        assert view.refusal(move) is None
        assert view.completed(move) == position.completed(move)


@pytest.mark.parametrize("viewer", [1, 2, WATCHER])
def test_whoever_is_not_to_act_has_no_moves(viewer: int | None) -> None:
    view = table().view(viewer)
    assert view.legal_moves() == []
    assert view.legal_payments(card("1w1")) == ()
    refusal = view.refusal(take("wug"))
    assert refusal is not None
    assert refusal.code is Refusal.WRONG_SEAT
    assert refusal.en
    assert refusal.zh
    assert not view.is_legal(take("wug"))


def test_the_viewer_to_act_can_ask_for_payments() -> None:
    position = arrange(hands=[hand("rrkoo", reserved="?1u4")])
    for code in ("1w1", "1u4", "1k8"):
        assert position.view(0).legal_payments(card(code)) == position.legal_payments(card(code))


def test_a_finished_game_says_so_to_every_viewer() -> None:
    over = play(stuck(passes=1, turn=1), *stuck(passes=1, turn=1).legal_moves())
    for viewer in (0, 1, WATCHER):
        refusal = over.view(viewer).refusal(take("wug"))
        assert refusal == IllegalMove(Refusal.GAME_OVER)


def test_the_refusal_does_not_tell_a_hidden_card_from_one_in_the_deck() -> None:
    position = arrange(hands=[hand("wkk"), hand(reserved="?1u4")])
    for move in (buy("1u4"), reserve("1u4")):
        hidden = position.view(0).refusal(move)
        in_deck = arrange(hands=[hand("wkk")]).view(0).refusal(move)
        assert hidden is not None
        assert in_deck is not None
        assert (hidden, hidden.en, hidden.zh) == (in_deck, in_deck.en, in_deck.zh)


def test_the_unseen_cards_are_those_a_viewer_cannot_place() -> None:
    position = table()
    assert len(position.view(0).unseen()) == 90 - 12 - 1 - 2 - 1
    assert len(position.view(1).unseen()) == 90 - 12 - 1 - 2 - 1
    assert len(position.view(WATCHER).unseen()) == 90 - 12 - 1 - 2
    assert card("3k1") in position.view(1).unseen()
    assert card("3k1") not in position.view(0).unseen()
    assert set(position.view(WATCHER).unseen()) <= set(CARDS)


def reachable(thing: object) -> list[object]:
    """Everything that can be reached from the object's own contents; types lead nowhere."""
    seen: dict[int, object] = {}
    todo = [thing]
    while todo:
        each = todo.pop()
        if id(each) in seen or isinstance(each, type):
            continue
        seen[id(each)] = each
        todo += gc.get_referents(each)
    return list(seen.values())


@pytest.mark.parametrize("viewer", [0, 1, 2, WATCHER])
def test_nothing_a_viewer_holds_leads_to_a_position_a_dealer_or_a_hidden_card(
    viewer: int | None,
) -> None:
    dealer = ShuffledDealer("seed of a running game")
    rules = Ruleset(3)
    position = Position.start(rules, dealer.opening(rules))
    for _ in range(6):
        position = position.play(reserve("deck2"))
        position = position.deal(dealer.deal(position))
    view = position.view(viewer)
    held: list[Any] = reachable(view)
    assert not [thing for thing in held if isinstance(thing, Position | ShuffledDealer)]
    assert "seed of a running game" not in [thing for thing in held if isinstance(thing, str)]
    own = (
        {r.card for r in position.hands[viewer].reserved if isinstance(r, Reserved)}
        if (viewer is not None)
        else set()
    )
    shown = {c for row in view.rows for c in row}
    assert {thing for thing in held if isinstance(thing, Card)} == own | shown


def test_a_view_is_a_type_of_its_own() -> None:
    view: Any = table().view(0)
    assert type(view) is View
    assert not isinstance(view, Position)
    for name in ("play", "play_unchecked", "deal", "apply", "in_deck", "view"):
        assert not hasattr(view, name)


def test_a_view_and_a_position_refuse_alike() -> None:
    position = arrange(hands=[hand("r")])
    for move in (buy("1w1"), take("wu"), reserve("1k8")):
        assert refused(position, move)
        assert position.view(0).refusal(move) == position.refusal(move)


def test_a_notebook_is_shown_a_picture() -> None:
    assert (table().view(0)._repr_svg_() or "").startswith("<svg")


def test_a_notebook_shows_text_where_nobody_paints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cabochon.render.svg", None)
    assert table()._repr_svg_() is None
