"""Which line of a record is meant, as text: `7.1/9.2`."""

from __future__ import annotations

import re

from cabochon.notation.errors import NotationError, NotationFault, cut, only_text
from cabochon.notation.writing import writer
from cabochon.variation import MOST_DEPTH, LineBranch, LinePath, path_text

_BRANCH = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})")


@writer("path", tuple)
def format_path(path: LinePath) -> str:
    """`7.1/9.2` is the second variation at ply 9 of the first one at ply 7; the main line is the
    empty text. Raises WrongArgument for what is no path."""
    return path_text(path)


def parse_path(text: str) -> LinePath:
    """The path; whether a record has such a line is not asked. Raises NotationError."""
    steps = [step for step in only_text(text).split("/", MOST_DEPTH) if text.strip()]
    found = [_BRANCH.fullmatch(step.strip()) for step in steps]
    if not all(found):
        raise NotationError(NotationFault.NOT_A_PATH, text=cut(text))
    return tuple(LineBranch(int(branch[1]), int(branch[2])) for branch in found if branch)
