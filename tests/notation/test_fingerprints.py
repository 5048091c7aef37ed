"""Which game it is does not depend on who played it."""

from __future__ import annotations

from dataclasses import replace

import cabochon
from cabochon.notation.recordfiles import fingerprint


def _record(seed: str) -> cabochon.Record:
    game = cabochon.Game(variant="quick", seed=seed, bots=["greedy", "greedy"])
    game.play_out()
    return game.record


def test_names_and_comments_do_not_change_the_fingerprint_and_moves_do() -> None:
    record = _record("a")
    same = replace(record, players=("Mira", "Otto"), comments={1: "oh"}, headers={"Event": "x"})
    assert fingerprint(same) == fingerprint(record)
    assert fingerprint(_record("b")) != fingerprint(record)
    assert len(fingerprint(record)) == 64
