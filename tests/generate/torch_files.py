#!/usr/bin/env python3
"""Writes tests/fixtures/torch/: files as torch.save writes them, and what is in them.

    /usr/bin/python3 tests/generate/torch_files.py     (Debian: python3-torch, python3-numpy)

    nanogpt.pt                a checkpoint as nanoGPT's train.py saves it, with AdamW's moments, after
                              three steps; vocabulary of 256
    nanogpt-without-bias.pt   the same with bias=False, of a compiled model (names with `_orig_mod.`)
                              and without flash attention (a causal mask in every layer)
    huggingface-F32.bin, ...  pytorch_model.bin of a GPT-2 with its tied head and its masks, in each type
    *.safetensors             beside each: the same weights by GPT-2's names and shapes
    config.json               of all these models
    small.bin                 one tensor, packed by another zip program and with its byte order
    large.bin                 the same, written as files above 4 GB are
    bad-*.bin                 files that must be refused; test_torch.c says why

and the seeds tests/fuzz/corpus/format_import/seed-torch-*, whose layout is at the head of
tests/fuzz/fuzz_format_import.c. It prints by how much the logits differ between the exact GELU of nanoGPT and
its approximation by tanh.
The module below has the names and shapes of nanoGPT's model.py (Karpathy, MIT licence).
"""
from __future__ import annotations

import io
import json
import os
import pickle
import re
import sys
import zipfile
from collections import OrderedDict
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "public" / "pytorch"))
import gpt2_tiny  # noqa: E402
from glasshouse import write_safetensors  # noqa: E402

OUT = ROOT / "tests" / "fixtures" / "torch"
LAYERS, HEADS, WIDTH, CONTEXT, VOCAB = 2, 2, 4, 8, 256
LINEAR = ("attn.c_attn.weight", "attn.c_proj.weight", "mlp.c_fc.weight", "mlp.c_proj.weight")

State = dict[str, torch.Tensor]

# ---- nanoGPT -------------------------------------------------------------------------------------


class LayerNorm(nn.Module):
    """With a bias that may be missing."""

    def __init__(self, width: int, bias: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width)) if bias else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)


