"""Bots by name as rows for compiled code (`level_twin`): anything that plays thousands of games at
once gets its opponents here.

    uniform, greedy, talc ... diamond, builder, rusher, hunter, playouts, level:visits=8,blur=0.5
    biased      chance, but it buys when it can
    network     the likeliest move of the shipped network, one evaluation per decision
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cabochon.bots import BOT_NAMES
from cabochon.bots.bot import BotFault, UnknownBot
from cabochon.bots.greedy import DEFAULT_TASTE, LONGEST, Taste
from cabochon.bots.greedy_plans import DISCOUNTS, Doubles
from cabochon.bots.greedy_twin import TASTE
from cabochon.bots.level_twin import (
    BIASED,
    IMPRESSION,
    MIND,
    ONE_MOVE,
    PLAYOUTS,
    SEARCH,
    STYLE,
    UNIFORM,
    Minds,
    new_minds,
)
from cabochon.bots.levels import (
    BLURRED,
    FAR_WORSE,
    PLAYOUT_VISITS,
    PREFIX,
    RETURN_VISITS,
    Judgement,
    LookAhead,
    judgements_of,
)
from cabochon.bots.roster import LEVEL_NAMES, STYLE_NAMES
from cabochon.bots.styles import DOUBT, STYLES
from cabochon.rules import Ruleset
from cabochon.rules.errors import quoted, shown
from cabochon.search.net import zero_weights
from cabochon.search.searcher import shipped_for, usual_settings
from cabochon.search.simulate import NETWORK, PLAYOUT

PLAIN_KINDS = {"uniform": UNIFORM, "biased": BIASED, "network": IMPRESSION, "greedy": ONE_MOVE}
MIND_NAMES = (*dict.fromkeys((*BOT_NAMES, "biased", "network", "playouts")),)

_NEEDS_NETWORK = (IMPRESSION, SEARCH, STYLE)


def minds_for(ruleset: Ruleset, names: Sequence[str], visits: int | None = None) -> Minds:
    """The named bots at tables of that ruleset; ``visits`` bounds those that search, and is what
    the top level and `playouts` take. Raises UnknownBot."""
    rows = np.zeros(len(names), MIND)
    discounts = np.zeros((len(names), DISCOUNTS))
    for index, name in enumerate(names):
        taste = _fill(rows[index : index + 1], known_mind(name), ruleset.seats, visits)
        discounts[index] = _discounts(taste)
    needs_network = any(int(kind) in _NEEDS_NETWORK for kind in rows["kind"])
    return new_minds(
        rows,
        discounts,
        shipped_for(ruleset) if needs_network else zero_weights(),
        usual_settings(ruleset, NETWORK),
        usual_settings(ruleset, PLAYOUT),
    )


def known_mind(name: object) -> str:
    """The name as it is written here. Raises UnknownBot."""
    text = name.strip() if isinstance(name, str) else ""
    if text.startswith(PREFIX):
        _judgement(text, 2)
        return text
    if text.lower() not in MIND_NAMES:
        given = quoted(name) if isinstance(name, str) else shown(name)
        raise UnknownBot(BotFault.UNKNOWN_BOT, name=given, known=", ".join(MIND_NAMES))
    return text.lower()


def _fill(row: npt.NDArray[np.void], name: str, seats: int, visits: int | None) -> Taste:
    """Write the bot's numbers into a row; returns the taste it judges by."""
    taste = DEFAULT_TASTE
    row["visits"] = 1
    row["return_visits"] = 1
    if name in PLAIN_KINDS:
        row["kind"] = PLAIN_KINDS[name]
    elif name == "playouts":
        row["kind"] = PLAYOUTS
        row["visits"] = visits or PLAYOUT_VISITS
        row["return_visits"] = RETURN_VISITS
    else:
        _fill_judgement(row, _judgement(name, seats), visits, name == LEVEL_NAMES[-1])
        if name in STYLE_NAMES:
            style = STYLES[name]
            taste = style.taste
            row["kind"], row["pull"], row["most"] = STYLE, style.pull, style.most
            row["doubt"] = DOUBT
    _write_taste(row["taste"], taste)
    return taste


def _judgement(name: str, seats: int) -> Judgement:
    if not name.startswith(PREFIX):
        return judgements_of(name)[seats]
    try:
        return Judgement.parse(name.removeprefix(PREFIX))
    except ValueError as error:
        known = str(Judgement())
        raise UnknownBot(BotFault.UNKNOWN_BOT, name=quoted(name), known=known) from error


def _fill_judgement(
    row: npt.NDArray[np.void], judgement: Judgement, visits: int | None, is_top: bool
) -> None:
    row["blur"] = judgement.blur
    if judgement.sight is LookAhead.ONE_MOVE:
        row["kind"] = ONE_MOVE
        return
    row["kind"] = SEARCH
    wanted = judgement.visits
    if visits is not None:
        wanted = visits if is_top else min(wanted, visits)
    row["visits"], row["return_visits"] = wanted, RETURN_VISITS
    if judgement.blur > 0:
        row["far_worse"] = FAR_WORSE * min(1.0, BLURRED / judgement.blur) ** 2


def _write_taste(row: Any, taste: Taste) -> None:
    for field in TASTE.names or ():
        row[field] = getattr(taste, field)


def _discounts(taste: Taste) -> Doubles:
    halves = np.minimum(np.arange(DISCOUNTS), LONGEST - 1)
    return np.array([taste.patience ** (half / 2) for half in halves.tolist()])
