"""The network's numbers, and the file that carries them.

    card rows ---- + context --- relu -- each card: 48 --+-- sum face-up, sum own ---+
    other rows --------------- relu -- each card: 32 --- | -- sum -------------------+-- 160
    noble rows --------------- relu -- each noble: 32 -- | -- sum -------------------+    |
    fact rows --- context 48                             |                                |
              \\-- 128 ----------------------------------|------ + <---- 160 x 128 -------+
                                                         |       relu -- 128 x 64 -- relu: 64
                                                         |                            |    |
    logit of a purchase, a reservation, a noble = its vector . query (64 x 128) <-----+    |
    logits of takes, decks, pass, returns; values of the seats = 64 x 48 <-----------------+
    what the cards vote for takes, decks, pass, returns = both sums of cards x 96 x 40, added

The order of cards in a row cannot matter.  The file is a numpy archive of float16 arrays with a
version, a hash of the action table and a checksum; reading it needs numpy alone.
"""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from cabochon.kernel.actions import (
    BUY,
    CHOOSE_NOBLE,
    GIVE_BACK,
    RESERVE,
    RESERVE_DECK,
    table_hash,
)
from cabochon.kernel.layout import Floats
from cabochon.rules import CabochonError
from cabochon.search import rows

CARD_WIDTH, SIDE_WIDTH, WIDE, NARROW = 48, 32, 128, 64
FACT_WIDTH = WIDE + CARD_WIDTH
POOLED = 2 * CARD_WIDTH + 2 * SIDE_WIDTH
PLAIN, QUERY, VOTERS = 48, 2 * CARD_WIDTH + SIDE_WIDTH, 2 * CARD_WIDTH
PLAIN_DECK = RESERVE
PLAIN_PASS = PLAIN_DECK + BUY - RESERVE_DECK
PLAIN_RETURN = PLAIN_PASS + 1
PLAIN_VALUE = PLAIN_RETURN + CHOOSE_NOBLE - GIVE_BACK
"""Columns of ``plain``: 30 takes, 3 decks, pass, 6 returns, 4 values, then what training adds.
The cards vote for those before the values."""

FORMAT = "cabochon-net-2"


class Weights(NamedTuple):
    """All arrays, float32."""

    card: Floats
    other: Floats
    other_bias: Floats
    noble: Floats
    noble_bias: Floats
    fact: Floats
    fact_bias: Floats
    pool: Floats
    narrow: Floats
    narrow_bias: Floats
    plain: Floats
    plain_bias: Floats
    query: Floats
    query_bias: Floats
    vote: Floats


SHAPES: dict[str, tuple[int, ...]] = {
    "card": (rows.CARD_ROWS, CARD_WIDTH),
    "other": (rows.OTHER_ROWS, SIDE_WIDTH),
    "other_bias": (SIDE_WIDTH,),
    "noble": (rows.NOBLE_ROWS, SIDE_WIDTH),
    "noble_bias": (SIDE_WIDTH,),
    "fact": (rows.FACT_ROWS, FACT_WIDTH),
    "fact_bias": (FACT_WIDTH,),
    "pool": (POOLED, WIDE),
    "narrow": (WIDE, NARROW),
    "narrow_bias": (NARROW,),
    "plain": (NARROW, PLAIN),
    "plain_bias": (PLAIN,),
    "query": (NARROW, QUERY),
    "query_bias": (QUERY,),
    "vote": (VOTERS, PLAIN_VALUE),
}


class WeightsFault(StrEnum):
    """Why there is no network."""

    BAD_WEIGHTS = "bad-weights"


class BadWeights(CabochonError):
    """A weight file that cannot be used; ``code`` is a ``WeightsFault``."""


def zero_weights() -> Weights:
    """A network that finds every move and every seat alike."""
    return Weights(**{name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()})


def random_weights(seed: int, scale: float = 0.1) -> Weights:
    """Small random numbers, for tests and benchmarks."""
    generator = np.random.default_rng(seed)
    arrays = {
        name: (scale * generator.standard_normal(shape)).astype(np.float32)
        for name, shape in SHAPES.items()
    }
    for table in ("card", "other", "noble", "fact"):
        arrays[table][0] = 0
    return Weights(**arrays)


def save_weights(path: Path, weights: Weights, about: dict[str, object]) -> None:
    """Write the file, all or nothing; ``about`` is kept beside the arrays."""
    halves = {name: array.astype(np.float16) for name, array in weights._asdict().items()}
    header = {"format": FORMAT, "actions": table_hash(), "checksum": _checksum(halves)}
    text = json.dumps(header | {"about": about})
    draft = path.with_suffix(".draft")
    with draft.open("wb") as file:
        np.savez_compressed(file, header=np.array(text), **halves)
    draft.replace(path)


def load_weights(path: Path) -> Weights:
    """The arrays of a file. Raises BadWeights when it is not one, or not whole, or of another
    version."""
    return Weights(**{name: half.astype(np.float32) for name, half in _read(path)[1].items()})


def about_weights(path: Path) -> dict[str, object]:
    """What was written beside the arrays. Raises BadWeights like ``load_weights``."""
    about = _read(path)[0]["about"]
    assert isinstance(about, dict)
    return about


def _read(path: Path) -> tuple[dict[str, object], dict[str, npt.NDArray[np.float16]]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            header = json.loads(str(archive["header"]))
            halves = {name: archive[name] for name in SHAPES}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as fault:
        why = "it isn't a weight file"
        if isinstance(fault, OSError) and fault.strerror:
            why = fault.strerror
        raise BadWeights(WeightsFault.BAD_WEIGHTS, path=str(path), why=why) from fault
    _check(path, header, halves)
    return header, halves


def _check(
    path: Path, header: dict[str, object], halves: dict[str, npt.NDArray[np.float16]]
) -> None:
    if header.get("format") != FORMAT:
        raise BadWeights(
            WeightsFault.BAD_WEIGHTS, path=str(path), why=f"format {header.get('format')}"
        )
    if header.get("actions") != table_hash():
        raise BadWeights(WeightsFault.BAD_WEIGHTS, path=str(path), why="another action table")
    for name, shape in SHAPES.items():
        if halves[name].shape != shape or halves[name].dtype != np.float16:
            raise BadWeights(WeightsFault.BAD_WEIGHTS, path=str(path), why=f"shape of {name}")
    if header.get("checksum") != _checksum(halves):
        raise BadWeights(WeightsFault.BAD_WEIGHTS, path=str(path), why="checksum")


def _checksum(halves: dict[str, npt.NDArray[np.float16]]) -> str:
    digest = hashlib.sha256()
    for name in SHAPES:
        digest.update(name.encode() + b"\0" + np.ascontiguousarray(halves[name]).tobytes())
    return digest.hexdigest()