class Attention(nn.Module):
    """Causal self-attention; `mask`: as where flash attention is missing."""

    def __init__(self, bias: bool, mask: bool) -> None:
        super().__init__()
        self.c_attn = nn.Linear(WIDTH, 3 * WIDTH, bias=bias)
        self.c_proj = nn.Linear(WIDTH, WIDTH, bias=bias)
        ones = torch.tril(torch.ones(CONTEXT, CONTEXT)).view(1, 1, CONTEXT, CONTEXT)
        self.register_buffer("bias", ones, persistent=mask)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, time, _ = x.shape
        q, k, v = (part.view(batch, time, HEADS, WIDTH // HEADS).transpose(1, 2)
                   for part in self.c_attn(x).split(WIDTH, dim=2))
        scores = q @ k.transpose(-2, -1) / (WIDTH // HEADS) ** 0.5
        scores = scores.masked_fill(self.bias[:, :, :time, :time] == 0, float("-inf"))
        return self.c_proj((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, time, WIDTH))


class MLP(nn.Module):
    def __init__(self, bias: bool) -> None:
        super().__init__()
        self.c_fc = nn.Linear(WIDTH, 4 * WIDTH, bias=bias)
        self.c_proj = nn.Linear(4 * WIDTH, WIDTH, bias=bias)
        self.approximate = "none"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.c_proj(F.gelu(self.c_fc(x), approximate=self.approximate))


class Block(nn.Module):
    def __init__(self, bias: bool, mask: bool) -> None:
        super().__init__()
        self.ln_1, self.attn = LayerNorm(WIDTH, bias), Attention(bias, mask)
        self.ln_2, self.mlp = LayerNorm(WIDTH, bias), MLP(bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, bias: bool, mask: bool) -> None:
        super().__init__()
        self.transformer = nn.ModuleDict({
            "wte": nn.Embedding(VOCAB, WIDTH), "wpe": nn.Embedding(CONTEXT, WIDTH),
            "h": nn.ModuleList(Block(bias, mask) for _ in range(LAYERS)), "ln_f": LayerNorm(WIDTH, bias)})
        self.lm_head = nn.Linear(WIDTH, VOCAB, bias=False)
        self.transformer["wte"].weight = self.lm_head.weight

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        parts = self.transformer
        x = parts["wte"](ids) + parts["wpe"](torch.arange(ids.shape[1]))
        for block in parts["h"]:
            x = block(x)
        return self.lm_head(parts["ln_f"](x))


def gelu_difference(model: GPT, ids: torch.Tensor) -> float:
    """The largest difference of a logit between the two GELUs, beside the largest logit."""
    with torch.no_grad():
        exact = model(ids)
        for block in model.transformer["h"]:
            block.mlp.approximate = "tanh"
        return ((model(ids) - exact).abs().max() / exact.abs().max()).item()


def check_forward(model: GPT, weights: State, ids: torch.Tensor) -> None:
    """GPT-2 with these weights, as gpt2_tiny.py defines it, has the logits of the model (with tanh)."""
    gpt2_tiny.LAYERS, gpt2_tiny.HEADS, gpt2_tiny.WIDTH = LAYERS, HEADS, WIDTH
    logits = gpt2_tiny.forward({key: x.numpy() for key, x in weights.items()}, ids.tolist())
    with torch.no_grad():
        expected = model(ids[None])[0]
    assert (torch.from_numpy(logits) - expected).abs().max() < 1e-5 * expected.abs().max()


def config_json() -> str:
    return json.dumps({"model_type": "gpt2", "n_layer": LAYERS, "n_head": HEADS, "n_embd": WIDTH,
                       "n_positions": CONTEXT, "vocab_size": VOCAB}, indent=2) + "\n"


def write_beside(name: str, weights: State) -> None:
    """The weights by GPT-2's names, without masks and the tied head."""
    kept = {key: x.contiguous() for key, x in weights.items()
            if not key.endswith((".attn.bias", ".attn.masked_bias")) and key != "lm_head.weight"}
    write_safetensors(str(OUT / f"{name}.safetensors"), dict(sorted(kept.items())), {"format": "pt"})


def nanogpt(name: str, bias: bool, mask: bool, prefix: str) -> None:
    model = GPT(bias, mask)
    for parameter in model.parameters():
        nn.init.normal_(parameter, 0.3, 0.5)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95))
    ids = torch.randint(VOCAB, (4, CONTEXT + 1))
    for _ in range(3):
        loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    state = model.state_dict()
    arguments = {"n_layer": LAYERS, "n_head": HEADS, "n_embd": WIDTH, "block_size": CONTEXT, "bias": bias,
                 "vocab_size": VOCAB, "dropout": 0.0}
    config = {"out_dir": "out", "eval_interval": 250, "learning_rate": 1e-3, "compile": bool(prefix)}
    torch.save({"model": OrderedDict((prefix + key, x) for key, x in state.items()),
                "optimizer": optimizer.state_dict(), "model_args": arguments, "iter_num": 3,
                "best_val_loss": loss.detach(), "config": config}, OUT / f"{name}.pt")
    weights = {key.replace("transformer.", ""): x for key, x in state.items()}
    for key, x in list(weights.items()):
        if key.endswith(LINEAR):
            weights[key] = x.t()
        if not bias and key.endswith((*LINEAR, "ln_1.weight", "ln_2.weight", "ln_f.weight")):
            weights[key.replace("weight", "bias")] = torch.zeros(x.shape[0])
    write_beside(name, weights)
    print(f"{name}: {gelu_difference(model, ids[:, :-1]):.1e} of the largest logit")
    check_forward(model, weights, ids[0, :-1])


# ---- Hugging Face --------------------------------------------------------------------------------


