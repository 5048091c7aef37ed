"""Training: self-play, replay, PyTorch, evaluation. Needs the extra ``[train]``; play does not.

config      what is trained for each number of players
selfplay    games inside compiled code            -> samples
worker      the same in other processes           -> samples
samples     positions, the replay buffer, batches -> learner
model       the network in PyTorch
torchnet    a trained network as a plain module, by one call
learner     the model, its optimiser, its checkpoint
evaluation  matches between networks, a sample game
loop        self-play and learning side by side, for one number of players
trainer     whose turn it is to be trained
plot        the curve of strength
"""
