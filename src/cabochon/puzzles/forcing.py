"""Wins by force, proved: against every reply and every card that can come.

The hero has to win within a number of its own turns. Cards are not dealt one by one: a card that
chance deals stays unknown, face down in its place.

    to prove     the hero never buys an unknown card; an opponent who wants to may look at the
                 moment of buying, and it is whichever card of that level it likes best among all
                 that nobody has seen. The same goes for cards it has drawn from a deck. It may pay
                 in every way. A win against that is a win against every deal.
    to refute    nobody buys unknown cards and opponents pay the least gold, while the hero may pay
                 in every way. A reply that still holds is good whichever useless card comes.

A position is a record of the kernel. Decisions of one turn (tokens to give back, which noble) are
nodes of their own; tokens are given back in the order of the colours, so that each way is met once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.kernel.actions import BUY, CHOOSE_NOBLE, GIVE_BACK, PASS
from cabochon.kernel.bits import COLOURS, excess, lane, lowest_bit, sum_colours
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import (
    ACT,
    BLIND,
    BLIND_DRAW,
    CARD_BITS,
    DEAL,
    HIDDEN,
    LEVEL_START,
    NO_CARD,
    NOTHING,
    OVER,
    POINTS_LANE,
    PRICE,
    RETURN,
    Number,
    StateRow,
    States,
    new_states,
)
from cabochon.kernel.legal import first_action, lay_card, legal_mask, lift_card
from cabochon.kernel.step import act_unchecked, merit, pending_level, settle

u64 = np.uint64
_ONE = u64(1)
WIDTH = 512
"""Children of one decision; one that has more counts as not settled."""
DEPTH = 40
PROVE, REFUTE = 0, 1
LOST, WON, UNSETTLED, OPEN = 0, 1, 2, 3
MOST_GAIN = 8
"""Points of one turn: the dearest card and a noble."""


FRAME = np.dtype(
    [
        ("turns", np.int64),
        ("next", np.int64),
        ("count", np.int64),
        ("mine", np.int64),
        ("answer", np.int64),
    ]
)
"""Of a state whose children are being looked at: the hero's turns after this one, which child is
next, how many there are, whether the hero decides, and the result if no child changes it."""


class ProofBuffers(NamedTuple):
    """Children by depth, the actions that lead to them, the states that are open, and nodes spent
    and allowed."""

    states: States
    actions: npt.NDArray[np.int16]
    frames: npt.NDArray[np.void]
    killers: npt.NDArray[np.int16]
    """By depth, the action that settled the last state there: tried first next time."""
    nodes: npt.NDArray[np.int64]


def new_proof() -> ProofBuffers:
    """Memory for one thread."""
    return ProofBuffers(
        new_states(DEPTH * WIDTH),
        np.zeros(DEPTH * WIDTH, np.int16),
        np.zeros(DEPTH, FRAME),
        np.full(DEPTH, -1, np.int16),
        np.zeros(2, np.int64),
    )


@compiled
def is_forced(
    proof: ProofBuffers, depth: Number, at: Number, hero: Number, turns: Number, aim: Number
) -> np.int64:
    """Whether the hero wins from ``states[at]``, which lies at ``depth``, within so many more of
    its turns. Depth first, without recursion: compiled code that calls itself can't be kept."""
    frames, here = proof.frames, np.int64(depth)
    answer = enter(proof, here, at, hero, turns, aim)
    if answer != OPEN:
        return answer
    while True:
        frame = frames[here]
        if frame.next == frame.count:
            answer = np.int64(frame.answer)
            if here == depth:
                return answer
            here -= 1
            answer = judge(proof, here, answer)
        else:
            child = (here + 1) * WIDTH + np.int64(frame.next)
            frame.next += 1
            answer = enter(proof, here + 1, child, hero, np.int64(frame.turns), aim)
            if answer == OPEN:
                here += 1
                continue
            answer = judge(proof, here, answer)
        if proof.nodes[0] > proof.nodes[1]:
            return np.int64(UNSETTLED)


@compiled
def judge(proof: ProofBuffers, depth: np.int64, found: np.int64) -> np.int64:
    """What a child's result means for its parent: enough, or go on with the next."""
    frame = proof.frames[depth]
    if found == (WON if frame.mine != 0 else LOST):
        proof.killers[depth] = proof.actions[(depth + 1) * WIDTH + np.int64(frame.next) - 1]
        frame.answer = found
        frame.next = frame.count
    elif found == UNSETTLED:
        frame.answer = UNSETTLED
    return np.int64(OPEN)


