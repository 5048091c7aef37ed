"""`cabochon puzzle`: a position, a question, your answer."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from datetime import date
from random import Random

from cabochon.bots.roster import Entry
from cabochon.cli.parser import Parser, number, one_of
from cabochon.cli.terminal import Failure, Terminal
from cabochon.notation import NotationError, format_move, parse_move
from cabochon.puzzles.book import PuzzleBook, shipped_book
from cabochon.puzzles.puzzle import Puzzle, PuzzleTheme
from cabochon.puzzles.tries import (
    PuzzleGrade,
    TriedMoves,
    daily_entry,
    next_entry,
    solution,
    try_moves,
)
from cabochon.render.text import board
from cabochon.rules import Deal, Event, IllegalMove, Move, Position
from cabochon.words import Words, text

START_RATING = 1500


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("id", nargs="?", metavar="ID", help=words("puzzle.id"))
    add = parser.options.add_argument
    themes = [theme.value for theme in PuzzleTheme]
    add(
        "--theme",
        type=one_of(themes, words),
        metavar="NAME",
        help=words("puzzle.theme", known=", ".join(themes)),
    )
    add(
        "--rating",
        type=number(0, 4000, words),
        metavar="N",
        help=words("puzzle.rating", default=START_RATING),
    )
    add("--date", metavar="YYYY-MM-DD", help=words("puzzle.date"))
    add("--show", action="store_true", help=words("puzzle.show"))


def run(args: Namespace, terminal: Terminal) -> int:
    puzzle = _chosen(args, terminal.words)
    talk = PuzzleTalk(puzzle, terminal)
    try:
        if args.show:
            talk.pose()
            talk.tell_solution()
            return 0
        return 0 if talk.run() else 1
    except EOFError:
        return 1


def _chosen(args: Namespace, words: Words) -> Puzzle:
    """By id; else one of the theme or rating; else that of the day, by this machine's calendar."""
    book: PuzzleBook = shipped_book()
    if args.id is not None:
        if args.id not in book:
            raise Failure(words("puzzle.unknown", id=args.id))
        return book.puzzle(args.id)
    if args.theme is not None or args.rating is not None:
        theme = None if args.theme is None else PuzzleTheme(args.theme)
        try:
            entry = next_entry(book, args.rating or START_RATING, theme, (), Random())
        except LookupError:
            raise Failure(words("puzzle.unknown", id=args.theme)) from None
        return book.puzzle(entry.id)
    try:
        day = date.today() if args.date is None else date.fromisoformat(args.date)
    except ValueError:
        raise Failure(words("puzzle.no-date", date=args.date)) from None
    return book.puzzle(daily_entry(book, day).id)


class PuzzleTalk:
    """One puzzle at a terminal."""

    def __init__(self, puzzle: Puzzle, terminal: Terminal) -> None:
        self._puzzle = puzzle
        self._terminal = terminal
        self._words = terminal.words
        self._names = _names(puzzle, terminal.words.lang)
        self._step = 0
        self._hints = 0

    def run(self) -> bool:
        """Ask until it is solved or shown; whether it was solved."""
        self.pose()
        while True:
            line = self._terminal.ask(self._words("puzzle.prompt")).strip()
            if line in self._words("puzzle.word-quit").split("|"):
                return False
            if line in self._words("puzzle.word-show").split("|"):
                self.tell_solution()
                return False
            if line in self._words("puzzle.word-hint").split("|"):
                self._hint()
            elif line and self._answer(line):
                return True

    def pose(self) -> None:
        """The board and the question."""
        puzzle, words, terminal = self._puzzle, self._words, self._terminal
        self._draw(puzzle.position)
        title = text(f"puzzles.title-{puzzle.theme.value}", words.lang)
        terminal.say(words("puzzle.head", id=puzzle.id, rating=puzzle.rating))
        terminal.tell(terminal.paint.strong(title))
        if shipped_book().entry(puzzle.id).until is not None:
            terminal.tell(words("puzzle.retired"))
        terminal.tell(words("puzzle.how"))

    def _draw(self, position: Position) -> None:
        view = position.view(self._puzzle.seat)
        self._terminal.say(board(view, self._words, self._terminal.paint, self._names))

    def _answer(self, line: str) -> bool:
        """Whether the line solves the puzzle."""
        try:
            moves = [parse_move(part) for part in line.split(",")]
            tried = try_moves(self._puzzle, self._step, moves)
        except NotationError as error:
            self._terminal.tell(error.text(self._words.lang))
            return False
        except IllegalMove as error:
            self._terminal.tell(error.text(self._words.lang))
            return False
        if tried.grade is PuzzleGrade.WRONG:
            self._tell_wrong(tried)
            return False
        return self._tell_right(tried)

    def _tell_wrong(self, tried: TriedMoves) -> None:
        words, terminal = self._words, self._terminal
        terminal.tell(words("puzzle.wrong"))
        self._tell_line(tried.start, tried.events)
        if tried.value is not None:
            terminal.tell(words("puzzle.chance", chance=f"{100 * tried.value:.0f}"))

    def _tell_right(self, tried: TriedMoves) -> bool:
        words, terminal = self._words, self._terminal
        self._tell_line(tried.start, tried.events)
        if tried.next is None:
            terminal.tell(words("puzzle.solved"))
            self._tell_why()
            return True
        self._step, self._hints = tried.next, 0
        self._draw(self._puzzle.steps[self._step].position)
        terminal.tell(words("puzzle.onward"))
        return False

    def tell_solution(self) -> None:
        """The whole line, and why."""
        self._terminal.tell(self._words("puzzle.solution"))
        self._tell_line(self._puzzle.position, solution(self._puzzle))
        self._tell_why()

    def _tell_why(self) -> None:
        words, puzzle = self._words, self._puzzle
        for cause in (*puzzle.causes, *puzzle.finish):
            self._terminal.tell(cause.text(words.lang, self._names), "  ")
        key = "puzzle.proved" if puzzle.theme.is_forced else "puzzle.keeps"
        self._terminal.tell(words(key, chance=f"{100 * puzzle.value:.0f}"))

    def _tell_line(self, position: Position, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Deal):
                self._terminal.say(self._words("puzzle.dealt", card=event.card.code))
            else:
                who, move = self._names[position.seat], format_move(event)
                self._terminal.say(self._words("puzzle.move", who=who, move=move))
            position = position.apply(event)

    def _hint(self) -> None:
        """First what kind of move, then what it is about."""
        self._hints += 1
        kind, _, what = format_move(self._main()).partition(" ")
        if self._hints == 1:
            self._terminal.tell(text(f"puzzles.hint-{kind}", self._words.lang))
        else:
            what = what.split(" ")[0]
            self._terminal.tell(
                self._words("puzzle.about", what=what[:1] if kind == "take" else what)
            )

    def _main(self) -> Move:
        return self._puzzle.steps[self._step].main


def _names(puzzle: Puzzle, lang: str) -> list[str]:
    """You, and the bots you sit with."""
    return [
        text("puzzles.you", lang) if bot is None else Entry(bot).title[lang] for bot in puzzle.foes
    ]
