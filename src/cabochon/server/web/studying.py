"""Studies as they are sent: a table's, a record's or a position's tree, written piece by piece in
the longwork, so that a long one holds up nobody."""

from __future__ import annotations

import gzip
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson
from starlette.requests import HTTPConnection

from cabochon.notation.moves import parse_card, parse_move
from cabochon.notation.positions import parse_position
from cabochon.notation.recordfiles import fingerprint, records_in
from cabochon.notation.recordjson import record_to_json
from cabochon.notation.records import format_record
from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.record import NOBODY, Record
from cabochon.rules import Position
from cabochon.server.access import prices
from cabochon.server.access.accesslimits import AccessLimits
from cabochon.server.problems import ServerFault, ServerRefused, check_can_be_kept
from cabochon.server.tables.answercache import AnsweringTables
from cabochon.server.web.studymodels import DraftNode, StudyFormat, check_size, count_drafts
from cabochon.study.gametree import GameNode, GameTree, Sketch, record_of_sketch, tree_of
from cabochon.study.steps import StudySight, study_step

TOGETHER = 40
"""How many steps are written in one piece of work."""
WORK_OF_A_STEP = 50
"""As `LongWork` counts: anything but a few steps is long."""
LARGE = 10_000
"""Answers of this many bytes or more are sent compressed to clients that accept it."""


@dataclass(frozen=True, slots=True)
class StudySubject:
    """What is studied, before it is written."""

    tree: GameTree
    sight: StudySight
    players: Sequence[str]
    record: str = ""
    fingerprint: str | None = None
    table: str | None = None
    ended: dict[str, Any] | None = None


def subject_of_position(position: Position, sight: StudySight) -> StudySubject:
    players = (NOBODY,) * position.ruleset.seats
    return StudySubject(GameTree(position, ()), sight, players)


def subject_of_record(record: Record, sight: StudySight) -> StudySubject:
    """Raises RecordError for one that does not replay, ServerRefused for one that is too long."""
    tree = tree_of(record)
    check_size(sum(1 for _ in tree.nodes()))
    return StudySubject(
        tree,
        sight,
        record.players,
        format_record(record),
        fingerprint(record),
        ended=_ended(record),
    )


def subject_of_table(table: Table, reader: int | None, sight: StudySight) -> StudySubject:
    """All of it once the game is over; before that what the reader may know."""
    record = record_of(table)
    times = [moved.at for moved in table.moved for _ in moved.moves]
    tree = tree_of(record, times)
    if table.ended is None:
        text, sight = format_record(record.seen_by(reader)), StudySight(reader, live=True)
        return StudySubject(tree, sight, record.players, text, table=table.id)
    ended = {"reason": table.ended.reason, "winners": list(table.ended.winners)}
    text, known_as = format_record(record), fingerprint(record)
    return StudySubject(
        tree=tree,
        sight=sight,
        players=record.players,
        record=text,
        fingerprint=known_as,
        table=table.id,
        ended=ended,
    )


def _drafted(base: Record, asked: StudyFormat) -> bytes:
    """As `StudyText` says."""
    record = record_of_sketch(base, _sketches(asked.tree), asked.comment)
    return orjson.dumps({"text": format_record(record), "json": record_to_json(record)})


def _sketches(nodes: Sequence[DraftNode]) -> tuple[Sketch, ...]:
    return tuple(
        Sketch(
            None if node.event is None else parse_move(node.event),
            None if node.dealt is None else parse_card(node.dealt),
            node.comment,
            tuple(_sketches(line) for line in node.variations if line),
        )
        for node in nodes
    )


def read_one_record(text: str) -> Record:
    """The record in the text, JSON or our own notation. Raises NotationError, RecordError, and
    ServerRefused when there are several, or none."""
    records = records_in(text)
    if len(records) != 1:
        raise ServerRefused(ServerFault.ONE_RECORD, count=len(records))
    return records[0]


def _ended(record: Record) -> dict[str, Any] | None:
    result = record.result
    if result is None:
        return None
    winners = [seat for seat, rank in enumerate(result.ranking) if rank == 1]
    return {"reason": result.reason.value, "winners": winners}


