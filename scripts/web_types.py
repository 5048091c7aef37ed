"""Write the browser's types from the server's: what is told (`cabochon.play.messages`) and what is
asked and answered over HTTP (`cabochon.server.models`), as TypeScript.

    python scripts/web_types.py

One interface a class, one type a union; a test keeps the files under `web/src` up to date.
"""

from __future__ import annotations

import inspect
import re
import types
from enum import Enum, EnumMeta
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel
from typing_extensions import is_typeddict

from cabochon.play import messages
from cabochon.server import models

WEB = Path(__file__).resolve().parent.parent / "web" / "src"
HEADER = "/** Written by scripts/web_types.py from {}. */\n"
_PLAIN = {int: "number", float: "number", str: "string", bool: "boolean", type(None): "null"}


def files() -> dict[Path, str]:
    """Every file with what belongs in it."""
    return {WEB / "protocol.ts": _messages(), WEB / "http.ts": _models()}


def _messages() -> str:
    said = {n: v for n, v in vars(messages).items() if is_typeddict(v) or _is_alias(v)}
    return HEADER.format("cabochon.play.messages") + "".join(
        _interface(name, _fields(value), inspect.cleandoc(value.__doc__ or ""))
        if is_typeddict(value)
        else f"\nexport type {name} = {_ts(value)};\n"
        for name, value in said.items()
    )


def _models() -> str:
    asked = [
        value
        for value in vars(models).values()
        if isinstance(value, type)
        and issubclass(value, models.Closed)
        and value is not models.Closed
    ]
    body = "".join(
        _interface(model.__name__, _model_fields(model), inspect.cleandoc(model.__doc__ or ""))
        for model in asked
    )
    used = sorted(name for name in vars(messages) if re.search(rf"\b{name}\b", body))
    told = [name for name in used if is_typeddict(vars(messages)[name])]
    own = {model.__name__ for model in asked}
    imports = ", ".join(name for name in told if name not in own)
    head = HEADER.format("cabochon.server.models")
    return f"{head}\nimport type {{ {imports} }} from './protocol';\n{body}"


def _is_alias(value: Any) -> bool:
    return get_origin(value) in (Literal, Union) or isinstance(value, types.UnionType)


Field = tuple[str, Any, bool]


def _interface(name: str, fields: list[Field], doc: str) -> str:
    """An interface; `doc` is left out where the class only inherits one."""
    inherited = {inspect.cleandoc(kind.__doc__ or "") for kind in (dict, BaseModel, models.Closed)}
    said = f"\n/** {' '.join(doc.split())} */" if doc and doc not in inherited else ""
    lines = [
        f"  {field}{'?' if optional else ''}: {_ts(hint)};" for field, hint, optional in fields
    ]
    return "\n".join((said, f"export interface {name} {{", *lines, "}\n"))


def _fields(kind: Any) -> list[Field]:
    fields: list[Field] = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        optional = get_origin(hint) is NotRequired
        inner = get_args(hint)[0] if optional else hint
        fields.append((name, inner, optional or not kind.__total__))
    return fields


def _model_fields(model: type[BaseModel]) -> list[Field]:
    return [
        (name, field.annotation, not field.is_required())
        for name, field in model.model_fields.items()
    ]


def _ts(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if hint is Any:
        return "unknown"
    if is_typeddict(hint) or (isinstance(hint, type) and issubclass(hint, BaseModel)):
        return str(hint.__name__)
    if isinstance(hint, EnumMeta):
        return " | ".join(f"'{member.value}'" for member in list[Enum](hint))
    if origin is Annotated:
        return _ts(arguments[0])
    if origin is Literal:
        return " | ".join(f"'{value}'" for value in arguments)
    if origin is list:
        inner = _ts(arguments[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<{_ts(arguments[0])}, {_ts(arguments[1])}>"
    if _is_alias(hint):
        return " | ".join(_ts(argument) for argument in arguments)
    raise TypeError(f"no TypeScript for {hint}")


if __name__ == "__main__":
    for file, text in files().items():
        file.write_text(text, "utf-8")
