"""Records of games that people added to: every share must be the promised one, and in the deal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.notation import (
    dumps,
    format_record,
    loads,
    parse_record,
    record_from_json,
    record_to_json,
)
from cabochon.record import Reason, Record, Verdict, verify
from cabochon.record.sheet import share_headers, share_proof
from cabochon.rules import (
    Phase,
    Ruleset,
    ShuffledDealer,
    commitment,
    mixed_seed,
    share_hash,
)
from tests.cli.driver import run

SEED, TABLE = "the host's seed", "k7m2p4x9qa"
SHARES = {0: "0" * 32, 2: "c0ffee" + "0" * 26}
HASHES = {seat: share_hash(share) for seat, share in SHARES.items()}


def shared(shares: dict[int, str] = SHARES, plies: int = 30, round_number: int = 1) -> Record:
    """The record of a game for three, dealt from the host's seed and these shares."""
    ruleset = Ruleset(3)
    dealer = ShuffledDealer(mixed_seed(SEED, TABLE, shares.items()))
    hashes = {seat: share_hash(share) for seat, share in shares.items()}
    record = Record.start(
        ruleset,
        dealer.opening(ruleset),
        headers=share_headers(TABLE, round_number, hashes, shares),
        commitment=commitment(SEED),
    )
    for _ in range(plies):
        position = record.final()
        due = position.phase is Phase.DEAL
        record = record.append(dealer.deal(position) if due else position.legal_moves()[-1])
    return record.ended(Reason.RESIGNED, (1, 2, 3)).revealed(SEED)


def with_headers(record: Record, **headers: str | None) -> Record:
    said = {**record.headers, **headers}
    kept = {name: value for name, value in said.items() if value is not None}
    return replace(record, headers=kept)


def problems(record: Record, remembered: str | None = None) -> list[str]:
    return [problem.code.value for problem in verify(record, share_hash=remembered).problems]


def test_an_honest_deal_is_proved() -> None:
    check = verify(shared())
    assert check.ok
    verdicts = [verdict for verdict, _ in check.verdicts]
    assert Verdict.SHARES_HOLD in verdicts
    assert Verdict.SEED_COMMITTED in verdicts
    assert Verdict.DEAL_AGREES in verdicts
    assert "Seats 0, 2 added to the deal: each share is the one its hash promised." in check.lines()
    assert any(line.startswith("0, 2 号座位参与了发牌") for line in check.lines("zh"))


def test_a_host_who_deals_from_another_seed_is_found() -> None:
    record = shared()
    other = ShuffledDealer(mixed_seed("a seed I like", TABLE, SHARES.items()))
    chosen = replace(record, opening=other.opening(record.ruleset), events=())
    assert problems(chosen) == ["opening-not-from-seed"]
    alone = ShuffledDealer(SEED).opening(record.ruleset)
    assert problems(replace(record, opening=alone, events=())) == ["opening-not-from-seed"]


def test_a_record_without_its_shares_does_not_pass() -> None:
    bare = replace(shared(), headers={"Table": TABLE})
    assert problems(bare) == ["opening-not-from-seed"]


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("Share2", "f" * 32, "share-not-promised"),
        ("Share2", "F" * 32, "share-not-promised"),
        ("ShareHash2", "f" * 64, "share-not-promised"),
        ("ShareHash2", None, "share-hash"),
        ("ShareHash2", "short", "share-hash"),
        ("ShareHash1", "", "share-hash"),
        ("Table", None, "share-table"),
        ("Table", "two\nlines", "share-table"),
        ("ShareRound", "none", "share-round"),
        ("ShareRound", "0", "share-round"),
        ("ShareRound", "٣", "share-round"),
        ("ShareRound", "123456", "share-round"),
    ],
)
def test_one_changed_header_is_called_by_name_and_nothing_is_claimed(
    name: str, value: str | None, code: str
) -> None:
    check = verify(with_headers(shared(), **{name: value}))
    assert [problem.code.value for problem in check.problems] == [code]
    verdicts = [verdict for verdict, _ in check.verdicts]
    assert Verdict.SHARES_HOLD not in verdicts
    assert Verdict.DEAL_AGREES not in verdicts
    for problem in check.problems:
        assert problem.en != problem.zh