@compiled
def enter(
    proof: ProofBuffers, depth: np.int64, at: Number, hero: Number, turns: Number, aim: Number
) -> np.int64:
    """The result of a state if it needs no look further; else OPEN, with its children ready."""
    s = proof.states[at]
    if s.phase == OVER:
        return np.int64(WON if is_sole_winner(s, hero) else LOST)
    mine = s.seat == hero
    if mine and s.phase == ACT:
        turns -= 1
        if turns < 0 or not can_reach(s, hero, turns + 1):
            return np.int64(LOST)
    elif not mine and turns == 0 and s.last_round == 0:
        return np.int64(LOST)
    proof.nodes[0] += 1
    if proof.nodes[0] > proof.nodes[1] or depth + 2 >= DEPTH:
        return np.int64(UNSETTLED)
    count = children(proof, depth + 1, at, hero, turns, aim)
    if count < 0:
        return np.int64(UNSETTLED)
    promote(proof, depth, count)
    frame = proof.frames[depth]
    frame.turns = turns
    frame.next = 0
    frame.count = count
    frame.mine = mine
    frame.answer = LOST if mine else WON
    return np.int64(OPEN)


@compiled
def promote(proof: ProofBuffers, depth: np.int64, count: np.int64) -> None:
    """Put the child that settled the last state at this depth first: it often does so again."""
    base = (depth + 1) * WIDTH
    for child in range(base + 1, base + count):
        if proof.actions[child] == proof.killers[depth]:
            spare = proof.states.shape[0] - 1
            proof.states[spare] = proof.states[base]
            proof.states[base] = proof.states[child]
            proof.states[child] = proof.states[spare]
            proof.actions[child] = proof.actions[base]
            proof.actions[base] = proof.killers[depth]
            return


@compiled
def is_sole_winner(s: StateRow, hero: Number) -> bool:
    """Whether the finished game is the hero's alone."""
    for seat in range(np.int64(s.seats)):
        if seat != hero and merit(s, seat) >= merit(s, hero):
            return False
    return True


@compiled
def can_reach(s: StateRow, hero: Number, turns: Number) -> bool:
    """Whether the hero could have enough points after so many turns."""
    points = np.int64(lane(s.sides[hero], POINTS_LANE))
    return bool(s.last_round != 0 or points + MOST_GAIN * turns >= s.target)


@compiled
def children(
    proof: ProofBuffers, depth: Number, at: Number, hero: Number, turns: Number, aim: Number
) -> np.int64:
    """Write every way to decide at ``states[at]`` to ``depth``; how many, or −1 for too many.
    ``turns`` are those the hero has after this one."""
    s = proof.states[at]
    base = np.int64(depth) * WIDTH
    count = np.int64(0)
    mine = s.seat == hero
    if s.phase == ACT and not mine and aim == PROVE:
        count = unknown_purchases(proof, base, at, bool(turns >= 1))
    mask = legal_mask(s)
    if s.phase == RETURN:
        mask = later_returns(mask, proof.actions[at])
    if s.phase == ACT:
        if mine and turns == 0 and s.last_round == 0:
            # The last turn: only points can still do it.
            mask &= ((_ONE << u64(PASS - BUY)) - _ONE) << u64(BUY)
        count = purchases(
            proof, base, count, at, mask, bool(turns >= 1 and mine == (aim == REFUTE))
        )
        mask &= ~(((_ONE << u64(PASS - BUY)) - _ONE) << u64(BUY))
        if not mine and turns == 0:
            mask &= ~mask + _ONE  # nothing but points matters now: one way to do without
    first = first_action(s.phase)
    while mask != u64(0):
        if count >= WIDTH:
            return np.int64(-1)
        action = first + np.int64(lowest_bit(mask))
        mask &= mask - _ONE
        proof.states[base + count] = proof.states[at]
        follow(proof.states[base + count], action)
        proof.actions[base + count] = action
        count += 1
    return count if count < WIDTH else np.int64(-1)


@compiled
def later_returns(mask: np.uint64, last: Number) -> np.uint64:
    """Give back in the order of colours: nothing before the colour given back just now."""
    if GIVE_BACK <= last < CHOOSE_NOBLE:
        below = (_ONE << u64(last - GIVE_BACK)) - _ONE
        return mask & ~below
    return mask


@compiled
def follow(s: StateRow, action: Number) -> None:
    """The action; a card that chance deals stays unknown."""
    act_unchecked(s, action)
    if s.phase == DEAL:
        level = np.int64(pending_level(s))
        if s.pending >= BLIND_DRAW:
            slot = 4 * np.int64(s.seat)
            while s.reserved[slot] != NO_CARD:
                slot += 1
            s.reserved[slot] = HIDDEN + level
        else:
            lay_card(s, np.int64(s.pending), HIDDEN + level)
        s.decks[level] -= 1
        if s.decks[level] == 0:
            s.reservable &= ~(1 << (BLIND_DRAW + level))
        s.pending = NOTHING
        settle(s)


