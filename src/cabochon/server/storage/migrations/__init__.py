"""The schema's history, applied at start."""
