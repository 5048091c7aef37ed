"""The MCP server, seen through the SDK's own client."""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest
from mcp.client.stdio import StdioServerParameters

from cabochon.mcp import make_server, opengames
from cabochon.mcp.opengames import KEPT_HOURS, GameStore
from cabochon.mcp.reports import Manual
from cabochon.mcp.server import CabochonServer
from cabochon.notation import parse_move, parse_record, parse_seen_record, view_from_json
from cabochon.record import verify
from cabochon.rules import CARDS, Buy, ChooseNoble, Pass, Reserve, Return, Ruleset, Take
from mcp import Client

T = TypeVar("T")
TOOLS = [
    "new_game",
    "get_state",
    "legal_moves",
    "play_move",
    "explain_rule",
    "analyse",
    "replay",
    "export_game",
]


def run(work: Coroutine[Any, Any, T]) -> T:
    """The first analysis may have to compile the search, which takes its time."""
    return asyncio.run(asyncio.wait_for(work, 600))


async def said(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer of a tool that must succeed."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    content: dict[str, Any] = answer.structured_content
    assert content
    return content


async def refused(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    content: dict[str, Any] = answer.structured_content
    assert content["reason"] in getattr(answer.content[0], "text", "")
    return content


async def play_whole_game(client: Client, seed: int) -> dict[str, Any]:
    """Knows nothing but the list of tools: finds each by its title, feeds its answers on."""
    listed = (await client.list_tools()).tools
    by_title = {tool.title: tool for tool in listed}
    assert all(tool.output_schema and tool.description for tool in listed)
    begin, look = by_title["Start a game"].name, by_title["List the legal moves"].name
    play = by_title["Play a move"]
    state = await said(client, begin, opponents=["uniform"])
    choose = random.Random(seed)
    while state["result"] is None:
        assert state["your_turn"]
        game = {"game_id": state["game_id"]}
        moves = (await said(client, look, **game))["moves"]
        buys = [move for move in moves if move.startswith("buy")]
        move = choose.choice(buys or moves)
        assert set(play.input_schema["required"]) == {"game_id", "move"}
        state = await said(client, play.name, **game, move=move)
    return state


@asynccontextmanager
async def connected(server: Any = None) -> AsyncIterator[Client]:
    async with Client(make_server() if server is None else server) as client:
        yield client


def test_a_client_that_only_knows_the_tools_plays_a_whole_game_over_stdio() -> None:
    async def go() -> None:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "cabochon", "mcp"], env=None
        )
        async with connected(command) as client:
            assert client.protocol_version == "2026-07-28"
            state = await play_whole_game(client, seed=1)
            assert state["phase"] == "over"
            game = {"game_id": state["game_id"]}
            export = await said(client, "export_game", **game)
            record = parse_record(export["record"])
            assert export["complete"]
            assert verify(record).ok
            assert record.seed is not None
            turns = await said(client, "replay", **game)
            assert len(turns["turns"]) == len(turns["lines"]) == len(record.turns())
            assert (await refused(client, "play_move", **game, move="pass"))["code"] == "game-over"

    run(go())


def test_the_same_over_streamable_http() -> None:
    async def go() -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cabochon", "mcp", "--http", "--port", str(port),
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            assert process.stderr is not None
            while b"running on" not in (line := await process.stderr.readline()).lower():
                assert line or process.returncode is None
                if b"127.0.0.1" in line:
                    break
            for _ in range(100):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                await asyncio.sleep(0.2)
            async with connected(f"http://127.0.0.1:{port}/mcp") as client:
                state = await said(client, "new_game", opponents=["uniform"])
            # Another connection goes on with the same handle: no session is needed.
            async with connected(f"http://127.0.0.1:{port}/mcp") as client:
                assert client.protocol_version == "2026-07-28"
                again = await said(client, "get_state", game_id=state["game_id"])
                assert again["board"] == state["board"]
        finally:
            process.terminate()
            await process.wait()

    run(go())


def test_the_tools_come_in_a_fixed_order_with_schemas_and_hints() -> None:
    async def go() -> None:
        async with connected() as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == TOOLS
            for tool in tools:
                assert tool.output_schema
                assert tool.annotations
                for schema in tool.input_schema["properties"].values():
                    assert schema["description"]
                reads = tool.name not in ("new_game", "play_move")
                assert tool.annotations.read_only_hint is reads
                if "game_id" in tool.input_schema["properties"] and tool.name != "explain_rule":
                    text = tool.input_schema["properties"]["game_id"]["description"]
                    assert f"{KEPT_HOURS} hours" in text

    run(go())


