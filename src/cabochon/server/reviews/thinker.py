"""A process that thinks for a server, at low priority: `python -m cabochon.server.reviews.thinker`.

Its jobs, and their answers:

    {"n": 1, "job": "review", "record", "visits", "seed", "knowledge", "figures": [...]}
        -> {"head", "turns"}, then for each turn {"turn", "figures"}, then {"tail"}
    {"n": 2, "job": "look", "position", "lines", "visits", "knowledge", "names"?}
        -> {"analysis", "visits"} as it grows; the last one also has {"whole"}, with five lines

What is to be passed on is JSON within a string, so that nobody on the way has to read it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from cabochon.limit import Limit
from cabochon.notation import parse_record
from cabochon.review.judge import Judge, engine_for, turns_in
from cabochon.review.reasons import reasons_for
from cabochon.review.reviewjson import (
    SHOWN_LINES,
    analysis_to_json,
    figures_from_json,
    figures_to_json,
    review_head,
    review_tail,
    told_reasons,
    told_turn,
)
from cabochon.review.verdicts import Knowledge
from cabochon.rules import Ruleset, View
from cabochon.search import Analysis, Searcher, shipped_for
from cabochon.server.reviews.questions import decider
from cabochon.server.thinking.jobs import JobLine, run_process

TELL_S = 0.3
"""How often a look is reported."""
LOOK_SEED = 0


class Thinker:
    """Does one job after the other. Networks and trees stay for the next one."""

    def __init__(self) -> None:
        self._searchers: dict[int, Searcher] = {}

    def lines(self, job: JobLine) -> Iterator[JobLine | None]:
        """The answers to a job, and None now and then while there is nothing to tell."""
        return self._review(job) if job["job"] == "review" else self._look(job)

    def noted(self, note: Any) -> None:
        """Nothing is noted here."""

    def _searcher(self, ruleset: Ruleset) -> Searcher:
        if ruleset.seats not in self._searchers:
            self._searchers[ruleset.seats] = Searcher(shipped_for(ruleset))
        return self._searchers[ruleset.seats]

    def _review(self, job: JobLine) -> Iterator[JobLine | None]:
        record = parse_record(job["record"])
        knowledge = Knowledge(job["knowledge"])
        engine = engine_for(record, job["visits"], job["seed"], knowledge)
        judge = Judge(record, engine, self._searcher(record.ruleset))
        start = judge.start()
        turns = sum(1 for _ in turns_in(record))
        yield {"head": _text(review_head(record, engine, start)), "turns": turns}
        figures = [figures_from_json(orjson.loads(text)) for text in job["figures"]]
        for turn in judge.turns(len(figures)):
            figures.append(turn.figures)
            exact = _text(figures_to_json(turn.figures))
            yield {"turn": _text(told_turn(turn, record.players)), "figures": exact}
        yield {"tail": _text(review_tail(figures, start))}

    def _look(self, job: JobLine) -> Iterator[JobLine | None]:
        view = decider(job["position"], job["knowledge"])
        limit = Limit(visits=job["visits"], seed=LOOK_SEED)
        names = job.get("names")
        told, last = time.monotonic() - TELL_S / 2, None
        for found in self._searcher(view.ruleset).growing(view, limit):
            last = found
            if time.monotonic() - told < TELL_S:
                yield None
            else:
                told = time.monotonic()
                yield _looked(view, found, job["lines"], names)
        assert last is not None
        whole = _looked(view, last, SHOWN_LINES)["analysis"]
        yield _looked(view, last, job["lines"], names) | {"whole": whole}


def _looked(
    view: View, found: Analysis, lines: int, names: Mapping[str, list[str]] | None = None
) -> JobLine:
    """`names` are the players' by language, for the reasons."""
    told: Any = analysis_to_json(found, lines)
    for move, line in zip(told["moves"], found.lines, strict=False):
        then = found.variation if line.move == found.best else (line.move,)
        move["why"] = told_reasons(reasons_for(view, line.move, then), names)
    return {"analysis": _text(told), "visits": found.visits}


def _text(value: object) -> str:
    return orjson.dumps(value).decode()


if __name__ == "__main__":
    run_process(Thinker())
