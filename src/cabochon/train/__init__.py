"""Training: self-play, replay, PyTorch, gate. Needs the extra ``[train]``; play does not."""
