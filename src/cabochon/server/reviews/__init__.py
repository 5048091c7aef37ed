"""Reviews and the live engine: a fair queue, processes that work it off, and who may ask."""
