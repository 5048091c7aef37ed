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
from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel, Field, ValidationError

from cabochon.mcp.opengames import GameStore, HandleError, HandleFault, OpenGame
from cabochon.mcp.reports import (
    AnalysisReport,
    Explanation,
    Export,
    GameReport,
    LegalMoves,
    Manual,
    ReplayReport,
    ToolFailure,
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
from cabochon.render.plain import plain_text
from cabochon.rules import CabochonError, Phase, Ruleset, View
from cabochon.rules.errors import quoted
from cabochon.version import __version__
from cabochon.words import ENGLISH, Words, languages, rules_text, text

ALTERNATIVES = 8
MOST_VISITS = 20_000
LONGEST_SEED = 200

Format: TypeAlias = Literal["text", "json"]

_ANSWER = {"type": "object"}
"""What the list of tools says of answers: their fields are in docs/environments.md."""

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


class CallError(CabochonError):
    """A call that cannot be answered; `code` is a `CallFault`."""


class CabochonServer(MCPServer[None]):
    """One store of games behind the tools."""

    def __init__(self, lang: str = "en", store: GameStore | None = None) -> None:
        self._manual = Manual(lang)
        super().__init__(
            "cabochon",
            title="Cabochon",
            description=self._manual("description"),
            instructions=self._manual("instructions"),
            version=__version__,
            log_level="WARNING",
        )
        self._words = Words(lang)
        self._games = store or GameStore()
        self._arguments: dict[str, tuple[str, ...]] = {}
        self._offer_tools()
        self._offer_texts()

    def _offer_tools(self) -> None:
        for tool in (
            self.new_game, self.get_state, self.legal_moves, self.play_move,
            self.explain_rule, self.analyse, self.replay, self.export_game,
        ):  # fmt: skip
            self._arguments[tool.__name__] = tuple(inspect.signature(tool).parameters)
            self.add_tool(
                self._answering(tool),
                title=self._manual.title(tool.__name__),
                description=self._manual.description(tool.__name__),
                annotations=PLAYS if tool in (self.new_game, self.play_move) else READS,
            )

    def _answering(self, tool: Callable[..., Any]) -> Callable[..., Any]:
        """The tool with its manual, and our refusals as tool errors: code, reason, some legal
        moves."""

        @wraps(tool)
        def answered(**arguments: Any) -> Any:
            try:
                return self._told(tool(**arguments))
            except CabochonError as error:
                return self._failure(error, arguments)

        plain = inspect.signature(tool, eval_str=True)
        described = [
            each.replace(annotation=Annotated[each.annotation, Field(description=told)])
            for each in plain.parameters.values()
            for told in [self._manual.argument(tool.__name__, each.name)]
        ]
        answered.__signature__ = plain.replace(parameters=described)  # type: ignore[attr-defined]
        return answered

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """As the SDK does it; arguments that do not fit, or that the tool does not have, are tool
        errors like every other."""
        known = self._arguments.get(name, tuple(arguments))
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
        """The SDK speaks English alone; in other languages the manual says what would fit."""
        first = error.errors()[0]
        name = str(first["loc"][0])
        why = first["msg"].lower()
        if self._words.lang != ENGLISH:
            why = self._manual.argument(tool, name)
        return CallError(CallFault.BAD_ARGUMENT, tool=tool, name=name, why=why)

    def _told(self, report: BaseModel) -> CallToolResult:
        """The answer for programs, and beside it the same in as few letters as it takes."""
        return CallToolResult(
            content=[TextContent(type="text", text=self._in_short(report))],
            structured_content=report.model_dump(mode="json"),
        )

    def _in_short(self, report: BaseModel) -> str:
        if isinstance(report, GameReport):
            lines = [*report.news, report.board or dumps(report.view)]
            if report.result is not None and report.board is None:
                lines.append(self._manual("plain-result", result=report.result))
            if report.is_new:
                lines.insert(0, f"game_id {report.game_id}")
            return "\n".join(lines)
        if isinstance(report, LegalMoves):
            return "\n".join(report.moves)
        if isinstance(report, ReplayReport):
            return "\n".join(report.turns)
        if isinstance(report, Explanation):
            return report.text
        if isinstance(report, Export):
            return report.record
        return report.model_dump_json(exclude={"game_id", "version"}, exclude_none=True)

    async def list_tools(self) -> list[Tool]:
        """The tools without what only repeats: answers are described once, in the docs."""
        tools = await super().list_tools()
        return [
            tool.model_copy(
                update={"output_schema": _ANSWER, "input_schema": _untitled(tool.input_schema)}
            )
            for tool in tools
        ]

    def _failure(self, error: CabochonError, arguments: dict[str, Any]) -> CallToolResult:
        moves = self._alternatives(arguments)
        failure = ToolFailure(
            code=str(error.code), reason=error.text(self._words.lang), legal=moves[:ALTERNATIVES]
        )
        text = f"{failure.code}: {failure.reason}"
        if moves:
            examples = ", ".join(failure.legal)
            text += self._manual("examples", moves=examples, count=len(moves))
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
    ) -> GameReport:
        rules = parse_rules(variant) if "/" in variant else Ruleset.preset(variant, players)
        if players not in (None, rules.seats):
            raise HandleError(
                HandleFault.PLAYERS, variant=quoted(variant), seats=rules.seats, given=players
            )
        bots = [opponents] if isinstance(opponents, str) else opponents
        opened = self._games.start(rules, bots, seat, None if seed is None else str(seed))
        return self._state(opened, 0, format, is_new=True)

    def get_state(self, game_id: str, format: Format = "text") -> GameReport:
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
    ) -> GameReport:
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

    def replay(self, game_id: str, first_turn: Annotated[int, Field(ge=0)] = 0) -> ReplayReport:
        opened = self._games.find(game_id)
        viewer = None if opened.is_over else opened.viewer
        turns = opened.record.turns()[first_turn:]
        if not opened.is_over:
            turns = tuple(turn.seen_by(viewer) for turn in turns)
        return ReplayReport(
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

    def _state(
        self, opened: OpenGame, since: int | None, shape: Format, is_new: bool = False
    ) -> GameReport:
        position, viewer = opened.position, opened.viewer
        view = position.view(viewer)
        over = position.phase is Phase.OVER
        return GameReport(
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
            board=self._board(opened, view) if shape == "text" else None,
            view=cast(dict[str, Any], view_to_json(view)) if shape == "json" else None,
            expires=self._manual.lifetime,
            is_new=is_new,
        )

    def _board(self, opened: OpenGame, view: View) -> str:
        moves = view.legal_moves() if opened.is_to_move else []
        return plain_text(view, opened.names, moves, self._words.lang)

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
            text = self._manual("legal")
            return Explanation(topic=format_move(move), text=text, code=None, topics=topics)
        reason = refusal.text(self._words.lang)
        return Explanation(
            topic=format_move(move), text=reason, code=str(refusal.code), topics=topics
        )

    def _offer_texts(self) -> None:
        for lang in languages():
            self._offer_rules(lang)
        say = self._manual

        @self.resource("cabochon://cards", title=say("cards-title"), mime_type="text/csv")
        def cards() -> str:
            return cards_text()

        @self.resource(
            "cabochon://notation", title=say("notation-title"), mime_type="text/markdown"
        )
        def notation() -> str:
            return say("notation")

        @self.prompt(title=say("play-title"))
        def play_a_game(opponent: str = "greedy") -> str:
            return say("play-prompt", opponent=opponent)

        @self.prompt(title=say("review-title"))
        def review_a_game(record: str) -> str:
            return say("review-prompt", record=record)

    def _offer_rules(self, lang: str) -> None:
        title = text("mcp.rules-title", lang)

        @self.resource(
            f"cabochon://rules/{lang}",
            name=f"rules_{lang}",
            title=title,
            mime_type="text/markdown",
        )
        def rules() -> str:
            return rules_text(lang)


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema without the titles that repeat the names."""
    kept = {name: value for name, value in schema.items() if name != "title"}
    properties = kept.get("properties", {})
    kept["properties"] = {
        name: {key: value for key, value in each.items() if key != "title"}
        for name, each in properties.items()
    }
    return kept
