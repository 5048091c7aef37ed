"""Whole numbers as Python, numpy and others write them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np


def whole(given: Any) -> int | None:
    """A Python or numpy integer as a Python one; None for anything else, bools among them."""
    if isinstance(given, (bool, np.bool_)):
        return None
    try:
        return operator.index(given)
    except TypeError:
        return None
