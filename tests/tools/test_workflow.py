"""What runs for those who fork: the same command as here, in a file that GitHub can read."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "test.yml"


def test_the_workflow_is_sound() -> None:
    linter = (sys.executable, "-m", "check_jsonschema", "--builtin-schema")
    done = subprocess.run(
        [*linter, "vendor.github-workflows", str(WORKFLOW)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_runs_everything() -> None:
    yaml: Any = importlib.import_module("yaml")
    (job,) = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == ["make test"]
