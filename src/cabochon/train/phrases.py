"""What the trainer says, in English and in Chinese."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "help-players": (
        "train this number of players only (default: all in turn)",
        "只训练该人数（默认：轮流训练所有人数）",
    ),
    "help-minutes": (
        "stop after so many minutes (default: when you interrupt it)",
        "训练多少分钟后停止（默认：直到中断）",
    ),
    "help-home": ("folder of checkpoints and logs", "检查点与日志所在的文件夹"),
    "help-worker": (
        "only play, for a trainer that runs elsewhere with the same folder",
        "只负责自我对弈，供使用同一文件夹的另一训练进程学习",
    ),
    "help-cluster": (
        "with --worker: play on a Ray cluster (auto, HOST:PORT, ray://HOST:PORT or local:N)",
        "与 --worker 合用：在 Ray 集群上自我对弈（auto、HOST:PORT、ray://HOST:PORT 或 local:N）",
    ),
    "cluster-is-for-workers": (
        "--cluster says where to play; learning stays here. Use it with --worker, beside a "
        "`cabochon train` on the same folder.",
        "--cluster 只决定在哪里自我对弈，学习仍在本机进行。请与 --worker 合用，"
        "并在同一文件夹上另行运行 `cabochon train`。",
    ),
    "help-plot": ("draw the curve of strength as SVG and stop", "将强度曲线画成 SVG 后退出"),
    "course": (
        "{players} players: {minutes} minutes and {games} games so far",
        "{players} 人：已训练 {minutes} 分钟，{games} 局",
    ),
    "generation": (
        "generation {generation}: policy {policy}, value {value} on unseen positions; "
        "{games} games, {speed} a second, {rounds} rounds each, first seat wins {first} %",
        "第 {generation} 代：未见局面上策略 {policy}、价值 {value}；"
        "共 {games} 局，每秒 {speed} 局，平均 {rounds} 轮，先手胜率 {first} %",
    ),
    "exam": (
        "exam: {best} % against the best so far ({verdict}), {shipped} % against the shipped "
        "network, {playouts} % against playouts",
        "测验：对当前最佳胜率 {best} %（{verdict}），对随附网络 {shipped} %，"
        "对随机模拟 {playouts} %",
    ),
    "passed": ("the new best", "成为新的最佳"),
    "failed": ("the best stays", "保留原最佳"),
    "progress": ("{done} of {all} positions", "{done} / {all} 个局面"),
    "stopped": (
        "stopped; `cabochon train` goes on from here",
        "已停止；`cabochon train` 可从此继续",
    ),
    "no-torch": (
        "Training needs PyTorch: pip install 'cabochon[train]'.",
        "训练需要 PyTorch：pip install 'cabochon[train]'。",
    ),
}


def phrase(lang: str, key: str, **facts: object) -> str:
    """The sentence in that language."""
    return PHRASES[key][1 if lang == "zh" else 0].format(**facts)