def test_another_table_is_another_deal() -> None:
    assert problems(with_headers(shared(), Table="another")) == ["opening-not-from-seed"]


def test_a_share_that_is_not_told_proves_nothing() -> None:
    check = verify(with_headers(shared(), Share0=None))
    verdicts = [verdict for verdict, _ in check.verdicts]
    assert Verdict.SHARES_NOT_TOLD in verdicts
    assert Verdict.DEAL_AGREES not in verdicts
    running = verify(replace(with_headers(shared(), Share0=None, Share2=None), seed=None))
    assert Verdict.SHARES_NOT_TOLD in [verdict for verdict, _ in running.verdicts]


def test_a_second_round_is_told() -> None:
    assert "It took 2 rounds of shares: somebody withheld a share before." in (
        verify(shared(round_number=2)).lines()
    )
    assert verify(with_headers(shared(), ShareRound=None)).ok


def test_a_remembered_hash_is_looked_for() -> None:
    assert verify(shared(), share_hash=HASHES[2]).ok
    assert verify(shared(), share_hash=HASHES[2].upper()).ok
    assert problems(shared(), share_hash("1" * 32)) == ["share-missing"]
    assert problems(with_headers(shared(), Share0=None), HASHES[2]) == ["share-missing"]
    plain = replace(shared(), headers={}, opening=ShuffledDealer(SEED).opening(Ruleset(3)))
    assert problems(replace(plain, events=()), HASHES[2]) == ["share-missing"]


@given(
    st.dictionaries(
        st.integers(0, 2), st.binary(min_size=16, max_size=16).map(bytes.hex), min_size=1
    ),
    st.integers(1, 99),
)
def test_shares_come_back_from_text_and_json(shares: dict[int, str], round_number: int) -> None:
    record = shared(shares, 3, round_number)
    for again in (
        parse_record(format_record(record)),
        record_from_json(loads(dumps(record_to_json(record)))),
    ):
        assert again == record
        assert verify(again, share_hash=share_hash(next(iter(shares.values())))).ok
    proof = share_proof(record.headers, SEED)
    assert proof is not None
    assert proof.round == round_number
    assert proof.seed == mixed_seed(SEED, TABLE, shares.items())


NAMES = st.sampled_from(
    [
        "Table",
        "ShareRound",
        *[f"{n}{s}" for n in ("Share", "ShareHash", "sharehash") for s in "0129"],
    ]
)
VALUES = st.one_of(st.text(max_size=70), st.sampled_from([*SHARES.values(), *HASHES.values(), "1"]))


@given(st.dictionaries(NAMES, VALUES), st.none() | st.text())
def test_any_headers_give_an_answer(headers: dict[str, str], seed: str | None) -> None:
    proof = share_proof(headers, seed)
    if proof is not None and proof.holds:
        assert proof.hashes
        assert seed is not None


def test_no_hashes_no_headers() -> None:
    assert share_headers(TABLE, 1, {}, {}) == {}
    assert share_proof({"Table": TABLE}, SEED) is None


def test_the_command_line_proves_it(tmp_path: Path) -> None:
    path = tmp_path / "shared.cabochon"
    path.write_text(format_record(shared()), "utf-8")
    done = run("verify", path, "--share-hash", HASHES[0])
    assert done.code == 3, done.out  # somebody resigned, which no move can prove
    assert "Every card was dealt as the revealed seed says." in " ".join(done.out.split())
    assert f"The share with the hash {HASHES[0]}" in " ".join(done.out.split())
    done = run("verify", path, "--share-hash", "f" * 64, "--lang", "zh")
    assert done.code == 1
    assert "这局发牌中没有哈希为" in done.out
