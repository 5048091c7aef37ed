"""Shares: everybody's part of the seed, so that nobody can choose the deal."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cabochon.rules import commitment, mixed_seed, new_share, share_hash
from cabochon.rules.dealer import is_share, is_share_hash

SHARES = st.binary(min_size=16, max_size=16).map(bytes.hex)
MIXES = st.dictionaries(st.integers(0, 3), SHARES)
TABLES = st.text("abcdefghjkmnpqrstuvwxyz23456789", min_size=4, max_size=16)


@given(st.text(), TABLES, MIXES, st.data())
def test_any_other_share_gives_another_seed(
    seed: str, table: str, shares: dict[int, str], data: st.DataObject
) -> None:
    assume(shares)
    seat = data.draw(st.sampled_from(sorted(shares)))
    other = {**shares, seat: data.draw(SHARES.filter(lambda share: share != shares[seat]))}
    without = {s: share for s, share in shares.items() if s != seat}
    mixes = [mixed_seed(seed, table, mix.items()) for mix in (shares, other, without)]
    assert len(set(mixes)) == 3


@given(st.lists(st.tuples(st.text(), TABLES, MIXES), min_size=2, max_size=2))
def test_two_mixes_never_read_the_same(mixes: list[tuple[str, str, dict[int, str]]]) -> None:
    one, other = mixes
    same = mixed_seed(one[0], one[1], one[2].items()) == mixed_seed(
        other[0], other[1], other[2].items()
    )
    assert same == (one == other)


def test_a_seed_that_looks_like_a_share_is_not_taken_for_one() -> None:
    share = "0" * 32
    assert mixed_seed(f"1 {share}\nhost", "table", [(0, share)]) != mixed_seed(
        "host", "table", [(0, share), (1, share)]
    )


@given(st.text(), TABLES, MIXES)
def test_the_mix_is_what_the_document_says(seed: str, table: str, shares: dict[int, str]) -> None:
    lines = [f"{seat} {shares[seat]}" for seat in sorted(shares)]
    text = "\n".join(["cabochon shares 1", table, str(len(lines)), *lines, seed])
    assert mixed_seed(seed, table, shares.items()) == hashlib.sha256(text.encode()).hexdigest()
    back = sorted(shares.items(), reverse=True)
    assert mixed_seed(seed, table, back) == mixed_seed(seed, table, shares.items())


def test_a_known_mix_stays_what_it_is() -> None:
    shares = [(0, "00" * 16), (1, "ff" * 16)]
    assert share_hash("00" * 16) == (
        "aa948273f2b74ebc9e70ed2357a417a81b1e8cc3688e27697ff804b1a9838d89"
    )
    assert mixed_seed("cabochon", "k7m2p4x9qa", shares) == (
        "693600639d0e149a3dc65bdde9a493c63485ab9ebe6e267d6fbd80fe8b7953d6"
    )


def test_a_hash_fixes_a_share_and_is_neither_its_commitment_nor_itself() -> None:
    share = new_share()
    assert is_share(share)
    assert is_share_hash(share_hash(share))
    assert share_hash(share) not in (commitment(share), share, share_hash(new_share()))


def test_a_new_share_cannot_be_guessed() -> None:
    assert len({new_share() for _ in range(100)}) == 100


@pytest.mark.parametrize(
    ("table", "shares"),
    [
        ("two\nlines", [(0, "0" * 32)]),
        ("table", [(0, "0" * 32), (0, "1" * 32)]),
        ("table", [(4, "0" * 32)]),
        ("table", [(0, "0" * 31)]),
        ("table", [(0, "0" * 32 + "\n")]),
        ("table", [(0, "A" * 32)]),
    ],
)
def test_what_cannot_be_mixed_is_refused(table: str, shares: list[tuple[int, str]]) -> None:
    with pytest.raises(ValueError, match=r"table|share"):
        mixed_seed("seed", table, shares)
