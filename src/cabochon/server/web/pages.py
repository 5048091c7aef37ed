"""The web table: its built files, and one page for every address a person can have."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from cabochon.words import languages, text

STATIC = Path(__file__).parents[1] / "static"
PAGES = (
    "/",
    "/t/{table_id}",
    "/join/{code}",
    "/replay/{table_id}",
    "/rules",
    "/learn",
    "/lessons",
    "/lessons/{lesson_id}",
    "/games",
    "/watch",
    "/players",
    "/people/{person_id}",
    "/profile",
    "/account",
    "/signin",
    "/settings",
    "/analysis",
    "/analysis/{table_id}",
    "/analysis/{table_id}/mistakes",
    "/mistakes",
    "/puzzles",
    "/puzzles/{puzzle_id}",
    "/editor",
)

_COMMAND = "<code>make web</code>"
_API = '<a href="/api/meta">/api/meta</a>'


def _not_built() -> str:
    """What is shown when the page hasn't been built, in every language."""
    told = "\n".join(
        f'<p lang="{lang}">{text("server.no-page", lang, command=_COMMAND, api=_API)}</p>'
        for lang in languages()
    )
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Cabochon</title>
<h1>Cabochon</h1>
{told}
</html>
"""


def add_pages(app: FastAPI, static: Path = STATIC) -> None:
    """Serve the web table from there, or say that it has not been built."""

    async def page() -> Response:
        index = static / "index.html"
        if not index.is_file():
            return HTMLResponse(_not_built(), 200)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})

    for path in PAGES:
        app.add_api_route(path, page, include_in_schema=False, response_class=HTMLResponse)
    app.mount("/", _Files(directory=static, check_dir=False), name="static")


class _Files(StaticFiles):
    """Built files; those under /assets carry a hash in their name and never change.

    A browser that asks for an address which is not there gets the app, which says so.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            index = Path(str(self.directory)) / "index.html"
            accepted = Headers(scope=scope).get("accept", "")
            wants_page = "text/html" in accepted and not path.startswith("api/")
            if error.status_code != 404 or not wants_page or not index.is_file():
                raise
            return FileResponse(index, 404, headers={"Cache-Control": "no-cache"})

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        path = str(args[0])
        forever = f"{'/'}assets{'/'}" in path
        response.headers["Cache-Control"] = (
            "public, max-age=31536000, immutable" if forever else "no-cache"
        )
        return response
