"""Where independent pieces of work are done: here, on this machine's cores, on a cluster."""

from cabochon.workers.executors import (
    ClusterError,
    ClusterFault,
    Executor,
    Inline,
    Processes,
    available_cores,
    local_executor,
    ray_executor,
)

__all__ = [
    "ClusterError",
    "ClusterFault",
    "Executor",
    "Inline",
    "Processes",
    "available_cores",
    "local_executor",
    "ray_executor",
]
