"""What is promised in `docs/` is what the server does: the API, the messages, the examples."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from pydantic import TypeAdapter
from sqlalchemy import create_engine, inspect
from typing_extensions import get_type_hints

from cabochon.play.messages import Answer, TableMessage
from cabochon.server.storage import migrate
from cabochon.server.storage.schema import metadata
from cabochon.server.tables.lobbymessages import LobbyMessage
from cabochon.server.web import clientmessages
from tests.server.examples_of_messages import BLOCK, DOC, examples, filled

ROOT = Path(__file__).parents[2]


def _script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["openapi.json", "messages.schema.json"])
def test_the_written_schema_is_the_server_s(name: str) -> None:
    text = _script("write_schemas").files()[ROOT / "docs" / name]
    kept = (ROOT / "docs" / name).read_text("utf-8")
    assert text == kept, "run: python scripts/write_schemas.py"


def test_the_api_is_openapi_31_and_every_refusal_is_a_problem_document() -> None:
    api = json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8"))
    assert api["openapi"].startswith("3.1")
    for path, verbs in api["paths"].items():
        if path.startswith("/api"):
            for operation in verbs.values():
                content = operation["responses"]["422"]["content"]
                assert list(content) == ["application/problem+json"]
                assert operation["description"]


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return examples()


def test_every_message_has_an_executed_example(found: dict[str, Any]) -> None:
    document = DOC.read_text("utf-8")
    shown = {match[2] for match in BLOCK.finditer(document)}
    kinds = {
        kind
        for union in (TableMessage, Answer, LobbyMessage)
        for message in get_args(union)
        for kind in get_args(get_type_hints(message)["type"])
    }
    says = {
        f"say{kind.title()}"
        for model in vars(clientmessages).values()
        if isinstance(model, type) and "type" in getattr(model, "model_fields", {})
        for kind in get_args(get_type_hints(model)["type"])
    }
    assert shown == kinds | says
    assert filled(document, found) == document, "run: python -m tests.server.examples_of_messages"


def test_the_examples_are_of_their_types(found: dict[str, Any]) -> None:
    told: TypeAdapter[Any] = TypeAdapter(TableMessage | Answer | LobbyMessage)
    asked: TypeAdapter[Any] = TypeAdapter(clientmessages.ClientMessage)
    for name, example in found.items():
        adapter = asked if name.startswith("say") else told
        adapter.validate_python(example)


def test_the_document_names_every_path_and_no_other() -> None:
    api = json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8"))
    known = {f"{verb.upper()} {path}" for path, verbs in api["paths"].items() for verb in verbs}
    row = r"^\| `((?:GET|POST|PUT|PATCH|DELETE) /[^`?]*)"
    named = set(re.findall(row, DOC.read_text("utf-8"), re.M))
    assert named == known


def test_a_new_database_is_what_the_migrations_make(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    config = Config()
    config.set_main_option(
        "script_location", str(ROOT / "src" / "cabochon" / "server" / "storage" / "migrations")
    )
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        assert migrate._revision(connection) == migrate.HEAD
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
        assert differences == []
        migrate.migrate(connection)
    fresh = create_engine(f"sqlite:///{tmp_path / 'fresh.db'}")
    with fresh.begin() as connection:
        migrate.migrate(connection)
        assert migrate._revision(connection) == migrate.HEAD
        assert set(inspect(connection).get_table_names()) == {*metadata.tables, "alembic_version"}
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        assert inspect(connection).get_table_names() == ["alembic_version"]
    for opened in (engine, fresh):
        opened.dispose()
