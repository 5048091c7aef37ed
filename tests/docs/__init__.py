"""What the documents say is executed or looked up here."""
