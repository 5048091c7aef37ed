"""Write the table of request bodies in docs/protocol.md from docs/openapi.json.

python scripts/describe_protocol.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cabochon.kernel.describe import filled

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "protocol.md"
SCHEMA = ROOT / "docs" / "openapi.json"
MARK = "request bodies"


def bodies(schema: dict[str, Any]) -> str:
    """One row for each field of each call that takes a body."""
    lines = ["| call | field | type | |", "| --- | --- | --- | --- |"]
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            if not isinstance(operation, dict) or "requestBody" not in operation:
                continue
            call = f"`{method.upper()} {path}`"
            content = operation["requestBody"]["content"]
            body = _resolved(next(iter(content.values())).get("schema", {}), schema)
            rows = list(_fields(body, schema)) or [("(the body itself)", _kind(body, schema), "")]
            for name, kind, note in rows:
                lines.append(f"| {call} | {name} | {kind} | {note} |")
                call = ""
    return "\n".join(lines)


def _fields(body: dict[str, Any], schema: dict[str, Any]) -> Any:
    needed = body.get("required", [])
    for name, field in body.get("properties", {}).items():
        note = "needed" if name in needed else _default(field)
        yield f"`{name}`", _kind(field, schema), note


def _default(field: dict[str, Any]) -> str:
    if "default" not in field:
        return "may be left out"
    return f"else `{json.dumps(field['default'])}`"


def _kind(field: dict[str, Any], schema: dict[str, Any], depth: int = 0) -> str:
    """A type in a few words."""
    field = _resolved(field, schema)
    if "anyOf" in field or "oneOf" in field:
        parts = [_kind(part, schema, depth) for part in field.get("anyOf", field.get("oneOf", []))]
        return " or ".join(dict.fromkeys(parts))
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    kind = field.get("type", "any")
    if kind == "array":
        return f"list of {_kind(field.get('items', {}), schema, depth + 1)}"
    if kind == "object" and "properties" in field and depth < 2:
        return f"object ({', '.join(_parts(field, schema))})"
    bounds = [
        f"{words} {field[name]:g}"
        for name, words in (
            ("minimum", "from"),
            ("maximum", "to"),
            ("minLength", "at least"),
            ("maxLength", "at most"),
        )
        if name in field
    ]
    unit = " characters" if kind == "string" and bounds else ""
    return f"{kind} ({', '.join(bounds)}{unit})" if bounds else str(kind)


def _parts(field: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    """Each field of an object: what it must be, if that is a word, and whether it must be there."""
    for name, part in field["properties"].items():
        part = _resolved(part, schema)
        words = [part["const"]] if "const" in part else part.get("enum", [])
        said = ": " + " or ".join(f"`{word}`" for word in words) if words else ""
        yield f"`{name}`{'' if name in field.get('required', []) else '?'}{said}"


def _resolved(field: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in field:
        target: Any = schema
        for part in field["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        field = target
    return field


def described(page: str) -> str:
    """The page with its table as it should be."""
    table = bodies(json.loads(SCHEMA.read_text("utf-8")))
    return filled(page, {MARK: lambda: table})


if __name__ == "__main__":
    PAGE.write_text(described(PAGE.read_text("utf-8")), "utf-8")
