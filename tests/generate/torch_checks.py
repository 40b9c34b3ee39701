#!/usr/bin/env python3
"""What tests/torch.test.ts asks of public/pytorch/glasshouse.py: prints its answers as JSON.

    /usr/bin/python3 tests/generate/torch_checks.py logits | gpt2 | errors '[["--load", "x"]]'
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "public" / "pytorch"))
import glasshouse  # noqa: E402

FIXTURES = ROOT / "tests" / "fixtures"


def distance(a: torch.Tensor, b: torch.Tensor) -> float:
    """Largest difference, relative to the largest magnitude of b."""
    return float((a.double() - b.double()).abs().max() / b.double().abs().max())


def check_logits() -> dict[str, float]:
    """Relative error of the logits of every fixture, read like any other file."""
    errors = {}
    for path in sorted((FIXTURES / "oracle").glob("*.safetensors")):
        run = glasshouse.load(str(path))
        tensors, metadata = glasshouse.read_safetensors(str(path))
        ids = tensors["fixture.probe.ids"].long()
        text = run.tokenizer.encode(metadata["fixture.probe"].encode())
        assert ids.tolist()[-len(text):] == text and len(ids) - len(text) in (0, 1)
        assert run.tokenizer.decode(ids.tolist()).decode() == metadata["fixture.probe"]
        with torch.no_grad():
            errors[path.stem] = distance(run.model(ids[None])[0], tensors["fixture.probe.logits"])
    return errors


def check_gpt2() -> dict:
    """The tiny GPT-2 through the module: error of the logits, its merges, its ids for the texts."""
    folder = FIXTURES / "gpt2-tiny"
    facts = json.loads((folder / "config.json").read_text())
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    config = {"channels": facts["n_embd"], "heads": facts["n_head"], "layers": facts["n_layer"],
              "context": facts["n_positions"], "norm": 0, "norm_gain": 1, "activation": 0,
              "bias": 1, "tied_head": 1, "head_bias": 0, "embedding_norm": 0, "final_norm": 1,
              "tokenizer": glasshouse.BPE, "sequences": glasshouse.STREAM}
    files = {"vocab": (folder / "vocab.json").read_text("utf-8"),
             "merges": (folder / "merges.txt").read_text("utf-8")}
    tokenizer = glasshouse.read_tokenizer(config, facts["vocab_size"], json.dumps(files))
    texts = [text["text"].encode() for text in expected["texts"]]
    assert [tokenizer.decode(tokenizer.encode(text)) for text in texts] == texts
    result: dict = {"ids": [tokenizer.encode(text) for text in texts]}
    truth, _ = glasshouse.read_safetensors(str(folder / "logits.safetensors"))
    ids = torch.tensor([expected["texts"][0]["ids"]])
    for name, file in (("float32", "model"), ("float16", "float16"), ("bfloat16", "bfloat16")):
        tensors, _ = glasshouse.read_safetensors(str(folder / f"{file}.safetensors"))
        model = glasshouse.GPT(config, facts["vocab_size"])
        model.load_state_dict({key.removeprefix("transformer."): x for key, x in tensors.items()})
        with torch.no_grad():
            result[name] = distance(model.float()(ids)[0], truth[name])
    return result


def check_errors() -> list[str]:
    """What the command line ends with, for each list of arguments in the JSON that is given."""
    endings, asked = [], json.loads(sys.argv[2])
    for arguments in asked:
        sys.argv[1:] = arguments
        try:
            glasshouse.main()
            endings.append("")
        except SystemExit as end:
            endings.append(str(end.code))  # a text: Python prints it and exits with 1
    return endings


if __name__ == "__main__":
    checks = {"logits": check_logits, "gpt2": check_gpt2, "errors": check_errors}
    print(json.dumps(checks[sys.argv[1]]()))
