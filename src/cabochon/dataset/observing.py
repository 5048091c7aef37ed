"""What the network of a learner would have seen in a record: observations, masks and actions of all
its decisions, replayed by the kernel.

    seen = observations_of(record)
    seen.observations.shape, seen.masks.shape, seen.actions.shape     (n, 400), (n, 72), (n,)

A record names cards and an action places; so the moves become a few numbers each, and the kernel
finds the places.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cabochon.kernel import ACTION_COUNT, ACTIONS, OBSERVATION_SIZE
from cabochon.kernel.actions import (
    BUY,
    BUY_RESERVED,
    CHOOSE_NOBLE,
    GIVE_BACK,
    PASS,
    RESERVE,
    RESERVE_DECK,
    ActionKind,
)
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import CARD_BITS, DEAL, Floats, Number, StateRow, States, new_states
from cabochon.kernel.legal import legal_mask
from cabochon.kernel.observation import observe, write_mask
from cabochon.kernel.packing import pack
from cabochon.kernel.step import act_unchecked, deal_unchecked, write_shares
from cabochon.record import Record
from cabochon.rules import Buy, Card, ChooseNoble, Deal, Gems, Pass, Reserve, Return, Take

u64 = np.uint64
_TAKE, _RESERVE, _DECK, _BUY, _PASS, _RETURN, _NOBLE, _DEAL = range(8)
_NOT_SAID = -1

_TAKES = {
    action.gems: index for index, action in enumerate(ACTIONS) if action.kind is ActionKind.TAKE
}


@dataclass(frozen=True, slots=True)
class SeenDecisions:
    """The decisions of a record, a row each. `observations` are of the seat that decided, `masks`
    its legal actions, `actions` what it chose, `shares` its part of the victory in the end (as
    things stand, if the record has none)."""

    observations: Floats
    masks: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int64]
    shares: Floats

    def __len__(self) -> int:
        return len(self.actions)


def observations_of(record: Record) -> SeenDecisions:
    """Replay the main line of the record. Tokens that go back together are given back one by one,
    in the order w u g r k gold."""
    codes = np.array([_code(event) for event in record.events], np.int64).reshape(-1, 3)
    states = new_states(1)
    pack(record.first(), states)
    count = int(_decisions(codes))
    observations = np.empty((count, OBSERVATION_SIZE), np.float32)
    masks = np.empty((count, ACTION_COUNT // 8), np.uint64)
    facts = np.empty((3, count), np.int64)
    shares = np.zeros(4, np.float32)
    _replay(states, codes, observations, masks, facts, shares)
    return SeenDecisions(
        observations, masks.view(np.int8), facts[0], facts[1], facts[2], shares[facts[1]]
    )


def _code(event: object) -> tuple[int, int, int]:
    """What happened, the card, noble, level or action, and tokens as lanes."""
    if isinstance(event, Deal):
        return _DEAL, event.card.id, 0
    if isinstance(event, Take):
        return _TAKE, _TAKES[event.gems], 0
    if isinstance(event, Buy):
        paid = _NOT_SAID if event.payment is None else _lanes(event.payment)
        return _BUY, event.card.id, paid
    if isinstance(event, Reserve):
        target = event.target
        if isinstance(target, Card):
            return _RESERVE, target.id, 0
        return _DECK, target.level - 1, 0
    if isinstance(event, Return):
        return _RETURN, 0, _lanes(event.gems)
    if isinstance(event, ChooseNoble):
        return _NOBLE, event.noble.id, 0
    assert isinstance(event, Pass), event
    return _PASS, 0, 0


def _lanes(gems: Gems) -> int:
    w, u, g, r, k, gold = gems
    return w | u << 8 | g << 16 | r << 24 | k << 32 | gold << 40


@compiled
def _decisions(codes: npt.NDArray[np.int64]) -> Number:
    """How many actions the moves are."""
    count = 0
    for row in range(len(codes)):
        if codes[row, 0] == _RETURN:
            for gem in range(6):
                count += (codes[row, 2] >> (8 * gem)) & 255
        elif codes[row, 0] != _DEAL:
            count += 1
    return count


@compiled
def _replay(
    states: States,
    codes: npt.NDArray[np.int64],
    observations: Floats,
    masks: npt.NDArray[np.uint64],
    facts: npt.NDArray[np.int64],
    shares: Floats,
) -> None:
    s, at = states[0], 0
    for row in range(len(codes)):
        kind, thing, tokens = codes[row, 0], codes[row, 1], codes[row, 2]
        if kind == _DEAL:
            if s.phase == DEAL:
                deal_unchecked(s, thing)
        elif kind == _RETURN:
            for gem in range(6):
                for _ in range((tokens >> (8 * gem)) & 255):
                    _see(s, GIVE_BACK + gem, observations[at], masks[at], facts[:, at])
                    act_unchecked(s, GIVE_BACK + gem)
                    at += 1
        else:
            action = _action(s, kind, thing)
            _see(s, action, observations[at], masks[at], facts[:, at])
            _act(s, action, tokens if kind == _BUY else _NOT_SAID)
            at += 1
    write_shares(s, shares)


@compiled
def _see(
    s: StateRow,
    action: Number,
    observation: Floats,
    mask: npt.NDArray[np.uint64],
    facts: npt.NDArray[np.int64],
) -> None:
    observe(s, np.int64(s.seat), observation)
    write_mask(s.phase, legal_mask(s), mask)
    facts[0], facts[1], facts[2] = action, s.seat, s.turn


@compiled
def _act(s: StateRow, action: Number, paid: Number) -> None:
    """The action; a purchase with the tokens paid, which may be more gold than need be."""
    seat, tokens, bank = np.int64(s.seat), s.tokens[s.seat], s.bank
    act_unchecked(s, action)
    if paid != _NOT_SAID:
        s.tokens[seat] = tokens - u64(paid)
        s.bank = bank + u64(paid)


@compiled
def _action(s: StateRow, kind: Number, thing: Number) -> Number:
    """The action that means this card or noble here."""
    if kind == _TAKE:
        return thing
    if kind == _DECK:
        return RESERVE_DECK + thing
    if kind == _NOBLE:
        for place in range(5):
            if s.nobles[place] == thing:
                return CHOOSE_NOBLE + place
    if kind in (_RESERVE, _BUY):
        for place in range(12):
            if s.board[place] == thing:
                return (BUY if kind == _BUY else RESERVE) + place
        for slot in range(3):
            if s.reserved[4 * np.int64(s.seat) + slot] & CARD_BITS == thing:
                return BUY_RESERVED + slot
    return PASS
