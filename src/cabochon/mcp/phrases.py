"""What `cabochon mcp` says on a terminal, in English and in Chinese."""

from __future__ import annotations

from cabochon.rules.sentences import LANGUAGES

PHRASES: dict[str, tuple[str, str]] = {
    "help-http": (
        "serve streamable HTTP instead of standard input and output",
        "通过可流式 HTTP 提供服务，而不是标准输入输出",
    ),
    "help-host": ("the address to listen on (127.0.0.1)", "监听地址（127.0.0.1）"),
    "help-port": ("the port to listen on (8765)", "监听端口（8765）"),
    "at": ("MCP at {address}", "MCP 地址：{address}"),
}


def phrase(lang: str, key: str, **params: object) -> str:
    """What the key says in that language. Raises KeyError for what there are no words."""
    return PHRASES[key][LANGUAGES.index(lang)].format(**params)
