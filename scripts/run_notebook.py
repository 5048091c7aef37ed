"""Run the cells of a notebook in plain Python and write what they show into the file.

python scripts/run_notebook.py examples/positions.ipynb

No Jupyter is needed: a cell's output is what it prints and the value of its last expression, as
text and, where the value can draw itself, as SVG.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

Notebook = dict[str, Any]


def executed(notebook: Notebook) -> Notebook:
    """The same notebook with the outputs of all its cells, run from top to bottom."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell = cell | {"execution_count": count, "outputs": _outputs(cell, names, count)}
        cells.append(cell)
    return notebook | {"cells": cells}


def _outputs(cell: dict[str, Any], names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = _lines(printed.getvalue())
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        outputs.append(
            {
                "output_type": "execute_result",
                "execution_count": count,
                "metadata": {},
                "data": _shown(value),
            }
        )
    return outputs


def _shown(value: Any) -> dict[str, list[str]]:
    data = {"text/plain": _lines(repr(value)[:200])}
    for mime, method in (("image/svg+xml", "_repr_svg_"), ("text/markdown", "_repr_markdown_")):
        drawn = getattr(value, method, lambda: None)()
        if drawn:
            data[mime] = _lines(drawn)
    return data


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    path = Path(sys.argv[1])
    notebook = executed(json.loads(path.read_text("utf-8")))
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
