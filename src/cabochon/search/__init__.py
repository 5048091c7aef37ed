"""Search: information-set Monte-Carlo tree search from a view, with a network or with playouts.

The names that other storeys use; loading them compiles nothing until the first search.
"""

from cabochon.search.analysis import Analysis, Line
from cabochon.search.net import BadWeights, Weights, load_weights
from cabochon.search.searcher import Limit, Searcher, shipped, shipped_for
from cabochon.search.simulate import Settings

__all__ = [
    "Analysis",
    "BadWeights",
    "Limit",
    "Line",
    "Searcher",
    "Settings",
    "Weights",
    "load_weights",
    "shipped",
    "shipped_for",
]
