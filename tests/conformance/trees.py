"""Vectors of records with variations and of games from a given position: what each line leads to,
what can be proved, and what must be refused where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cabochon.notation import (
    Json,
    NotationError,
    format_path,
    format_position,
    format_record,
    parse_event,
    parse_position,
    parse_readings,
    record_to_json,
)
from cabochon.record import Record, verify
from cabochon.rules import Ruleset, ShuffledDealer, commitment
from tests.games import RandomGame
from tests.notation.test_positions import DRAWN
from tests.notation.test_variations import TREE
from tests.notation.written import branched, recorded, studied

VERSION = 1


def trees() -> Iterator[tuple[str, Json]]:
    """The files of conformance/variations/."""
    (drawn,) = parse_readings(TREE)
    yield "drawn-by-hand", _tree(drawn.record)
    for ruleset, seed in (("standard/2", 5), ("quick/3", 6), ("teams/4", 7)):
        game = RandomGame(Ruleset.parse(ruleset), seed, "gambler", 60)
        name = ruleset.replace("/", "-").replace("teams-4", "teams")
        yield name, _tree(branched(recorded(game), seed, 12))
    middle = studied(recorded(RandomGame(Ruleset.parse("standard/3"), 8, "gambler", 60)), 25)
    yield "from-position", _tree(branched(middle, 8, 6))
    yield "from-position-dealt-by-seed", _tree(_dealt_on())
    yield "from-position-no-moves", _tree(_bare())
    yield "broken", {"v": VERSION, "kind": "variations-broken", "cases": [*_broken(), *_damaged()]}


def _dealt_on() -> Record:
    """A game from a position whose cards come from a seed that was committed to."""
    position = parse_position(DRAWN)
    dealer = ShuffledDealer("cabochon").onwards(position)
    record = Record.start(position.ruleset, position, commitment=commitment("cabochon"))
    for move in ("reserve deck1", "reserve deck3", "reserve deck1"):
        record = record.append(parse_event(move))
        record = record.append(dealer.deal(record.final()))
    return record.revealed("cabochon").with_variation(2, [parse_event("deal 1g1")])


def _bare() -> Record:
    position = parse_position(DRAWN)
    record = Record.start(position.ruleset, position)
    for move in ("take wug", "take grk"):
        record = record.with_variation(1, [parse_event(move)])
    return replace(record, comments={0: "What now?"})


def _tree(record: Record) -> Json:
    check = verify(record)
    assert check.ok
    finals = {"": record.final()}
    for path, _ in record.lines():
        *_, finals[format_path(path)] = record.replay(path)
    return {
        "v": VERSION,
        "kind": "variations",
        "tree": record_to_json(record),
        "text": format_record(record).splitlines(),
        "lines": [{"path": path, "final": format_position(last)} for path, last in finals.items()],
        "verified": {
            "standing": check.standing.value,
            "proved": [finding.code.value for finding in check.proved],
            "not_proved": [finding.code.value for finding in check.unproved],
        },
    }


BREAKS = (
    ("an illegal move in a variation of a variation", "take wrk", "take www"),
    ("a card that lies face up is dealt", "deal 2k1", "deal 2w3"),
    ("a card of another level is dealt", "deal 2k1", "deal 1w1"),
    ("an illegal move after the end of the main line", "take wuk", "take uuu"),
    ("what hangs behind the break is not looked at", "take ugr", "take www"),
    ("the main line breaks before most of them", "1a. take wug\n  (", "1a. take www\n  ("),
    ("a label of another turn", "(2b. take wgr", "(2a. take wgr"),
)
DAMAGE = (
    ("never closed", "(2b. take wuk)", "(2b. take wuk"),
    ("closes nothing", "(2b. take wuk)", "(2b. take wuk))"),
    ("empty", "(2b. take wuk)", "()"),
    ("nothing stands before it", "1a. take wug\n  (", "((1a. take wug)\n  "),
    ("a move after the pause", "...\n  (2b. take wuk)", "...\n2b. take wuk"),
    ("a result inside", "(2b. take wuk)", "(2b. take wuk\nresult 1-2 target"),
    ("not a move", "(2b. take wuk)", "(2b. fly)"),
)


def _broken() -> Iterator[Json]:
    """Readable, but against the rules."""
    for name, old, new in BREAKS:
        text = TREE.replace(old, new, 1)
        assert text != TREE
        (reading,) = parse_readings(text)
        labels = reading.branch_labels
        check = verify(reading.record, reading.labels, branch_labels=labels)
        assert not check.ok
        problems = [
            {
                "code": each.code.value,
                "variation": each.params.get("variation", ""),
                "ply": each.ply,
            }
            for each in check.problems
        ]
        problems.sort(key=lambda each: str(each["variation"]))
        yield {"name": name, "text": text.splitlines(), "problems": problems}


def _damaged() -> Iterator[Json]:
    """Not even readable."""
    for name, old, new in DAMAGE:
        text = TREE.replace(old, new, 1)
        assert text != TREE
        try:
            parse_readings(text)
        except NotationError as error:
            place = {"code": error.code.value, "line": error.params["line"]}
            yield {"name": name, "text": text.splitlines(), "unreadable": place}
