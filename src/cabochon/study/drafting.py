"""A tree that somebody has edited, written down as a record with variations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cabochon.record import Record, Result
from cabochon.record.sheet import without_shares
from cabochon.rules import Card, Deal, Event, Move, Position
from cabochon.variation import Variation


@dataclass(frozen=True, slots=True)
class Sketch:
    """A decision of an edited tree: the move (none where only a card was waited for), the card
    that came, what is said about it, and other ways to play instead."""

    move: Move | None
    dealt: Card | None = None
    comment: str = ""
    variations: tuple[tuple[Sketch, ...], ...] = ()


def record_of_sketch(base: Record, lines: Sequence[Sketch], comment: str = "") -> Record:
    """The record with these lines in place of what `base` has. Where they begin with all that was
    played in a game that has ended, it stays that game, and the rest is a variation after its
    end; else it is another one, without seed, commitment, shares and table. Raises IllegalMove,
    IllegalDeal or RecordError for what cannot be."""
    start = base.first()
    trunk = _Writer().line(start, lines, 1)
    comments = {**trunk.comments, **({0: comment} if comment else {})}
    kept = len(base.events)
    if trunk.events[:kept] == base.events and (base.result or len(trunk.events) == kept):
        return _same_game(base, replace(trunk, comments=comments))
    record = replace(
        base,
        events=trunk.events,
        comments=comments,
        variations=trunk.variations,
        headers=without_shares(base.headers),
        seed=None,
        commitment=None,
        result=None,
    )
    outcome = record.final().outcome()
    return record if outcome is None else replace(record, result=Result.of(outcome))


def _same_game(base: Record, trunk: Variation) -> Record:
    """What was played, with what hangs on it; what goes further hangs after its end."""
    end = len(base.events)
    hanging = [each for each in trunk.variations if each.ply <= end]
    comments = {ply: text for ply, text in trunk.comments.items() if ply <= end}
    if len(trunk.events) > end:
        further = [each for each in trunk.variations if each.ply > end]
        beside = [each for each in further if each.ply == end + 1]
        onward = Variation(
            ply=end + 1,
            events=trunk.events[end:],
            comments={ply: text for ply, text in trunk.comments.items() if ply > end},
            variations=tuple(each for each in further if each.ply > end + 1),
        )
        hanging += [onward, *beside]
    return replace(base, comments=comments, variations=tuple(hanging))


class _Writer:
    """Makes lines of sketches, and checks every move and card on the way."""

    def line(
        self, position: Position, sketches: Sequence[Sketch], ply: int, *, begun: bool = False
    ) -> Variation:
        """With `begun` the first move stands elsewhere, and only its card is written."""
        events: list[Event] = []
        comments: dict[int, str] = {}
        variations: list[Variation] = []
        for sketch in sketches:
            at = ply + len(events)
            move = None if sketch.move is None else position.completed(sketch.move)
            variations += self._variations(position, sketch, at, begun)
            own, position = _played(position, move, sketch.dealt)
            events += own[1:] if begun else own
            if sketch.comment:
                comments[ply + len(events) - 1] = sketch.comment
            begun = False
        return Variation(
            ply=ply, events=tuple(events), comments=comments, variations=tuple(variations)
        )

    def _variations(
        self, position: Position, sketch: Sketch, ply: int, begun: bool
    ) -> Iterator[Variation]:
        """Where only the card differs, only from the card on; but what hangs at the card comes
        after what hangs at the move, so only the last ones can be written like that."""
        lines = sketch.variations
        first = len(lines)
        while first and sketch.dealt and _only_card_differs(position, lines[first - 1], sketch):
            first -= 1
        for line in lines[:first]:
            yield self.line(position, line, ply)
        for line in lines[first:]:
            yield self.line(position, line, ply + (not begun), begun=True)


def _only_card_differs(position: Position, line: Sequence[Sketch], beside: Sketch) -> bool:
    """Whether the line, and all that hangs at its first decision, begin with the same move."""
    if not line or line[0].dealt is None or line[0].move is None or beside.move is None:
        return False
    same = position.completed(line[0].move) == position.completed(beside.move)
    others = line[0].variations
    return same and all(_only_card_differs(position, other, beside) for other in others)


def _played(
    position: Position, move: Move | None, dealt: Card | None
) -> tuple[list[Event], Position]:
    events: list[Event] = []
    if move is not None:
        events.append(move)
        position = position.play(move)
    if dealt is not None:
        events.append(Deal(dealt))
        position = position.deal(Deal(dealt))
    return events, position
