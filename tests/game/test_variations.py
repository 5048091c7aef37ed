"""Games that are loaded from records with variations, and games from a position."""

from __future__ import annotations

from pathlib import Path

from cabochon.game import Game
from cabochon.notation import format_path, parse_position
from cabochon.record import Record, Verdict, verify
from tests.notation.test_positions import DRAWN
from tests.notation.test_variations import tree


def paths_of(record: Record) -> list[str]:
    return [format_path(path) for path, _ in record.lines()]


def test_a_loaded_game_keeps_the_variations_of_what_was_played() -> None:
    game = Game.from_record(tree())
    assert game.record.variations == tree().variations
    game.play("take wgr")
    assert paths_of(game.record) == paths_of(tree())
    game.undo()
    game.undo()
    game.play("take wrk")
    assert paths_of(game.record) == paths_of(tree())[:-1]
    assert verify(game.record).ok


def test_a_game_from_a_position_is_saved_read_and_verified(tmp_path: Path) -> None:
    game = Game.from_position(DRAWN, names=("Ada", "Bo"))
    game.play("take wug")
    game.play("reserve deck1")
    for name in ("game.cabochon", "game.json"):
        game.save(tmp_path / name)
        again = Game.load(tmp_path / name).record
        assert again == game.record
        assert again.first() == parse_position(DRAWN)
        check = verify(again)
        assert check.ok
        codes = {finding.code for finding in check.verdicts}
        assert codes >= {Verdict.MOVES_LEGAL, Verdict.GIVEN_POSITION}
        assert Verdict.DEAL_AGREES not in codes
