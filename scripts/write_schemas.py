"""Write what the server promises into `docs/`: the HTTP API as OpenAPI 3.1, and every message of
the sockets and streams as JSON Schema. A test keeps both up to date.

    python scripts/write_schemas.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from cabochon.play.messages import Answer, TableMessage
from cabochon.server.people.invitemessages import InvitationsNews
from cabochon.server.people.poolmessages import PoolMessage, PoolsNews
from cabochon.server.reviews.reviewmessages import StudioLine
from cabochon.server.settings import Settings
from cabochon.server.tables.lobbymessages import LobbyMessage
from cabochon.server.web.app import make_app
from cabochon.server.web.clientmessages import ClientMessage
from cabochon.server.web.poolmodels import WatchNews

DOCS = Path(__file__).resolve().parent.parent / "docs"


def files() -> dict[Path, str]:
    """Every file with what belongs in it."""
    return {
        DOCS / "openapi.json": _written(make_app(Settings()).openapi()),
        DOCS / "messages.schema.json": _written(message_schema()),
    }


def message_schema() -> dict[str, Any]:
    """`server`: what a client is told; `client`: what it may say; `studio`: the lines of reviews
    and of the live engine; `pools`: the lines of the pools' stream; `company`: what the lobby's
    socket says of people."""
    says: TypeAdapter[Any] = TypeAdapter(TableMessage | Answer | LobbyMessage)
    studio: TypeAdapter[Any] = TypeAdapter(StudioLine)
    pools: TypeAdapter[Any] = TypeAdapter(PoolMessage)
    company: TypeAdapter[Any] = TypeAdapter(PoolsNews | InvitationsNews | WatchNews)
    hears: TypeAdapter[Any] = TypeAdapter(ClientMessage)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages of the Cabochon table",
        "server": says.json_schema(mode="serialization"),
        "client": hears.json_schema(mode="validation"),
        "studio": studio.json_schema(mode="serialization"),
        "pools": pools.json_schema(mode="serialization"),
        "company": company.json_schema(mode="serialization"),
    }


def _written(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, "utf-8")
        print(path.name)
