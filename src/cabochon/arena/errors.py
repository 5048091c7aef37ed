"""Why a match cannot be played or a report cannot be read.

CabochonError
└── ArenaError    (code: ArenaFault)
"""

from __future__ import annotations

from enum import StrEnum

from cabochon.rules import CabochonError
from cabochon.rules.sentences import register


class ArenaFault(StrEnum):
    TOO_FEW_ENTRANTS = "arena-too-few-entrants"
    ENTRANT_TWICE = "arena-entrant-twice"
    BAD_GAMES = "arena-bad-games"
    NOT_ENOUGH_FOR_MIXED = "arena-not-enough-for-mixed"
    BAD_LIMIT = "arena-bad-limit"
    BAD_HYPOTHESES = "arena-bad-hypotheses"
    NOT_A_REPORT = "arena-not-a-report"
    REPORT_ALTERED = "arena-report-altered"


class ArenaError(CabochonError):
    """The match was not begun; `code` is an `ArenaFault`."""


register(
    {
        "arena-too-few-entrants": (
            "A match needs two entrants or more, not {count}.",
            "一场比赛至少要有两名参赛者，现在只有 {count} 名。",
        ),
        "arena-entrant-twice": (
            "{name} is entered twice; copies sit down by themselves where a table needs them.",
            "{name} 重复参赛；需要多份时会自动补足座位。",
        ),
        "arena-bad-games": (
            "The number of games must be from 1 to {most}, not {games}.",
            "局数须在 1 到 {most} 之间，而不是 {games}。",
        ),
        "arena-not-enough-for-mixed": (
            "Tables of {sides} different entrants need {sides} entrants, not {count}; "
            "try --tables lone.",
            "每桌 {sides} 名不同的参赛者至少需要 {sides} 名，现在只有 {count} 名；"
            "可用 --tables lone。",
        ),
        "arena-bad-limit": (
            "{text} is no limit; write for example greedy, NAME@100ms or NAME@64v.",
            "{text} 不是有效的限制；例如 greedy、NAME@100ms 或 NAME@64v。",
        ),
        "arena-bad-hypotheses": (
            "The two hypotheses of a sequential test are Elo differences, the lower first, "
            "for example 0,50; not {text}.",
            "序贯检验的两个假设是等级分差，小的在前，例如 0,50；而不是 {text}。",
        ),
        "arena-not-a-report": (
            "{path} is not an arena report: {why}.",
            "{path} 不是比赛报告：{why}。",
        ),
        "arena-report-altered": (
            "The figures in {path} do not follow from its games: it was altered.",
            "{path} 中的数字与其对局不符：文件被改动过。",
        ),
    }
)
