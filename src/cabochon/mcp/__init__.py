"""A Model Context Protocol server: a program that only knows the list of tools can play.

No session is kept: `new_game` gives a handle, and every other tool takes it. The extra `mcp`
brings the SDK.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cabochon.extras import needed

if TYPE_CHECKING:
    from cabochon.mcp.server import CabochonServer


def make_server(lang: str = "en") -> CabochonServer:
    """The server, not yet running. Raises ExtraMissing without the SDK."""
    needed("mcp.server.mcpserver", "mcp", "cabochon mcp")
    from cabochon.mcp.server import CabochonServer

    return CabochonServer(lang)


__all__ = ["make_server"]
