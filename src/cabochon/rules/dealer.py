"""Where cards come from. A dealer stands outside every position and view: nobody who holds one of
those can reach the order of a deck or the seed.

The shuffle is defined by bytes, so that any language can repeat it (docs/notation.md, "Fair
deal"), and a seed can be committed to before the game and revealed after it.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from cabochon.rules.cards import CARDS, LEVELS, NOBLES, Card, is_card
from cabochon.rules.errors import (
    ArgumentFault,
    DealFault,
    IllegalDeal,
    WrongArgument,
    shown,
    wrong,
)
from cabochon.rules.facts import Facts
from cabochon.rules.moves import Deal, Opening
from cabochon.rules.position import Position
from cabochon.rules.ruleset import TOKENS_OF_COLOUR, Ruleset

T = TypeVar("T")


class Dealer(Protocol):
    """Gives the opening and then, whenever a position waits for a card, that card."""

    def opening(self, ruleset: Ruleset) -> Opening: ...

    def deal(self, facts: Facts) -> Deal:
        """The card for `facts.pending`. Raises IllegalDeal when none is due or left."""
        ...


class ShuffledDealer:
    """Decks and nobles in an order drawn from the seed. It keeps no count of its own: how many
    cards a deck has left says which comes next, so one dealer serves a game after a restart.
    Raises WrongArgument for a seed that isn't text."""

    def __init__(self, seed: str) -> None:
        _check_seed(seed)
        # As the cards' numbers, which take an eighth of the room: a server has many dealers.
        self._decks = tuple(
            bytes(shuffled([c.id for c in CARDS if c.level == level], seed, f"deck{level}"))
            for level in LEVELS
        )
        self._nobles = shuffled(NOBLES, seed, "nobles")

    def opening(self, ruleset: Ruleset) -> Opening:
        if not isinstance(ruleset, Ruleset):
            raise wrong("ruleset", "ruleset", ruleset)
        rows = tuple(_cards(deck[: ruleset.row_width]) for deck in self._decks)
        return Opening(self._nobles[: ruleset.noble_count], rows)

    def deal(self, facts: Facts) -> Deal:
        level = _pending_level(facts)
        deck, left = self._decks[level - 1], facts.decks[level - 1]
        return Deal(CARDS[deck[len(deck) - left]])

    def onwards(self, position: Position) -> ScriptedDealer:
        """A dealer for a game that begins from that position: the cards which still lie in its
        decks, in the order of this one. Raises WrongArgument."""
        if not isinstance(position, Position):
            raise wrong("position", "position", position)
        one, two, three = (
            tuple(card for card in _cards(deck) if position.in_deck(card)) for deck in self._decks
        )
        return ScriptedDealer(Opening((), ()), (one, two, three))

    def __repr__(self) -> str:
        return "ShuffledDealer(...)"


class ScriptedDealer:
    """Deals the given cards in the given order: for tests, perft and records."""

    def __init__(
        self, opening: Opening, decks: tuple[Sequence[Card], Sequence[Card], Sequence[Card]]
    ) -> None:
        """`decks` are the face-down cards after the opening, next card first, level 1 first.
        Raises WrongArgument for anything else."""
        if not isinstance(opening, Opening):
            raise wrong("opening", "opening", opening)
        if not _are_decks(decks):
            raise wrong("decks", "decks", decks)
        self._opening = opening
        self._decks = decks

    def opening(self, ruleset: Ruleset) -> Opening:
        return self._opening

    def deal(self, facts: Facts) -> Deal:
        level = _pending_level(facts)
        deck, left = self._decks[level - 1], facts.decks[level - 1]
        if not 0 < left <= len(deck):
            raise IllegalDeal(DealFault.SCRIPT_EMPTY, level=level)
        return Deal(deck[len(deck) - left])


def _cards(ids: bytes) -> tuple[Card, ...]:
    return tuple(CARDS[number] for number in ids)


def _are_decks(decks: object) -> bool:
    return (
        isinstance(decks, Sequence)
        and len(decks) == len(LEVELS)
        and all(isinstance(deck, Sequence) and all(map(is_card, deck)) for deck in decks)
    )


