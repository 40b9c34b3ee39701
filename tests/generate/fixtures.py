#!/usr/bin/env python3
"""Writes tests/fixtures/oracle/*.safetensors: what PyTorch computes, for the engine to be held to.

    /usr/bin/python3 tests/generate/fixtures.py

One file for each family and for mixed recipes that together show every pair of choices (a pairwise
cover). A file is a checkpoint of random weights, and beside them (N parameters):

    fixture.probe.ids, .targets (T)   one sequence, its logits (T,V), and grad.probe.<name>
    fixture.batch.ids, .targets (B,T) the first batch of the run, and grad.batch.<name>
    fixture.losses, .rates, .norms    of the first STEPS steps of AdamW on the run's own batches
    fixture.validation (2)            held-out loss before and after them (NaN: nothing held out)

All of it is computed in double precision and rounded once, so the engine is compared with the
truth; the metadata key `fixture.float32` says how far PyTorch's own single precision is from it.
The model, the data and the update are those of public/pytorch/glasshouse.py. Deterministic: weights
come from numpy's seeded generator, batches from the run's own random stream.
"""
from __future__ import annotations

import copy
import itertools
import json
import math
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "public" / "pytorch"))
import glasshouse  # noqa: E402
from glasshouse import NO_TARGET, Config, Dataset, GPT, Random, Run, Tokenizer  # noqa: E402

OUT = ROOT / "tests" / "fixtures" / "oracle"
STEPS = 50
VALIDATION_SEQUENCES = 5

TEXT = """春眠不觉晓
处处闻啼鸟
abide with me
a bee\r
bad cab, éé

dead dab 🙂
a
i bid be
春晓
dice
a bee
cede
bade a maid\r\r
"""

# The families' own numbers where they matter to a step, in sizes that fit a test.
SMALL = {"layers": 2, "steps": 60, "lr": 0.003, "seed": 7}
FAMILIES: dict[str, Config] = {
    "tinygpt": {"tokenizer": 0, "sequences": 0, "validation": 0.1, "heads": 1, "channels": 8,
                "context": 8, "norm": 0, "norm_gain": 0, "activation": 0, "bias": 1,
                "tied_head": 0, "head_bias": 1, "embedding_norm": 0, "final_norm": 1,
                "init_std": 0.02, "residual_init": 0, "batch": 3, "schedule": 0, "warmup": 0,
                "min_lr": 0, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0.01,
                "decay": 0, "clip": 0},
    "microgpt": {"tokenizer": 1, "sequences": 1, "validation": 0, "heads": 4, "channels": 12,
                 "context": 8, "norm": 1, "norm_gain": 0, "activation": 1, "bias": 0,
                 "tied_head": 0, "head_bias": 0, "embedding_norm": 1, "final_norm": 0,
                 "init_std": 0.02, "residual_init": 1, "batch": 1, "schedule": 1, "warmup": 0,
                 "min_lr": 0, "beta1": 0.9, "beta2": 0.95, "epsilon": 1e-8, "weight_decay": 0,
                 "decay": 0, "clip": 0},
    "gpt2": {"tokenizer": 0, "sequences": 0, "validation": 0.1, "heads": 2, "channels": 8,
             "context": 8, "norm": 0, "norm_gain": 1, "activation": 0, "bias": 1, "tied_head": 1,
             "head_bias": 0, "embedding_norm": 0, "final_norm": 1, "init_std": 0.02,
             "residual_init": 2, "batch": 2, "schedule": 2, "warmup": 10, "min_lr": 0.1,
             "beta1": 0.9, "beta2": 0.95, "epsilon": 1e-8, "weight_decay": 0.1, "decay": 1,
             "clip": 1},
}

# What the mixed recipes choose from. Sizes include widths and head sizes that no vector divides.
FACTORS: dict[str, list] = {
    "tokenizer": [0, 1], "sequences": [0, 1], "norm": [0, 1], "norm_gain": [0, 1],
    "activation": [0, 1], "bias": [0, 1], "tied_head": [0, 1], "head_bias": [0, 1],
    "embedding_norm": [0, 1], "final_norm": [0, 1], "decay": [0, 1], "schedule": [0, 1, 2],
    "weight_decay": [0, 0.1], "clip": [0, 0.5], "min_lr": [0, 0.1], "validation": [0, 0.2],
    "beta2": [0.95, 0.999], "layers": [1, 2], "batch": [1, 2, 5], "context": [5, 8, 13],
    "heads, channels": [(1, 6), (2, 10), (3, 12)],
}


