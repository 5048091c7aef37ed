"""What holds at every point of every game, by Hypothesis."""
