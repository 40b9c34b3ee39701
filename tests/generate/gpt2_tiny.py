#!/usr/bin/env python3
"""Writes tests/fixtures/gpt2-tiny/: a random GPT-2 as `transformers` saves one, with its logits.

    /usr/bin/python3 tests/generate/gpt2_tiny.py

    config.json, vocab.json, merges.txt   as transformers writes them
    model.safetensors                     F32, names with `transformer.`, no lm_head (tied)
    bare.safetensors                      F32, names as on the hub: no prefix, the causal masks
                                          `attn.bias` and `attn.masked_bias` too, lm_head present
    float16.safetensors, bfloat16...      half precision, with prefix
    expected.json                         texts with their ids, a greedy continuation
    logits.safetensors                    logits (T,V) of the first text, for each precision, and with
                                          layer_norm_epsilon 1e-3 in place of 1e-5

The forward pass and the byte-pair merges below are written in numpy, in double precision, from the
definition of GPT-2 (Radford et al. 2019); they share nothing with public/pytorch/glasshouse.py but
the file writer.
"""
from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "public" / "pytorch"))
from glasshouse import write_safetensors  # noqa: E402

OUT = ROOT / "tests" / "fixtures" / "gpt2-tiny"
LAYERS, HEADS, WIDTH, CONTEXT, MERGES = 2, 4, 20, 24, 40

CORPUS = ("the whale and the sea and the ship, the old man and the whale; there the other "
          "sailors sang to the sea, and then the sea sang there: 1851, 18, 51. 春眠不觉晓 春晓 ")
TEXTS = ["the other sea", "  there's  the\n\nwhale's 1851 sea!? ", "春晓 naïve 🐋 <|endoftext|> the",
         "\t\r\n don't they'll 'the", ""]

Words = dict[str, np.ndarray]


# ---- Byte-level BPE (Sennrich et al. 2016, over bytes as GPT-2 has it) ---------------------------


def byte_names() -> list[str]:
    """The printable character that stands for each byte, in the order of GPT-2's first 256 ids."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return [chr(b) for b in plain] + [chr(256 + i) for i in range(256 - len(plain))]


def byte_order() -> list[int]:
    """The byte that each of the first 256 ids means."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return plain + [b for b in range(256) if b not in plain]


# GPT-2's pattern with the letters and numbers that Python's `re` knows: the same for these texts.
PATTERN = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")


def pieces(text: str) -> list[tuple[str, ...]]:
    """Words of the text as tuples of byte characters."""
    name = dict(zip(byte_order(), byte_names()))
    return [tuple(name[b] for b in word.encode()) for word in PATTERN.findall(text)]