def pairs(recipe: dict) -> set:
    """All pairs of choices that a recipe shows."""
    return set(itertools.combinations(((name, recipe[name]) for name in FACTORS), 2))


def pairwise_cover() -> list[dict]:
    """Recipes that show every pair of choices: each time the best of many random ones."""
    generator = np.random.default_rng(1)
    options = [[(name, value) for value in values] for name, values in FACTORS.items()]
    missing = {pair for two in itertools.combinations(options, 2)
               for pair in itertools.product(*two)}
    recipes = []
    while missing:
        candidates = []
        for _ in range(300):
            wanted = dict(sorted(missing)[generator.integers(len(missing))])
            drawn = {name: x[generator.integers(len(x))] for name, x in FACTORS.items()}
            candidates.append({**drawn, **wanted})
        best = max(candidates, key=lambda recipe: len(pairs(recipe) & missing))
        missing -= pairs(best)
        recipes.append(best)
    return recipes


def mixed_config(recipe: dict) -> Config:
    """A whole config from one recipe of the cover."""
    config = {**FAMILIES["gpt2"], **recipe}
    config["heads"], config["channels"] = config.pop("heads, channels")
    return config


def make_tokenizer(config: Config, text: bytes) -> Tokenizer:
    """The vocabulary of the text, as the engine builds it."""
    documents = config["sequences"] == glasshouse.DOCUMENTS
    if config["tokenizer"] == glasshouse.BYTE:
        return Tokenizer(glasshouse.BYTE, 256 + documents, 256 if documents else -1, {})
    seen = set(text.decode())
    codes = sorted(ord(c) for c in seen - (set("\r\n") if documents else set()))
    return Tokenizer(glasshouse.CHAR, len(codes) + 1, len(codes), {"codes": codes})


def random_weights(model: GPT, seed: int) -> None:
    """Weights at which every part matters: far from the tiny ones that a run begins with."""
    generator = np.random.default_rng(seed)
    for name, p in model.named_parameters():
        drawn = torch.from_numpy(generator.standard_normal(tuple(p.shape)).astype(np.float32))
        if p.dim() > 1:
            table = name in ("wte.weight", "wpe.weight")
            p.data = drawn * (0.5 if table else 1 / math.sqrt(model.wte.embedding_dim))
        else:
            p.data = drawn * 0.2 + (1.0 if "ln_" in name and name.endswith("weight") else 0.0)


def probe_sequence(data: Dataset, tokenizer: Tokenizer,
                   config: Config) -> tuple[str, Tensor, Tensor]:
    """A text, its ids and targets (T): the last target is BOS in documents, none in a stream."""
    context = int(config["context"])
    if data.stream:
        text = "bid a dead bee be"[:context]
        ids = tokenizer.encode(text.encode())
        return text, torch.tensor(ids), torch.tensor(ids[1:] + [NO_TARGET])
    text = "春晓 a bee"[: context - 2] if config["tokenizer"] else "a bee dead"[: context - 2]
    ids = tokenizer.encode(text.encode())
    return text, torch.tensor([tokenizer.bos, *ids]), torch.tensor([*ids, tokenizer.bos])


