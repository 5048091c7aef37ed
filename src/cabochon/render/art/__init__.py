"""The drawings: gems, card faces and backs, crests and sigils, each made from game data alone."""
