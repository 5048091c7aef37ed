"""Search: information-set Monte-Carlo tree search from a view, with a network or with playouts.

The names that other storeys use; loading them compiles nothing until the first search.
"""

from cabochon.limit import Limit
from cabochon.search.analysis import Analysis, Candidate
from cabochon.search.net import BadWeights, Weights, load_weights
from cabochon.search.searcher import Searcher, shipped, shipped_for
from cabochon.search.simulate import SearchSettings

__all__ = [
    "Analysis",
    "BadWeights",
    "Candidate",
    "Limit",
    "SearchSettings",
    "Searcher",
    "Weights",
    "load_weights",
    "shipped",
    "shipped_for",
]
