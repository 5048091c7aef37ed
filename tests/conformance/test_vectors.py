"""The reference held to every file in conformance/, read as a twin in another language would."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cabochon.notation import (
    NotationError,
    dumps,
    format_move,
    format_path,
    format_position,
    format_record,
    parse_card,
    parse_move,
    parse_noble,
    parse_path,
    parse_readings,
    parse_record,
    position_from_json,
    position_to_json,
    record_from_json,
    record_to_json,
    setup_from_json,
)
from cabochon.record import Record, verify
from cabochon.rules import (
    BadSetup,
    IllegalMove,
    Opening,
    Position,
    Refusal,
    Ruleset,
    ScriptedDealer,
)
from cabochon.rules.errors import SetupFault
from cabochon.rules.perft import divide, perft
from tests.conformance.generate import FOLDER, files

pytestmark = pytest.mark.no_cover


def paths(folder: str) -> list[Path]:
    return sorted((FOLDER / folder).glob("*.json"))


def load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def cases(folder: str) -> list[Any]:
    return [
        pytest.param(case, id=f"{path.stem}: {case['name']}")
        for path in paths(folder)
        for case in load(path)["cases"]
    ]


def test_the_files_are_what_the_generator_writes_to_the_byte() -> None:
    made = dict(files())
    there = {f"{path.parent.name}/{path.name}": path for path in FOLDER.glob("*/*.json")}
    assert sorted(made) == sorted(there)
    for name, path in there.items():
        assert path.read_bytes() == made[name], f"{name}: python -m tests.conformance.generate"


EXAMPLES = re.findall(r"```json\n(.*?)```", (FOLDER / "README.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_of_the_readme_have_the_fields_of_the_files(text: str) -> None:
    shown = json.loads(text)
    if "kind" not in shown:
        assert list(shown) == list(position_to_json(position_from_json(shown)))
        return
    alike = [load(path) for path in FOLDER.glob("*/*.json") if load(path)["kind"] == shown["kind"]]
    assert list(shown) in [list(vector) for vector in alike]
    for case in shown.get("cases", ()):
        assert list(case) in [list(other) for vector in alike for other in vector["cases"]]
    if "record" in shown:
        assert list(shown["record"]) in [list(vector["record"]) for vector in alike]
        assert list(shown["outcome"]) == list(alike[0]["outcome"])
    if "counts" in shown:
        real = load(FOLDER / "perft" / "opening-standard-2.json")
        assert (shown["counts"], shown["divide"][0]) == (real["counts"], real["divide"][0])


@pytest.mark.parametrize("path", paths("perft"), ids=lambda path: path.stem)
def test_counts_and_order_of_moves(path: Path) -> None:
    vector = load(path)
    ruleset = Ruleset.parse(vector["ruleset"])
    one, two, three = ([parse_card(code) for code in deck] for deck in vector["decks"])
    opening = Opening((), ())
    if "opening" in vector:
        opening = Opening(
            tuple(parse_noble(code) for code in vector["opening"]["nobles"]),
            tuple(tuple(parse_card(code) for code in row) for row in vector["opening"]["rows"]),
        )
        start = Position.start(ruleset, opening)
    else:
        start = position_from_json(vector["position"])
    dealer = ScriptedDealer(opening, (one, two, three))
    shares = divide(start, dealer, len(vector["counts"]) - 1)
    assert [format_move(move) for move in shares] == vector["moves"]
    assert list(shares.values()) == vector["divide"]
    assert sum(vector["divide"]) == vector["counts"][-1]
    shallow = range(len(vector["counts"]) - 1)
    assert [perft(start, dealer, depth) for depth in shallow] == vector["counts"][:-1]


@pytest.mark.parametrize("path", paths("records"), ids=lambda path: path.stem)
def test_whole_games(path: Path) -> None:
    vector = load(path)
    record = record_from_json(vector["record"])
    last = record.final()
    outcome = last.outcome()
    assert outcome is not None
    assert position_to_json(last) == vector["final"]
    assert position_from_json(vector["final"]) == last
    assert vector["outcome"] == {
        "ending": outcome.ending.value,
        "ranking": list(outcome.ranking),
        "winners": list(outcome.winners),
        "points": list(outcome.points),
        "cards": list(outcome.cards),
    }
    assert verify(record).ok
    assert dumps(record_to_json(record)) == dumps(vector["record"])
    assert parse_record(format_record(record)) == record


def test_there_is_a_game_for_each_ending_player_count_and_variant() -> None:
    there: set[tuple[str, int, str]] = set()
    shown: set[str] = set()
    for path in paths("records"):
        vector = load(path)
        record: Record = record_from_json(vector["record"])
        ending = vector["outcome"]["ending"]
        there.add((record.ruleset.variant, record.ruleset.seats, ending))
        shown |= set(vector["shows"])
    played = [(variant, seats) for variant in ("standard", "quick") for seats in (2, 3, 4)]
    for variant, seats in (*played, ("teams", 4), ("quick-teams", 4)):
        for ending in ("target", "stalled"):
            assert (variant, seats, ending) in there
    assert shown >= {
        "Buy", "ChooseNoble", "Deal", "Pass", "Reserve", "Return", "Take", "blind", "gold-back",
        "hole", "lavish", "noble-on-pass", "noble-on-take", "overtaken", "scarce", "shared",
        "stalled", "target", "tie-break",
    }  # fmt: skip


@pytest.mark.parametrize("case", cases("illegal"))
def test_illegal_moves(case: Any) -> None:
    position = position_from_json(case["position"])
    assert position_to_json(position) == case["position"]
    for refused in case["refused"]:
        with pytest.raises(IllegalMove) as caught:
            position.play(parse_move(refused["move"]), refused["seat"])
        assert caught.value.code == refused["code"]
    if "legal" in case:
        assert [format_move(move) for move in position.legal_moves()] == case["legal"]


def test_every_refusal_that_a_text_can_provoke_is_among_the_files() -> None:
    """The others need a thing that no text can name: a forged card, half a token, no move at
    all."""
    found = {r["code"] for p in paths("illegal") for c in load(p)["cases"] for r in c["refused"]}
    assert set(Refusal) - found == {
        Refusal.UNKNOWN_MOVE,
        Refusal.UNKNOWN_CARD,
        Refusal.UNKNOWN_DECK,
        Refusal.UNKNOWN_NOBLE,
    }


@pytest.mark.parametrize("case", cases("setups"))
def test_set_ups(case: Any) -> None:
    setup = setup_from_json(case["setup"])
    assert [fault.code.value for fault in setup.faults()] == case["faults"]
    if case["faults"]:
        with pytest.raises(BadSetup):
            setup.position()
    else:
        assert position_to_json(setup.position()) == case["setup"]


def test_every_fault_of_a_set_up_is_among_the_files() -> None:
    found = {code for p in paths("setups") for c in load(p)["cases"] for code in c["faults"]}
    types = {SetupFault.PART_TYPE}  # of Python values: no text can say them
    assert found == {fault.value for fault in set(SetupFault) - types}


@pytest.mark.parametrize(
    "path", [p for p in paths("variations") if p.stem != "broken"], ids=lambda path: path.stem
)
def test_variations(path: Path) -> None:
    vector = load(path)
    record = record_from_json(vector["tree"])
    text = "\n".join(vector["text"]) + "\n"
    assert dumps(record_to_json(record)) == dumps(vector["tree"])
    assert format_record(record) == text
    assert parse_record(text) == record
    lines = {line["path"]: line["final"] for line in vector["lines"]}
    assert ["", *(format_path(path) for path, _ in record.lines())] == list(lines)
    for line, final in lines.items():
        *_, last = record.replay(parse_path(line))
        assert format_position(last) == final
    check = verify(record)
    assert vector["verified"] == {
        "standing": check.standing.value,
        "proved": [finding.code.value for finding in check.proved],
        "not_proved": [finding.code.value for finding in check.unproved],
    }


@pytest.mark.parametrize(
    "case", load(FOLDER / "variations" / "broken.json")["cases"], ids=lambda case: case["name"]
)
def test_broken_variations(case: Any) -> None:
    text = "\n".join(case["text"]) + "\n"
    if "unreadable" in case:
        with pytest.raises(NotationError) as caught:
            parse_record(text)
        params = caught.value.params
        assert {"code": caught.value.code.value, "line": params["line"]} == case["unreadable"]
        return
    (reading,) = parse_readings(text)
    check = verify(reading.record, reading.labels, branch_labels=reading.branch_labels)
    found = [(e.code.value, e.params.get("variation", ""), e.ply) for e in check.problems]
    wanted = [(e["code"], e["variation"], e["ply"]) for e in case["problems"]]
    assert sorted(found) == sorted(wanted)


def test_what_can_be_proved_of_a_game_from_a_position_is_among_the_files() -> None:
    verified = [load(path).get("verified") for path in paths("variations")]
    proved = {code for each in verified if each for code in each["proved"]}
    left_open = {code for each in verified if each for code in each["not_proved"]}
    assert proved >= {"verified-deal", "verified-deal-after-position", "verified-variations"}
    assert left_open >= {"verified-position"}
