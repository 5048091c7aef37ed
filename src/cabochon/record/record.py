"""A whole game, written down: what is read off it, how it is written on, and its variations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from cabochon.record.sheet import (
    NOBODY,
    Reason,
    Result,
    SeenRecord,
    Sheet,
    check_ruleset,
    without_shares,
)
from cabochon.recordfaults import (
    EVENT_TYPES,
    RecordFault,
    at_ply,
    check_parts,
    check_texts,
    damage,
    is_text_by,
    is_text_or_none,
    is_tuple_of,
)
from cabochon.rules import Deal, Event, IllegalDeal, Opening, Position, Ruleset, View
from cabochon.turn import HiddenDeal, SeenEvent, Turn, turns_of
from cabochon.variation import (
    MAIN_LINE,
    LineBranch,
    LinePath,
    LineStep,
    Variation,
    added,
    applied,
    branches,
    changed,
    checked_variations,
    deleted,
    events_along,
    line_at,
    promoted,
    walk_line,
)


@dataclass(frozen=True, kw_only=True)
class Record(Sheet):
    """A whole game. `opening` is the first deal, or the position from which a study starts.
    `comments` stand after the ply that is their key, 0 before the first. `players` are names by
    seat. The `seed` is there only when it has been revealed. `variations` are other ways to play
    on, by the ply at which they hang; only `events` say what was played."""

    opening: Opening | Position
    events: tuple[Event, ...] = ()
    comments: Mapping[int, str] = field(default_factory=dict, hash=False)
    seed: str | None = None
    variations: tuple[Variation, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        check_parts(
            ("opening", "start", self.opening, isinstance(self.opening, Opening | Position)),
            ("events", "events", self.events, is_tuple_of(self.events, *EVENT_TYPES)),
            ("comments", "comments", self.comments, is_text_by(self.comments, int)),
            ("seed", "text", self.seed, is_text_or_none(self.seed)),
        )
        object.__setattr__(self, "comments", dict(sorted(self.comments.items())))
        check_ruleset(self.ruleset, self.opening)
        for ply in self.comments:
            if not 0 <= ply <= len(self.events):
                raise damage(RecordFault.COMMENT_PLY, at=ply, plies=len(self.events))
        check_texts("comments", self.comments.values())
        check_texts("seed", [self.seed or ""])
        variations = checked_variations(self.variations, 1, len(self.events) + 1)
        object.__setattr__(self, "variations", variations)

    @classmethod
    def start(
        cls,
        ruleset: Ruleset,
        opening: Opening | Position,
        players: Iterable[str] = (),
        *,
        headers: Mapping[str, str] | None = None,
        commitment: str | None = None,
    ) -> Record:
        """A record before the first move. Raises RecordError for an opening that cannot be, or for
        parts of the wrong type."""
        check_parts(
            ("ruleset", "ruleset", ruleset, isinstance(ruleset, Ruleset)),
            ("players", "players", players, isinstance(players, Iterable)),
        )
        names = tuple(players) or (NOBODY,) * ruleset.seats
        record = cls(
            ruleset=ruleset,
            players=names,
            headers={} if headers is None else headers,
            commitment=commitment,
            opening=opening,
        )
        record.first()
        return record

    # Reading it

    def first(self) -> Position:
        """Where the game starts. Raises RecordError for an opening that cannot be."""
        if isinstance(self.opening, Position):
            return self.opening
        try:
            return Position.start(self.ruleset, self.opening)
        except IllegalDeal as error:
            raise at_ply(error, 0) from error

    def replay(self, path: LinePath = MAIN_LINE) -> Iterator[Position]:
        """The first position, then the one after each ply of the main line, or of the game as the
        variation at that path has it. Raises RecordError at the ply that cannot be played, when
        it is reached."""
        position = self.first()
        yield position
        for line, ply, event in events_along(self.trunk, path):
            position = applied(position, event, ply, line)
            yield position

    def final(self) -> Position:
        """The last position. Raises RecordError."""
        return self._final

    @cached_property
    def _final(self) -> Position:
        *_, last = self.replay()
        return last

    def views(self, viewer: int | None) -> Iterator[View]:
        """The same walk as that seat, or a watcher (None), saw it. Nothing that can be reached
        from what is handed out leads to the record or to a hidden card, so it may be given to a
        bot. Raises RecordError for a record that does not replay, before the first view."""
        return iter(tuple([position.view(viewer) for position in self.replay()]))

    def turns(self, path: LinePath = MAIN_LINE) -> tuple[Turn, ...]:
        """The events of the main line, or of the game as that variation has it, in turns, with
        the nobles that came by themselves. Raises RecordError."""
        return turns_of(self.replay(path), self.line_events(path))

    def seen_by(self, viewer: int | None) -> SeenRecord:
        """What that seat, or a watcher (None), may know while the game runs. Comments and
        variations stay out: they may say anything. Raises RecordError, and WrongArgument for a
        seat that is not there."""
        first = self.first()
        view = first.view(viewer)
        return SeenRecord(
            viewer=viewer,
            ruleset=self.ruleset,
            players=self.players,
            headers=self.headers,
            commitment=self.commitment,
            result=self.result,
            opening=self.opening if isinstance(self.opening, Opening) else view,
            events=tuple(self._seen_events(viewer)),
        )

    def _seen_events(self, viewer: int | None) -> Iterator[SeenEvent]:
        for position, event in zip(self.replay(), self.events, strict=False):
            place = position.pending
            to_hand = isinstance(event, Deal) and place is not None and place.column is None
            yield HiddenDeal() if to_hand and position.seat != viewer else event

    # Writing on

    def append(self, event: Event) -> Record:
        """The record one ply longer; a purchase is written with its payment, and the last ply of
        a game brings the result. Raises RecordError for what cannot follow."""
        ply = len(self.events) + 1
        if self.result is not None:
            raise damage(RecordFault.ALREADY_ENDED, ply, result=str(self.result))
        before = self.final()
        after = applied(before, event, ply)
        written = event if isinstance(event, Deal) else before.completed(event)
        outcome = after.outcome()
        record = replace(
            self,
            events=(*self.events, written),
            result=None if outcome is None else Result.of(outcome),
        )
        record.__dict__["_final"] = after
        return record

    def ended(self, reason: Reason, ranking: tuple[int, ...] = ()) -> Record:
        """The record of a game that people have ended. Raises RecordError for a bad ranking or
        reason."""
        return replace(self, result=Result(ranking, reason))

    def revealed(self, seed: str) -> Record:
        """The record with the seed that dealt it. Raises RecordError for anything but text."""
        return replace(self, seed=seed)

    def commented(self, ply: int, comment: str, path: LinePath = MAIN_LINE) -> Record:
        """The record with a comment after that ply of the line, in place of one that was there.
        Raises RecordError for a ply that is not there or a comment that isn't text."""
        check_parts(("ply", "whole", ply, type(ply) is int))
        if path:
            return self._with_trunk(
                changed(
                    self.trunk,
                    path,
                    lambda line: replace(line, comments={**line.comments, ply: comment}),
                )
            )
        return replace(self, comments={**self.comments, ply: comment})

    # Its variations

    @cached_property
    def trunk(self) -> Variation:
        """The main line with all that hangs on it."""
        return Variation(
            ply=1, events=self.events, comments=self.comments, variations=self.variations
        )

    def _with_trunk(self, trunk: Variation) -> Record:
        """The same game with other variations."""
        return replace(self, variations=trunk.variations)

    def walk(self) -> Iterator[LineStep]:
        """Every ply of every line with the positions around it, in the order of the text: what
        hangs at a ply comes right after it. Raises RecordError at the first that cannot be
        played, when it is reached."""
        yield from walk_line(self.trunk, MAIN_LINE, self.first())

    def lines(self) -> Iterator[tuple[LinePath, Variation]]:
        """Every variation with its path, a parent before what hangs on it."""
        waiting = list(branches(self.trunk))[::-1]
        while waiting:
            path, variation = waiting.pop()
            yield path, variation
            waiting += list(branches(variation, path))[::-1]

    def variation(self, path: LinePath) -> Variation:
        """The variation at that path. Raises RecordError when there is none."""
        if not path:
            raise damage(RecordFault.NO_VARIATION, variation="-")
        return line_at(self.trunk, path)

    def line_events(self, path: LinePath = MAIN_LINE) -> tuple[Event, ...]:
        """What is played from the start to the end of that line. Raises RecordError when there
        is none."""
        return tuple(event for _, _, event in events_along(self.trunk, path))

    def with_variation(
        self,
        ply: int,
        events: Iterable[Event],
        path: LinePath = MAIN_LINE,
        comments: Mapping[int, str] | None = None,
    ) -> Record:
        """The record with one more variation, the last one at that ply of the line: instead of
        what stands there, or after the line's end. A purchase is written with its payment. Raises
        RecordError for what can't be played there."""
        played = self._playable(ply, events, path)
        variation = Variation(ply=ply, events=played, comments=comments or {})
        return self._with_trunk(added(self.trunk, path, variation))

    def _playable(self, ply: int, events: Iterable[Event], path: LinePath) -> tuple[Event, ...]:
        check_parts(("ply", "whole", ply, type(ply) is int))
        positions = list(self.replay(path))
        if not 1 <= ply <= len(positions):
            raise damage(RecordFault.VARIATION_PLY, at=ply, first=1, last=len(positions))
        there = sum(each.ply == ply for each in line_at(self.trunk, path).variations)
        position, written, branch = positions[ply - 1], [], (*path, LineBranch(ply, there + 1))
        for at, event in enumerate(events, start=ply):
            after = applied(position, event, at, branch)
            written.append(event if isinstance(event, Deal) else position.completed(event))
            position = after
        return tuple(written)

    def without_variation(self, path: LinePath) -> Record:
        """The record without that variation and all that hangs on it. Raises RecordError when
        there is none."""
        self.variation(path)
        return self._with_trunk(deleted(self.trunk, path))

    def without_variations(self) -> Record:
        """The game alone, with its own comments."""
        return replace(self, variations=())

    def promoted(self, path: LinePath) -> Record:
        """The record in which that variation and the rest of its parent line have changed places.

        On the main line that makes another game: it has no seed, commitment, shares or table, and
        its result is the one by the rules. Raises RecordError when there is no such variation, or
        the new main line can't be played."""
        self.variation(path)
        trunk = promoted(self.trunk, path)
        if len(path) > 1:
            return self._with_trunk(trunk)
        record = replace(
            self,
            events=trunk.events,
            comments=trunk.comments,
            variations=trunk.variations,
            headers=without_shares(self.headers),
            seed=None,
            commitment=None,
            result=None,
        )
        outcome = record.final().outcome()
        return record if outcome is None else replace(record, result=Result.of(outcome))