@compiled
def purchases(
    proof: ProofBuffers, base: np.int64, count: np.int64, at: Number, mask: np.uint64, swaps: bool
) -> np.int64:
    """Every purchase, with every way to pay if ``swaps``."""
    s = proof.states[at]
    for place in range(15):
        if (mask >> u64(BUY + place)) & _ONE == u64(0) or count >= WIDTH:
            continue
        held = s.board[place] if place < 12 else s.reserved[4 * np.int64(s.seat) + place - 12]
        card = np.int64(held) & CARD_BITS
        proof.states[base + count] = proof.states[at]
        count = _bought(proof, base, count, at, place, card, swaps)
    return count


@compiled
def _bought(
    proof: ProofBuffers,
    base: np.int64,
    count: np.int64,
    at: Number,
    place: Number,
    card: Number,
    swaps: bool,
) -> np.int64:
    """The card at that place is bought in the state that was written last; the new count."""
    follow(proof.states[base + count], BUY + place)
    proof.actions[base + count] = BUY + place
    count += 1
    return other_payments(proof, base, count, at, card) if swaps else count


@compiled
def other_payments(
    proof: ProofBuffers, base: np.int64, count: np.int64, at: Number, card: Number
) -> np.int64:
    """The purchase written last once more for every way to pay with more gold: a colour comes
    back from the bank, and gold goes there instead."""
    s = proof.states[at]
    seat = np.int64(s.seat)
    tokens = s.tokens[seat]
    due = excess(PRICE[card], s.sides[seat & s.side_mask] & COLOURS)
    short = excess(due, tokens & COLOURS)
    gold = np.int64(lane(tokens, 5)) - np.int64(sum_colours(short))
    paid = due - short
    if gold <= 0 or paid == u64(0):
        return count
    plain = base + count - 1
    ways = np.int64(1)
    for colour in range(5):
        ways *= np.int64(lane(paid, colour)) + 1
    for way in range(1, ways):
        rest, spent, kept = np.int64(way), np.int64(0), u64(0)
        for colour in range(5):
            most = np.int64(lane(paid, colour)) + 1
            spent += rest % most
            kept += u64(rest % most) << u64(8 * colour)
            rest //= most
        if spent > gold or count >= WIDTH:
            continue
        proof.states[base + count] = proof.states[plain]
        proof.actions[base + count] = proof.actions[plain]
        new = proof.states[base + count]
        swap = u64(spent) << u64(40)
        new.tokens[seat] = new.tokens[seat] + kept - swap
        new.bank = new.bank - kept + swap
        count += 1
    return count


@compiled
def unknown_purchases(proof: ProofBuffers, base: np.int64, at: Number, swaps: bool) -> np.int64:
    """What the mover might buy of cards that nobody has seen: in its own hand, or on the table."""
    count = np.int64(0)
    for level in range(3):
        for source in range(2):
            place = unknown_place(proof.states[at], level, source == 0)
            pool = proof.states[at].pool[level] if place >= 0 else u64(0)
            while pool != u64(0):
                card = np.int64(lowest_bit(pool)) + np.int64(LEVEL_START[level])
                pool &= pool - _ONE
                if count >= WIDTH - 1 or not can_pay(proof.states[at], card):
                    continue
                proof.states[base + count] = proof.states[at]
                reveal(proof.states[base + count], level, place, card)
                count = _bought(proof, base, count, at, place, card, swaps)
    return count


@compiled
def unknown_place(s: StateRow, level: Number, in_hand: bool) -> np.int64:
    """Where the mover finds an unknown card of the level, as an offset of its purchase, or −1."""
    first = 4 * np.int64(s.seat)
    for slot in range(3):
        if in_hand and s.reserved[first + slot] == HIDDEN + level:
            return np.int64(12 + slot)
    for column in range(4):
        if not in_hand and s.board[4 * level + column] == HIDDEN + level:
            return np.int64(4 * level + column)
    return np.int64(-1)


@compiled
def can_pay(s: StateRow, card: Number) -> bool:
    """Whether the mover has the tokens for it."""
    tokens = s.tokens[s.seat]
    due = excess(PRICE[card], s.sides[s.seat & s.side_mask] & COLOURS)
    return bool(sum_colours(excess(due, tokens & COLOURS)) <= lane(tokens, 5))


@compiled
def reveal(s: StateRow, level: Number, place: Number, card: Number) -> None:
    """The unknown card is this one."""
    s.pool[level] &= ~(_ONE << (u64(card) - u64(LEVEL_START[level])))
    if place >= 12:
        s.reserved[4 * np.int64(s.seat) + place - 12] = card | BLIND
    else:
        lift_card(s, place)
        lay_card(s, place, card)


@compiled
def settled(
    proof: ProofBuffers, hero: Number, turns: Number, aim: Number, most_nodes: Number
) -> np.int64:
    """`is_forced` of ``states[0]``, within so many nodes."""
    proof.nodes[0] = 0
    proof.nodes[1] = most_nodes
    proof.actions[0] = -1
    return is_forced(proof, 0, 0, hero, turns, aim)
