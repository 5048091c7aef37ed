"""What an OpenSpiel observer shows: public and private parts, as a tensor and as text.

    public       everything that lies open, the observing seat first (with no private part: seat 0
                 first, so that it is the same for everybody)
    own          the observing seat's reserved cards, also those it drew unseen
    everybody    all seats' reserved cards

With perfect recall there is the text alone: all that has happened as the player knows it.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from cabochon.kernel import OBSERVATION, OBSERVATION_SIZE, SLICES
from cabochon.kernel.entrypoints import observe_at
from cabochon.kernel.layout import Floats, States
from cabochon.kernel.observation import OTHER_WIDTH, OWN_WIDTH
from cabochon.notation import format_view
from cabochon.rules import Position, Reserved

_OPEN = tuple(
    part for part in OBSERVATION if part.name not in ("own reserve", "other reserves", "own seat")
)


class ObservedState(Protocol):
    """What an observer asks of a state."""

    @property
    def record(self) -> States: ...

    @property
    def is_open(self) -> bool: ...

    @property
    def log(self) -> str: ...

    def position(self) -> Position: ...

    def seen_log(self, player: int) -> str: ...


class Observer:
    """As OpenSpiel's `observation.py` asks for: `tensor`, `dict`, `set_from`, `string_from`."""

    def __init__(
        self, seats: int, *, perfect_recall: bool, public: bool, own: bool, everybody: bool
    ) -> None:
        self._seats = seats
        self._perfect_recall = perfect_recall
        self._public, self._own, self._everybody = public, own, everybody
        self.tensor: Floats | None = None
        self.dict: dict[str, Floats] = {}
        if not perfect_recall:
            self._allocate()

    def _allocate(self) -> None:
        shapes: dict[str, tuple[int, ...]] = {}
        if self._own or self._everybody:
            shapes["player"] = (self._seats,)
        if self._public:
            shapes |= {part.name: part.shape for part in _OPEN}
            shapes["open reserves"] = (self._seats, 3, OTHER_WIDTH)
        if self._own:
            shapes["own reserve"] = (3, OWN_WIDTH)
        if self._everybody:
            shapes["all reserves"] = (self._seats, 3, OWN_WIDTH)
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(max(1, sum(sizes)), np.float32)
        start = 0
        for (name, shape), size in zip(shapes.items(), sizes, strict=True):
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size
        if not shapes:
            self.dict["nothing"] = self.tensor

    def set_from(self, state: ObservedState, player: int) -> None:
        """Write what the player may know of the state."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        first = player if self._own or self._everybody else 0
        views = [_observation(state, (first + ahead) % self._seats) for ahead in range(self._seats)]
        if "player" in self.dict:
            self.dict["player"][player] = 1
        if self._public:
            self._set_public(views)
        if self._own:
            self.dict["own reserve"][:] = _own_reserve(views[0])
        if self._everybody:
            self.dict["all reserves"][:] = [_own_reserve(view) for view in views]

    def _set_public(self, views: list[Floats]) -> None:
        for part in _OPEN:
            self.dict[part.name][:] = views[0][part.slice].reshape(part.shape)
        for ahead in range(self._seats):
            # The seat after it sees this one last of all, and sees no blind card.
            after = views[(ahead + 1) % self._seats]
            others = after[SLICES["other reserves"]].reshape(3, 3, OTHER_WIDTH)
            self.dict["open reserves"][ahead] = others[self._seats - 2]

    def string_from(self, state: ObservedState, player: int) -> str:
        """The same as text: canonical view, own cards, or what has happened so far."""
        if self._perfect_recall:
            return f"seat {player}: {state.seen_log(player)}"
        if not state.is_open:
            return f"opening {state.log}".strip() if self._public else ""
        position = state.position()
        if self._public and self._own:
            return format_view(position.view(player))
        parts = [format_view(position.view(None))] if self._public else []
        shown = range(self._seats) if self._everybody else [player] if self._own else []
        for seat in shown:
            held = [h.card.code for h in position.hands[seat].reserved if isinstance(h, Reserved)]
            parts.append(f"seat {seat} holds {' '.join(held) or '-'}")
        return "\n".join(parts)


def _observation(state: ObservedState, viewer: int) -> Floats:
    seen = np.empty(OBSERVATION_SIZE, np.float32)
    observe_at(state.record, 0, viewer, seen)
    return seen


def _own_reserve(seen: Floats) -> Floats:
    return seen[SLICES["own reserve"]].reshape(3, OWN_WIDTH)
