"""Pictures of a position: `text` for terminals, `svg` for notebooks and pages."""
