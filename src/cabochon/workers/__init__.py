"""Where independent pieces of work are done: here, on this machine's cores, on a cluster."""

from cabochon.workers.cluster import ClusterError, ClusterFault, ray_executor
from cabochon.workers.executor import Executor
from cabochon.workers.local import Inline, Processes, available_cores, local_executor

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
