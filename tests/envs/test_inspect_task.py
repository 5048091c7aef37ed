"""The task for inspect-ai, played by a scripted model, where inspect-ai is installed: it is not in
the set-up of `make test` (docs/environments.md says why), `make test-inspect` installs it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.envs.test_docs_and_examples import loaded
from tests.envs.test_textgames import scripted

inspect_ai: Any = pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

pytestmark = [
    # What inspect-ai 0.3.285 does itself: it calls tenacity in a way that tenacity 9.2 deprecates,
    # and leaves a stream to the garbage collector.
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
]


def eval_with(answer: Any, folder: Path, **arguments: Any) -> Any:
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def said(messages: list[Any], *rest: object) -> Any:
        output = ModelOutput.from_content("mockllm/model", answer(messages[-1].text))
        # Else it counts tokens, by a table that it would have to download.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=said)
    task = loaded("examples/inspect_task.py").splendor(opponent="uniform", **arguments)
    return inspect_ai.eval(task, model=model, log_dir=str(folder), display="none")[0]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_scripted_model_plays_whole_games(tmp_path: Path, lang: str) -> None:
    log = eval_with(lambda text: scripted(text), tmp_path, games=2, lang=lang)
    assert log.status == "success", log.error
    assert len(log.samples) == 2
    for sample in log.samples:
        assert max(map(int, sample.scores["victory"].explanation.split("-"))) >= 15


def test_a_model_without_a_legal_move_loses(tmp_path: Path) -> None:
    log = eval_with(lambda text: "I resign, I think", tmp_path, games=1)
    assert log.status == "success", log.error
    assert log.samples[0].scores["victory"].value == 0
