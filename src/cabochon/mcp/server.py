"""The tools, resources and prompts, in a fixed order, on the official SDK."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Annotated, Any, Literal, TypeAlias, cast

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError

from cabochon.mcp.games import GameStore, HandleError, HandleFault, OpenGame
from cabochon.mcp.manual import EXAMPLES, INSTRUCTIONS, LEGAL, LIFETIME, MANUAL, Both
from cabochon.mcp.models import (
    AnalysisReport,
    Explanation,
    Export,
    GameState,
    LegalMoves,
    Replay,
    ToolFailure,
)
from cabochon.mcp.texts import (
    NOTATION,
    PLAY_PROMPT,
    REVIEW_PROMPT,
    cards_text,
    rule_about,
    rule_sections,
)
from cabochon.notation import (
    describe_turn,
    dumps,
    format_move,
    format_record,
    format_turn,
    parse_move,
    record_to_json,
    seen_record_to_json,
    view_to_json,
)
from cabochon.notation import parse_ruleset as parse_rules
from cabochon.render.text import board
from cabochon.rules import CabochonError, Phase, Ruleset
from cabochon.rules.errors import quoted
from cabochon.rules.sentences import LANGUAGES, register
from cabochon.version import __version__
from cabochon.words import Words, rules_text

ALTERNATIVES = 8
MOST_VISITS = 20_000
LONGEST_SEED = 200

Format: TypeAlias = Literal["text", "json"]

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
PLAYS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)


class CallFault(StrEnum):
    """What is wrong with a call, beside the game."""

    UNKNOWN_TOPIC = "unknown-topic"
    NOTHING_TO_ANALYSE = "nothing-to-analyse"
    WHICH_GAME = "which-game"
    BAD_ARGUMENT = "bad-argument"
    UNKNOWN_ARGUMENT = "unknown-argument"


register(
    {
        "unknown-topic": (
            "The rules say nothing about {topic}; ask for one of: {known}.",
            "规则中没有关于 {topic} 的内容；可查询：{known}。",
        ),
        "nothing-to-analyse": (
            "There is nothing to analyse: the game is over.",
            "没有可分析的内容：游戏已经结束。",
        ),
        "which-game": (
            "To ask about a move, give the game_id as well.",
            "询问某步行动时，请同时给出 game_id。",
        ),
        "bad-argument": (
            "The argument {name} of {tool} does not fit: {why}.",
            "{tool} 的参数 {name} 不合适：{why}。",
        ),
        "unknown-argument": (
            "{tool} has no argument {name}; it has {known}.",
            "{tool} 没有参数 {name}；它有 {known}。",
        ),
    }
)


class CallError(CabochonError):
    """A call that cannot be answered; `code` is a `CallFault`."""


class CabochonServer(MCPServer[None]):
    """One store of games behind the tools."""

    def __init__(self, lang: str = "en", store: GameStore | None = None) -> None:
        super().__init__(
            "cabochon",
            title="Cabochon",
            description="Play, analyse and study games of Splendor.",
            instructions=INSTRUCTIONS[LANGUAGES.index(lang)],
            version=__version__,
            log_level="WARNING",
        )
        self._words = Words(lang)
        self._games = store or GameStore()
        self._offer_tools()
        self._offer_texts()

    def _said(self, both: Both) -> str:
        return both[LANGUAGES.index(self._words.lang)]

    def _offer_tools(self) -> None:
        for tool in (
            self.new_game, self.get_state, self.legal_moves, self.play_move,
            self.explain_rule, self.analyse, self.replay, self.export_game,
        ):  # fmt: skip
            page = MANUAL[tool.__name__]
            self.add_tool(
                self._answering(tool),
                title=self._said(page.title),
                description=self._said(page.text),
                annotations=PLAYS if tool in (self.new_game, self.play_move) else READS,
            )

    def _answering(self, tool: Callable[..., Any]) -> Callable[..., Any]:
        """The tool with its manual, and our refusals as tool errors: code, reason, some legal
        moves."""

        @wraps(tool)
        def answered(**arguments: Any) -> Any:
            try:
                return tool(**arguments)
            except CabochonError as error:
                return self._failure(error, arguments)

        told = MANUAL[tool.__name__].arguments
        plain = inspect.signature(tool, eval_str=True)
        described = [
            each.replace(
                annotation=Annotated[
                    each.annotation, Field(description=self._said(told[each.name]))
                ]
            )
            for each in plain.parameters.values()
        ]
        answered.__signature__ = plain.replace(parameters=described)  # type: ignore[attr-defined]
        return answered

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """As the SDK does it; arguments that do not fit, or that the tool does not have, are tool
        errors like every other."""
        known = MANUAL[name].arguments if name in MANUAL else arguments
        for each in arguments:
            if each not in known:
                wrong = {"tool": name, "name": quoted(each), "known": ", ".join(known)}
                return self._failure(CallError(CallFault.UNKNOWN_ARGUMENT, **wrong), {})
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            refusal = self._bad_argument(name, error.__cause__)
            return self._failure(refusal, arguments if name == "play_move" else {})

    def _bad_argument(self, tool: str, error: ValidationError) -> CallError:
        """The SDK speaks English alone; in Chinese the manual says what would fit."""
        first = error.errors()[0]
        name = str(first["loc"][0])
        why = first["msg"].lower()
        if self._words.lang == "zh":
            why = self._said(MANUAL[tool].arguments[name])
        return CallError(CallFault.BAD_ARGUMENT, tool=tool, name=name, why=why)

    def _failure(self, error: CabochonError, arguments: dict[str, Any]) -> CallToolResult:
        moves = self._alternatives(arguments)
        failure = ToolFailure(
            code=str(error.code), reason=self._words.refusal(error), legal=moves[:ALTERNATIVES]
        )
        text = f"{failure.code}: {failure.reason}"
        if moves:
            examples = ", ".join(failure.legal)
            text += self._said(EXAMPLES).format(moves=examples, count=len(moves))
        return CallToolResult(
            content=[TextContent(type="text", text=text)],
            structured_content=failure.model_dump(mode="json"),
            is_error=True,
        )

    def _alternatives(self, arguments: dict[str, Any]) -> list[str]:
        """Legal moves in the game asked about: those that begin like the refused one first, then
        one of each kind in turn."""
        try:
            moves = self._moves(self._games.find(arguments["game_id"]))
        except (CabochonError, KeyError, TypeError):
            return []
        verb = str(arguments.get("move", "")).strip().lower().partition(" ")[0]
        seen: Counter[str] = Counter()
        ranked = []
        for move in moves:
            kind = move.partition(" ")[0]
            ranked.append((kind != verb, seen[kind], move))
            seen[kind] += 1
        return [move for *_, move in sorted(ranked, key=lambda each: each[:2])]

    # The tools; `manual.py` says what each does

    def new_game(
        self,
        opponents: list[str] | str = ["greedy"],  # noqa: B006
        players: int | None = None,
        variant: str = "standard",
        seat: int | None = None,
        seed: Annotated[str, Field(max_length=LONGEST_SEED)] | int | None = None,
        format: Format = "text",
    ) -> GameState:
        rules = parse_rules(variant) if "/" in variant else Ruleset.preset(variant, players)
        if players not in (None, rules.seats):
            raise HandleError(
                HandleFault.PLAYERS, variant=quoted(variant), seats=rules.seats, given=players
            )
        bots = [opponents] if isinstance(opponents, str) else opponents
        opened = self._games.start(rules, bots, seat, None if seed is None else str(seed))
        return self._state(opened, 0, format)

    def get_state(self, game_id: str, format: Format = "text") -> GameState:
        return self._state(self._games.find(game_id), None, format)

    def legal_moves(self, game_id: str) -> LegalMoves:
        opened = self._games.find(game_id)
        return LegalMoves(
            game_id=game_id,
            version=opened.version,
            phase=opened.position.phase.value,
            moves=self._moves(opened),
        )

    def play_move(
        self, game_id: str, move: str, version: int | None = None, format: Format = "text"
    ) -> GameState:
        opened = self._games.find(game_id)
        with opened.lock:
            before = opened.version
            opened.play(parse_move(move), version)
            return self._state(opened, before, format)

    def explain_rule(
        self, topic: str = "everything", game_id: str | None = None, move: str | None = None
    ) -> Explanation:
        topics = list(rule_sections(self._words.lang))
        if move is not None:
            if game_id is None:
                raise CallError(CallFault.WHICH_GAME)
            return self._explained_move(self._games.find(game_id), move, topics)
        found = rule_about(topic, self._words.lang)
        if found is None:
            raise CallError(CallFault.UNKNOWN_TOPIC, topic=quoted(topic), known=", ".join(topics))
        return Explanation(topic=found[0], text=found[1], code=None, topics=topics)

    def analyse(
        self,
        game_id: str,
        visits: Annotated[int, Field(ge=1, le=MOST_VISITS)] = 400,
        moves: Annotated[int, Field(ge=1, le=200)] = 8,
    ) -> AnalysisReport:
        from cabochon.review.reviewjson import analysis_to_json
        from cabochon.search import Limit, Searcher, shipped_for

        opened = self._games.find(game_id)
        if opened.is_over:
            raise CallError(CallFault.NOTHING_TO_ANALYSE)
        view = opened.position.view(opened.viewer)
        found = Searcher(shipped_for(view.ruleset)).analyse(view, Limit(visits=visits, seed=0))
        told = analysis_to_json(found, moves)
        return AnalysisReport.model_validate({"game_id": game_id, "version": opened.version} | told)

    def replay(self, game_id: str, first_turn: Annotated[int, Field(ge=0)] = 0) -> Replay:
        opened = self._games.find(game_id)
        viewer = None if opened.is_over else opened.viewer
        turns = opened.record.turns()[first_turn:]
        if not opened.is_over:
            turns = tuple(turn.seen_by(viewer) for turn in turns)
        return Replay(
            game_id=game_id,
            version=opened.version,
            turns=[
                f"{opened.names[turn.seat]} {describe_turn(turn, self._words.lang)}"
                for turn in turns
            ],
            lines=[format_turn(turn) for turn in turns],
        )

    def export_game(self, game_id: str, format: Format = "text") -> Export:
        opened = self._games.find(game_id)
        if opened.is_over:
            record = opened.record
            text = format_record(record) if format == "text" else dumps(record_to_json(record))
        else:
            seen = opened.record.seen_by(opened.viewer)
            text = format_record(seen) if format == "text" else dumps(seen_record_to_json(seen))
        return Export(game_id=game_id, format=format, complete=opened.is_over, record=text)

    # What they are made of

    def _state(self, opened: OpenGame, since: int | None, shape: Format) -> GameState:
        position, viewer = opened.position, opened.viewer
        view = position.view(viewer)
        over = position.phase is Phase.OVER
        return GameState(
            game_id=opened.handle,
            version=opened.version,
            ruleset=str(position.ruleset),
            seat=opened.seat,
            players=opened.names,
            to_move=None if over else position.seat,
            your_turn=opened.is_to_move,
            phase=position.phase.value,
            points=[position.points(seat) for seat in range(position.ruleset.seats)],
            result=str(opened.record.result) if opened.record.result else None,
            news=[] if since is None else self._news(opened, since),
            board=board(view, self._words, names=opened.names) if shape == "text" else None,
            view=cast(dict[str, Any], view_to_json(view)) if shape == "json" else None,
            expires=self._said(LIFETIME),
        )

    def _news(self, opened: OpenGame, since: int) -> list[str]:
        """The turns that have ended, or begun, after that version."""
        seen, told = 0, []
        for turn in opened.record.turns():
            seen += len(turn.events())
            if seen > since:
                shown = turn if opened.is_over else turn.seen_by(opened.viewer)
                name = opened.names[turn.seat]
                told.append(f"{name} {describe_turn(shown, self._words.lang)}")
        return told

    def _moves(self, opened: OpenGame) -> list[str]:
        view = opened.position.view(opened.viewer)
        return [format_move(move) for move in view.legal_moves()]

    def _explained_move(self, opened: OpenGame, text: str, topics: list[str]) -> Explanation:
        move = parse_move(text)
        refusal = opened.position.refusal(move, opened.viewer)
        if refusal is None:
            text = self._said(LEGAL)
            return Explanation(topic=format_move(move), text=text, code=None, topics=topics)
        reason = self._words.refusal(refusal)
        return Explanation(
            topic=format_move(move), text=reason, code=str(refusal.code), topics=topics
        )

    def _offer_texts(self) -> None:
        @self.resource("cabochon://rules/en", title="The rules", mime_type="text/markdown")
        def rules_en() -> str:
            return rules_text("en")

        @self.resource("cabochon://rules/zh", title="规则", mime_type="text/markdown")
        def rules_zh() -> str:
            return rules_text("zh")

        @self.resource("cabochon://cards", title="Cards and nobles", mime_type="text/csv")
        def cards() -> str:
            return cards_text()

        @self.resource("cabochon://notation", title="Notation", mime_type="text/markdown")
        def notation() -> str:
            return NOTATION

        @self.prompt(title="Play a game")
        def play_a_game(opponent: str = "greedy") -> str:
            return self._said(PLAY_PROMPT).format(opponent=opponent)

        @self.prompt(title="Review a game")
        def review_a_game(record: str) -> str:
            return self._said(REVIEW_PROMPT).format(record=record)
