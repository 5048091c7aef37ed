"""Another way to play on, hung on a line of a record: what could have been played or dealt there.

    Variation   its own moves and deals from a ply of the parent line on, comments, and variations
                of its own
    LinePath    which line of a record is meant: () is the main line, and each `LineBranch` says at
                which ply the next line hangs, and as which of those there

Plies count from the start of the record on every line, so a variation at ply 7 begins with a
ply 7 of its own, and its plies stay what they are when it is promoted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from cabochon.recordfaults import (
    EVENT_TYPES,
    RecordFault,
    at_ply,
    check_parts,
    check_texts,
    damage,
    is_text_by,
    is_tuple_of,
)
from cabochon.rules import CabochonError, Event, Position

MOST_DEPTH = 32
"""How deep variations may be nested."""
MOST_VARIATIONS = 5_000
"""How many variations a record may have in all."""


class LineBranch(NamedTuple):
    """Where a variation hangs: at that ply of its parent line, as that one there, from 1."""

    ply: int
    number: int

    def __str__(self) -> str:
        return f"{self.ply}.{self.number}"


LinePath: TypeAlias = tuple[LineBranch, ...]
"""The way from the main line, which is (), to a variation."""

MAIN_LINE: LinePath = ()


def path_text(path: LinePath) -> str:
    """`7.1/9.2`: the second variation at ply 9 of the first one at ply 7. Empty: the main line."""
    return "/".join(map(str, path))


@dataclass(frozen=True, kw_only=True)
class Variation:
    """What could have come at `ply` of the parent line instead of what stands there, or after its
    end. `comments` stand after the ply that is their key; `ply - 1` is before the first event.
    `variations` hang on this line as it does on its parent, in the order of their plies.

    `height` is how deep it goes, itself included, and `size` how many variations it is in all.
    Raises RecordError for parts that cannot be; whether it can be played is not asked.
    """

    ply: int
    events: tuple[Event, ...]
    comments: Mapping[int, str] = field(default_factory=dict, hash=False)
    variations: tuple[Variation, ...] = ()
    height: int = field(init=False, compare=False, repr=False)
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_parts(
            ("ply", "whole", self.ply, type(self.ply) is int),
            ("events", "events", self.events, is_tuple_of(self.events, *EVENT_TYPES)),
            ("comments", "comments", self.comments, is_text_by(self.comments, int)),
        )
        check_texts("comments", self.comments.values())
        for ply in self.comments:
            if not self.ply - 1 <= ply < self.end:
                params = {"at": ply, "first": self.ply - 1, "last": self.end - 1}
                raise damage(RecordFault.COMMENT_OUTSIDE, **params)
        variations = checked_variations(self.variations, self.ply, self.end)
        object.__setattr__(self, "comments", dict(sorted(self.comments.items())))
        object.__setattr__(self, "variations", variations)
        object.__setattr__(self, "height", 1 + max((v.height for v in variations), default=0))
        object.__setattr__(self, "size", 1 + sum(v.size for v in variations))

    @property
    def end(self) -> int:
        """The ply after its last one."""
        return self.ply + len(self.events)


def checked_variations(given: object, first: int, end: int) -> tuple[Variation, ...]:
    """The variations of a line with plies from `first` up to `end`, by ply. Raises RecordError
    for one that is empty or hangs nowhere, and for more than a record may have."""
    check_parts(("variations", "variations", given, is_tuple_of(given, Variation)))
    assert isinstance(given, tuple)
    variations: tuple[Variation, ...] = tuple(sorted(given, key=lambda each: each.ply))
    for each in variations:
        if not first <= each.ply <= end:
            params = {"at": each.ply, "first": first, "last": end}
            raise damage(RecordFault.VARIATION_PLY, **params)
        if not each.events:
            raise damage(RecordFault.VARIATION_EMPTY, at=each.ply)
        if each.height > MOST_DEPTH:
            raise damage(RecordFault.VARIATIONS_DEEP, most=MOST_DEPTH)
    if sum(each.size for each in variations) > MOST_VARIATIONS:
        raise damage(RecordFault.VARIATIONS_MANY, most=MOST_VARIATIONS)
    return variations


# Finding one's way


def branches(line: Variation, path: LinePath = MAIN_LINE) -> Iterator[tuple[LinePath, Variation]]:
    """The variations that hang on the line which has that path, each with its own path."""
    numbers: dict[int, int] = {}
    for each in line.variations:
        numbers[each.ply] = numbers.get(each.ply, 0) + 1
        yield (*path, LineBranch(each.ply, numbers[each.ply])), each


def line_at(trunk: Variation, path: LinePath) -> Variation:
    """The line with that path. Raises RecordError when there is none."""
    line = trunk
    for depth in range(len(path)):
        line = line.variations[_index(line, path[: depth + 1])]
    return line


def _index(parent: Variation, path: LinePath) -> int:
    """Where the parent keeps the variation that the last step of the path names."""
    for index, (found, _) in enumerate(branches(parent, path[:-1])):
        if found == path:
            return index
    raise damage(RecordFault.NO_VARIATION, variation=path_text(path))


# Playing it


class LineStep(NamedTuple):
    """One ply on some line of a record, with the positions before and after it."""

    path: LinePath
    ply: int
    event: Event
    before: Position
    after: Position
    comment: str | None


def walk_line(line: Variation, path: LinePath, before: Position) -> Iterator[LineStep]:
    """Every ply of the line and of all its variations in the order of the text: what hangs at a
    ply comes right after it. Raises RecordError at the first that cannot be played."""
    hanging = _by_ply(line, path)
    for ply, event in enumerate(line.events, start=line.ply):
        after = applied(before, event, ply, path)
        yield LineStep(path, ply, event, before, after, line.comments.get(ply))
        for branch, variation in hanging.get(ply, ()):
            yield from walk_line(variation, branch, before)
        before = after
    for branch, variation in hanging.get(line.end, ()):
        yield from walk_line(variation, branch, before)


def _by_ply(line: Variation, path: LinePath) -> dict[int, list[tuple[LinePath, Variation]]]:
    hanging: dict[int, list[tuple[LinePath, Variation]]] = {}
    for branch, variation in branches(line, path):
        hanging.setdefault(variation.ply, []).append((branch, variation))
    return hanging


def applied(position: Position, event: Event, ply: int, path: LinePath = MAIN_LINE) -> Position:
    """The position after the event. Raises RecordError with the ply and the line."""
    try:
        return position.apply(event)
    except CabochonError as error:
        raise at_ply(error, ply, path_text(path)) from error


def events_along(trunk: Variation, path: LinePath) -> Iterator[tuple[LinePath, int, Event]]:
    """What is played from the start of the record to the end of that line: line, ply and event of
    each. Raises RecordError when there is no such line."""
    lines = [line_at(trunk, path[:depth]) for depth in range(len(path) + 1)]
    ends = [*(branch.ply for branch in path), lines[-1].end]
    for depth, (line, end) in enumerate(zip(lines, ends, strict=True)):
        for ply in range(line.ply, end):
            yield path[:depth], ply, line.events[ply - line.ply]


# Changing the tree


def changed(
    trunk: Variation, path: LinePath, change: Callable[[Variation], Variation]
) -> Variation:
    """The tree with another line at that path. Raises RecordError when there is none."""
    lines = [line_at(trunk, path[:depth]) for depth in range(len(path) + 1)]
    line = change(lines.pop())
    for depth in range(len(path), 0, -1):
        line = _exchanged(lines.pop(), path[:depth], line)
    return line


def _exchanged(parent: Variation, path: LinePath, *instead: Variation) -> Variation:
    """The parent with those in place of the variation that the last step of the path names."""
    index, kept = _index(parent, path), parent.variations
    return replace(parent, variations=(*kept[:index], *instead, *kept[index + 1 :]))


def added(trunk: Variation, path: LinePath, variation: Variation) -> Variation:
    """The tree with one more variation on the line at that path, the last one at its ply."""
    return changed(
        trunk, path, lambda line: replace(line, variations=(*line.variations, variation))
    )


def deleted(trunk: Variation, path: LinePath) -> Variation:
    """The tree without that variation and all that hangs on it."""
    return changed(trunk, path[:-1], lambda parent: _exchanged(parent, path))


def promoted(trunk: Variation, path: LinePath) -> Variation:
    """The tree in which that variation goes on with its parent line, and what the parent had from
    there on is the variation."""
    return changed(trunk, path[:-1], lambda parent: _swapped(parent, path))


def _swapped(parent: Variation, path: LinePath) -> Variation:
    index, ply = _index(parent, path), path[-1].ply
    chosen, at = parent.variations[index], ply - parent.ply
    rest = tuple(each for each in parent.variations if each.ply > ply)
    stays = [each for each in parent.variations if each.ply <= ply]
    stays[index : index + 1] = _tail(parent, ply, rest)
    return Variation(
        ply=parent.ply,
        events=parent.events[:at] + chosen.events,
        comments=_joined_comments(parent, chosen),
        variations=(*stays, *chosen.variations),
    )


def _tail(parent: Variation, ply: int, variations: tuple[Variation, ...]) -> list[Variation]:
    """What the parent plays from that ply on, as a variation; nothing after its end."""
    events = parent.events[ply - parent.ply :]
    comments = {at: text for at, text in parent.comments.items() if at >= ply}
    tail = Variation(ply=ply, events=events, comments=comments, variations=variations)
    return [tail] if events else []


def _joined_comments(parent: Variation, chosen: Variation) -> dict[int, str]:
    """The parent's before the branch and the variation's after it; where both speak, both stay."""
    comments = {at: text for at, text in parent.comments.items() if at < chosen.ply}
    for at, text in chosen.comments.items():
        comments[at] = f"{comments[at]} {text}" if at in comments else text
    return comments
