"""The PettingZoo environment under its versioned name; `cabochon.envs.aec` is its page."""

from cabochon.envs.aec import env, parallel_env, raw_env

__all__ = ["env", "parallel_env", "raw_env"]
