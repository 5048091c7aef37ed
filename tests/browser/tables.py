"""Tables on the server that stand at a known position, and the seeds they are dealt from."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple

from cabochon.notation import format_move
from cabochon.rules import DECKS, Buy, Move, Phase, Position, Reserve, Ruleset, Take
from cabochon.rules.ruleset import RESERVE_LIMIT, TOKEN_LIMIT
from tests.browser.scripts import Policy, Script, Until, greedy, hoarding, script
from tests.server.serving import Here

NAMES = ("Ada", "Mira", "Otto", "Ewa")


class Deals:
    """Seeds, by the name of a test and the number of its table, or as they are wished."""

    def __init__(self) -> None:
        self._name, self._count = "", 0
        self._wished: list[str] = []

    def name(self, name: str) -> None:
        self._name, self._count = name, 0

    def wish(self, seed: str) -> None:
        """For the next table that is made."""
        self._wished.append(seed)

    def __call__(self) -> str:
        if self._wished:
            return self._wished.pop()
        self._count += 1
        return sha256(f"{self._name} {self._count}".encode()).hexdigest()


class Seat(NamedTuple):
    """A chair at a table, the key that opens it, and what should be done there next."""

    table: str
    key: str
    next_move: str = ""


def may_buy(round_number: int) -> Until:
    """Where the first seat can buy a card with points from the market."""

    def there(position: Position, _: Move | None) -> bool:
        return _is_first(position, round_number) and bool(_purchase(position))

    return there


def _purchase(position: Position) -> str:
    for move in position.legal_moves():
        if (
            isinstance(move, Buy)
            and move.card.points
            and any(move.card in row for row in position.rows)
        ):
            return format_move(move)
    return ""


def may_take(round_number: int) -> Until:
    """Where the first seat can take three tokens without giving any back."""

    def there(position: Position, _: Move | None) -> bool:
        return _is_first(position, round_number) and bool(_three(position))

    return there


def _three(position: Position) -> str:
    if position.hands[position.seat].tokens.total > TOKEN_LIMIT - 3:
        return ""
    takes = (move for move in position.legal_moves() if isinstance(move, Take))
    return next((format_move(move) for move in takes if len(move.gems.letters) == 3), "")


def _is_first(position: Position, round_number: int) -> bool:
    late = position.turn >= round_number * position.ruleset.seats
    return late and position.seat == 0 and position.phase is Phase.ACT


def over(_: Position, move: Move | None) -> bool:
    return move is None


def choosing_noble(position: Position, _: Move | None) -> bool:
    return position.phase is Phase.NOBLE


def giving_back(position: Position, _: Move | None) -> bool:
    return position.phase is Phase.RETURN and position.seat == 0


def may_pay_otherwise(position: Position, _: Move | None) -> bool:
    """A card in sight can be paid with more gold than it needs."""
    return position.phase is Phase.ACT and bool(_gilded(position))


def _gilded(position: Position) -> str:
    cards = (card for row in position.rows for card in row if card)
    several = (card for card in cards if len(position.legal_payments(card)) > 1)
    return next((f"buy {card.code}" for card in several), "")


def gilding(position: Position) -> Move:
    """Greedy, but with two gold first."""
    if position.hands[position.seat].tokens.gold < 2:
        for move in position.legal_moves():
            if isinstance(move, Reserve):
                return move
    return greedy(position)


def holding(position: Position) -> Move:
    """Hoarding, with three reserved cards first."""
    if len(position.hands[position.seat].reserved) < RESERVE_LIMIT:
        for move in position.legal_moves():
            if isinstance(move, Reserve):
                return move
    return hoarding(position)


def blind_first(position: Position) -> Move:
    if position.turn < position.ruleset.seats:
        return Reserve(DECKS[0])
    return greedy(position)


class Tables:
    """People's tables; who has no window is there by a socket."""

    def __init__(self, here: Here, deals: Deals) -> None:
        self.here = here
        self._deals = deals
        self._present = contextlib.ExitStack()

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, *_: object) -> None:
        self._present.close()

    @cached_property
    def lobby(self) -> None:
        """Some tables to join."""
        for name in NAMES[1:]:
            chairs = [{"kind": "me", "name": name}, {"kind": "open"}]
            self.here.post("/tables", {"chairs": chairs})

    @cached_property
    def two(self) -> Seat:
        return self._seat("two", 2, may_buy(13), then=_purchase)

    @cached_property
    def three(self) -> Seat:
        return self._seat("three", 3, may_take(8), then=_three, variant="quick")

    @cached_property
    def four(self) -> Seat:
        return self._seat("four", 4, may_take(9), then=_three)

    @cached_property
    def over_ten(self) -> Seat:
        """The next take goes over ten."""
        return self._seat("over ten", 2, giving_back, hoarding, before=True)

    @cached_property
    def over_ten_holding(self) -> Seat:
        """The same with three reserved cards."""
        return self._seat("over ten holding", 2, giving_back, holding, before=True)

    @cached_property
    def over_ten_four(self) -> Seat:
        """The same among four."""
        return self._seat("over ten four", 4, giving_back, hoarding, before=True)

    @cached_property
    def two_nobles(self) -> Seat:
        """The next purchase pleases two nobles at once."""
        return self._seat("cabochon 49", 2, choosing_noble, before=True)

    @cached_property
    def gold_choice(self) -> Seat:
        return self._seat("gold", 2, may_pay_otherwise, gilding, then=_gilded)

    @cached_property
    def finished_two(self) -> Seat:
        return self._seat("finished two", 2, over)

    @cached_property
    def lost_two(self) -> Seat:
        """The first seat has lost."""
        return self._seat("lost 7", 2, over)

    @cached_property
    def resigned(self) -> Seat:
        """The first seat gave up in the middle of the game."""
        seat = self._seat("resigned", 2, may_take(9))
        self.here.post(f"/tables/{seat.table}/resign", {}, seat.key)
        return seat

    @cached_property
    def teams(self) -> Seat:
        return self._seat("teams", 4, may_take(6), then=_three, variant="teams")

    @cached_property
    def won_teams(self) -> Seat:
        return self._seat("won teams 3", 4, over, variant="teams")

    @cached_property
    def lost_teams(self) -> Seat:
        return self._seat("finished teams", 4, over, variant="teams")

    @cached_property
    def finished_blind(self) -> Seat:
        """Both began with a card from a deck."""
        return self._seat("finished blind", 2, over, blind_first, variant="quick")

    @cached_property
    def finished_four(self) -> Seat:
        return self._seat("finished four", 4, over)

    def _seat(
        self,
        seed: str,
        seats: int,
        until: Until,
        policy: Policy = greedy,
        *,
        then: Callable[[Position], str] | None = None,
        variant: str = "standard",
        before: bool = False,
    ) -> Seat:
        """The seat to act where the script ends, or `before` its last move."""
        told = script(seed, Ruleset.preset(variant, seats), until, policy)
        moves = told.moves[:-1] if before else told.moves
        table, keys = self._people(told, variant, seats)
        version = self.here.full(table)["version"]
        for seat, move in moves:
            sent = {"moves": [move], "version": version}
            version = self.here.post(f"/tables/{table}/move", sent, keys[seat])["version"]
        acting = 0 if told.end.phase is Phase.OVER else told.seat
        for seat, key in enumerate(keys):
            if seat != acting:
                self._present.enter_context(self.here.socket(table, key))
        if before:
            return Seat(table, keys[acting], told.moves[-1][1])
        return Seat(table, keys[acting], then(told.end) if then else "")

    def _people(self, told: Script, variant: str, seats: int) -> tuple[str, list[str]]:
        """Everybody sits down."""
        self._deals.wish(told.seed)
        return self.people(seats, variant=variant)

    def people(self, seats: int, **options: Any) -> tuple[str, list[str]]:
        """A private table, at which everybody sits: its id and their keys by seat."""
        chairs = [{"kind": "me", "name": NAMES[0]}, *[{"kind": "open"}] * (seats - 1)]
        asked = {"chairs": chairs, "seat_order": "fixed", "seats": seats, "listed": False}
        made = self.here.post("/tables", asked | options)
        table, keys = made["table"]["id"], [made["keys"][0]["key"]]
        for name, invite in zip(NAMES[1:], made["invites"], strict=False):
            joined = self.here.post(f"/tables/{table}/join", {"name": name, "code": invite["code"]})
            keys.append(joined["key"])
        return table, keys
