"""What an executor is. It gives the results in the order of the tasks, whatever order they were
finished in, so that nothing computed from them depends on how many hands helped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")

AHEAD = 2
"""Tasks handed out for every worker: enough to keep it busy, little to throw away on a stop."""


class Executor(Protocol):
    """Somewhere to do independent pieces of work."""

    @property
    def workers(self) -> int: ...

    def map(self, work: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]) -> Iterator[ResultT]:
        """The results in order. `work` and what goes in and out can be pickled. Closing the
        iterator drops what has not begun."""
        ...

    def close(self) -> None:
        """Let the workers go."""
        ...
