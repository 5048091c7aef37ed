"""People: guests and kept names, and how they come back."""