class StudyWriter:
    """Writes for one request, which pays for it."""

    def __init__(
        self, tables: AnsweringTables, access: AccessLimits, connection: HTTPConnection
    ) -> None:
        self._tables = tables
        self._access = access
        self._connection = connection

    def kept(self, key: Hashable) -> bytes | None:
        """What was answered before to the same question."""
        return self._tables.answers.get(key)

    async def read(self, text: str) -> Record:
        """Raises what `read_one_record` does, and ServerRefused when the caller cannot pay."""
        price = prices.of_reading(len(text))
        self._access.check_request(self._connection, price)
        return await self._tables.store.longwork.tell(
            price * WORK_OF_A_STEP, lambda: read_one_record(text)
        )

    async def checked(self, text: str) -> str:
        """The canonical text of a record that can be studied. Raises as `read` does, and
        RecordError for one that does not replay."""
        record = await self.read(text)
        work = partial(subject_of_record, record, StudySight())
        size = len(record.events) * WORK_OF_A_STEP
        kept = (await self._tables.store.longwork.tell(size, work)).record
        return check_can_be_kept(kept, "record")

    async def drafted(self, asked: StudyFormat) -> bytes:
        """What was edited as a record, as `StudyText` says. Raises as `read` does, and IllegalMove,
        IllegalDeal or RecordError for what cannot be played."""
        count = count_drafts(asked.tree)
        self._access.check_request(self._connection, prices.of_drafts(count))
        if asked.record:
            base = (await self.read(asked.record)).without_variations()
        elif asked.start is not None:
            position = parse_position(asked.start)
            base = Record.start(position.ruleset, position)
        else:
            raise ServerRefused(ServerFault.NO_START)
        work = partial(_drafted, base, asked)
        return await self._tables.store.longwork.tell(count * WORK_OF_A_STEP, work)

    async def write(self, subject: StudySubject, key: Hashable = None) -> bytes:
        """The tree as JSON; kept for the next who asks, if there is a key. Raises ServerRefused
        when the caller cannot pay."""
        nodes = list(subject.tree.nodes())
        self._access.check_request(self._connection, prices.of_study(len(nodes) + 1))
        steps: dict[int, orjson.Fragment] = {}
        for first in range(0, len(nodes), TOGETHER):
            some = nodes[first : first + TOGETHER]
            work = partial(_steps, some, subject.sight)
            steps |= await self._tables.store.longwork.tell(len(some) * WORK_OF_A_STEP, work)
        data = orjson.dumps(tree_to_json(subject, steps))
        if key is not None:
            self._tables.answers.keep(key, data)
        return data

    async def packed(self, data: bytes, accepted: str) -> tuple[bytes, dict[str, str]]:
        """The answer, smaller if the caller takes that, and the headers that go with it; also what
        was kept costs something to be sent. Raises ServerRefused when the caller cannot pay."""
        self._access.check_request(self._connection, prices.of_sending(len(data)))
        headers = {"Vary": "Accept-Encoding", "Cache-Control": "no-store"}
        if len(data) < LARGE or "gzip" not in accepted:
            return data, headers
        work = partial(gzip.compress, data, 5, mtime=0)
        content = await self._tables.store.longwork.tell(len(data) / LARGE * WORK_OF_A_STEP, work)
        return content, headers | {"Content-Encoding": "gzip"}


def _steps(nodes: Iterable[GameNode], sight: StudySight) -> dict[int, orjson.Fragment]:
    return {id(node): orjson.Fragment(orjson.dumps(node_step(node, sight))) for node in nodes}


def node_step(node: GameNode, sight: StudySight) -> dict[str, Any]:
    step = study_step(node.position, node.line, sight, node.ply)
    if node.line is None and node.dealt is not None and not sight.live:
        step["dealt"] = node.dealt.code
    return step


def tree_to_json(subject: StudySubject, steps: dict[int, orjson.Fragment]) -> dict[str, Any]:
    """As `StudyTree` says, with the steps already written."""
    tree = subject.tree
    return {
        "record": subject.record,
        "fingerprint": subject.fingerprint,
        "table": subject.table,
        "ruleset": str(tree.start.ruleset),
        "players": list(subject.players),
        "start": study_step(tree.start, None, subject.sight, 0),
        "comment": tree.comment,
        "lines": _line_to_json(tree.lines, steps),
        "played": tree.played,
        "ended": subject.ended,
        "live": subject.sight.live,
    }


def _line_to_json(
    nodes: Sequence[GameNode], steps: dict[int, orjson.Fragment]
) -> list[dict[str, Any]]:
    return [
        {
            "step": steps[id(node)],
            "comment": node.comment,
            "variations": [_line_to_json(line, steps) for line in node.variations],
        }
        for node in nodes
    ]
