"""A real browser at a real server: what a person sees and does."""
