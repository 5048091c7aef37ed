"""Which Cabochon this is: the package and every report say the same."""

__version__ = "0.1.0"
