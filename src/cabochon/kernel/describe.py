"""The action table and the observation index as Markdown, for ``docs/environments.md``.

``python -m cabochon.kernel.describe docs/environments.md`` writes them between their marks; a
test compares the page with what is generated.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path

from cabochon.kernel.actions import ACTION_TABLE_VERSION, ACTIONS, Action, ActionKind, table_hash
from cabochon.kernel.observation import OBSERVATION, OBSERVATION_SIZE, OBSERVATION_VERSION, Part

_LEGAL = {
    (ActionKind.TAKE, 3): "one each of three colours",
    (ActionKind.TAKE, 2): "the bank has exactly these two colours (and scarce takes are allowed)",
    (ActionKind.TAKE, 1): "the bank has exactly this colour (and scarce takes are allowed)",
    (ActionKind.TAKE, 0): "two of one colour, of which the bank has four or more",
    (
        ActionKind.RESERVE,
        0,
    ): "the card there, and a gold if there is one; fewer than three reserved",
    (ActionKind.RESERVE_DECK, 0): "the unseen top card of a deck that is not empty, likewise",
    (ActionKind.BUY, 0): "the card there, paid with the least gold",
    (ActionKind.BUY_RESERVED, 0): "the seat's own reserved card, paid with the least gold",
    (ActionKind.PASS, 0): "nothing else is legal",
    (ActionKind.RETURN, 0): "more than ten tokens: one token goes back; again until there are ten",
    (ActionKind.NOBLE, 0): "several nobles fit: the one at that place visits",
}


def _family(action: Action) -> tuple[ActionKind, int]:
    if action.kind is not ActionKind.TAKE:
        return action.kind, 0
    return action.kind, 0 if max(action.gems) == 2 else action.gems.total


def action_table() -> str:
    """One row per family of actions, and the fingerprint that a test pins."""
    lines = [
        f"Version {ACTION_TABLE_VERSION}, {len(ACTIONS)} actions, fingerprint `{table_hash()}`.",
        "",
        "| action | text | legal when, and what it does |",
        "| --- | --- | --- |",
    ]
    for family, members in groupby(ACTIONS, _family):
        actions = list(members)
        first, last = actions[0], actions[-1]
        numbers = f"{first.index}" if first is last else f"{first.index}–{last.index}"
        texts = ", ".join(f"`{action.text}`" for action in actions)
        lines.append(f"| {numbers} | {texts} | {_LEGAL[family]} |")
    return "\n".join(lines)


def _columns(part: Part) -> str:
    return ", ".join(
        f"{name} {f'×{size} ' if size > 1 else ''}{f'/{scale}' if scale > 1 else ''}".strip()
        for name, size, scale, _ in part.columns
    )


def observation_index() -> str:
    """One row per slice."""
    lines = [
        f"Version {OBSERVATION_VERSION}, {OBSERVATION_SIZE} numbers, float32.",
        "",
        "| slice | from | to | shape | numbers (`/n`: divided by n) | meaning |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for part in OBSERVATION:
        shape = " × ".join(map(str, part.shape))
        lines.append(
            f"| {part.name} | {part.start} | {part.stop} | {shape} "
            f"| {_columns(part)} | {part.meaning} |"
        )
    return "\n".join(lines)


Sections = Mapping[str, Callable[[], str]]

SECTIONS: Sections = {"action table": action_table, "observation index": observation_index}


def filled(page: str, sections: Sections = SECTIONS) -> str:
    """The page with every generated section as it should be.  Raises ValueError without marks."""
    for name, text in sections.items():
        head, found, rest = page.partition(f"<!-- generated: {name} -->\n")
        _, ended, tail = rest.partition("<!-- end -->\n")
        if not found or not ended:
            raise ValueError(f"no marks for the {name}")
        page = f"{head}{found}{text()}\n{ended}{tail}"
    return page


def main() -> int:
    path = Path(sys.argv[1])
    path.write_text(filled(path.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