def test_an_illegal_move_is_a_tool_error_with_alternatives_and_changes_nothing() -> None:
    async def go() -> None:
        async with connected() as client:
            state = await said(client, "new_game", opponents=["uniform"], seat=0, seed="a")
            game = {"game_id": state["game_id"]}
            answer = await refused(client, "play_move", **game, move="take wwu")
            assert answer["code"] == "take-mixed"
            assert answer["legal"][0].startswith("take")
            assert (await said(client, "play_move", **game, move=answer["legal"][0]))["news"]
            nonsense = await refused(client, "play_move", **game, move="castle")
            assert nonsense["code"] == "not-a-move"
            stale = await refused(client, "play_move", **game, move="take wug", version=0)
            assert stale["code"] == "stale-state"

    run(go())


def test_the_manual_of_a_move_shows_every_kind_and_each_can_be_read() -> None:
    """Who has nothing but the tool list knows how all moves are written."""
    shown, chinese = (
        re.findall(r"`([^`]+)`", Manual(lang).description("play_move")) for lang in ("en", "zh")
    )
    assert shown == chinese
    kinds = {type(parse_move(text)) for text in shown}
    assert kinds == {Take, Reserve, Buy, Return, ChooseNoble, Pass}


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("play_move", {"move": "pass"}, "bad-argument"),
        ("play_move", {"game_id": "GAME"}, "bad-argument"),
        ("play_move", {"game_id": 5, "move": "pass"}, "bad-argument"),
        ("play_move", {"game_id": "GAME", "move": "x" * 5000}, "too-long"),
        ("play_move", {"game_id": "GAME", "move": "take wug", "version": 10**30}, "stale-state"),
        ("get_state", {"game_id": "GAME", "format": "xml"}, "bad-argument"),
        ("get_state", {"game_id": ""}, "unknown-game"),
        ("analyse", {"game_id": "GAME", "visits": 10**9}, "bad-argument"),
        ("replay", {"game_id": "GAME", "first_turn": -1}, "bad-argument"),
        ("explain_rule", {"move": "pass"}, "which-game"),
        ("new_game", {"opponent": "diamond"}, "unknown-argument"),
        ("new_game", {"players": "two"}, "bad-argument"),
        ("new_game", {"players": 10**30}, "seats-out-of-range"),
        ("new_game", {"variant": "quick/3", "players": 2}, "players-differ"),
        ("new_game", {"seed": "x" * 9999}, "bad-argument"),
        ("new_game", {"seat": -1}, "seat-not-here"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_wrong_call_is_a_tool_error_with_our_code(
    tool: str, arguments: dict[str, Any], code: str, lang: str
) -> None:
    async def go() -> None:
        async with connected(make_server(lang)) as client:
            state = await said(client, "new_game", opponents="uniform", seat=0, seed=7)
            if arguments.get("game_id") == "GAME":
                arguments_here = arguments | {"game_id": state["game_id"]}
            else:
                arguments_here = arguments
            answer = await refused(client, tool, **arguments_here)
            assert answer["code"] == code
            assert "pydantic" not in answer["reason"]
            assert is_chinese(answer["reason"]) == (lang == "zh")

    run(go())


def test_handles_are_long_and_expire_with_a_sentence() -> None:
    now = [0.0]
    server = CabochonServer(store=GameStore(lambda: now[0]))

    async def go() -> None:
        async with connected(server) as client:
            state = await said(client, "new_game", opponents=["uniform"])
            handle = state["game_id"]
            assert len(handle) * 6 >= 122
            now[0] += (KEPT_HOURS - 1) * 3600
            await said(client, "get_state", game_id=handle)
            now[0] += (KEPT_HOURS + 1) * 3600
            gone = await refused(client, "get_state", game_id=handle)
            assert gone["code"] == "game-expired"
            assert f"{KEPT_HOURS} hours" in gone["reason"]
            assert (await refused(client, "replay", game_id="x"))["code"] == "unknown-game"

    run(go())


def test_the_games_lets_the_oldest_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opengames, "MOST_GAMES", 3)
    store = GameStore()
    handles = [store.start(Ruleset(2), [], None, "a").handle for _ in range(3)]
    store.find(handles[0])
    store.start(Ruleset(2), [], None, "a")
    assert store.find(handles[0])
    with pytest.raises(opengames.HandleError) as caught:
        store.find(handles[1])
    assert caught.value.code == "game-expired"


