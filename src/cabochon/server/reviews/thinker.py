"""A process that thinks for a server, at low priority: `python -m cabochon.server.reviews.thinker`.

It reads jobs as lines of JSON and answers with lines, the last of each job being `{"end": n}`:

    {"n": 1, "job": "review", "record", "visits", "seed", "knowledge", "figures": [...]}
        -> {"head", "turns"}, then for each turn {"turn", "figures"}, then {"tail"}
    {"n": 2, "job": "look", "position", "lines", "visits", "knowledge", "names"?}
        -> {"analysis", "visits"} as it grows; the last one also has {"whole"}, with five lines
    {"stop": 2}         ends that job early

What is to be passed on is JSON within a string, so that nobody on the way has to read it. When
nobody is at the other end any more, the process ends, whatever it is doing.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

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
from cabochon.rules import CabochonError, Ruleset, View
from cabochon.search import Analysis, Searcher, shipped_for
from cabochon.server.reviews.questions import decider

log = logging.getLogger("cabochon.thinker")

JobLine = dict[str, Any]
TELL_S = 0.3
"""A look is told of so often."""
LOOK_SEED = 0


class Thinker:
    """Does one job after the other. Networks and trees stay for the next one."""

    def __init__(self) -> None:
        self._searchers: dict[int, Searcher] = {}

    def lines(self, job: JobLine) -> Iterator[JobLine | None]:
        """The answers to a job, and None now and then while there is nothing to tell."""
        return self._review(job) if job["job"] == "review" else self._look(job)

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


# The process


class Ear:
    """Listens for jobs in a thread of its own, so that a job can be ended while it runs."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._jobs: queue.SimpleQueue[JobLine] = queue.SimpleQueue()
        self._stopped = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._source:
            said = orjson.loads(line)
            if "stop" in said:
                self._stopped = max(self._stopped, said["stop"])
            else:
                self._jobs.put(said)
        os._exit(0)

    def next(self) -> JobLine:
        return self._jobs.get()

    def wants(self, job: JobLine) -> bool:
        """Whether the job has not been ended."""
        return self._stopped < int(job["n"])


def work(ear: Ear, say: Callable[[JobLine], None]) -> None:
    """Do jobs until nobody is there any more."""
    thinker = Thinker()
    while True:
        job = ear.next()
        try:
            for line in thinker.lines(job):
                if not ear.wants(job):
                    break
                if line is not None:
                    say(line)
        except CabochonError as error:
            say({"fault": error.code.value})
        except Exception as error:
            log.exception("a job failed")
            say({"fault": type(error).__name__})
        say({"end": job["n"]})


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which then goes
    with contextlib.suppress(OSError):
        os.nice(int(sys.argv[1]))
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever else is printed is no answer

    def say(line: JobLine) -> None:
        try:
            answers.write(orjson.dumps(line) + b"\n")
        except BrokenPipeError:
            os._exit(0)

    work(Ear(sys.stdin.buffer), say)


if __name__ == "__main__":
    main()
