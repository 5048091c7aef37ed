"""Named situations, one file per rule; docs/rules.md links every clause to them."""
