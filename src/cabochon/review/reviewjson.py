"""Analyses and reviews as JSON: one shape for the terminal, MCP, the server and the page
(docs/analysis.md). Chances and differences are parts of one, rounded to four places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cabochon.notation import Json, format_move
from cabochon.notation.recordfiles import fingerprint
from cabochon.record import Record
from cabochon.review.reasons import MoveReason
from cabochon.review.verdicts import (
    Engine,
    Mark,
    MoveVerdict,
    PlayerSummary,
    Review,
    TurnFigures,
    TurnVerdict,
    summaries,
    turning_points,
)
from cabochon.search import Analysis, Candidate
from cabochon.words import languages

VERSION = 1
SHOWN_LINES = 5
_PLACES = 4


def analysis_to_json(analysis: Analysis, top: int = SHOWN_LINES) -> Json:
    """What a search found: everybody's chances, the best moves, the likely continuation."""
    return {
        "chances": _rounded(analysis.shares),
        "best": format_move(analysis.best),
        "moves": [_line_to_json(line) for line in analysis.lines[:top]],
        "variation": [format_move(move) for move in analysis.variation],
        "visits": analysis.visits,
    }


def _line_to_json(line: Candidate) -> Json:
    return {
        "move": format_move(line.move),
        "value": None if line.value is None else round(line.value, _PLACES),
        "visits": line.visits,
        "prior": round(line.prior, _PLACES),
    }


def review_to_json(review: Review) -> Json:
    """The whole review. The same record, engine, visits and seed give the same bytes."""
    figures = [turn.figures for turn in review.turns]
    return (
        review_head(review.record, review.engine, review.start)
        | {"turns": [turn_to_json(turn) for turn in review.turns]}
        | review_tail(figures, review.start)
    )


def review_tail(turns: Sequence[TurnFigures], start: tuple[float, ...]) -> Json:
    """What is known once the last turn is judged."""
    return {
        "summary": [_summary_to_json(player) for player in summaries(turns, len(start))],
        "turning_points": [turn.turn for turn in turning_points(turns, start)],
    }


def figures_to_json(figures: TurnFigures) -> Json:
    """To the last digit, so that a review begun elsewhere can be continued."""
    return {
        "turn": figures.turn,
        "seat": figures.seat,
        "skill": figures.skill,
        "luck": figures.luck,
        "shares": list(figures.shares),
        "choices": [[loss, mark] for loss, mark in figures.choices],
    }


def figures_from_json(value: Mapping[str, Any]) -> TurnFigures:
    return TurnFigures(
        value["turn"],
        value["seat"],
        value["skill"],
        value["luck"],
        tuple(value["shares"]),
        tuple((loss, None if mark is None else Mark(mark)) for loss, mark in value["choices"]),
    )


def review_head(record: Record, engine: Engine, start: tuple[float, ...]) -> Json:
    """What is known before the first turn is judged."""
    return {
        "v": VERSION,
        "type": "review",
        "record": fingerprint(record),
        "ruleset": str(record.ruleset),
        "players": list(record.players),
        "engine": engine_to_json(engine),
        "start": _rounded(start),
    }


def engine_to_json(engine: Engine) -> Json:
    return {
        "name": engine.name,
        "network": engine.network,
        "visits": engine.visits,
        "seed": engine.seed,
        "knowledge": engine.knowledge.value,
    }


def turn_to_json(turn: TurnVerdict) -> Json:
    return {
        "turn": turn.turn,
        "seat": turn.seat,
        "before": round(turn.before, _PLACES),
        "after": round(turn.after, _PLACES),
        "skill": round(turn.skill, _PLACES),
        "luck": round(turn.luck, _PLACES),
        "mark": turn.mark,
        "dealt": None if turn.dealt is None else turn.dealt.code,
        "chances": _rounded(turn.shares),
        "decisions": [_verdict_to_json(decision) for decision in turn.decisions],
    }


def told_turn(turn: TurnVerdict, names: Sequence[str]) -> Json:
    """As `turn_to_json`, with the sentence of every reason in all languages."""
    decisions = [
        _verdict_to_json(decision)
        | {
            "why": told_reasons(decision.why, names),
            "why_played": told_reasons(decision.why_played, names),
        }
        for decision in turn.decisions
    ]
    return turn_to_json(turn) | {"decisions": decisions}


def told_reasons(
    reasons: Sequence[MoveReason], names: Sequence[str] | Mapping[str, Sequence[str]] | None
) -> list[Json]:
    """Reasons with their sentences; seats have numbers where there are no names, which may differ
    from language to language."""

    def told(reason: MoveReason, lang: str) -> str:
        return reason.text(lang, names.get(lang) if isinstance(names, Mapping) else names)

    return [
        reason_to_json(reason) | {"text": {lang: told(reason, lang) for lang in languages()}}
        for reason in reasons
    ]


def _verdict_to_json(verdict: MoveVerdict) -> Json:
    return {
        "ply": verdict.ply,
        "move": format_move(verdict.played),
        "best": format_move(verdict.best),
        "skill": round(verdict.skill, _PLACES),
        "loss": round(verdict.loss, _PLACES),
        "mark": verdict.mark,
        "why": [reason_to_json(reason) for reason in verdict.why],
        "why_played": [reason_to_json(reason) for reason in verdict.why_played],
        "analysis": None if verdict.analysis is None else analysis_to_json(verdict.analysis),
    }


def reason_to_json(reason: MoveReason) -> Json:
    """Only what the reason is about; its sentence is in every language's catalogue."""
    about = {
        "kind": reason.kind.value,
        "card": None if reason.card is None else reason.card.code,
        "noble": None if reason.noble is None else reason.noble.code,
        "colour": None if reason.colour is None else reason.colour.letter,
        "seat": reason.seat,
        "count": reason.count or None,
    }
    return {key: value for key, value in about.items() if value is not None}


def _summary_to_json(player: PlayerSummary) -> Json:
    return {
        "seat": player.seat,
        "accuracy": None if player.accuracy is None else round(player.accuracy, 1),
        "mean_loss": round(player.mean_loss, _PLACES),
        "skill": round(player.skill, _PLACES),
        "luck": round(player.luck, _PLACES),
        "marks": {mark.value: count for mark, count in player.marks.items()},
    }


def _rounded(shares: tuple[float, ...]) -> list[float]:
    return [round(share, _PLACES) for share in shares]
