"""One server and one browser a worker; every test opens its own windows, every deal is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from cabochon.server.people.nodenotes import NodeNotes
from cabochon.server.tables import seatcommands
from cabochon.server.web import tablemaking
from cabochon.server.web.pages import STATIC
from tests.browser.scenes import Stage
from tests.browser.tables import Deals, Tables
from tests.browser.windows import CHROMIUM, SWITCHES, UNHURRIED, Windows
from tests.server.serving import Here, serving


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Playwright keeps an event loop running in its process: its tests get one of their own."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def deals() -> Iterator[Deals]:
    """The seeds of all tables, so that a test sees the same cards each time."""
    named = Deals()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tablemaking, "new_seed", named)
        patch.setattr(seatcommands, "new_seed", named)
        yield named


@pytest.fixture(scope="session")
def here(deals: Deals, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    """The server, with bots that answer at once. It never feels full: who came in the tests before
    must not turn the quiet home into the busy one, which has its own scene."""
    assert (STATIC / "index.html").exists(), "the web table has not been built: make web"
    folder: Path = tmp_path_factory.mktemp("browser")
    with (
        pytest.MonkeyPatch.context() as patch,
        serving(folder / "tables.db", bot_seconds=0.05, most_tables_per_address=10**6) as server,
    ):
        patch.setattr(NodeNotes, "here", lambda _: 1)
        yield server


@pytest.fixture(scope="session")
def chromium(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """As people have it where its speed is measured."""
    measured = any(item.get_closest_marker("alone") for item in request.session.items)
    switches = SWITCHES if measured else [*SWITCHES, UNHURRIED]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=switches)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def tables(here: Here, deals: Deals) -> Iterator[Tables]:
    """Games brought to a point worth looking at, each once a worker."""
    with Tables(here, deals) as kept:
        yield kept


@pytest.fixture
def windows(
    here: Here, chromium: Browser, deals: Deals, request: pytest.FixtureRequest
) -> Iterator[Windows]:
    """Windows that must stay free of errors and of requests to anybody else."""
    deals.name(request.node.name)
    opened = Windows(chromium, here.base)
    yield opened
    opened.close()
    assert opened.troubles == []


@pytest.fixture
def stage(tables: Tables, windows: Windows) -> Stage:
    return Stage(tables, windows)
