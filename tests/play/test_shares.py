"""Adding to the deal: hashes first, then shares; whoever holds one back loses the chair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.notation import format_record, parse_record, record_from_json, record_to_json
from cabochon.play import commands
from cabochon.play.chairs import Chair, Kind
from cabochon.play.clock import Days
from cabochon.play.commands import free_seats, patience_ms, pledge, reveal
from cabochon.play.dealshares import MOST_ROUNDS, REVEAL_MS
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Opened, TableEvent, event_from_json, event_to_json
from cabochon.play.messaging import Audience, messages_for, snapshot
from cabochon.play.recording import record_of
from cabochon.play.table import Decision, Table
from cabochon.record import verify
from cabochon.rules import ShuffledDealer, mixed_seed, share_hash
from tests.play.sittings import NAMES, SEED, engine, opening, people, person

SHARES = [digit * 32 for digit in "0123456789abcdef"]


def assert_same(one: Table, other: Table) -> None:
    """Equal in everything, and dealing the same cards."""
    assert replace(one, dealer=other.dealer) == other
    ruleset = one.options.ruleset
    assert one.dealer.opening(ruleset) == other.dealer.opening(ruleset)


class Evening:
    """A table with everything that happened there."""

    def __init__(self, *chairs: Chair, hashes: tuple[tuple[int, str], ...] = ()) -> None:
        opened = replace(opening(*chairs), share_hashes=hashes)
        self.events: list[TableEvent] = [opened]
        self.table = Table.open("table", opened)
        self.now = opened.at
        self.said: list[object] = []

    def do(self, decision: Decision) -> Table:
        for event in decision.events:
            before, self.table = self.table, self.table.after(event)
            self.said += messages_for(before, event, self.table, Audience((0,), True), (), self.now)
        assert_same(self.table, decision.table)
        self.events += decision.events
        return self.table

    def join(self, seat: int, share: str | None = None) -> Table:
        self.now += 100
        pledged = None if share is None else share_hash(share)
        name, key, holder = NAMES[seat], f"hash{seat}", f"key:hash{seat}"
        return self.do(
            commands.join(self.table, seat, name, key, self.now, holder, share_hash=pledged)
        )

    def pledge(self, seat: int, share: str) -> Table:
        self.now += 100
        return self.do(pledge(self.table, seat, share_hash(share), self.now))

    def reveal(self, seat: int, share: str) -> Table:
        self.now += 100
        return self.do(reveal(self.table, seat, share, self.now))

    def free_seats(self, *seats: int) -> Table:
        self.now += REVEAL_MS
        return self.do(free_seats(self.table, seats, self.now))

    def read_back(self) -> Table:
        """The same table, from what the database has."""
        kept = [event_from_json(orjson.loads(orjson.dumps(event_to_json(e)))) for e in self.events]
        return Table.of("table", kept)


def evening(seats: int = 2) -> Evening:
    """Ada has made a table and given her hash; the other chairs are open."""
    chairs = (person(0), *[Chair(Kind.OPEN, invite=f"code{s}") for s in range(1, seats)])
    return Evening(*chairs, hashes=((0, share_hash(SHARES[0])),))


def refused(decide: Callable[[], object]) -> TableFault:
    with pytest.raises(TableRefused) as caught:
        decide()
    assert isinstance(caught.value.code, TableFault)
    return caught.value.code


def test_two_people_share_and_the_game_starts_from_all_three() -> None:
    one = evening()
    assert one.join(1, SHARES[1]).is_starting
    assert one.table.state == "open"
    assert one.table.shares.awaited == (0, 1)
    assert one.reveal(1, SHARES[1]).position is None
    table = one.reveal(0, SHARES[0])
    assert table.state == "running"
    mixed = mixed_seed(SEED, "table", [(0, SHARES[0]), (1, SHARES[1])])
    assert record_of(table).opening == ShuffledDealer(mixed).opening(table.options.ruleset)
    assert record_of(table).opening != ShuffledDealer(SEED).opening(table.options.ruleset)
    assert_same(one.read_back(), table)


def test_cards_dealt_later_come_from_the_mix_too() -> None:
    one = evening()
    one.join(1, SHARES[1])
    one.reveal(0, SHARES[0])
    one.reveal(1, SHARES[1])
    seat, rounds = 0, 0
    while one.table.ended is None and rounds < 12:
        legal = one.table.running.legal_moves()
        drawn = next((m for m in legal if repr(m).startswith("Reserve(target=Deck")), legal[0])
        one.do(one.table.submit(seat, one.table.version, (drawn,), one.now))
        seat, rounds = one.table.running.seat, rounds + 1
    one.do(commands.resign(one.table, 0, one.now))
    record = record_of(one.table)
    check = verify(record, share_hash=share_hash(SHARES[1]))
    assert check.ok, check.lines()
    assert parse_record(format_record(record)) == record
    assert record_from_json(record_to_json(record)) == record
    assert_same(one.read_back(), one.table)


def test_who_gives_no_hash_is_not_waited_for() -> None:
    one = evening()
    assert one.join(1).shares.awaited == (0,)
    assert one.reveal(0, SHARES[0]).state == "running"
    one.do(commands.resign(one.table, 0, one.now))
    assert verify(record_of(one.table), share_hash=share_hash(SHARES[0])).ok
    assert not verify(record_of(one.table), share_hash=share_hash(SHARES[1])).ok


def test_without_any_hash_everything_is_as_before() -> None:
    one = Evening(person(0), Chair(Kind.OPEN))
    assert one.join(1).state == "running"
    assert "shares" not in snapshot(one.table, Audience(), (), 0)["table"]
    ruleset = one.table.options.ruleset
    assert record_of(one.table).opening == ShuffledDealer(SEED).opening(ruleset)
    assert list(record_of(one.table).headers) == ["Table"]


@pytest.mark.parametrize(
    "chairs",
    [
        (person(0), engine()),
        (person(0, "one"), person(1, "one")),
        (Chair(Kind.BOT, "Robo", holder="token:t1"), engine()),
    ],
)
def test_one_person_starts_at_once(chairs: tuple[Chair, ...]) -> None:
    one = Evening(*chairs, hashes=((0, share_hash(SHARES[0])),))
    assert one.table.state == "running"
    ruleset = one.table.options.ruleset
    assert record_of(one.table).opening == ShuffledDealer(SEED).opening(ruleset)
    assert "ShareHash0" not in record_of(one.table).headers


def test_two_programs_from_outside_may_share_as_well() -> None:
    bots = [Chair(Kind.BOT, name, holder=f"token:{name}") for name in ("r1", "r2")]
    assert Evening(*bots, hashes=((1, share_hash(SHARES[1])),)).table.is_starting


def test_a_wrong_share_is_refused_and_the_right_one_still_counts() -> None:
    one = evening()
    one.join(1, SHARES[1])
    assert refused(lambda: one.reveal(0, SHARES[5])) is TableFault.SHARE_WRONG
    assert refused(lambda: one.reveal(1, SHARES[0])) is TableFault.SHARE_WRONG
    one.reveal(1, SHARES[1])
    assert one.reveal(0, SHARES[0]).state == "running"


def test_nothing_is_revealed_before_every_hash_is_there() -> None:
    one = evening(3)
    assert refused(lambda: one.reveal(0, SHARES[0])) is TableFault.NO_SHARE_ASKED
    one.join(1, SHARES[1])
    assert refused(lambda: one.reveal(0, SHARES[0])) is TableFault.NO_SHARE_ASKED
    one.join(2, SHARES[2])
    assert one.table.shares.awaited == (0, 1, 2)


def test_no_hash_is_changed_or_added_once_shares_are_revealed() -> None:
    one = evening(3)
    one.join(1)
    assert one.pledge(1, SHARES[1]).shares.hashes.keys() == {0, 1}
    assert refused(lambda: one.pledge(1, SHARES[7])) is TableFault.SHARE_PLEDGED
    one.join(2)
    one.reveal(0, SHARES[0])
    assert refused(lambda: one.pledge(2, SHARES[2])) is TableFault.SHARE_PLEDGED
    assert refused(lambda: one.pledge(0, SHARES[2])) is TableFault.SHARE_PLEDGED


def test_saying_it_twice_is_saying_it_once() -> None:
    one = evening()
    assert not pledge(one.table, 0, share_hash(SHARES[0]), 5).events
    one.join(1, SHARES[1])
    one.reveal(0, SHARES[0])
    assert not reveal(one.table, 0, SHARES[0], 5).events
    assert refused(lambda: one.reveal(0, SHARES[1])) is TableFault.NO_SHARE_ASKED
    one.reveal(1, SHARES[1])
    assert not reveal(one.table, 1, SHARES[1], 5).events
    assert refused(lambda: one.reveal(1, SHARES[2])) is TableFault.STARTED
    assert refused(lambda: one.pledge(1, SHARES[2])) is TableFault.STARTED


def test_who_holds_a_share_back_loses_the_chair_and_all_shares_are_void() -> None:
    one = evening()
    one.join(1, SHARES[1])
    one.reveal(0, SHARES[0])
    table = one.free_seats(1)
    assert [chair.kind for chair in table.chairs] == [Kind.HUMAN, Kind.OPEN]
    assert table.position is None
    assert table.shares.round == 2
    assert table.shares.hashes == {}
    assert table.shares.hashless == (0,)
    told_last = one.said[-1]
    assert isinstance(told_last, dict)
    assert told_last["type"] == "gameFull"
    (line,) = told_last["log"]
    assert (line["kind"], line["seat"]) == ("no_share", None)
    assert "Bo" in line["text"]["en"]
    assert "Bo" in line["text"]["zh"]
    assert_same(one.read_back(), table)


def test_the_next_round_waits_for_everybody_s_new_hash() -> None:
    """Never a start without the shares of those who gave one before."""
    one = evening()
    one.join(1, SHARES[1])
    one.reveal(0, SHARES[0])
    one.free_seats(1)
    table = one.join(1, SHARES[2])
    assert table.shares.awaited == (0,)
    assert refused(lambda: one.reveal(1, SHARES[2])) is TableFault.NO_SHARE_ASKED
    table = one.pledge(0, SHARES[3])
    assert table.shares.awaited == (0, 1)
    assert table.shares.asked == one.now, "a new question gets its full time"
    one.reveal(0, SHARES[3])
    one.reveal(1, SHARES[2])
    one.do(commands.resign(one.table, 0, one.now))
    record = record_of(one.table)
    assert record.headers["ShareRound"] == "2"
    lines = verify(record).lines()
    assert any("2 rounds" in line for line in lines)
    assert not any(SHARES[0] in text for text in record.headers.values())


def test_both_who_hold_back_lose_their_chairs_in_one_round() -> None:
    one = evening(3)
    one.join(1, SHARES[1])
    one.join(2, SHARES[2])
    one.reveal(0, SHARES[0])
    table = one.free_seats(0, 1, 2)
    assert [chair.kind for chair in table.chairs] == [Kind.HUMAN, Kind.OPEN, Kind.OPEN]
    assert table.shares.round == 2


def test_who_never_gives_a_new_hash_loses_the_chair_and_the_others_keep_theirs() -> None:
    one = evening(3)
    one.join(1, SHARES[1])
    one.join(2, SHARES[2])
    one.free_seats(2)
    one.pledge(1, SHARES[4])
    one.join(2, SHARES[5])
    table = one.free_seats(0)
    assert table.chairs[0].kind is Kind.OPEN
    assert table.shares.hashes.keys() == {1, 2}
    assert table.shares.round == 2, "no share was told, so none is void"


def test_leaving_in_between_is_holding_back() -> None:
    one = evening()
    one.join(1, SHARES[1])
    one.reveal(0, SHARES[0])
    table = one.do(commands.leave(one.table, 1, one.now))
    assert table.shares.round == 2
    assert table.shares.hashless == (0,)
    assert_same(one.read_back(), table)


@pytest.mark.parametrize("leaving", [True, False])
def test_who_aborts_one_start_after_the_other_looks_at_ten_deals_and_no_more(
    leaving: bool,
) -> None:
    one = evening()
    for number in range(1, MOST_ROUNDS + 1):
        assert one.table.ended is None
        assert one.table.shares.round == number
        one.join(1, SHARES[1])
        if number > 1:
            one.pledge(0, SHARES[0])
        one.reveal(0, SHARES[0])
        if leaving:
            one.do(commands.leave(one.table, 1, one.now))
        else:
            one.free_seats(1)
    assert one.table.ended is not None
    assert one.table.state == "finished"
    assert one.table.position is None
    assert_same(one.read_back(), one.table)


def test_leaving_before_the_table_is_full_voids_nothing() -> None:
    one = evening(3)
    one.join(1, SHARES[1])
    table = one.do(commands.leave(one.table, 1, one.now))
    assert table.shares.hashes == {0: share_hash(SHARES[0])}
    assert table.shares.round == 1


def test_the_former_key_may_take_a_freed_chair_again() -> None:
    one = evening()
    one.join(1, SHARES[1])
    freed = one.free_seats(0).chairs[0]
    assert freed.kind is Kind.OPEN
    assert freed.former == "hash0"
    assert one.join(0, SHARES[4]).chairs[0].former is None


def test_nobody_is_taken_away_who_did_what_was_asked() -> None:
    one = evening()
    assert not free_seats(one.table, (0,), 9).events
    one.join(1, SHARES[1])
    one.reveal(0, SHARES[0])
    assert not free_seats(one.table, (0,), 9).events
    one.reveal(1, SHARES[1])
    assert not free_seats(one.table, (0, 1), 9).events


def test_no_share_is_told_before_the_game_is_over() -> None:
    one = evening()
    one.join(1, SHARES[1])
    one.reveal(0, SHARES[0])
    one.reveal(1, SHARES[1])
    said = orjson.dumps(one.said) + format_record(record_of(one.table)).encode()
    assert share_hash(SHARES[1]).encode() in said
    assert not any(share.encode() in said for share in SHARES[:2])
    assert SEED.encode() not in said
    one.do(commands.resign(one.table, 0, one.now))
    finish = one.said[-1]
    assert isinstance(finish, dict)
    assert finish["table"]["shares"]["shares"] == SHARES[:2]
    assert finish["seed"] == SEED


def test_somebody_away_is_waited_for_as_long_as_a_player_may_be_away() -> None:
    options = opening(*people(2)).options
    assert patience_ms(options) == 60_000
    assert patience_ms(replace(options, clock=Days(2))) == 2 * 86_400_000


def test_a_rematch_takes_the_shares_along() -> None:
    over = commands.resign(Table.open("old", opening(*people(2))), 0, 5).table
    hashes = [share_hash(share) for share in SHARES]
    offered = commands.offer_rematch(over, 0, "next", "seed2", 6, hashes[0]).decision.table
    made = commands.accept_rematch(offered, 1, "next", "seed2", 7, hashes[1])
    assert made.opened is not None
    assert made.opened.share_hashes == ((1, hashes[0]), (0, hashes[1]))
    table = Table.open("next", made.opened)
    assert table.is_starting
    again = event_from_json(orjson.loads(orjson.dumps(event_to_json(made.opened))))
    assert isinstance(again, Opened)
    assert_same(Table.open("next", again), table)
    table = reveal(table, 1, SHARES[0], 8).table
    assert reveal(table, 0, SHARES[1], 9).table.state == "running"


def test_a_rematch_without_shares_starts_at_once() -> None:
    over = commands.resign(Table.open("old", opening(*people(2))), 0, 5).table
    offered = commands.offer_rematch(over, 0, "next", "s", 6).decision.table
    made = commands.accept_rematch(offered, 1, "next", "s", 7)
    assert made.opened is not None
    assert Table.open("next", made.opened).state == "running"


def test_events_of_the_first_release_are_still_read() -> None:
    opened = event_to_json(opening(person(0), Chair(Kind.OPEN)))
    assert "share_hashes" not in opened
    joined = {"type": "Joined", "at": 5, "seat": 1, "name": "Bo", "key": "k"}
    left = {"type": "Left", "at": 4, "seat": 0}
    assert event_to_json(event_from_json(left)) == left
    written = event_to_json(event_from_json(joined))
    assert written == {**joined, "holder": "key:k"}
    offered = {"type": "RematchOffered", "at": 4, "seat": 0}
    read = [event_from_json(data) for data in (opened, {**joined, "owner": "o"}, left, offered)]
    assert Table.of("table", read[:2]).state == "running"


@given(st.data())
def test_whatever_people_do_no_game_starts_without_the_shares_promised(
    data: st.DataObject,
) -> None:
    """Any order of joining, leaving, pledging, revealing and holding back: a game that starts was
    dealt from the shares that everybody's last hash promised, and reading back agrees."""
    one, numbers = evening(3), iter(range(1000))
    own: dict[int, str] = {0: SHARES[0]}
    for _ in range(data.draw(st.integers(3, 30))):
        if one.table.position is not None:
            break
        seat = data.draw(st.integers(0, 2))
        act = data.draw(st.sampled_from(["join", "leave", "pledge", "reveal", "reveal", "late"]))
        fresh = f"{next(numbers):032x}"
        taken = one.table.chairs[seat].kind is not Kind.OPEN
        try:
            if act == "join":
                share = fresh if data.draw(st.booleans()) else None
                one.join(seat, share)
                own.pop(seat, None)
                own |= {} if share is None else {seat: share}
            elif act == "late":
                one.free_seats(*one.table.shares.awaited[:1])
            elif taken and act == "leave":
                one.do(commands.leave(one.table, seat, one.now))
            elif taken and act == "pledge":
                one.pledge(seat, fresh)
                own[seat] = fresh
            elif taken:
                one.reveal(seat, own.get(seat, fresh))
        except TableRefused:
            pass
    table = one.table
    assert_same(one.read_back(), table)
    if table.position is not None and table.shares.parts:
        parts = [(part.seat, own[part.seat]) for part in table.shares.parts]
        ruleset = table.options.ruleset
        dealt = ShuffledDealer(mixed_seed(SEED, "table", parts)).opening(ruleset)
        assert record_of(table).opening == dealt
