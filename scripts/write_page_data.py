"""Write what Python decides and the page shows into `web/src/generated/`: the rules' constants,
the cards and nobles, the words for mistakes and puzzles, the paths that gems and crests are drawn
with, and how long names and texts may be. A test keeps it current.

    python scripts/write_page_data.py
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cabochon.notation.moves import noble_name
from cabochon.play.talking import LONGEST_TEXT
from cabochon.puzzles.puzzle import PuzzleTheme
from cabochon.render.art import crests, gems
from cabochon.review.verdicts import WRONG, Mark, mark_in_words, marks_in_words
from cabochon.rules import NOBLES, Ruleset
from cabochon.rules.cards import CARDS, LEVELS, NOBLE_POINTS
from cabochon.rules.gems import COLOURS, Gem
from cabochon.rules.ruleset import (
    PRESETS,
    RESERVE_LIMIT,
    TAKE_COLOURS,
    TOKEN_LIMIT,
    TOKENS_OF_COLOUR,
)
from cabochon.server.access.playernames import LONGEST_NAME
from cabochon.server.web.memodels import SHORTEST_PASSWORD
from cabochon.server.web.poolmodels import LONGEST_REPORT
from cabochon.words import in_all_languages, languages

GENERATED = Path(__file__).resolve().parent.parent / "web" / "src" / "generated"
HINTED = ("take", "buy", "reserve", "noble", "return", "pass")
TEAMS = Ruleset.preset("teams")
HEADER = "/** Written by scripts/write_page_data.py from {}. */\n"


def files() -> dict[Path, str]:
    """Every file with what belongs in it."""
    return {
        GENERATED / "rules.ts": rules(),
        GENERATED / "art.ts": art(),
        GENERATED / "people.ts": people(),
        GENERATED / "marks.ts": marks(),
        GENERATED / "puzzles.ts": puzzles(),
    }


def rules() -> str:
    """Constants that the page shows; it decides nothing by them."""
    return HEADER.format("cabochon.rules") + "".join((
        _constant("LETTERS", [gem.letter for gem in Gem]),
        _constant("COLOURS", [gem.letter for gem in COLOURS]),
        _constant("LEVELS", list(LEVELS)),
        _constant("TOKEN_LIMIT", TOKEN_LIMIT),
        _constant("RESERVE_LIMIT", RESERVE_LIMIT),
        _constant("TOKENS_OF_COLOUR", TOKENS_OF_COLOUR),
        _constant("TAKE_DIFFERENT", TAKE_COLOURS),
        _constant("NOBLE_POINTS", NOBLE_POINTS),
        _constant("TARGETS", {name: preset.target for name, preset in PRESETS.items()}),
        _constant("PRESETS", {name: preset._asdict() for name, preset in PRESETS.items()}),
        _constant("PARTNERS", [_partner(seat) for seat in range(TEAMS.seats)]),
        _rows("CARDS", [_card(card) for card in CARDS]),
        _rows("NOBLES", [_noble(noble) for noble in NOBLES]),
    ))  # fmt: skip


def people() -> str:
    """How long what people type may be, known before it is sent."""
    return HEADER.format("cabochon.play and cabochon.server") + "".join((
        _constant("SHORTEST_PASSWORD", SHORTEST_PASSWORD),
        _constant("LONGEST_NAME", LONGEST_NAME),
        _constant("LONGEST_TEXT", LONGEST_TEXT),
        _constant("LONGEST_REPORT", LONGEST_REPORT),
    ))  # fmt: skip


def _partner(seat: int) -> int:
    """Who plays with that seat in a game of teams."""
    (partner,) = (other for other in TEAMS.side(seat) if other != seat)
    return partner


def _card(card: Any) -> dict[str, Any]:
    return {
        "code": card.code,
        "level": card.level,
        "bonus": card.bonus.letter,
        "points": card.points,
        "cost": list(card.cost[: len(COLOURS)]),
    }


def _noble(noble: Any) -> dict[str, Any]:
    return {
        "code": noble.code,
        "name": {lang: noble_name(noble, lang) for lang in languages()},
        "points": noble.points,
        "cost": list(noble.cost[: len(COLOURS)]),
    }


def marks() -> str:
    """The words for good and bad decisions, as the terminal has them."""

    def said(words: Callable[[Mark, str], str], mark: Mark) -> dict[str, str]:
        return {lang: words(mark, lang) for lang in languages()}

    return HEADER.format("cabochon.review") + "".join((
        _constant("MARK", {mark: said(mark_in_words, mark) for mark in Mark}),
        _constant("MARKS", {mark: said(marks_in_words, mark) for mark in WRONG}),
    ))  # fmt: skip


def puzzles() -> str:
    """What puzzles ask for, and their hints, as the terminal has them."""
    themes = {theme: in_all_languages(f"puzzles.title-{theme}") for theme in PuzzleTheme}
    hints = {kind: in_all_languages(f"puzzles.hint-{kind}") for kind in HINTED}
    return HEADER.format("cabochon.puzzles") + "".join((
        _constant("THEMES", themes),
        _constant("HINTS", hints),
    ))  # fmt: skip


def art() -> str:
    """Paths, and the gems' symbols in the custom properties of tokens.css."""
    return HEADER.format("cabochon.render.art") + "".join((
        _constant("HATCHING", {gem.letter: path for gem, path in crests.HATCHING.items()}),
        _rows("IN_TWO", crests.IN_TWO),
        _rows("IN_THREE", crests.IN_THREE),
        _rows("CROWNS", crests.CROWNS),
        _rows("SHIELDS", crests.SHIELDS),
        _rows("SIGILS", crests.SIGILS),
        _rows("GEM_SYMBOLS", [symbol for gem in Gem for symbol in gems.page_symbols(gem)]),
    ))  # fmt: skip


def _constant(name: str, value: Any) -> str:
    return f"\nexport const {name} = {json.dumps(value, ensure_ascii=False)} as const;\n"


def _rows(name: str, values: Any) -> str:
    lines = "".join(f"  {json.dumps(value, ensure_ascii=False)},\n" for value in values)
    return f"\nexport const {name} = [\n{lines}] as const;\n"


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, "utf-8")
        print(path.name)