def gradients(model: GPT, ids: Tensor, targets: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
    """Logits (B,T,V) and the gradient of the mean loss for every parameter."""
    model.zero_grad()
    logits = model(ids)
    (glasshouse.loss_sum(logits, targets) / (targets != NO_TARGET).sum()).backward()
    return logits.detach(), {name: p.grad.clone() for name, p in model.named_parameters()}


def run_steps(run: Run, data: Dataset) -> dict[str, Tensor]:
    """STEPS steps of the run on its own batches."""
    optimizer = run.optimizer()
    log: dict[str, list[float]] = {"losses": [], "rates": [], "norms": []}
    held_out = [glasshouse.validate(run.model, data, VALIDATION_SEQUENCES)]
    for step in range(STEPS):
        count = int(run.config["batch"])
        ids, targets, _ = data.batch(step * count, count, run.random)
        optimizer.zero_grad()
        loss = glasshouse.loss_sum(run.model(ids), targets) / (targets != NO_TARGET).sum()
        loss.backward()
        log["losses"].append(float(loss))
        log["norms"].append(glasshouse.clip_gradients(run.model, run.config["clip"]))
        log["rates"].append(glasshouse.learning_rate(run.config, step))
        for group in optimizer.param_groups:
            group["lr"] = log["rates"][-1]
        optimizer.step()
    held_out.append(glasshouse.validate(run.model, data, VALIDATION_SEQUENCES))
    log["validation"] = held_out
    return {name: torch.tensor(x, dtype=torch.float64) for name, x in log.items()}


def compute(config: Config, model: GPT, tokenizer: Tokenizer, text: bytes) -> dict[str, Tensor]:
    """Everything that a fixture compares, in the precision of the model."""
    run = Run(copy.deepcopy(model), dict(config), tokenizer)
    data = glasshouse.prepare_data(run, text)
    _, ids, targets = probe_sequence(data, tokenizer, config)
    logits, probe = gradients(run.model, ids[None], targets[None])
    begin = Random(0)
    begin.state = run.random.state
    *batch, _ = data.batch(0, int(config["batch"]), begin)
    _, first = gradients(run.model, *batch)
    result = {"fixture.probe.ids": ids.int(), "fixture.probe.targets": targets.int(),
              "fixture.probe.logits": logits[0],
              "fixture.batch.ids": batch[0].int(), "fixture.batch.targets": batch[1].int()}
    result.update({f"fixture.{name}": x for name, x in run_steps(run, data).items()})
    result.update({f"grad.probe.{name}": x for name, x in probe.items()})
    result.update({f"grad.batch.{name}": x for name, x in first.items()})
    return result


def distance(a: Tensor, b: Tensor) -> float:
    """Largest difference, relative to the largest magnitude of b."""
    return float((a.double() - b.double()).abs().max() / b.double().abs().max())


def write(name: str, config: Config, seed: int) -> None:
    """Computes one fixture in double and in single precision and writes it."""
    config = {**SMALL, **config}
    text = TEXT.encode()
    tokenizer = make_tokenizer(config, text)
    model = GPT(config, tokenizer.vocab)
    random_weights(model, seed)
    truth = compute(config, copy.deepcopy(model).double(), tokenizer, text)
    single = compute(config, model, tokenizer, text)
    grads = [key for key in truth if key.startswith("grad.")]
    curve = (single["fixture.losses"] / truth["fixture.losses"] - 1).abs().max()
    float32 = {"logits": distance(single["fixture.probe.logits"], truth["fixture.probe.logits"]),
               "gradients": max(distance(single[key], truth[key]) for key in grads),
               "losses": float(curve)}
    data = Dataset(text, tokenizer, config)
    metadata = {
        "format": "pt", "glasshouse.config": json.dumps(config),
        "glasshouse.tokenizer": json.dumps({"codes": tokenizer.codes} if tokenizer.codes else {}),
        "fixture.text": TEXT, "fixture.probe": probe_sequence(data, tokenizer, config)[0],
        "fixture.validation_sequences": str(VALIDATION_SEQUENCES),
        "fixture.float32": json.dumps({key: float(f"{x:.2g}") for key, x in float32.items()}),
    }
    keep_double = ("fixture.losses", "fixture.rates", "fixture.norms", "fixture.validation")
    tensors = dict(model.state_dict())
    for key, x in truth.items():
        tensors[key] = x.float() if x.is_floating_point() and key not in keep_double else x
    path = OUT / f"{name}.safetensors"
    glasshouse.write_safetensors(str(path), tensors, metadata)
    first, last = float(truth["fixture.losses"][0]), float(truth["fixture.losses"][-1])
    print(f"{name:12} {path.stat().st_size:7} bytes  loss {first:.3f} to {last:.3f}  "
          + "  ".join(f"{key} {x:.1e}" for key, x in float32.items()))


def main() -> None:
    """Writes all fixtures."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    OUT.mkdir(parents=True, exist_ok=True)
    for seed, (name, config) in enumerate(FAMILIES.items()):
        write(name, config, seed)
    for i, recipe in enumerate(pairwise_cover()):
        write(f"mixed-{i + 1:02}", mixed_config(recipe), 100 + i)


if __name__ == "__main__":
    main()
