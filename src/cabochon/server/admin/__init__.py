"""`cabochon admin`: looking after a server through its database, also while it runs."""
