"""A game as a tree of decisions: the main line, and what else could have been played.

A record counts plies, and each card that comes is one. Here a decision and the card that it
brings are one node: another card in its place is another node with the same decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cabochon.play.staging import Line, line_of
from cabochon.record import Record, Result
from cabochon.record.sheet import without_shares
from cabochon.rules import Card, Deal, Event, Move, Position
from cabochon.variation import Variation


@dataclass(frozen=True, slots=True)
class GameNode:
    """A decision, and the position that it led to with the card that came. `line` is None where a
    line begins with a card that somebody waited for. `variations` are other ways to play
    instead of this decision, each a line of its own."""

    position: Position
    ply: int
    line: Line | None
    dealt: Card | None = None
    comment: str = ""
    variations: tuple[tuple[GameNode, ...], ...] = ()

    @property
    def move(self) -> Move | None:
        return None if self.line is None else self.line.move


@dataclass(frozen=True, slots=True)
class GameTree:
    """`comment` stands before the first decision. The first `played` nodes of the main line are
    the game; what comes after them was only thought of."""

    start: Position
    lines: tuple[GameNode, ...]
    comment: str = ""
    played: int = 0

    def nodes(self) -> Iterator[GameNode]:
        """All of them, in no promised order."""
        waiting = [self.lines]
        while waiting:
            for node in waiting.pop():
                yield node
                waiting += node.variations


def tree_of(record: Record, times: Sequence[int] = ()) -> GameTree:
    """The record as a tree; `times` (milliseconds) are those of the main line's decisions, where
    they are known. What is said before a variation stands with its first decision. Raises
    RecordError for a record that does not replay."""
    for _ in record.walk():
        pass
    builder = _Builder(times)
    nodes, played = builder.line(record.first(), record.trunk, 0, is_main=True)
    return GameTree(record.first(), nodes, record.comments.get(0, ""), played)


class _Builder:
    """Makes nodes of lines that are known to be legal."""

    def __init__(self, times: Sequence[int]) -> None:
        self._times = times

    def line(
        self,
        position: Position,
        line: Variation,
        ply: int,
        begun: Move | None = None,
        *,
        is_main: bool = False,
    ) -> tuple[tuple[GameNode, ...], int]:
        """The line's nodes, and how many of them are its own: what hangs after its end goes on
        with it. With `begun` the first card comes for that move, made at the position."""
        nodes: list[GameNode] = []
        before = position
        at, said = 0, "" if is_main else line.comments.get(line.ply - 1, "")
        while at < len(line.events):
            length, move, dealt = _decision(line.events, at, begun)
            plies = range(line.ply + at, line.ply + at + length)
            node = self._node(position, move, dealt, ply, is_main)
            comments = [said, *(line.comments.get(each, "") for each in plies)]
            others = self._others(position, line, plies, move, begun is not None, ply)
            comment = "\n".join(filter(None, comments))
            nodes.append(replace(node, comment=comment, variations=others))
            before, position, ply, at = position, node.position, node.ply, at + length
            begun, said = None, ""
        own = len(nodes)
        if nodes and position.pending is not None and nodes[-1].move is not None:
            return (*nodes[:-1], *self._dealt_later(before, line, nodes[-1])), own
        return (*nodes, *self._onward(position, line, ply)), own

    def _node(
        self, before: Position, move: Move | None, dealt: Card | None, ply: int, is_main: bool
    ) -> GameNode:
        after = before if move is None else before.play_unchecked(move)
        if dealt is not None:
            after = after.deal(Deal(dealt))
        if move is None:
            return GameNode(after, ply, None, dealt)
        known = is_main and ply < len(self._times)
        line = line_of(before, move, after, dealt, ply + 1, self._times[ply] if known else 0)
        return GameNode(after, ply + 1, line, dealt)

    def _others(
        self,
        before: Position,
        line: Variation,
        plies: range,
        move: Move | None,
        is_begun: bool,
        ply: int,
    ) -> tuple[tuple[GameNode, ...], ...]:
        """What hangs at the decision, and at its card: there the same decision is made again."""
        found = []
        for each in line.variations:
            if each.ply in plies:
                again = move if is_begun or each.ply > plies[0] else None
                found.append(self.line(before, each, ply, again)[0])
        return tuple(found)

    def _onward(
        self, last: Position, line: Variation, ply: int, begun: Move | None = None
    ) -> tuple[GameNode, ...]:
        """What hangs after the line's end: the first goes on with it, others are beside that."""
        hanging = (each for each in line.variations if each.ply == line.end)
        after = [self.line(last, each, ply, begun)[0] for each in hanging]
        if not after:
            return ()
        (first, *rest), *others = after
        return (replace(first, variations=(*first.variations, *others)), *rest)

    def _dealt_later(
        self, before: Position, line: Variation, last: GameNode
    ) -> tuple[GameNode, ...]:
        """A line that breaks off before the card of its last decision: what hangs there brings
        that card, and the two are one node."""
        onward = self._onward(before, line, last.ply - 1, last.move)
        if not onward:
            return (last,)
        first, *rest = onward
        comment = "\n".join(filter(None, (last.comment, first.comment)))
        variations = (*last.variations, *first.variations)
        return (replace(first, comment=comment, variations=variations), *rest)


def _decision(
    events: Sequence[Event], at: int, begun: Move | None
) -> tuple[int, Move | None, Card | None]:
    """How many events the decision is, the move and the card; there may be only one of them."""
    event = events[at]
    if isinstance(event, Deal):
        return 1, begun, event.card
    due = events[at + 1] if at + 1 < len(events) else None
    return (2, event, due.card) if isinstance(due, Deal) else (1, event, None)


# A tree that somebody has edited, written down as a record with variations.


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