def _pending_level(facts: Facts) -> int:
    if not isinstance(facts, Facts):
        raise wrong("facts", "table", facts)
    if facts.pending is None:
        raise IllegalDeal(DealFault.DEAL_NOT_PENDING)
    return facts.pending.level


def new_seed() -> str:
    """A seed nobody can guess: 256 bits from the operating system, as hexadecimal text."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """What may be shown at the start: it fixes the seed without revealing it. Raises WrongArgument
    for a seed that isn't text."""
    _check_seed(seed)
    return hashlib.sha256(f"cabochon commitment 1\n{seed}".encode()).hexdigest()


def seating(seed: str, seats: int) -> tuple[int, ...]:
    """Who sits where: entry s is the index of the player who gets seat s. Seat 0 begins. Raises
    WrongArgument for a seed that isn't text or a number of seats that no table has."""
    _check_seed(seed)
    if type(seats) is not int or seats not in TOKENS_OF_COLOUR:
        raise wrong("seats", "whole", seats)
    return shuffled(range(seats), seed, "seats")


def shuffled(items: Sequence[T], seed: str, purpose: str) -> tuple[T, ...]:
    """The items in the order that seed and purpose fix (Fisher and Yates, from the end)."""
    deck = list(items)
    numbers = _words(seed, purpose)
    for last in range(len(deck) - 1, 0, -1):
        other = _below(last + 1, numbers)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def _check_seed(seed: object) -> None:
    """Text that has bytes: half of a surrogate pair has none, so it could not be hashed."""
    try:
        if isinstance(seed, str):
            seed.encode()
            return
    except UnicodeEncodeError:
        pass
    raise WrongArgument(ArgumentFault.BAD_SEED, given=shown(seed))


def _words(seed: str, purpose: str) -> Iterator[int]:
    """An endless run of 32-bit numbers: SHA-256 of seed, purpose and a block counter."""
    block = 0
    while True:
        digest = hashlib.sha256(f"cabochon deal 1\n{purpose}\n{block}\n{seed}".encode()).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _below(bound: int, numbers: Iterator[int]) -> int:
    """A number under the bound, each equally likely: words past the last whole multiple are
    skipped."""
    whole = 2**32 - 2**32 % bound
    return next(word for word in numbers if word < whole) % bound


# What people add to a seed, so that nobody can choose a deal: not a player, and not the host.
#
# Everybody picks a random share and shows its hash; once all hashes are there the shares are
# revealed, and the deal comes from the host's seed and all shares together. Defined by bytes,
# like the shuffle (docs/notation.md, "Shares").


SHARE = r"[0-9a-f]{32}"
"""128 bits, as lower-case hexadecimal text."""
SHARE_HASH = r"[0-9a-f]{64}"


def new_share() -> str:
    """A share nobody can guess."""
    return secrets.token_hex(16)


def is_share(text: str) -> bool:
    return re.fullmatch(SHARE, text) is not None


def is_share_hash(text: str) -> bool:
    return re.fullmatch(SHARE_HASH, text) is not None


def share_hash(share: str) -> str:
    """What may be shown of a share before the others are known: it fixes the share."""
    return hashlib.sha256(f"cabochon share 1\n{share}".encode()).hexdigest()


def mixed_seed(seed: str, table: str, shares: Iterable[tuple[int, str]]) -> str:
    """The seed that deals: from the host's own, the table's name, and each seat with its share.
    The order of `shares` doesn't matter. Raises ValueError for anything but a share, a seat named
    twice, or a table whose name is no single line: two different mixes never read the same."""
    given = sorted(shares)
    if "\n" in table:
        raise ValueError("a table's name is one line")
    if len({seat for seat, _ in given}) < len(given):
        raise ValueError("a seat has one share")
    if not all(seat in range(4) and is_share(share) for seat, share in given):
        raise ValueError("a share is 32 hexadecimal digits, for a seat from 0 to 3")
    lines = "".join(f"{seat} {share}\n" for seat, share in given)
    text = f"cabochon shares 1\n{table}\n{len(given)}\n{lines}{seed}"
    return hashlib.sha256(text.encode()).hexdigest()
