"""The documentation as a site: `make docs` writes it to build/docs.

Pages are the Markdown files of this folder, and a page for each package with what its docstrings
say. Docstrings are plain prose with `backticks`, as one reads them in an editor; `as_restructured`
turns them into what Sphinx reads.
"""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

project = "Cabochon"
author = "the Cabochon authors"
copyright = author
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "version"
]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["conf.py"]
html_theme = "furo"
html_title = f"Cabochon {version}"
html_copy_source = False
html_show_copyright = False
pygments_style = "friendly"

myst_heading_anchors = 3
myst_links_external_new_tab = False
myst_enable_extensions = ["smartquotes"]
suppress_warnings = [
    "myst.header",  # environments.md is two pages in one, each with its own title
    "myst.xref_missing",  # links to files outside this folder, which tests/docs looks at
    "ref.python",  # a name that two packages give to a class of their own
]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_mock_imports = ["torch", "pyspiel", "open_spiel", "ray", "asyncpg"]

PUBLIC = {
    "rules": "the law",
    "notation": "texts and JSON",
    "record": "a game, written down",
    "turn": "a turn on one line",
    "render": "pictures",
    "kernel": "the compiled twin",
    "search": "analysis",
    "bots": "players",
    "play": "the table",
    "arena": "matches",
    "envs": "environments",
    "dataset": "games as data",
    "workers": "work on all cores",
}
API = Path(__file__).parent / "api"

CODE = re.compile(r"`+([^`\n]+)`+")


def as_restructured(lines: list[str]) -> list[str]:
    """A docstring's paragraphs: sessions as they are, drawings and lists kept line by line."""
    written: list[str] = []
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines)):
        rows = paragraph.split("\n")
        if not paragraph.strip():
            continue
        if rows[0].lstrip().startswith(">>>"):
            written += [*rows, ""]
        elif any(row.startswith((" ", "|", "-", "*")) for row in rows):
            written += [f"| {_escaped(row)}" for row in rows if row.strip()] + [""]
        else:
            written += [*(_escaped(row) for row in rows), ""]
    return written


def _escaped(row: str) -> str:
    """Backticks as code, everything else as itself."""
    parts = CODE.split(row.strip())
    plain = [re.sub(r"([\\*_|`])", r"\\\1", part) for part in parts[0::2]]
    code = [f"``{part}``" for part in parts[1::2]]
    return "".join(
        text + (f"\\ {code[i]}\\ " if i < len(code) else "") for i, text in enumerate(plain)
    )


def _process(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = as_restructured(lines)


def write_api_pages(_app: Any) -> None:
    """One page per package, with every module that has something public to say."""
    shutil.rmtree(API, ignore_errors=True)
    API.mkdir()
    for name, about in PUBLIC.items():
        place = ROOT / "src" / "cabochon" / name
        modules = [f"cabochon.{name}"]
        if place.is_dir():
            files = sorted(path.stem for path in place.glob("*.py"))
            modules += [f"cabochon.{name}.{stem}" for stem in files if stem != "__init__"]
        title = f"cabochon.{name}: {about}"
        parts = [f"{title}\n{'=' * len(title)}\n"]
        for module in modules:
            heading = f"{module}\n{'-' * len(module)}\n\n" if len(modules) > 1 else ""
            members = "" if module.endswith(f".{name}") and len(modules) > 1 else "   :members:\n"
            parts.append(f"{heading}.. automodule:: {module}\n{members}")
        (API / f"{name}.rst").write_text("\n".join(parts), "utf-8")
    listed = "\n".join(f"   {name}" for name in PUBLIC)
    index = f"Python API\n==========\n\n.. toctree::\n\n{listed}\n"
    (API / "index.rst").write_text(index, "utf-8")


def setup(app: Any) -> None:
    app.connect("builder-inited", write_api_pages)
    app.connect("autodoc-process-docstring", _process)
