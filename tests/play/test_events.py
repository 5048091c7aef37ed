"""What is written in the database stays readable, whatever the classes are called."""

from __future__ import annotations

from cabochon.play.events import BotTookOver, event_from_json, event_to_json


def test_a_bot_that_took_over_keeps_its_first_name_in_the_log() -> None:
    written = {"type": "StoodIn", "at": 5, "seat": 1}
    assert event_from_json(written) == BotTookOver(5, 1)
    assert event_to_json(BotTookOver(5, 1)) == written
