"""Measuring who plays better: matches, ratings with errors, reports that can be repeated."""

from cabochon.arena.botgame import GameResult, play_game
from cabochon.arena.elo import Ratings
from cabochon.arena.entrants import ArenaError, ArenaFault, Entrant, parse_entrant
from cabochon.arena.match import Hypotheses, Match, Seating
from cabochon.arena.report import Report, format_report, parse_report, read_report
from cabochon.arena.standings import Summary, summarise
from cabochon.arena.tournament import play_games, play_match

__all__ = [
    "ArenaError",
    "ArenaFault",
    "Entrant",
    "GameResult",
    "Hypotheses",
    "Match",
    "Ratings",
    "Report",
    "Seating",
    "Summary",
    "format_report",
    "parse_entrant",
    "parse_report",
    "play_game",
    "play_games",
    "play_match",
    "read_report",
    "summarise",
]
