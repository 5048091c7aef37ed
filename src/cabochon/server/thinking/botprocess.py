"""A process that chooses moves for bots: `python -m cabochon.server.thinking.botprocess`.

    {"n": 1, "job": "choose", "bot", "view", "seconds", "table", "seat"}
        -> {"move", "wrong"}, where wrong says why it is not the bot's own move, or is null
    {"note": "a table's id"}    that table needs its bots no more

It is handed a view as text, so it can't know more than the seat. Bots stay in their seats from one
decision to the next. It begins small: what a strong bot needs is loaded when one is first asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cabochon.limit import Limit
from cabochon.notation import format_move
from cabochon.notation.positions import parse_view
from cabochon.play.driver import Driver
from cabochon.server.thinking.jobs import JobLine, run_process


class BotThinker:
    """Keeps the bots of its tables."""

    def __init__(self) -> None:
        self._driver = Driver()

    def lines(self, job: JobLine) -> Iterator[JobLine | None]:
        view = parse_view(job["view"])
        limit = Limit(seconds=job["seconds"])
        place = (job["table"], job["seat"])
        chosen = self._driver.choose(job["bot"], view, limit, place)
        yield {"move": format_move(chosen.move), "wrong": chosen.fault}

    def noted(self, note: Any) -> None:
        self._driver.seated.dismiss(note)


if __name__ == "__main__":
    run_process(BotThinker())
