"""One server for all tests of a module, where each makes its own tables, and one PostgreSQL for all
tests of a worker, where each has its own database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.cluster import QUICK, Cluster
from tests.server.serving import Here, serving


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    folder: Path = tmp_path_factory.mktemp("server")
    with serving(folder / "tables.db") as server:
        yield server


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """For who leaves it running."""
    cluster = Cluster(*QUICK)
    yield cluster
    cluster.close()
