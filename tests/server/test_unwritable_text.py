"""Text that JSON can carry and a database cannot keep."""

from __future__ import annotations

import json

import pytest

from tests.server.browsers import Browser
from tests.server.cluster import Cluster
from tests.server.serving import serving

pytestmark = pytest.mark.servers
START = "standard/2 0 act 0 - w4u4g4r4k4o5 1w1,1u2,1g3,1k4/2w1,2u2,2g3,2k4/3w1,3u2,3g3,3k4 rk4,gr4,ug4 -|-|-|- -|-|-|-"  # fmt: skip  # noqa: E501


@pytest.mark.parametrize("odd", ["\\u0000", "\\ud800"])
def test_what_a_database_cannot_keep_is_told_and_no_error(cluster: Cluster, odd: str) -> None:
    """Neither PostgreSQL takes a NUL, nor any database half a character."""
    record = (
        '[Cabochon \\"1\\"]\\n[Ruleset \\"standard/2\\"]\\n[Seat0 \\"?\\"]\\n[Seat1 \\"?\\"]\\n'
        f'[Position \\"{START}\\"]\\n\\n1a. take wug {{x ODD}}\\n*\\n'
    ).replace("ODD", odd)
    with serving(cluster.database("odd")) as here, Browser(here) as ada:
        ada.be("Ada")
        with Browser(here) as other:
            person = other.be("Bo")["id"]
        tree = [{"event": "take wug", "comment": "ODD"}]
        made = ada.do("POST", "/studies/format", {"start": START, "tree": tree})["json"]
        dressed = json.dumps(made).replace("ODD", odd)
        failed: dict[str, str] = {}
        for path, body in {
            "/studies": f'{{"record": "{record}"}}',
            "/studies ": f'{{"record": "[a]", "title": "a{odd}"}}',
            "/studies/open": f'{{"record": "{record}"}}',
            "/studies/format": f'{{"start": "{START}", "comment": "{odd}", "tree": []}}',
            "/reviews ": f'{{"record": {dressed}}}',
            "/studies/open ": json.dumps({"record": dressed}),
            "/studies  ": json.dumps({"record": dressed}),
            "/reviews  ": json.dumps({"record": dressed.replace('"?"', f'"{odd}"')}),
            "/positions/check ": f'{{"setup": {{"ruleset": "{odd}", "{odd}": 1}}}}',
            "/reviews": f'{{"record": "{record}"}}',
            "/positions/check": f'{{"text": "{odd}"}}',
            "/engine": f'{{"position": "{odd}"}}',
            "/me": f'{{"name": "a{odd}"}}',
            "/tokens": f'{{"name": "a{odd}"}}',
            "/reports": f'{{"person": "{person}", "kind": "other", "text": "a{odd}"}}',
            "/signin/password": f'{{"name": "a{odd}", "password": "a{odd}aaaaaaaaaaaaa"}}',
            "/me/password": f'{{"name": "Ada", "password": "a{odd}aaaaaaaaaaaaa"}}',
        }.items():
            answer = ada.http.post(
                "/api" + path.strip(), content=body, headers={"Content-Type": "application/json"}
            )
            json.loads(answer.text)
            if answer.status_code >= 500:
                failed[path] = answer.text
        for path in (
            "/people?search=%00",
            "/people?search=a%00b",
            "/names/a%00",
            "/invites/aaaa%00aaaa",
        ):
            answer = ada.ask("GET", path)
            if answer.status_code >= 500:
                failed[path] = answer.text
        assert not failed
