"""Learn to move as Corundum does, from a data set alone: sixty lines, and only the docs were read.

    cabochon selfplay --level corundum --games 2000 --observations --out corundum-2
    python examples/supervised.py corundum-2

`docs/data.md` says what the columns are: `observation` is 400 float32, `policy` 72 bytes (visits in
255ths of the most visited move), `legal` 72 bits, `share` what the seat won in the end.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch
from torch import Tensor, nn


def column(table: Any, name: str, dtype: type, width: int) -> Any:
    """A column of fixed-size bytes as an array of rows."""
    parts: list[Any] = [
        np.frombuffer(b"".join(chunk.to_pylist()), dtype) for chunk in table[name].chunks
    ]
    return np.concatenate(parts).reshape(-1, width)


def load(folder: str) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Observations, policies that add up to 1, masks, results: of decisions that were searched."""
    files = sorted(Path(folder).glob("decisions-*.parquet"))
    if not files:
        sys.exit(f"there is no decisions-00000.parquet in {folder}")
    table = pq.read_table(files, filters=[("visits", ">", 0)])
    if "observation" not in table.column_names:
        sys.exit(f"{folder} has no observations: write it with `cabochon selfplay --observations`")
    seen = torch.from_numpy(column(table, "observation", np.float32, 400).copy())
    policy = torch.from_numpy(column(table, "policy", np.uint8, 72).astype(np.float32))
    bits = np.unpackbits(column(table, "legal", np.uint8, 9), axis=1, bitorder="little")
    share = torch.from_numpy(table["share"].to_numpy().copy())
    return seen, policy / policy.sum(1, keepdim=True), torch.from_numpy(bits).bool(), share


def main(folder: str, epochs: int = 8) -> None:
    torch.manual_seed(1)
    seen, policy, legal, share = load(folder)
    held = len(seen) // 10
    net = nn.Sequential(nn.Linear(400, 256), nn.ReLU(), nn.Linear(256, 73))
    optimiser = torch.optim.AdamW(net.parameters(), 1e-3)

    def judged(rows: Tensor) -> tuple[Tensor, Tensor]:
        out = net(seen[rows])
        return out[:, :72].masked_fill(~legal[rows], -1e9), out[:, 72]

    for epoch in range(epochs):
        for rows in torch.utils.data.DataLoader(range(held, len(seen)), 256, shuffle=True):  # type: ignore[arg-type]
            logits, value = judged(rows)
            loss = nn.functional.cross_entropy(logits, policy[rows])
            loss = loss + nn.functional.binary_cross_entropy_with_logits(value, share[rows])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        logits, value = judged(torch.arange(held))
        same = (logits.argmax(1) == policy[:held].argmax(1)).float().mean()
        won = ((value > 0) == (share[:held] > 0.5)).float().mean()
        print(f"epoch {epoch + 1}: the same move {same:.1%}, the winner {won:.1%} of {held} unseen")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__))
