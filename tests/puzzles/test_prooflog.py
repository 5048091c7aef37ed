"""Proofs on their way: gone on with, kept apart by setting, and what they refute left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from cabochon.puzzles.book import shipped_book
from cabochon.puzzles.bookmaking import far_apart
from cabochon.puzzles.prooflog import ProofLog, drawn_from_themes, refuted
from cabochon.puzzles.proving import PuzzleProof
from cabochon.puzzles.puzzle import PuzzleTheme

HOLDS = PuzzleProof("aaaaaa", holds=True, agrees=True)
FAILS = PuzzleProof("bbbbbb", holds=False, agrees=False, note="0.4 against 0.6 of 7")


def test_a_log_goes_on_after_a_line_that_was_cut_off(tmp_path: Path) -> None:
    log = ProofLog(tmp_path / "new" / "proofs.jsonl", "engine 100")
    assert log.read() == {}
    log.add(HOLDS)
    log.add(FAILS)
    assert log.path is not None
    text = log.path.read_text()
    log.path.write_text(text[: len(text) - 9])
    assert log.read() == {"aaaaaa": HOLDS}


def test_another_setting_is_another_proof(tmp_path: Path) -> None:
    path = tmp_path / "proofs.jsonl"
    ProofLog(path, "engine 100").add(HOLDS)
    ProofLog(path, "engine 1000").add(FAILS)
    assert ProofLog(path, "engine 1000").read() == {"bbbbbb": FAILS}
    assert refuted(path) == {"bbbbbb"}
    differs = PuzzleProof("cccccc", holds=True, agrees=False)
    ProofLog(path, "engine playouts 1000").add(differs)
    assert refuted(path) == {"bbbbbb"}, "playouts are weaker: what they think refutes nothing"
    ProofLog(path, "engine 1000").add(differs)
    assert refuted(path) == {"bbbbbb", "cccccc"}
    assert refuted(None) == refuted(tmp_path / "none") == frozenset()


def test_a_sample_has_all_themes_alike_and_stays_when_others_go() -> None:
    entries = shipped_book().entries
    drawn = drawn_from_themes(entries, 42, 1)
    assert set(Counter(entry.theme for entry in drawn).values()) == {6}
    gone = next(entry for entry in entries if entry not in drawn)
    assert drawn_from_themes([e for e in entries if e is not gone], 42, 1) == drawn
    assert drawn_from_themes(entries, 42, 2) != drawn
    assert len(drawn_from_themes(entries, 9999, 1)) == len(entries)


def test_puzzles_of_an_older_book_stay_whatever_is_near_them() -> None:
    puzzle = next(iter(shipped_book()))
    assert far_apart([puzzle, puzzle]) == [puzzle]
    assert far_apart([puzzle, puzzle], settled=2) == [puzzle, puzzle]


def test_an_answer_that_leads_by_less_than_its_theme_promises_is_not_offered(
    tmp_path: Path,
) -> None:
    """Twelve points where one acts, eight where the choice is small."""
    path, entries = tmp_path / "proofs.jsonl", shipped_book().entries
    themes = (PuzzleTheme.ONLY_MOVE, PuzzleTheme.GIVE_BACK)
    only, give_back = (next(e for e in entries if e.theme is theme) for theme in themes)
    for entry in (only, give_back):
        ProofLog(path, "engine 100").add(PuzzleProof(entry.id, True, True, lead=0.1))
    assert refuted(path, entries) == {only.id}
    assert refuted(path) == frozenset()
