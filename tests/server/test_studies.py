"""Studies: games and positions as trees, played on, written down and kept."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from cabochon.notation import format_position, format_record, parse_move, parse_position
from cabochon.notation.recordfiles import records_in
from cabochon.play.viewfacts import facts_of, legal_with_effects
from cabochon.record import Reason, Verdict, verify
from cabochon.rules import Deal, Phase, Position, Ruleset, card
from cabochon.server.problems import ServerRefused
from cabochon.server.storage.database import open_database
from cabochon.server.storage.holdings import Holder
from cabochon.server.storage.studies import SEEN_EVERY_MS, Studies, Study
from cabochon.server.web.studymodels import StudyFormat
from cabochon.study.gametree import tree_of
from tests.games import RandomGame
from tests.server.serving import Here, serving
from tests.study.trees import record_with_variations

START = "standard/2 0 act 0 - w4u4g4r4k4o5 1w1,1u2,1g3,1k4/2w1,2u2,2g3,2k4/3w1,3u2,3g3,3k4 rk4,gr4,ug4 -|-|-|- -|-|-|-"  # fmt: skip  # noqa: E501


def open_study(here: Here, key: str | None = None, **body: Any) -> Any:
    return here.post("/studies/open", body, key)


def problem_of(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


def play_out(here: Here, table: str, keys: list[str], seed: int = 0, **hello: Any) -> Any:
    """The seats play at random to the end; gives the last message."""
    rng = random.Random(seed)
    with here.socket(table, *keys, **hello) as talk:
        state = talk.hear("gameFull")
        while state["status"] == "running":
            moves = state["legal"]
            bought = [move for move in moves if move.startswith("buy")]
            blind = [move for move in moves if move.startswith("reserve deck")]
            pick = rng.random()
            chosen = rng.choice(bought or moves) if pick < 0.7 else rng.choice(blind or moves)
            version = state["version"]
            talk.say(type="move", id=str(version), version=version, moves=[chosen])
            state = talk.hear("gameState", "refused")
            assert state["type"] == "gameState", state
        return talk.hear("gameFinish")


@pytest.fixture(scope="module")
def finished(here: Here) -> tuple[str, list[str]]:
    table, keys = here.duel(variant="quick")
    play_out(here, table, keys)
    return table, keys


# Opening


def test_the_study_of_a_finished_table_is_its_replay(
    here: Here, finished: tuple[str, list[str]]
) -> None:
    table, _ = finished
    replay = here.get(f"/tables/{table}/replay?viewer=all")["views"]
    study = open_study(here, table=table)
    steps = [study["start"], *(node["step"] for node in study["lines"])]
    assert [
        {name: step[name] for name in shown} for step, shown in zip(steps, replay, strict=True)
    ] == replay
    assert study["played"] == len(study["lines"])
    assert not study["live"]
    assert study["table"] == table
    record = here.try_get(f"/tables/{table}/record").text
    assert study["record"] == record
    positions = [node["step"]["position"] for node in study["lines"]]
    (read,) = records_in(record)
    assert positions == [format_position(node.position) for node in tree_of(read).lines]
    assert study["ended"]["winners"]


def test_a_seat_s_side_of_a_finished_game_hides_what_it_did_not_know(
    here: Here, finished: tuple[str, list[str]]
) -> None:
    table, _ = finished
    replay = here.get(f"/tables/{table}/replay?viewer=1")["views"]
    study = open_study(here, table=table, viewer="1")
    assert [node["step"]["view"] for node in study["lines"]] == [
        step["view"] for step in replay[1:]
    ]


def test_the_record_of_a_table_opens_as_the_same_study(
    here: Here, finished: tuple[str, list[str]]
) -> None:
    table, _ = finished
    of_table = open_study(here, table=table)
    of_text = open_study(here, record=of_table["record"])
    as_json = here.http.get(
        f"/api/tables/{table}/record", headers={"Accept": "application/json"}
    ).text
    of_json = open_study(here, record=as_json)
    for study in (of_text, of_json):
        assert study["fingerprint"] == of_table["fingerprint"]
        assert study["record"] == of_table["record"]
        assert _without_times(study["lines"]) == _without_times(of_table["lines"])


def _without_times(lines: Any) -> Any:
    text = json.dumps(lines, sort_keys=True)
    return json.loads(
        text, object_hook=lambda found: {k: v for k, v in found.items() if k != "at_ms"}
    )


@pytest.mark.parametrize("seed", range(6))
def test_variations_are_all_in_the_tree_and_format_writes_them_back(here: Here, seed: int) -> None:
    game = RandomGame(Ruleset(2 + seed % 3), seed, "builder", 60)
    record = record_with_variations(game, seed)
    study = open_study(here, record=format_record(record))
    tree = tree_of(record)
    assert _codes(study["lines"]) == _codes_of(tree.lines)
    draft = {
        "record": study["record"],
        "comment": study["comment"],
        "tree": _drafts(study["lines"]),
    }
    written = here.post("/studies/format", draft)
    again = open_study(here, record=written["text"])
    assert again["lines"] == study["lines"]
    assert again["comment"] == study["comment"]
    assert format_record(records_in(json.dumps(written["json"]))[0]) == written["text"]


def _drafts(nodes: Any) -> Any:
    return [
        {
            "event": node["step"]["event"],
            "dealt": node["step"]["dealt"],
            "comment": node["comment"],
            "variations": [_drafts(line) for line in node["variations"]],
        }
        for node in nodes
    ]


def _codes(nodes: Any) -> Any:
    return [
        (node["step"]["position"], node["comment"], [_codes(line) for line in node["variations"]])
        for node in nodes
    ]


def _codes_of(nodes: Any) -> Any:
    return [
        (format_position(node.position), node.comment, [_codes_of(x) for x in node.variations])
        for node in nodes
    ]


def test_a_position_and_nothing_at_all_open_too(here: Here) -> None:
    study = open_study(here, position=START)
    assert study["start"]["position"] == START
    assert study["lines"] == []
    assert study["record"] == ""
    fresh = open_study(here)
    assert parse_position(fresh["start"]["position"]).turn == 0
    assert len(fresh["start"]["legal"]) > 20
    assert fresh["start"]["position"] != open_study(here)["start"]["position"]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"position": "nonsense"}, (422, "not-a-position")),
        ({"position": START.replace("w4", "w3")}, (422, "tokens-lost")),
        ({"record": "nonsense"}, (422, "unreadable")),
        ({"record": '[Cabochon "1"]', "position": START}, (422, "bad-request")),
        ({"position": START, "viewer": "3"}, (422, "bad-request")),
        ({"table": "nosuchtable"}, (404, "no-such-table")),
        ({"table": "UP"}, (422, "bad-request")),
    ],
)
def test_what_cannot_be_opened_is_said(
    here: Here, body: dict[str, str], problem: tuple[int, str]
) -> None:
    status, code = problem_of(here.try_post("/studies/open", body))
    assert status == problem[0]
    if problem[1] != "unreadable":
        assert code == problem[1]


def test_two_records_at_once_are_one_too_many(here: Here, finished: tuple[str, list[str]]) -> None:
    text = open_study(here, table=finished[0])["record"]
    response = here.try_post("/studies/open", {"record": f"{text}\n{text}"})
    assert problem_of(response) == (422, "one-record")


def test_a_large_study_comes_compressed_to_whoever_takes_that(
    here: Here, finished: tuple[str, list[str]]
) -> None:
    body = {"table": finished[0]}
    small = here.http.post("/api/studies/open", json=body, headers={"Accept-Encoding": "gzip"})
    plain = here.http.post("/api/studies/open", json=body, headers={"Accept-Encoding": "identity"})
    assert small.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert small.json() == plain.json()
    assert int(small.headers["content-length"]) * 5 < int(plain.headers["content-length"])


# A game that is still being played


def test_a_running_game_s_study_is_what_the_caller_may_know(here: Here) -> None:
    table, keys = here.strangers()
    version = here.full(table, keys[0])["version"]
    body = {"moves": ["reserve deck2"], "version": version}
    here.post(f"/tables/{table}/move", body, keys[0])
    own, other, watcher = (open_study(here, key, table=table) for key in (*keys, None))
    drawn = own["lines"][0]["step"]["dealt"]
    assert drawn in own["lines"][0]["step"]["position"]
    for study in (own, other, watcher):
        assert study["live"]
        assert study["fingerprint"] is None
        steps = [study["start"], *(node["step"] for node in study["lines"])]
        assert all(step["legal"] == [] for step in steps)
        assert all(step["position"].split()[0] in ("seat0", "seat1", "watch") for step in steps)
    for study in (other, watcher):
        assert study["lines"][0]["step"]["dealt"] is None
        assert f"({drawn})" not in json.dumps(study)
    refused = here.try_post("/studies/open", {"table": table, "viewer": "1"}, keys[0])
    assert problem_of(refused) == (403, "not-yet")


def test_a_private_table_s_study_needs_the_same_right_as_watching_it(here: Here) -> None:
    table, keys = here.duel(watch="nobody")
    assert problem_of(here.try_post("/studies/open", {"table": table})) == (403, "not-for-watchers")
    assert open_study(here, keys[0], table=table)["live"]
    table, keys = here.duel(watch="link")
    wrong = {"table": table, "watch": "nope"}
    assert problem_of(here.try_post("/studies/open", wrong)) == (403, "not-for-watchers")


def test_a_table_that_has_not_begun_has_no_study(here: Here) -> None:
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    made = here.post("/tables", {"chairs": chairs})
    refused = here.try_post("/studies/open", {"table": made["table"]["id"]})
    assert problem_of(refused) == (403, "not-yet")


# Playing on


def some_positions(count: int) -> Iterator[Position]:
    for seed in range(count):
        rulesets = [Ruleset(2), Ruleset(3), Ruleset(4, teams=True)]
        game = RandomGame(rulesets[seed % 3], seed, "gambler", 70)
        rng = random.Random(seed)
        yield rng.choice([p for p in game.positions() if p.phase not in (Phase.DEAL, Phase.OVER)])


def test_every_legal_move_gives_the_step_that_the_library_gives(here: Here) -> None:
    for position in some_positions(6):
        text = format_position(position)
        step = open_study(here, position=text)["start"]
        moves = [entry["move"] for entry in step["legal"]]
        assert step["legal"] == legal_with_effects(position.view(position.seat))
        for move in random.Random(3).sample(moves, min(6, len(moves))):
            body = {"position": text, "moves": [move], "deal": "chance", "ply": 7}
            (after,) = here.post("/studies/play", body)["steps"]
            expected = position.play(parse_move(move))
            if after["dealt"] is not None and expected.pending is not None:
                expected = expected.deal(Deal(card(after["dealt"])))
            assert after["position"] == format_position(expected)
            assert after["ply"] == 8
            assert after["log"]["ply"] == 8
            facts = json.loads(json.dumps(facts_of(expected.view(None))))
            assert {k: v for k, v in after["facts"].items() if k != "cards"} == {
                k: v for k, v in facts.items() if k != "cards"
            }
            assert facts["cards"].items() <= after["facts"]["cards"].items()


def test_a_card_that_must_come_is_asked_for_chosen_or_drawn(here: Here) -> None:
    body: dict[str, Any] = {"position": START, "moves": ["reserve 2g3"]}
    asked = here.post("/studies/play", body)
    assert asked["steps"] == []
    assert (asked["wants"]["level"], asked["wants"]["place"]) == (2, 3)
    cards = asked["wants"]["cards"]
    assert len(cards) == 26
    assert "2w1" not in cards
    chosen = here.post("/studies/play", body | {"deal": cards[4]})
    assert chosen["wants"] is None
    assert chosen["steps"][0]["dealt"] == cards[4]
    assert chosen["steps"][0]["view"]["rows"][1][2] == cards[4]
    drawn = {
        here.post("/studies/play", body | {"deal": "chance"})["steps"][0]["dealt"]
        for _ in range(12)
    }
    assert drawn <= set(cards)
    assert len(drawn) > 1
    for wrong, code in (("2w1", "deal-not-in-deck"), ("1w5", "deal-wrong-level")):
        refused = here.try_post("/studies/play", body | {"deal": wrong})
        assert problem_of(refused) == (422, code)


def test_a_card_drawn_from_a_deck_goes_to_the_hand(here: Here) -> None:
    body: dict[str, Any] = {"position": START, "moves": ["reserve deck3"]}
    wants = here.post("/studies/play", body)["wants"]
    assert (wants["level"], wants["place"]) == (3, None)
    (step,) = here.post("/studies/play", body | {"deal": "3r1"})["steps"]
    assert step["view"]["hands"][0]["reserved"] == [{"card": "3r1", "blind": True}]
    assert step["log"]["text"]["en"].startswith("reserves 3r1 (red, 3 points), unseen, from deck 3")
    hidden = here.post("/studies/play", body | {"deal": "3r1", "viewer": "1"})["steps"][0]
    assert hidden["view"]["hands"][0]["reserved"] == [{"level": 3}]


def test_a_position_that_waits_for_a_card_is_dealt_to_without_a_move(here: Here) -> None:
    waiting = format_position(parse_position(START).play(parse_move("reserve 2g3")))
    start = open_study(here, position=waiting)["start"]
    assert start["legal"] == []
    assert here.post("/studies/play", {"position": waiting, "moves": []})["wants"]["place"] == 3
    body = {"position": waiting, "moves": [], "deal": "2r1"}
    (step,) = here.post("/studies/play", body)["steps"]
    assert (step["event"], step["dealt"], step["ply"]) == (None, "2r1", 0)
    nothing = here.try_post("/studies/play", {"position": START, "moves": []})
    assert problem_of(nothing) == (422, "no-moves")


def test_a_whole_turn_is_played_at_once_and_an_illegal_one_not_at_all(here: Here) -> None:
    rich = "standard/2 6 act 0 - w1u1g1r1k1o2 1w1,1u2,1g3,1k4/2w1,2u2,2g3,2k4/3w1,3u2,3g3,3k4 rk4,gr4,ug4 w2u2g2r2k2|-|-|- w1u1g1r1k1o3|-|-|-"  # noqa: E501
    body: dict[str, Any] = {"position": rich, "moves": ["take wug", "return rrk"]}
    first, second = here.post("/studies/play", body)["steps"]
    assert first["view"]["phase"] == "return"
    assert second["turn"] == 7
    assert (first["ply"], second["ply"]) == (1, 2)
    refused = here.try_post("/studies/play", body | {"moves": ["take wug", "return wwww"]})
    assert refused.status_code == 422
    assert problem_of(here.try_post("/studies/play", body | {"moves": ["take oo"]}))[0] == 422
    assert problem_of(here.try_post("/studies/play", body | {"moves": ["fly"]}))[0] == 422


# Writing down


def test_a_tree_without_a_start_and_an_illegal_one_are_refused(here: Here) -> None:
    assert problem_of(here.try_post("/studies/format", {"tree": []})) == (422, "no-start")
    body = {"start": START, "tree": [{"event": "take www"}]}
    assert here.try_post("/studies/format", body).status_code == 422


def test_what_is_played_after_a_resigned_game_stays_beside_it(here: Here) -> None:
    table, keys = here.duel()
    here.post(f"/tables/{table}/resign", {"seat": 0}, keys[0])
    study = open_study(here, table=table)
    draft = {"record": study["record"], "tree": [{"event": "take wug"}, {"event": "take urk"}]}
    written = here.post("/studies/format", draft)
    (record,) = records_in(written["text"])
    assert record.events == ()
    assert record.result is not None
    assert record.result.reason is Reason.RESIGNED
    assert record.seed is not None
    again = open_study(here, record=written["text"])
    assert [node["step"]["event"] for node in again["lines"]] == ["take wug", "take urk"]
    assert again["played"] == 0


def test_another_main_line_is_another_game(here: Here, finished: tuple[str, list[str]]) -> None:
    study = open_study(here, table=finished[0])
    draft = _drafts(study["lines"])[:4]
    written = here.post("/studies/format", {"record": study["record"], "tree": draft})
    (record,) = records_in(written["text"])
    assert (record.seed, record.commitment, record.result) == (None, None, None)
    assert "Table" not in record.headers
    assert list(record.players) == study["players"]


def test_a_deep_or_a_long_tree_is_refused_and_not_choked_on(here: Here) -> None:
    deep: dict[str, Any] = {"event": "take wug"}
    for _ in range(40):
        deep = {"event": "take wug", "variations": [[deep]]}
    refused = here.try_post("/studies/format", {"start": START, "tree": [deep]})
    assert refused.status_code == 422
    nested = "[" * 3000
    body = '{"tree": ' + nested
    response = here.http.post(
        "/api/studies/format", content=body, headers={"Content-Type": "application/json"}
    )
    assert response.status_code == 422
    long = [{"event": "take wug", "variations": [[{"event": "take urk"}] * 30] * 40}]
    refused = here.try_post("/studies/format", {"start": START, "tree": long})
    assert problem_of(refused) == (422, "study-too-long")


def test_a_study_longer_than_what_is_said_in_one_line_is_written_down(here: Here) -> None:
    comment = "hm " * 1300
    tree = [{"event": "take wug", "comment": comment}, {"event": "take urk", "comment": comment}]
    answer = here.try_post("/studies/format", {"start": START, "tree": tree})
    assert answer.status_code == 200, answer.text
    written = answer.json()
    assert len(written["text"]) > 4096
    assert format_record(records_in(json.dumps(written["json"]))[0]) == written["text"]


def test_a_tree_that_is_too_long_is_not_even_read(here: Here) -> None:
    """Nodes that stand for nothing fit into a body by the ten thousand; making them all would hold
    up everybody for longer than a move takes."""
    line = ",".join(["{}"] * 20)
    node = '{"variations":[' + ",".join([f"[{line}]"] * 50) + "]}"
    body = f'{{"start":"{START}","tree":[{",".join([node] * 70)}]}}'
    with pytest.raises(ServerRefused):
        StudyFormat.model_validate(json.loads(body))
    headers = {"Content-Type": "application/json"}
    answer = here.http.post("/api/studies/format", content=body, headers=headers)
    assert problem_of(answer) == (422, "study-too-long")


# Keeping


def kept(here: Here, record: str, title: str = "") -> tuple[str, str]:
    made = here.post("/studies", {"record": record, "title": title})
    return made["id"], made["key"]


def put(here: Here, study: str, body: Any, key: str | None) -> httpx.Response:
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    return here.http.put(f"/api/studies/{study}", json=body, headers=headers)


@pytest.fixture(scope="module")
def text(here: Here) -> str:
    tree = [{"event": "take wug", "comment": "hm", "variations": [[{"event": "take urk"}]]}]
    written: str = here.post("/studies/format", {"start": START, "tree": tree})["text"]
    return written


def test_a_kept_study_comes_back_as_it_was(here: Here, text: str) -> None:
    study, key = kept(here, text, "  A quiet start ")
    assert key.startswith("cab_k_")
    found = here.get(f"/studies/{study}")
    assert (found["id"], found["title"], found["record"]) == (study, "A quiet start", text)
    assert found["tree"] == open_study(here, record=text)


def test_only_the_holder_of_the_key_may_replace_it(here: Here, text: str) -> None:
    study, key = kept(here, text, "Mine")
    other, other_key = kept(here, text, "Another")
    body = {"record": text.replace("{hm}", "{oh}"), "title": "New"}
    for wrong in (None, other_key, "cab_k_wrong"):
        assert problem_of(put(here, study, body, wrong)) == (403, "study-key-wrong")
    assert here.get(f"/studies/{study}")["title"] == "Mine"
    assert put(here, study, body, key).json()["id"] == study
    found = here.get(f"/studies/{study}")
    assert (found["title"], "{oh}" in found["record"]) == ("New", True)
    assert here.get(f"/studies/{other}")["title"] == "Another"


def test_what_is_no_study_is_not_kept(here: Here, text: str) -> None:
    assert here.try_post("/studies", {"record": "nonsense"}).status_code == 422
    illegal = text.replace("take wug", "take www")
    assert here.try_post("/studies", {"record": illegal}).status_code == 422
    assert here.try_post("/studies", {"record": text, "title": "x" * 81}).status_code == 422
    assert problem_of(here.try_get("/studies/nosuchstudy")) == (404, "no-such-study")
    assert problem_of(put(here, "nosuchstudy", {"record": text}, None)) == (404, "no-such-study")
    huge = "{" + "x" * 250_000 + "}"
    assert here.try_post("/studies", {"record": huge}).status_code == 422
    assert problem_of(here.try_post("/studies", {"record": "x" * 300_000})) == (413, "too-large")
    assert problem_of(here.try_post("/tables", {"x": "x" * 20_000})) == (413, "too-large")


def test_an_address_keeps_so_many_and_others_still_can(tmp_path: Path, text: str) -> None:
    with serving(tmp_path / "t.db", most_studies_per_address=2, trust_proxy=True) as here:
        for _ in range(2):
            kept(here, text)
        refused = here.try_post("/studies", {"record": text})
        assert problem_of(refused) == (429, "too-many-studies")
        elsewhere = {"X-Forwarded-For": "203.0.113.9"}
        assert here.try_post("/studies", {"record": text}, **elsewhere).status_code == 201


def test_everybody_together_keeps_so_many(tmp_path: Path, text: str) -> None:
    with serving(tmp_path / "t.db", most_studies=1) as here:
        kept(here, text)
        assert problem_of(here.try_post("/studies", {"record": text})) == (503, "studies-full")


def test_studies_are_still_there_after_a_restart_and_their_keys_are_only_hashes(
    tmp_path: Path, text: str
) -> None:
    with serving(tmp_path / "t.db") as here:
        study, key = kept(here, text, "Lasting")
    with serving(tmp_path / "t.db") as here:
        assert here.get(f"/studies/{study}")["title"] == "Lasting"
        assert put(here, study, {"record": text, "title": "Changed"}, key).status_code == 200
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert key.encode() not in data


# From a position


def test_a_table_begins_from_a_position_and_its_record_says_so(here: Here) -> None:
    position = next(p for p in some_positions(9) if p.ruleset.seats == 2)
    text = format_position(position)
    table, keys = here.duel(position=text)
    info = here.get(f"/tables/{table}")
    assert info["from_position"] is True
    assert info["ruleset"] == str(position.ruleset)
    assert here.full(table, *keys[:1])["view"]["turn"] == position.turn
    play_out(here, table, keys, 4)
    (record,) = records_in(here.try_get(f"/tables/{table}/record").text)
    assert record.opening == position
    found = verify(record)
    assert found.ok
    codes = [finding.code for finding in found.verdicts]
    assert Verdict.GIVEN_POSITION in codes
    assert Verdict.SEED_COMMITTED in codes
    study = open_study(here, table=table)
    assert study["start"]["position"] == text


def test_a_bot_plays_from_a_position_to_the_end(here: Here) -> None:
    position = format_position(next(p for p in some_positions(9) if p.ruleset.seats == 2))
    chairs = [{"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "greedy"}]
    made = here.post("/tables", {"chairs": chairs, "position": position})
    table = made["table"]["id"]
    with here.socket(table) as talk:
        talk.hear("gameFull")
        talk.hear("gameFinish", timeout=60)
    (record,) = records_in(here.try_get(f"/tables/{table}/record").text)
    assert verify(record).ok
    assert format_position(record.first()) == position


def test_a_friend_joins_a_table_from_a_position_and_sees_only_what_is_public(here: Here) -> None:
    position = START.replace("-|-|-|- -|-|-|-", "o1|-|(2r1)|- -|-|-|-").replace("o5", "o4")
    position = position.replace("standard/2 0", "standard/2 2")
    table, keys = here.strangers(position=position)
    own, other = (here.full(table, key)["view"]["hands"][0]["reserved"] for key in keys)
    assert own == [{"card": "2r1", "blind": True}]
    assert other == [{"level": 2}]
    record = here.try_get(f"/tables/{table}/record", keys[1]).text
    assert "2r1" not in record
    assert "2?" in record


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"position": "nonsense"}, "not-a-position"),
        ({"position": START.replace("w4", "w3")}, "tokens-lost"),
        ({"position": START, "seats": 3}, "chairs-count"),
        ({"position": START, "target": 21}, "position-rules-differ"),
        ({"position": START, "variant": "quick"}, "position-rules-differ"),
        ({"position": START, "scarce_take": False}, "position-rules-differ"),
        (
            {"position": format_position(parse_position(START).play(parse_move("reserve 2g3")))},
            "position-not-playable",
        ),
    ],
)
def test_a_position_where_no_game_can_begin_is_refused(
    here: Here, options: dict[str, Any], code: str
) -> None:
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "greedy"}]
    refused = here.try_post("/tables", {"chairs": chairs, **options})
    assert problem_of(refused) == (422, code)


def test_what_is_said_again_beside_a_position_does_no_harm(here: Here) -> None:
    table, _ = here.duel(position=START, variant="standard", seats=2, scarce_take=True)
    assert here.get(f"/tables/{table}")["from_position"]


def test_a_study_that_nobody_opens_is_removed_and_one_that_is_opened_stays(
    tmp_path: Path,
) -> None:
    async def kept_after_a_purge() -> list[str]:
        engine = await open_database(f"sqlite:///{tmp_path / 't.db'}")
        studies, day = Studies(engine), SEEN_EVERY_MS
        for name in ("old", "looked"):
            await studies.add(Study(name, "hash", "", "record"), Holder("here", None, None), 0)
        await studies.get("looked", 3 * day)
        assert await studies.purge(2 * day) == 1
        left = [name for name in ("old", "looked") if await studies.get(name, 3 * day)]
        assert (await studies.counts(Holder("here", None, None))).everybody == len(left)
        await engine.dispose()
        return left

    assert asyncio.run(kept_after_a_purge()) == ["looked"]
