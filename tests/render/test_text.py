"""The text board: fits, tells the truth, and tells no more than a viewer may know."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabochon.render.plain import read_card, read_hand, read_noble
from cabochon.render.text import COLUMNS, PLAIN, Paint, board, counted
from cabochon.render.width import plain, width
from cabochon.rules import CARDS, NOBLES, Gems, Phase, Position, card
from cabochon.words import Words, languages
from tests.arrange import arrange, bonus_cards, hand
from tests.games import RandomGame, random_games

LONG_NAMES = ("A name that is far too long", "极其非常特别长的中文名字", "Bo", "Ⅳ")
MOST_LINES_OF_TWO = 24
PROMPT_AND_NEWS = 3


def some_positions(game: RandomGame) -> list[Position]:
    positions = list(game.positions())
    return [*positions[:: max(1, len(positions) // 6)], positions[-1]]


@given(game=random_games(most_events=150), lang=st.sampled_from(languages()))
def test_every_board_fits_eighty_columns(game: RandomGame, lang: str) -> None:
    names = LONG_NAMES[: game.ruleset.seats]
    for position in some_positions(game):
        for table in (position, position.view(None), position.view(position.seat)):
            lines = board(table, Words(lang), PLAIN, names).splitlines()
            assert all(width(line) <= COLUMNS for line in lines)


@given(game=random_games(most_events=150), lang=st.sampled_from(languages()))
def test_colours_change_nothing_but_colours(game: RandomGame, lang: str) -> None:
    for position in some_positions(game)[:3]:
        view, words = position.view(position.seat), Words(lang)
        painted = board(view, words, Paint(on=True))
        assert "\x1b[" in painted
        assert [line.rstrip() for line in plain(painted).splitlines()] == board(
            view, words
        ).splitlines()


@settings(max_examples=20)
@given(game=random_games(most_events=120), lang=st.sampled_from(languages()))
def test_the_columns_stand_under_each_other(game: RandomGame, lang: str) -> None:
    """The bank's counts and every seat's begin where the letter of the heading stands."""
    for position in some_positions(game):
        lines = board(position.view(None), Words(lang)).splitlines()
        seats = game.ruleset.seats
        start = next(
            i
            for i, line in enumerate(lines)
            if line.split()[2:5] == ["w", "u", "g"] or line.split()[3:6] == ["w", "u", "g"]
        )
        for line in lines[start : start + seats + 2]:
            columns = "".join(char * width(char) for char in line)
            for gem in range(6):
                assert columns[28 + 6 * gem] != " ", line


def test_two_players_fit_a_terminal_of_24_lines() -> None:
    position = arrange(hands=[hand("wug", reserved="2u5 ?3k1 1r1")])
    lines = board(position.view(0)).splitlines()
    assert len(lines) + PROMPT_AND_NEWS <= MOST_LINES_OF_TWO


def test_a_board_says_what_one_can_buy_and_what_one_lacks() -> None:
    position = arrange(
        hands=[hand("uuo", bought=bonus_cards("uu"))],
        rows={1: "1u8 1w1 1k3 1r7", 2: "2u3"},
    )
    text = board(position.view(0))
    assert card("2u3").cost == Gems(blue=5)
    assert "buy 2u1o" in text
    assert "lack 2r1k-1o" in text
    assert "lack 3g-1o" in text


def test_a_free_card_is_called_free() -> None:
    position = arrange(hands=[hand(bought=bonus_cards("rrk"))], rows={1: "1w1"})
    assert "buy free" in board(position.view(0))


def test_a_view_shows_backs_and_its_own_faces() -> None:
    position = arrange(hands=[hand(reserved="?2u5 3k1"), hand(reserved="?1r8")])
    mine = board(position.view(0))
    assert "[2][3]" in mine
    assert "2u5" in mine
    assert "1r8" not in mine
    assert "2u5" not in board(position.view(1))
    assert "2u5" not in board(position.view(None))


def test_a_position_shows_every_face() -> None:
    text = board(arrange(hands=[hand(reserved="?2u5 3k1"), hand(reserved="?1r8")]))
    assert "2u5 3k1" in text
    assert "1r8" in text


def test_a_noble_that_has_come_is_named_with_its_host() -> None:
    host = hand(bought=bonus_cards("wwwwuuuu"), nobles="wu4")
    text = board(arrange(hands=[host]).view(None), names=("Ada", "Bo"))
    assert "wu4 (Ada)" in text


def test_partners_are_shown_with_what_they_share() -> None:
    hands = [hand(bought="3w1"), hand(), hand(bought="3u1")]
    text = board(arrange("teams/4", hands=hands).view(0))
    assert "Team 1 & 3       6     2" in text
    assert "Team 2 & 4       0     0" in text


def test_the_last_round_and_the_end_are_said() -> None:
    winner = hand(bought="3w1 3u1 3g1 3r1 3k1")
    last = arrange(hands=[winner], turn=1, last_round=True)
    assert board(last.view(0)).startswith("LAST ROUND (to 15)")
    over = arrange(hands=[winner], turn=2, last_round=True, phase=Phase.OVER)
    assert board(over.view(0)).startswith("The game is over")
    assert "> " not in board(over.view(0))


def test_an_empty_place_is_a_dash() -> None:
    position = arrange(rows={3: "3w1 . . ."}, used_up={3: 0}, turn=21, last_round=True)
    assert "--" in board(position.view(None))


@pytest.mark.parametrize(("gems", "text"), [("wwo", "2w1o"), ("", "-"), ("wugrko", "1w1u1g1r1k1o")])
def test_gems_are_counted(gems: str, text: str) -> None:
    assert counted(Gems.parse(gems)) == text


# Read out


@pytest.mark.parametrize("lang", languages())
def test_every_card_and_noble_can_be_read_out(lang: str) -> None:
    position, words = arrange(hands=[hand("wugrko", bought="1w1 1u1")]), Words(lang)
    for view in (position.view(0), position.view(None)):
        texts = [read_card(each, view, words) for each in CARDS]
        texts += [read_noble(each, view, words) for each in NOBLES]
        assert len(set(texts)) == len(CARDS) + len(NOBLES)


def test_a_card_is_read_out_with_what_one_would_pay() -> None:
    view = arrange(hands=[hand("uuo", bought=bonus_cards("uu"))], rows={2: "2u3"}).view(0)
    assert read_card(card("2u3"), view, Words("en")) == (
        "2u3: level 2, blue bonus, 2 points, costs 5 blue. You can buy it for 2 blue, 1 gold."
    )
    assert read_card(card("2u6"), view, Words("en")).endswith(
        "You still need 2 blue (1 after your gold)."
    )


def test_a_hand_is_read_out_as_far_as_the_viewer_may_know_it() -> None:
    host = hand("wug", bought=bonus_cards("wwwwuuuu"), reserved="?2u5 3k1", nobles="wu4")
    position, words = arrange(hands=[host]), Words("en")
    own = "\n".join(read_hand(position.view(0), 0, "Ada", words))
    other = "\n".join(read_hand(position.view(1), 0, "Ada", words))
    assert "2u5" in own
    assert "2u5" not in other
    assert "a hidden card of level 2" in other
    assert "3k1" in other
    assert "Nobles: wu4." in other