def hugging_face(kind: str, dtype: torch.dtype) -> None:
    """The names and shapes of GPT2LMHeadModel, whose linear weights lie (in,out)."""
    state: State = OrderedDict()

    def put(key: str, *shape: int) -> None:
        state[key] = torch.randn(shape).to(dtype)

    put("transformer.wte.weight", VOCAB, WIDTH)
    put("transformer.wpe.weight", CONTEXT, WIDTH)
    for i in range(LAYERS):
        h = f"transformer.h.{i}."
        put(h + "ln_1.weight", WIDTH)
        put(h + "ln_1.bias", WIDTH)
        state[h + "attn.bias"] = torch.ones(CONTEXT, CONTEXT, dtype=torch.uint8).tril()[None, None]
        state[h + "attn.masked_bias"] = torch.tensor(-1e4)
        for part, rows, columns in (("attn.c_attn", 1, 3), ("attn.c_proj", 1, 1)):
            put(f"{h}{part}.weight", rows * WIDTH, columns * WIDTH)
            put(f"{h}{part}.bias", columns * WIDTH)
        put(h + "ln_2.weight", WIDTH)
        put(h + "ln_2.bias", WIDTH)
        for part, rows, columns in (("mlp.c_fc", 1, 4), ("mlp.c_proj", 4, 1)):
            put(f"{h}{part}.weight", rows * WIDTH, columns * WIDTH)
            put(f"{h}{part}.bias", columns * WIDTH)
    # The final norm: two parts of one storage.
    both = torch.randn(2 * WIDTH).to(dtype)
    state["transformer.ln_f.weight"], state["transformer.ln_f.bias"] = both[:WIDTH], both[WIDTH:]
    state["lm_head.weight"] = state["transformer.wte.weight"]
    state._metadata = OrderedDict({"": {"version": 1}, "lm_head": {"version": 1}})
    torch.save(state, OUT / f"huggingface-{kind}.bin")
    write_beside(f"huggingface-{kind}", {key.replace("transformer.", ""): x for key, x in state.items()})


# ---- Files to refuse, and one that another zip program wrote -------------------------------------


def saved(value: object) -> dict[str, bytes]:
    """The entries of what torch.save writes."""
    file = io.BytesIO()
    torch.save(value, file)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(name: str, entries: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(OUT / name, "w", method) as archive:
        for entry, data in entries.items():
            archive.writestr(zipfile.ZipInfo(entry), data, method)


def pack_large(name: str, entries: dict[str, bytes]) -> None:
    """As for files above 4 GB: sizes and places in an extra field, here behind another one."""
    limit, zipfile.ZIP64_LIMIT = zipfile.ZIP64_LIMIT, 0
    with zipfile.ZipFile(OUT / name, "w") as archive:
        for entry, data in entries.items():
            info = zipfile.ZipInfo(entry)
            info.extra = b"FB\2\0ab"
            archive.writestr(info, data)
    zipfile.ZIP64_LIMIT = limit
    data = (OUT / name).read_bytes()
    swapped = re.sub(rb"(\x01\x00[\x10\x18]\x00.{16,24})(FB\x02\x00ab)", rb"\2\1", data, flags=re.DOTALL)
    assert swapped != data
    (OUT / name).write_bytes(swapped)


class System:
    """What a hostile file would have run."""

    def __reduce__(self) -> tuple:
        return os.system, ("echo this must never run",)


def bad_files() -> None:
    small = {"wte.weight": torch.arange(6.0).reshape(2, 3)}
    entries = saved(small)
    pack("small.bin", {**entries, "archive/byteorder": b"little"})
    pack_large("large.bin", entries)
    pack("bad-big-endian.bin", {**entries, "archive/byteorder": b"big"})
    pack("bad-compressed.bin", entries, zipfile.ZIP_DEFLATED)
    pack("bad-system.bin", {**entries, "archive/data.pkl": pickle.dumps({"wte.weight": System()}, 2)})
    pack("bad-system-4.bin", {**entries, "archive/data.pkl": pickle.dumps({"wte.weight": System()}, 4)})
    pack("bad-protocol-0.bin", {**entries, "archive/data.pkl": pickle.dumps({"a": 1}, 0)})
    pack("bad-lost-storage.bin", {"archive/data.pkl": entries["archive/data.pkl"]})
    pack("bad-short-storage.bin", {**entries, "archive/data/0": bytes(23)})
    legacy = io.BytesIO()
    torch.save(small, legacy, _use_new_zipfile_serialization=False)
    (OUT / "bad-legacy.bin").write_bytes(legacy.getvalue()[:128])  # an address in memory follows
    torch.save({"wte.weight": small["wte.weight"].t()}, OUT / "bad-strided.bin")
    torch.save({"wte.weight": small["wte.weight"].double()}, OUT / "bad-double.bin")
    torch.save({"wte.weight": torch.ones(2, 3, 4)}, OUT / "bad-dimensions.bin")
    torch.save({"state_dict": small}, OUT / "bad-nested.bin")
    torch.save(torch.ones(2, 3), OUT / "bad-tensor.bin")


# ---- Seeds of the fuzz target --------------------------------------------------------------------


def seed(name: str, form: int, data: bytes) -> None:
    folder = ROOT / "tests/fuzz/corpus/format_import"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"seed-torch-{name}").write_bytes(bytes([0, form]) + data)


