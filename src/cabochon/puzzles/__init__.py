"""Puzzles: positions with a point, found in games and proved before they are asked."""
