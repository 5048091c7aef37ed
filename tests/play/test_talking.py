"""Free text: only among people who all want it, and for nobody else's eyes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.play.budgets import MOST_SAID
from cabochon.play.chairs import Chair, Kind
from cabochon.play.commands import join, leave, offer_rematch, resign
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import TextingSwitched, Wrote, event_from_json, event_to_json
from cabochon.play.messaging import Audience, messages_for, snapshot
from cabochon.play.table import Table
from cabochon.play.tableinfo import table_info
from cabochon.play.talking import (
    LONGEST_TEXT,
    is_agreed,
    may_text,
    say,
    switch_texting,
    tidy_text,
    write,
)
from tests.play.sittings import engine, opening, people, person, table_of


def private(*chairs: Chair) -> Table:
    return table_of(opening(*(chairs or people(2)), listed=False))


def agreed(*chairs: Chair) -> Table:
    table = private(*chairs)
    for seat, chair in enumerate(table.chairs):
        if chair.kind is Kind.HUMAN:
            table = switch_texting(table, seat, True, 5).table
    return table


def fault(table: Table, seat: int = 0, text: str = "Hi!") -> TableFault:
    with pytest.raises(TableRefused) as caught:
        write(table, seat, text, 9)
    code = caught.value.code
    assert isinstance(code, TableFault)
    return code


def test_everybody_must_have_agreed() -> None:
    table = private()
    assert fault(table) is TableFault.TEXT_NOT_AGREED
    table = switch_texting(table, 0, True, 5).table
    assert fault(table) is TableFault.TEXT_NOT_AGREED
    table = switch_texting(table, 1, True, 6).table
    table = write(table, 0, "Hi!", 7).table
    assert [said.text for _, said in table.chat if isinstance(said, Wrote)] == ["Hi!"]
    table = switch_texting(table, 1, False, 8).table
    assert fault(table) is TableFault.TEXT_NOT_AGREED


def test_switching_twice_writes_nothing() -> None:
    table = switch_texting(private(), 0, True, 5).table
    assert switch_texting(table, 0, True, 6).events == ()


@pytest.mark.parametrize(
    "table",
    [
        table_of(opening(*people(2))),
        private(person(0), engine()),
        private(person(0), Chair(Kind.BOT, "Robo", holder="token:t")),
        private(person(0), person(1, "key:hash0")),
    ],
    ids=["listed", "only bots", "a program from outside", "one person at one device"],
)
def test_never_with_strangers_or_alone(table: Table) -> None:
    assert not may_text(table)
    assert "texting" not in table_info(table)
    assert fault(table) is TableFault.TEXT_OFF
    with pytest.raises(TableRefused):
        switch_texting(table, 0, True, 5)


def test_an_open_chair_has_not_agreed() -> None:
    table = private(person(0), person(1), Chair(Kind.OPEN, invite="hash"))
    for seat in (0, 1):
        table = switch_texting(table, seat, True, 5).table
    assert not is_agreed(table)


def test_who_plays_several_seats_agrees_once() -> None:
    table = private(person(0), person(1, "key:hash0"), person(2))
    table = switch_texting(table, 1, True, 5).table
    table = switch_texting(table, 2, True, 5).table
    assert is_agreed(table)


def test_somebody_else_on_the_chair_is_asked_anew() -> None:
    table = private(person(0), Chair(Kind.OPEN), Chair(Kind.OPEN))
    table = join(table, 1, "Bo", "hash1", 5).table
    table = switch_texting(table, 1, True, 6).table
    table = leave(table, 1, 7).table
    table = join(table, 1, "Eve", "hash9", 8).table
    assert 1 not in table.texting


def test_a_rematch_goes_on_talking_with_the_same_people() -> None:
    table = resign(switch_texting(private(), 0, True, 5).table, 0, 6).table
    offered = offer_rematch(table, 0, "new", "seed", 7)
    made = offer_rematch(offered.decision.table, 1, "new", "seed", 8)
    assert made.opened is not None
    assert made.opened.texting == (1,)
    assert event_from_json(event_to_json(made.opened)) == made.opened
    assert Table.open("new", made.opened).texting == (1,)


def test_watchers_are_told_none_of_it() -> None:
    before = agreed()
    decision = write(before, 0, "between us", 9)
    event, after = decision.events[0], decision.table
    assert list(messages_for(before, event, after, Audience(), (), 9)) == []
    assert snapshot(after, Audience(), (), 9)["chat"] == []
    (line,) = messages_for(before, event, after, Audience((1,)), (), 9)
    assert line["type"] == "chatLine"
    assert (line["phrase"], line.get("text")) == ("", "between us")
    assert snapshot(after, Audience((1,)), (), 9)["chat"][0].get("text") == "between us"


def test_texts_and_phrases_share_a_budget() -> None:
    table = agreed()
    for _ in range(MOST_SAID - 1):
        table = write(table, 0, "again", 9).table
    assert fault(table) is TableFault.CHAT_FULL
    with pytest.raises(TableRefused):
        say(table, 0, "hello", 9)
    assert write(table, 1, "I still can", 9).events


def test_what_is_written_is_read_back() -> None:
    for event in (Wrote(5, 0, "你好 🙂"), TextingSwitched(5, 1, False)):
        assert event_from_json(event_to_json(event)) == event


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "a\x00b",
        "a\x1b[31m",
        "\u202eevil",
        "\u200b",
        "a" * (LONGEST_TEXT + 1),
        "e" + "\u0301" * 9,
    ],
    ids=["empty", "blank", "nought", "escape", "right to left", "no width", "long", "tower"],
)
def test_what_cannot_be_seen_is_refused(text: str) -> None:
    assert fault(agreed(), text=text) is TableFault.TEXT_UNSEEN


@pytest.mark.parametrize("text", ["你好！", "Grüße", "👩\u200d💻 ok", "❤\ufe0f", "می\u200cروم"])
def test_what_people_write_is_kept(text: str) -> None:
    assert tidy_text(text) == text


def test_lines_become_spaces() -> None:
    assert tidy_text(" one\n two\t three ") == "one two three"


@given(st.text(max_size=LONGEST_TEXT + 20))
def test_a_text_is_tidy_or_refused(text: str) -> None:
    try:
        tidied = tidy_text(text)
    except TableRefused:
        return
    assert tidied == tidy_text(tidied)
    assert 0 < len(tidied) <= LONGEST_TEXT
    assert not any(ord(c) < 32 for c in tidied)


def test_marks_with_joiners_between_them_are_no_smaller_a_pile() -> None:
    pile = "a" + ("\u0301" * 4 + "\u200d") * 20
    for text in (pile, pile.replace("\u200d", "\ufe0f"), "a" + "\u0489" * 20):
        assert fault(agreed(), text=text) is TableFault.TEXT_UNSEEN


@pytest.mark.parametrize("blank", ["\u3164", "\u2800", "\u115f\u1160", "\uffa0 \uffa0"])
def test_blank_letters_alone_are_no_text(blank: str) -> None:
    assert fault(agreed(), text=blank) is TableFault.TEXT_UNSEEN
    assert tidy_text(f"a{blank}")
