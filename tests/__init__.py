"""The tests: named situations in `rules/`, properties, vectors, and one folder a storey."""
