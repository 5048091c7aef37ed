"""One server for all tests of a module; each makes its own tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.serving import Here, serving


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    folder: Path = tmp_path_factory.mktemp("server")
    with serving(folder / "tables.db") as server:
        yield server
