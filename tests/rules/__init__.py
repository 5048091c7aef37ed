"""Named situations, one file a rule; docs/rules.md links every clause to them."""
