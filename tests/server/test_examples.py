"""The examples that talk to a server are run."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.server.serving import Here

EXAMPLE = Path(__file__).parents[2] / "examples" / "outside_bot.py"


def test_thirty_lines_play_a_whole_game(here: Here) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), here.base],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    result = json.loads(done.stdout)
    assert result["reason"] == "target"
    assert sorted(result["ranking"]) in ([1, 2], [1, 1])


def test_it_is_about_thirty_lines_and_uses_documented_calls_only(here: Here) -> None:
    text = EXAMPLE.read_text("utf-8")
    code = [line for line in text.splitlines() if line.strip() and not line.startswith('"""')]
    assert len(code) <= 30
    documented = here.http.get("/api/openapi.json").json()["paths"]
    for path in re.findall(r'f?"(/[a-z{}/]+)"', text):
        assert "/api" + path.replace("{table}", "{table_id}") in documented or path == "/api"
    assert "import cabochon" not in text
    assert "from cabochon" not in text
