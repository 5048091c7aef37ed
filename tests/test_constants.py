"""The numbers of the rules exist once: everybody else imports them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import cabochon
from cabochon.kernel.actions import ACTION_COUNT, ACTIONS, BUY, GIVE_BACK, RESERVE
from cabochon.rules.cards import FEWEST_FOR_NOBLE, NOBLE_POINTS, NOBLES

SOURCES = Path(cabochon.__file__).parent
WEB = Path(__file__).resolve().parents[1] / "web" / "src"
TARGET_TYPED = re.compile(
    r"target \?\? \d|Math\.max\(1[05],|(?:toTarget|quickTo)\(\d|[?:] 1[05]\b(?=[ ;)])"
    r"|(?<!\d )\bto 1[05]\b|目标 1[05] 分|打到 1[05] 分"
)
"""The points that a game goes to, written out: in code, or in a sentence."""
NOBLE_TYPED = re.compile(r"</b> \+3\b|[a-z] \+ 3\b(?! s)|\b3 points\b|(?<!\d) 3 分")
"""What a noble is worth, written out: beside its name, in a sum, or in a sentence."""
HOMES = ("rules/ruleset.py", "rules/cards.py", "kernel/actions.py")


def _assigned(path: Path, written_out: bool = False) -> Iterator[str]:
    """The names that a module gives a value; with ``written_out``, those given plain numbers."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and not (written_out and _is_computed(node.value)):
            for target in node.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                yield from (name.id for name in names if isinstance(name, ast.Name))


def _is_computed(value: ast.expr) -> bool:
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return not any(isinstance(part, ast.Constant) and type(part.value) is int for part in parts)


def test_a_number_of_the_rules_is_given_a_value_in_one_place() -> None:
    homes = {name: home for home in HOMES for name in _assigned(SOURCES / home)}
    numbers = {name for name in homes if name.isupper() and not name.startswith("_")}
    numbers -= {"CARDS", "NOBLES", "LEVELS", "VARIANTS", "ACTIONS"}  # collections, not numbers
    assert {"TOKEN_LIMIT", "NOBLE_POINTS", "TAKE_COLOURS", "ACTION_COUNT", "BUY"} <= numbers
    for path in SOURCES.rglob("*.py"):
        name = path.relative_to(SOURCES).as_posix()
        again = {n.strip("_") for n in _assigned(path, written_out=True)} & numbers
        assert name in HOMES or not again, f"{name} sets {again}; import it"


def test_nobles_are_as_the_two_numbers_say() -> None:
    assert {noble.points for noble in NOBLES} == {NOBLE_POINTS} == {3}
    assert min(sum(noble.cost) for noble in NOBLES) == FEWEST_FOR_NOBLE == 8


def test_the_first_action_of_a_kind_is_where_the_table_has_it() -> None:
    assert [ACTIONS[first].text for first in (RESERVE, BUY, GIVE_BACK)] == [
        "reserve 1.1",
        "buy 1.1",
        "return w",
    ]
    kinds = [action.kind for action in ACTIONS]
    assert ACTION_COUNT == len(ACTIONS) == 72
    assert kinds == sorted(kinds, key=kinds.index)  # each kind in one piece


def _typed(pattern: re.Pattern[str]) -> set[str]:
    """Where the page has it, styles and what is generated left out."""
    sources = [path for kind in ("*.ts", "*.svelte") for path in WEB.rglob(kind)]
    assert len(sources) > 100
    return {
        f"{path.relative_to(WEB)}: {found[0]}"
        for path in sources
        if "generated" not in path.parts
        if (found := pattern.search(path.read_text("utf-8").partition("<style>")[0]))
    }


def test_the_page_takes_what_a_game_goes_to_from_the_rules() -> None:
    """`TARGETS` in `web/src/generated/rules.ts`; a table has its own."""
    assert _typed(TARGET_TYPED) == set()


def test_the_page_takes_what_a_noble_is_worth_from_the_rules() -> None:
    assert _typed(NOBLE_TYPED) == set()


OWN_PACE = (
    *("AT_ONCE", "ATTEMPTS", "EVERY_S", "MOST_KEPT", "MOST_REMEMBERED", "POLL_S", "RETRY_S"),
    *("SHOWN", "TICK_S", "TIDY_S", "TOGETHER", "VISITS"),
)
"""How often, how many at once, how much is kept: each part sets its own, and some are equal."""
APART = ("VERSION", "POLICY_SCALE")
"""Of file formats, which change one by one."""


def _values(path: Path) -> Iterator[tuple[str, str]]:
    """The public numbers and texts that a module gives a name in capitals."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Call | ast.Name):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            yield from ((n, ast.unparse(node.value)) for n in names if re.match("[A-Z]", n))


def test_no_constant_is_typed_twice() -> None:
    homes: dict[tuple[str, str], set[str]] = {}
    for path in SOURCES.rglob("*.py"):
        for named in _values(path):
            homes.setdefault(named, set()).add(path.relative_to(SOURCES).as_posix())
    twice = {named: found for named, found in homes.items() if len(found) > 1}
    facts = {named: found for named, found in twice.items() if named[0] not in OWN_PACE + APART}
    assert not facts, f"give each one home, and import it from there: {facts}"
