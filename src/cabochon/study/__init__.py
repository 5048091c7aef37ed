"""A game as a tree: what was played, what else could have been, and positions put right."""
