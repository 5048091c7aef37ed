"""Who may come in: secrets, identities, names, limits and quotas."""