def test_state_as_json_and_hidden_cards_stay_hidden() -> None:
    async def go() -> None:
        async with connected() as client:
            state = await said(
                client, "new_game", opponents=["uniform"], players=3, seat=1, format="json"
            )
            view = view_from_json(state["view"])
            assert view.viewer == state["seat"] == 1
            game = {"game_id": state["game_id"]}
            while state["result"] is None and state["version"] < 40:
                moves = (await said(client, "legal_moves", **game))["moves"]
                state = await said(client, "play_move", **game, move=moves[0], format="json")
            export = await said(client, "export_game", **game)
            seen = parse_seen_record(export["record"])
            assert not export["complete"]
            assert seen.viewer == 1
            assert "Seed" not in export["record"]

    run(go())


def test_playing_every_seat_oneself() -> None:
    async def go() -> None:
        async with connected() as client:
            state = await said(client, "new_game", opponents=[], variant="teams")
            for turn in range(4):
                assert state["to_move"] == turn
                state = await said(
                    client,
                    "play_move",
                    game_id=state["game_id"],
                    move=["take wug", "take urk"][turn % 2],
                )
            assert state["seat"] is None

    run(go())


def test_analysis_names_a_legal_move() -> None:
    async def go() -> None:
        async with connected() as client:
            state = await said(client, "new_game", opponents=["uniform"])
            game = {"game_id": state["game_id"]}
            report = await said(client, "analyse", **game, visits=8, moves=3)
            assert report["best"] in (await said(client, "legal_moves", **game))["moves"]
            assert len(report["moves"]) == 3
            assert sum(report["chances"]) == pytest.approx(1, abs=0.01)

    run(go())


def test_rules_and_refusals_are_explained() -> None:
    async def go() -> None:
        async with connected() as client:
            everything = await said(client, "explain_rule")
            for topic in (*everything["topics"], "noble", "gold", "take-two-needs-four"):
                assert (await said(client, "explain_rule", topic=topic))["text"]
            unknown = await refused(client, "explain_rule", topic="checkmate")
            assert unknown["code"] == "unknown-topic"
            state = await said(client, "new_game", opponents=["uniform"], seat=0)
            why = await said(client, "explain_rule", game_id=state["game_id"], move="return w")
            assert why["code"] == "return-not-pending"

    run(go())


def test_resources_and_prompts() -> None:
    async def go() -> None:
        async with connected() as client:
            uris = [str(each.uri) for each in (await client.list_resources()).resources]
            assert uris == [
                "cabochon://rules/en",
                "cabochon://rules/zh",
                "cabochon://cards",
                "cabochon://notation",
            ]
            texts = {}
            for uri in uris:
                content = (await client.read_resource(uri)).contents[0]
                texts[uri] = getattr(content, "text", "")
            for card in CARDS:
                assert f"{card.code},{card.level}," in texts["cabochon://cards"]
            prompts = [each.name for each in (await client.list_prompts()).prompts]
            assert prompts == ["play_a_game", "review_a_game"]
            prompt = await client.get_prompt("play_a_game", {"opponent": "topaz"})
            assert "topaz" in str(prompt.messages[0].content)

    run(go())


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"variant": "cities"}, "cities-not-supported"),
        ({"variant": "chess"}, "unknown-variant"),
        ({"players": 7}, "seats-out-of-range"),
        ({"opponents": ["nobody"]}, "unknown-bot"),
        ({"opponents": ["uniform", "uniform"]}, "opponents-count"),
        ({"seat": 2}, "seat-not-here"),
    ],
)
def test_bad_games_are_tool_errors_with_our_code(arguments: Any, code: str) -> None:
    async def go() -> None:
        async with connected() as client:
            assert (await refused(client, "new_game", **arguments))["code"] == code

    run(go())


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in text)