def merge(word: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Every occurrence of the pair in the word, joined from left to right."""
    out: list[str] = []
    i = 0
    while i < len(word):
        both = word[i: i + 2] == pair
        out.append(word[i] + word[i + 1] if both else word[i])
        i += 2 if both else 1
    return tuple(out)


def train_merges(text: str, count: int) -> list[tuple[str, str]]:
    """The commonest pair again and again; the smallest of equals."""
    words = Counter(pieces(text))
    merges = []
    while len(merges) < count:
        pairs: Counter = Counter()
        for word, times in words.items():
            for pair in zip(word, word[1:]):
                pairs[pair] += times
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        joined: Counter = Counter()
        for word, times in words.items():
            joined[merge(word, best)] += times
        words = joined
    return merges


def encode(text: str, merges: list[tuple[str, str]], ids: dict[str, int]) -> list[int]:
    """Ids of a text: in each word the earliest merges first."""
    result = []
    for word in pieces(text):
        for pair in merges:
            word = merge(word, pair)
        result += [ids[part] for part in word]
    return result


# ---- GPT-2 ---------------------------------------------------------------------------------------


def random_weights(vocab: int) -> Words:
    """Weights by their names, large enough that every part matters."""
    rng = np.random.default_rng(124)

    def normal(*shape: int, std: float = 0.2, mean: float = 0.0) -> np.ndarray:
        return (mean + std * rng.standard_normal(shape)).astype(np.float32)

    w: Words = {"wte.weight": normal(vocab, WIDTH),
                "wpe.weight": normal(CONTEXT, WIDTH, std=0.5)}
    for i in range(LAYERS):
        for norm in ("ln_1", "ln_2"):
            w[f"h.{i}.{norm}.weight"] = normal(WIDTH, mean=1.0)
            w[f"h.{i}.{norm}.bias"] = normal(WIDTH)
        for name, rows, columns in (("attn.c_attn", 1, 3), ("attn.c_proj", 1, 1),
                                    ("mlp.c_fc", 1, 4), ("mlp.c_proj", 4, 1)):
            w[f"h.{i}.{name}.weight"] = normal(rows * WIDTH, columns * WIDTH)
            w[f"h.{i}.{name}.bias"] = normal(columns * WIDTH)
    w["ln_f.weight"] = normal(WIDTH, mean=1.0)
    w["ln_f.bias"] = normal(WIDTH)
    return w


def forward(w: Words, ids: list[int], epsilon: float = 1e-5) -> np.ndarray:
    """Logits (T,V) of ids (T) in double precision."""
    w = {name: x.astype(np.float64) for name, x in w.items()}
    steps, size = len(ids), WIDTH // HEADS

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (x - mean) / np.sqrt(variance + epsilon) * w[name + ".weight"] + w[name + ".bias"]

    def conv1d(x: np.ndarray, name: str) -> np.ndarray:
        return x @ w[name + ".weight"] + w[name + ".bias"]

    x = w["wte.weight"][ids] + w["wpe.weight"][:steps]
    for i in range(LAYERS):
        q, k, v = np.split(conv1d(norm(x, f"h.{i}.ln_1"), f"h.{i}.attn.c_attn"), 3, axis=-1)
        heads = []
        for h in range(HEADS):
            part = np.s_[:, h * size: (h + 1) * size]
            scores = q[part] @ k[part].T / np.sqrt(size)
            scores[np.triu_indices(steps, 1)] = -np.inf
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            heads.append(weights / weights.sum(-1, keepdims=True) @ v[part])
        x = x + conv1d(np.concatenate(heads, -1), f"h.{i}.attn.c_proj")
        hidden = conv1d(norm(x, f"h.{i}.ln_2"), f"h.{i}.mlp.c_fc")
        gelu = hidden / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (hidden + 0.044715 * hidden ** 3)))
        x = x + conv1d(gelu, f"h.{i}.mlp.c_proj")
    return norm(x, "ln_f") @ w["wte.weight"].T


# ---- Files ---------------------------------------------------------------------------------------


def config_json(vocab: int) -> dict:
    """config.json with the keys that transformers writes for GPT2LMHeadModel."""
    return {
        "activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"], "attn_pdrop": 0.1,
        "bos_token_id": vocab - 1, "embd_pdrop": 0.1, "eos_token_id": vocab - 1,
        "initializer_range": 0.02, "layer_norm_epsilon": 1e-05, "model_type": "gpt2",
        "n_ctx": CONTEXT, "n_embd": WIDTH, "n_head": HEADS, "n_inner": None, "n_layer": LAYERS,
        "n_positions": CONTEXT, "reorder_and_upcast_attn": False, "resid_pdrop": 0.1,
        "scale_attn_by_inverse_layer_idx": False, "scale_attn_weights": True,
        "summary_activation": None, "summary_first_dropout": 0.1, "summary_proj_to_labels": True,
        "summary_type": "cls_index", "summary_use_proj": True, "torch_dtype": "float32",
        "transformers_version": "4.40.0", "use_cache": True, "vocab_size": vocab,
    }


def write_model(name: str, weights: Words, dtype: torch.dtype, prefix: str, buffers: bool) -> None:
    """One safetensors file, tensors in the order of their names as transformers has them."""
    tensors = {prefix + key: torch.from_numpy(x.copy()).to(dtype) for key, x in weights.items()}
    if buffers:
        for i in range(LAYERS):
            mask = torch.ones(CONTEXT, CONTEXT).tril().reshape(1, 1, CONTEXT, CONTEXT)
            tensors[f"h.{i}.attn.bias"] = mask
            tensors[f"h.{i}.attn.masked_bias"] = torch.tensor(-1e4)
        tensors["lm_head.weight"] = tensors["wte.weight"]
    write_safetensors(str(OUT / name), dict(sorted(tensors.items())), {"format": "pt"})


def main() -> None:
    """Writes all files."""
    OUT.mkdir(parents=True, exist_ok=True)
    merges = train_merges(CORPUS, MERGES)
    names = [*byte_names(), *(a + b for a, b in merges), "<|endoftext|>"]
    ids = {name: i for i, name in enumerate(names)}
    vocab = len(ids)
    (OUT / "config.json").write_text(json.dumps(config_json(vocab), indent=2) + "\n")
    (OUT / "vocab.json").write_text(json.dumps(ids, ensure_ascii=False), "utf-8")
    lines = ["#version: 0.2", *(f"{a} {b}" for a, b in merges)]
    (OUT / "merges.txt").write_text("\n".join(lines) + "\n", "utf-8")

    weights = random_weights(vocab)
    write_model("model.safetensors", weights, torch.float32, "transformer.", False)
    write_model("bare.safetensors", weights, torch.float32, "", True)
    encoded = [encode(text, merges, ids) for text in TEXTS]
    logits = {"float32": forward(weights, encoded[0]),
              "epsilon": forward(weights, encoded[0], epsilon=1e-3)}
    for dtype in (torch.float16, torch.bfloat16):
        name = str(dtype).removeprefix("torch.")
        write_model(f"{name}.safetensors", weights, dtype, "transformer.", False)
        rounded = {key: torch.from_numpy(x).to(dtype).float().numpy() for key, x in weights.items()}
        logits[name] = forward(rounded, encoded[0])
    write_safetensors(str(OUT / "logits.safetensors"),
                      {name: torch.from_numpy(x).float() for name, x in logits.items()}, {})
    greedy = list(encoded[0])
    while len(greedy) < CONTEXT:
        greedy.append(int(forward(weights, greedy)[-1].argmax()))
    expected = {"texts": [{"text": t, "ids": e} for t, e in zip(TEXTS, encoded)], "greedy": greedy}
    (OUT / "expected.json").write_text(json.dumps(expected, ensure_ascii=False) + "\n", "utf-8")
    print(vocab, [len(e) for e in encoded], greedy)


if __name__ == "__main__":
    main()