def pickle_seed(name: str, value: object, protocol: int = 2) -> None:
    """The pickle of what torch.save writes; its tensors share the storages 0 and 1, which the target has."""
    file = io.BytesIO()
    torch.save(value, file, pickle_protocol=protocol)
    with zipfile.ZipFile(file) as archive:
        data = archive.read("archive/data.pkl")

    def first_or_second(match: re.Match) -> bytes:
        key = b"1" if match[3] == b"1" else b"0"
        return (b"X\1\0\0\0" if match[1][:1] == b"X" else b"\x8c\1") + key + match[4]

    seed(name, 1, re.sub(rb"(X(.)\0\0\0|\x8c.)(\d+)([q\x94])", first_or_second, data, flags=re.DOTALL))


def seeds() -> None:
    file = io.BytesIO()
    torch.save({"wte.weight": torch.ones(2, 2), "ln_f.weight": torch.ones(2)}, file)
    seed("saved", 0, file.getvalue())
    for path in sorted(OUT.glob("*.bin")):
        if path.stat().st_size < 1000:
            seed(path.stem, 0, path.read_bytes())
    shapes = {"ln_1.weight": (4,), "attn.c_attn.weight": (12, 4), "attn.c_proj.weight": (4, 4), "ln_2.weight": (4,),
              "mlp.c_fc.weight": (16, 4), "mlp.c_proj.weight": (4, 16)}
    for bias in (False, True):
        model = OrderedDict({"wte.weight": torch.ones(256, 4), "wpe.weight": torch.ones(8, 4)})
        for key, shape in shapes.items():
            model[f"h.0.{key}"] = torch.ones(shape)
            if bias:
                model[f"h.0.{key}".replace("weight", "bias")] = torch.ones(shape[0])
        model["ln_f.weight"] = torch.ones(4)
        if bias:
            model["ln_f.bias"] = torch.ones(4)
        arguments = {"n_layer": 1, "n_head": 2, "n_embd": 4, "block_size": 8, "bias": bias, "vocab_size": 256}
        for protocol in (2, 4):
            checkpoint = {"model": model, "model_args": arguments, "iter_num": 1 << 40, "best_val_loss": 1e9}
            pickle_seed(f"nanogpt-{int(bias)}{protocol}", checkpoint, protocol)
    gpt2 = {"transformer." + key: x.t().contiguous() if key.endswith(LINEAR) else x for key, x in model.items()}
    state = OrderedDict({**gpt2, "lm_head.weight": gpt2["transformer.wte.weight"]})
    state._metadata = OrderedDict({"": {"version": 1}})
    pickle_seed("huggingface", state)
    pickle_seed("half", {"wte.weight": torch.ones(4, 4).half(), "h.0.attn.bias": torch.ones(4, dtype=torch.bool)})
    pickle_seed("bfloat16", {"wte.weight": nn.Parameter(torch.ones(4, 4).bfloat16())})
    parameter = nn.Parameter(torch.ones(2, 2))
    optimizer = torch.optim.AdamW([parameter])
    parameter.sum().backward()
    optimizer.step()
    pickle_seed("optimizer", {"model": {"_orig_mod.transformer.wte.weight": parameter.detach()},
                              "model_args": arguments, "optimizer": optimizer.state_dict()})
    beside = {"best_val_loss": np.float64(1.5), "iter_num": np.int64(3), "losses": np.ones(2)}
    for protocol in (2, 4):
        pickle_seed(f"numpy-{protocol}", {"model": model, "model_args": arguments, **beside}, protocol)
    with zipfile.ZipFile(OUT / "bad-system.bin") as archive:
        seed("pickle-system", 1, archive.read("archive/data.pkl"))


def main() -> None:
    torch.manual_seed(28)
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "config.json").write_text(config_json())
    nanogpt("nanogpt", bias=True, mask=False, prefix="")
    nanogpt("nanogpt-without-bias", bias=False, mask=True, prefix="_orig_mod.")
    for kind, dtype in (("F32", torch.float32), ("F16", torch.float16), ("BF16", torch.bfloat16)):
        hugging_face(kind, dtype)
    bad_files()
    seeds()


if __name__ == "__main__":
    main()