def test_the_server_speaks_chinese() -> None:
    async def go() -> None:
        async with connected(make_server("zh")) as client:
            for tool in (await client.list_tools()).tools:
                assert is_chinese(f"{tool.title}")
                assert is_chinese(f"{tool.description}")
                for schema in tool.input_schema["properties"].values():
                    assert is_chinese(schema["description"])
            state = await said(client, "new_game", opponents=["uniform"], seat=0)
            answer = await client.call_tool(
                "play_move", {"game_id": state["game_id"], "move": "pass"}
            )
            assert "Legal" not in str(answer.content)
            assert is_chinese(str(answer.structured_content["reason"]))
            assert is_chinese(state["board"])
            prompt = await client.get_prompt("play_a_game", {"opponent": "topaz"})
            assert is_chinese(str(prompt.messages[0].content))

    run(go())


# As few letters as it takes


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_list_of_tools_is_short_and_the_opening_too(lang: str) -> None:
    async def looked() -> tuple[str, str, str]:
        async with connected(make_server(lang)) as client:
            tools = (await client.list_tools()).tools
            listed = json.dumps([tool.model_dump(mode="json", exclude_none=True) for tool in tools])
            begun: Any = await client.call_tool("new_game", {"opponents": "uniform", "seat": 0})
            game = begun.structured_content["game_id"]
            moved: Any = await client.call_tool("play_move", {"game_id": game, "move": "take wug"})
            return listed, begun.content[0].text, moved.content[0].text

    listed, begun, moved = asyncio.run(looked())
    assert len(json.dumps(json.loads(listed), ensure_ascii=False)) <= 8000
    assert len(begun) <= 900
    assert "  " not in begun
    assert "take wug wur" in begun
    assert "game_id" in begun
    assert "game_id" not in moved, "what is known already is not said again"


def test_a_whole_game_in_chinese() -> None:
    """The server speaks Chinese, and is answered in it."""
    colours = dict(zip("wugrko", "白蓝绿红黑金", strict=True))
    verbs = {"take": "拿", "buy": "购买", "reserve": "保留", "return": "归还", "noble": "贵族"}

    def in_chinese(move: str) -> str:
        verb, _, rest = move.partition(" ")
        if verb in ("take", "return"):
            rest = "".join(colours[letter] for letter in rest)
        return f"{verbs[verb]} {rest.partition(' ')[0]}" if rest else "跳过"

    async def played() -> dict[str, Any]:
        async with connected(make_server("zh")) as client:
            state = await said(client, "new_game", opponents=["uniform"], variant="quick")
            while state["result"] is None:
                game = {"game_id": state["game_id"]}
                moves = (await said(client, "legal_moves", **game))["moves"]
                buys = [move for move in moves if move.startswith("buy")]
                state = await said(client, "play_move", **game, move=in_chinese((buys or moves)[0]))
                assert "声望" in state["board"]
            return state

    assert asyncio.run(played())["result"]


@pytest.mark.parametrize(
    ("lang", "target", "verdict"),
    [("en", "quick/2 to 10, over", "; won by {who}"), ("zh", "quick/2，目标 10，", "；{who} 获胜")],
)
def test_the_plain_text_names_the_target_and_who_won(lang: str, target: str, verdict: str) -> None:
    """A game to ten was told as one to fifteen, and a victory as `2-1 target`."""

    async def played() -> tuple[str, str]:
        async with connected(make_server(lang)) as client:
            state = await said(client, "new_game", opponents=[], variant="quick", players=2)
            opening = state["board"].splitlines()[0]
            while state["result"] is None:
                game = {"game_id": state["game_id"]}
                moves = (await said(client, "legal_moves", **game))["moves"]
                buys = [move for move in moves if move.startswith("buy")]
                state = await said(client, "play_move", **game, move=(buys or moves)[0])
            ranks = state["result"].partition(" ")[0].split("-")
            winners = [
                name for name, rank in zip(state["players"], ranks, strict=True) if rank == "1"
            ]
            answer = await client.call_tool("get_state", game)
            plain = getattr(answer.content[0], "text", "")
            assert plain == state["board"], "nothing is said twice"
            heading = plain.splitlines()[0]
            assert heading.startswith(target)
            if len(winners) == 1:
                assert heading.endswith(verdict.format(who=winners[0]))
            wrong = await client.call_tool("play_move", game | {"move": "take wug"})
            return opening, getattr(wrong.content[0], "text", "")

    opening, wrong = asyncio.run(played())
    assert opening.startswith(target.partition(" over")[0])
    assert "。 " not in wrong
