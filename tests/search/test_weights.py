"""The weight file: there and back, and refused when it is not whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cabochon.search.net import (
    BadWeights,
    about_weights,
    load_weights,
    random_weights,
    save_weights,
)
from cabochon.search.searcher import WEIGHTS, shipped

MOST_BYTES = 2_000_000


def test_there_and_back(tmp_path: Path) -> None:
    path, weights = tmp_path / "net.npz", random_weights(1)
    save_weights(path, weights, {"games": 3})
    for before, after in zip(weights, load_weights(path), strict=True):
        np.testing.assert_allclose(after, before, rtol=1e-3, atol=1e-4)
        assert after.dtype == np.float32
    assert about_weights(path) == {"games": 3}


def test_changed_number_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    save_weights(path, random_weights(1), {})
    with np.load(path) as archive:
        arrays = dict(archive)
    arrays["narrow"][3, 3] += 1
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    with pytest.raises(BadWeights, match="checksum"):
        load_weights(path)


@pytest.mark.parametrize("content", [b"", b"not a network", b"PK\x03\x04 broken"])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "net.npz"
    path.write_bytes(content)
    with pytest.raises(BadWeights, match="can't be used: it isn't a weight file"):
        load_weights(path)
    with pytest.raises(BadWeights, match="can't be used: No such file or directory"):
        load_weights(tmp_path / "absent.npz")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_shipped_networks(seats: int) -> None:
    assert (WEIGHTS / f"players-{seats}.npz").stat().st_size <= MOST_BYTES
    assert all(np.isfinite(array).all() for array in shipped(seats))
    assert about_weights(WEIGHTS / f"players-{seats}.npz")["players"] == seats
