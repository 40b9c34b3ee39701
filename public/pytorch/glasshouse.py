#!/usr/bin/env python3
"""Glasshouse in PyTorch: the way on from one browser tab to as many machines as you have.

This one file reads the `.safetensors` that Glasshouse saves (every family, every mix of options),
computes the same logits, carries the same run on, and saves it back so that the tab opens it again.
It needs PyTorch 1.13 or newer and nothing else.

Carry on training: on one machine with two processes, or on four machines with eight GPUs each
(the same command on every machine):

    torchrun -r 9:1 -t 9:1 --standalone --nproc_per_node 2 glasshouse.py \\
        --load run.safetensors --data text.txt --steps 1000 --save out.safetensors
    torchrun -r 9:1 -t 9:1 --nnodes 4 --nproc_per_node 8 --rdzv_backend c10d \\
        --rdzv_endpoint host:29500 glasshouse.py --load run.safetensors --data text.txt \\
        --batch 512 --steps 1000 --save out.safetensors

(`-r 9:1 -t 9:1` is for Debian 12's PyTorch 1.13, whose default for where output goes trips over
Python 3.11's enum; elsewhere it does no harm and may be left out.) Plain
`python3 glasshouse.py ...` is one process. Write text:

    python3 glasshouse.py --load out.safetensors --prompt "Call me" --tokens 200 --temperature 0.8

From Python:

    import glasshouse
    run = glasshouse.load("run.safetensors")
    logits = run.model(torch.tensor([run.tokenizer.encode(b"Call me")]))       # (1,T,V)

What is kept: `batch` sequences a step are drawn exactly as the tab draws them (same random stream,
same order of documents), however many processes share them, so with the same batch the losses go on
as they would have in the tab, to float32 rounding. A larger --batch is yours to choose.

What is not kept: the bits. The engine cannot replay steps that PyTorch took, so a run that took any
is marked as `imported` in the file: its receipts say so, and verifying one refuses to replay it.

The file format: tensors by their Hugging Face GPT-2 names (weights of linear layers (in,out), the
head (V,C)), AdamW's moments as `adam.m.<name>` and `adam.v.<name>`, the run's history as `run.*`.
The metadata holds JSON under `glasshouse.config` (every option), `glasshouse.tokenizer`
({}, {"codes": [97, 98]} or {"vocab": {"a": 0}, "merges": ["a b"]}) and `glasshouse.state`.

Shapes: B batch, T time, C channels, H heads, V vocabulary, L layers.
"""
from __future__ import annotations

import argparse
import ctypes
import json
import math
import os
import re
import signal
import struct
import sys
import threading
import unicodedata
from dataclasses import dataclass, field
from typing import Any, Iterator

try:
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F
    from torch import Tensor, nn
except ModuleNotFoundError as missing:
    if __name__ != "__main__" or missing.name != "torch":
        raise
    sys.exit("glasshouse: install PyTorch: https://pytorch.org or apt install python3-torch")

Config = dict[str, float]

# The options' numbers, in the order in which the engine lists their choices.
BYTE, CHAR, BPE = 0, 1, 2
STREAM, DOCUMENTS = 0, 1
LAYERNORM, RMSNORM = 0, 1
GELU, RELU2 = 0, 1
CONSTANT, COSINE, WARMUP_COSINE = 0, 1, 2
DECAY_ALL, DECAY_MATRICES = 0, 1

LOSSES_MAX = 1 << 18
BATCH_MAX = 1024  # of the engine; here a batch may be larger
LR_MAX = 10
CPU = torch.device("cpu")
NO_TARGET = -100  # a padded position: what torch's cross-entropy ignores


# ---- The model -----------------------------------------------------------------------------------


class Norm(nn.Module):
    """LayerNorm (Ba et al. 2016) or RMSNorm (Zhang and Sennrich 2019) of the last dimension.

    Gain (C) and bias (C) as far as the config has them; RMSNorm never has a bias.
    """

    def __init__(self, config: Config) -> None:
        super().__init__()
        width = int(config["channels"])
        self.epsilon = config.get("norm_epsilon", 1e-5)  # a later option: absent means as before
        self.centred = {LAYERNORM: True, RMSNORM: False}[int(config["norm"])]
        self.weight = nn.Parameter(torch.ones(width)) if config["norm_gain"] else None
        biased = config["norm_gain"] and config["bias"] and self.centred
        self.bias = nn.Parameter(torch.zeros(width)) if biased else None

    def forward(self, x: Tensor) -> Tensor:
        """(...,C) to (...,C)."""
        if self.centred:
            x = x - x.mean(-1, keepdim=True)
        x = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.epsilon)
        x = x if self.weight is None else x * self.weight
        return x if self.bias is None else x + self.bias


class Linear(nn.Module):
    """out (...,N) = x (...,K) weight (K,N) + bias (N): GPT-2's Conv1D, which keeps (in,out)."""

    def __init__(self, config: Config, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(inputs, outputs))
        self.bias = nn.Parameter(torch.zeros(outputs)) if config["bias"] else None

    def forward(self, x: Tensor) -> Tensor:
        """(...,K) to (...,N)."""
        x = x @ self.weight
        return x if self.bias is None else x + self.bias


class Attention(nn.Module):
    """Causal self-attention with H heads over packed queries, keys and values (C,3C)."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        width = int(config["channels"])
        self.heads = int(config["heads"])
        self.c_attn = Linear(config, width, 3 * width)
        self.c_proj = Linear(config, width, width)

    def forward(self, x: Tensor) -> Tensor:
        """(B,T,C) to (B,T,C)."""
        batch, time, width = x.shape
        packed = self.c_attn(x).view(batch, time, 3, self.heads, width // self.heads)
        query, key, value = packed.permute(2, 0, 3, 1, 4)  # each (B,H,T,C/H)
        if x.is_cuda and hasattr(F, "scaled_dot_product_attention"):
            mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        else:
            scores = query @ key.transpose(-2, -1) / math.sqrt(width / self.heads)  # (B,H,T,T)
            future = torch.ones(time, time, dtype=torch.bool, device=x.device).triu(1)
            mixed = scores.masked_fill(future, -math.inf).softmax(-1) @ value
        return self.c_proj(mixed.transpose(1, 2).reshape(batch, time, width))


class MLP(nn.Module):
    """4C wide: GELU, tanh form (Hendrycks and Gimpel 2016), or squared ReLU (So et al. 2021)."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        width = int(config["channels"])
        # A choice of a later engine is refused here, not taken for the first one.
        self.squared = {GELU: False, RELU2: True}[int(config["activation"])]
        self.c_fc = Linear(config, width, 4 * width)
        self.c_proj = Linear(config, 4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        """(B,T,C) to (B,T,C)."""
        x = self.c_fc(x)
        if self.squared:
            return self.c_proj(x.relu().square())
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)
        return self.c_proj(0.5 * x * (1 + torch.tanh(inner)))


class Block(nn.Module):
    """x + attention(norm(x)), then x + mlp(norm(x)): the pre-norm block of GPT-2."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.ln_1 = Norm(config)
        self.attn = Attention(config)
        self.ln_2 = Norm(config)
        self.mlp = MLP(config)

    def forward(self, x: Tensor) -> Tensor:
        """(B,T,C) to (B,T,C)."""
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    """The decoder-only Transformer that a config asks for; its parameters have the file's names."""

    def __init__(self, config: Config, vocab: int) -> None:
        super().__init__()
        width, context = int(config["channels"]), int(config["context"])
        self.context = context
        self.wte = nn.Embedding(vocab, width)
        self.wpe = nn.Embedding(context, width)
        self.ln_e = Norm(config) if config["embedding_norm"] else nn.Identity()
        self.h = nn.ModuleList(Block(config) for _ in range(int(config["layers"])))
        self.ln_f = Norm(config) if config["final_norm"] else nn.Identity()
        self.lm_head = nn.Module()
        own = None if config["tied_head"] else nn.Parameter(torch.zeros(vocab, width))
        self.lm_head.register_parameter("weight", own)
        bias = nn.Parameter(torch.zeros(vocab)) if config["head_bias"] else None
        self.lm_head.register_parameter("bias", bias)

    def forward(self, ids: Tensor) -> Tensor:
        """Logits (B,T,V) of ids (B,T)."""
        x = self.wte(ids) + self.wpe.weight[: ids.shape[1]]
        x = self.ln_e(x)
        for block in self.h:
            x = block(x)
        head = self.wte.weight if self.lm_head.weight is None else self.lm_head.weight
        return F.linear(self.ln_f(x), head, self.lm_head.bias)


def loss_sum(logits: Tensor, targets: Tensor) -> Tensor:
    """Sum of -ln p(target) over the positions of targets (B,T) that have one; logits (B,T,V)."""
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=NO_TARGET,
                           reduction="sum")


# ---- Tokens --------------------------------------------------------------------------------------


def byte_alphabet() -> dict[str, int]:
    """GPT-2 writes each byte as one visible character: itself, or the next one from U+0100 on."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [b for b in range(256) if b not in visible]
    return {chr(b): b for b in visible} | {chr(256 + i): b for i, b in enumerate(hidden)}


CONTRACTION = re.compile("'(?:s|t|re|ve|m|ll|d)")
WORD = re.compile(r" ?L+| ?N+| ?[O']+|[S ]+(?![LNO'])|[S ]+")
WHITE_SPACE = set("\t\n\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {
    chr(c) for c in range(0x2000, 0x200b)}


def split_words(text: str) -> Iterator[str]:
    """GPT-2's rule of where merges may not cross, over the classes of the characters:

    's|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+
    """
    def class_of(c: str) -> str:
        if c in " '":
            return c
        kind = unicodedata.category(c)[0]
        return kind if kind in "LN" else "S" if c in WHITE_SPACE else "O"

    classes = "".join(map(class_of, text))
    at = 0
    while at < len(text):
        match = CONTRACTION.match(text, at) or WORD.match(classes, at)
        assert match
        yield text[at: match.end()]
        at = match.end()


class Tokenizer:
    """Bytes to ids and back, without losing a byte: bytes, characters, or byte-pair merges.

    Bytes that are not UTF-8 are symbols of their own, U+DC80 to U+DCFF (PEP 383).
    """

    def __init__(self, kind: int, vocab: int, bos: int, facts: dict[str, Any],
                 specials: bool = False) -> None:
        self.kind, self.vocab, self.bos, self.specials = kind, vocab, bos, specials
        self.codes: list[int] = facts.get("codes", [])
        self.id_of = {code: i for i, code in enumerate(self.codes)}
        if kind == BPE:
            alphabet = byte_alphabet()
            self.end = facts["vocab"].get("<|endoftext|>", -1)
            plain = {token: i for token, i in facts["vocab"].items() if i != self.end}
            self.ids = {bytes(alphabet[c] for c in token): i for token, i in plain.items()}
            self.bytes_of = {i: token for token, i in self.ids.items()}
            self.bytes_of[self.end] = b"<|endoftext|>"
            pairs = [merge.split(" ") for merge in facts["merges"]]
            self.rank = {(plain[left], plain[right]): (i, plain[left + right])
                         for i, (left, right) in enumerate(pairs)}
            self.known: dict[str, list[int]] = {}

    def encode(self, text: bytes) -> list[int]:
        """Ids of `text`; BOS is never added. ValueError names a character that is not known."""
        if self.kind == BYTE:
            return list(text)
        if self.kind == BPE:
            parts = text.split(b"<|endoftext|>") if self.specials and self.end >= 0 else [text]
            ids: list[int] = []
            for i, part in enumerate(parts):
                ids += [self.end] if i else []
                for word in split_words(part.decode("utf-8", "surrogateescape")):
                    ids += self.merge(word)
            return ids
        try:
            return [self.id_of[ord(c)] for c in text.decode("utf-8", "surrogateescape")]
        except KeyError as error:
            code = error.args[0]
            is_byte = 0xDC80 <= code <= 0xDCFF
            unknown = f"byte 0x{code - 0xDC00:02X}" if is_byte else f"character {chr(code)!r}"
            raise ValueError(f"the model never saw the {unknown}") from None

    def merge(self, word: str) -> list[int]:
        """Ids of one word: the pair of the lowest rank is merged until none is left."""
        if word in self.known:
            return self.known[word]
        ids = [self.ids[bytes([b])] for b in word.encode("utf-8", "surrogateescape")]
        while len(ids) > 1:
            rank, at = min((self.rank[pair][0] if pair in self.rank else math.inf, i)
                           for i, pair in enumerate(zip(ids, ids[1:])))
            if rank == math.inf:
                break
            ids[at: at + 2] = [self.rank[ids[at], ids[at + 1]][1]]
        self.known[word] = ids
        return ids

    def start(self) -> list[int]:
        """What an empty prompt of a stream stands for."""
        if self.kind == BPE and self.bos >= 0:
            return [self.bos]
        return [0] if self.kind == CHAR and ord("\n") not in self.id_of else self.encode(b"\n")

    def decode(self, ids: list[int]) -> bytes:
        """The bytes of ids; BOS has none."""
        ids = [i for i in ids if i != self.bos]
        if self.kind == BYTE:
            return bytes(ids)
        if self.kind == BPE:
            return b"".join(self.bytes_of[i] for i in ids)
        return "".join(chr(self.codes[i]) for i in ids).encode("utf-8", "surrogateescape")


# ---- Data, drawn as the tab draws it -------------------------------------------------------------


class Random:
    """xorshift64 with shifts 13, 7, 17 (Marsaglia 2003): the one random stream of a run."""

    MASK = (1 << 64) - 1

    def __init__(self, seed: int) -> None:
        self.state = seed or 0x9E3779B97F4A7C15  # zero would stay zero for ever

    @classmethod
    def mixed(cls, seed: int) -> "Random":
        """The stream of a text: its seed mixed by splitmix64, so that neighbouring seeds differ."""
        mask = (1 << 64) - 1
        bits = (seed + 0x9E3779B97F4A7C15) & mask
        bits = ((bits ^ bits >> 30) * 0xBF58476D1CE4E5B9) & mask
        bits = ((bits ^ bits >> 27) * 0x94D049BB133111EB) & mask
        return cls(bits ^ bits >> 31)

    def uniform(self) -> float:
        """The upper 53 bits as a number in [0, 1)."""
        x = self.state
        x ^= x << 13 & self.MASK
        x ^= x >> 7
        self.state = x = x ^ (x << 17 & self.MASK)
        return (x >> 11) / (1 << 53)

    def skip(self, draws: int) -> None:
        """Leaves out `draws` numbers."""
        for _ in range(draws):
            self.uniform()


class Dataset:
    """A text as sequences: random windows of a stream, or one document a line in shuffled order."""

    def __init__(self, text: bytes, tokenizer: Tokenizer, config: Config) -> None:
        self.context = int(config["context"])
        self.bos = tokenizer.bos
        self.stream = config["sequences"] == STREAM
        self.order: list[int] = []
        if self.stream:
            # Ids of bytes are the bytes: no list of them is made.
            self.tokens = (torch.frombuffer(bytearray(text or b"\n"), dtype=torch.uint8)
                           if tokenizer.kind == BYTE
                           else torch.tensor(tokenizer.encode(text), dtype=torch.int32))
            count, window = len(self.tokens), self.context + 1
            if count < window:
                raise ValueError(f"the text has {count} tokens; a window needs {window}")
            held_out = int(count * config["validation"])
            enough = held_out >= window and count - held_out >= window
            self.train_count = count - (held_out if enough else 0)
            return
        lines = [line.rstrip(b"\r") for line in text.split(b"\n")]
        self.documents = [tokenizer.encode(line) for line in lines if line]
        if not self.documents:
            raise ValueError("the text is empty")
        self.order = list(range(len(self.documents)))
        count = len(self.documents)
        self.train_count = count - int(count * config["validation"])

    def shuffle(self, random: Random) -> None:
        """Fisher-Yates, from the end down."""
        for i in range(len(self.order) - 1, 0, -1):
            j = int(random.uniform() * (i + 1))
            self.order[i], self.order[j] = self.order[j], self.order[i]

    def window(self, start: int) -> tuple[list[int], list[int]]:
        """Ids and targets (T) of the stream from `start`."""
        piece = self.tokens[start: start + self.context + 1].tolist()
        return piece[:-1], piece[1:]

    def document(self, place: int) -> tuple[list[int], list[int]]:
        """Ids and targets of document `place` of the order: wrapped in BOS, cut at the context."""
        tokens = [self.bos, *self.documents[self.order[place]], self.bos]
        return tokens[:-1][: self.context], tokens[1:][: self.context]

    def batch(self, cursor: int, count: int, random: Random, rank: int = 0,
              world: int = 1) -> tuple[Tensor, Tensor, int]:
        """This process's rows (B,T) of a batch, padded: ids and targets; and all rows' tokens.

        Random windows of the stream, or the documents from `cursor` on.
        """
        if self.stream:
            starts = self.train_count - self.context
            places = [int(random.uniform() * starts) for _ in range(count)]
            tokens = count * self.context
        else:
            places = [(cursor + i) % self.train_count for i in range(count)]
            lengths = (len(self.documents[self.order[place]]) + 1 for place in places)
            tokens = sum(min(length, self.context) for length in lengths)
        get = self.window if self.stream else self.document
        return (*self.pad([get(place) for place in places[rank::world]]), tokens)

    def held_out(self, limit: int) -> Iterator[tuple[Tensor, Tensor]]:
        """At most `limit` evenly spaced sequences of the held-out text, (1,T) each."""
        if self.stream:
            rest = len(self.tokens) - self.train_count
            count = (rest - 1) // self.context if rest else 0
        else:
            count = len(self.order) - self.train_count
        stride = max(1, count // limit)
        for i in range(0, min(count, stride * limit), stride):
            place = self.train_count + i * (self.context if self.stream else 1)
            yield self.pad([self.window(place) if self.stream else self.document(place)])

    def pad(self, rows: list[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor]:
        """Rows of ids and targets as two tensors (B,T)."""
        time = max(len(ids) for ids, _ in rows)
        ids = [row + [max(self.bos, 0)] * (time - len(row)) for row, _ in rows]
        targets = [row + [NO_TARGET] * (time - len(row)) for _, row in rows]
        return torch.tensor(ids), torch.tensor(targets)


def validate(model: nn.Module, data: Dataset, limit: int) -> float:
    """Mean loss over at most `limit` held-out sequences; NaN when nothing is held out."""
    device = next(model.parameters()).device
    total, count = 0.0, 0
    with torch.no_grad():
        for ids, targets in data.held_out(limit):
            total += float(loss_sum(model(ids.to(device)), targets.to(device)))
            count += int((targets != NO_TARGET).sum())
    return total / count if count else math.nan


# ---- The update ----------------------------------------------------------------------------------


def learning_rate(config: Config, step: int) -> float:
    """Rate of step `step` (from 0): constant, cosine (Loshchilov and Hutter 2017), or warm-up,
    then cosine."""
    rate, low, steps, done = config["lr"], config["min_lr"], config["steps"], float(step)
    if config["schedule"] == CONSTANT:
        return rate
    if config["schedule"] == WARMUP_COSINE:
        warmup = config["warmup"]
        if done < warmup:
            return rate * (done + 1) / warmup
        done, steps = done - warmup, max(steps - warmup, 1)
    return rate * (low + (1 - low) * 0.5 * (1 + math.cos(math.pi * min(done / steps, 1))))


def make_optimizer(model: nn.Module, config: Config) -> torch.optim.AdamW:
    """AdamW (Loshchilov and Hutter 2019); decay on all parameters or on matrices only."""
    decaying = [p for p in model.parameters() if p.dim() > 1 or config["decay"] == DECAY_ALL]
    others = [p for p in model.parameters() if p.dim() <= 1 and config["decay"] != DECAY_ALL]
    groups = [{"params": decaying, "weight_decay": config["weight_decay"]},
              {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW([group for group in groups if group["params"]], lr=config["lr"],
                             betas=(config["beta1"], config["beta2"]), eps=config["epsilon"])


def clip_gradients(model: nn.Module, limit: float) -> float:
    """Scales all gradients so that their common norm is at most `limit` (0: never); returns it."""
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = float(torch.stack([g.double().square().sum() for g in gradients]).sum().sqrt())
    if 0 < limit < norm:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


# ---- Files ---------------------------------------------------------------------------------------

DTYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16,
          "BF16": torch.bfloat16, "I64": torch.int64, "I32": torch.int32}


def read_safetensors(path: str) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Tensors by name, and the metadata. Format: u64 length, JSON header, the bytes.

    Nothing is read before its length was held against the file's own size.
    """
    tensors = {}
    with open(path, "rb") as file:
        room = os.fstat(file.fileno()).st_size - 8
        size = struct.unpack("<Q", file.read(8))[0] if room >= 0 else 0
        if not 0 < size <= room:
            raise ValueError(f"{path} is not a .safetensors file, or it is cut short")
        try:
            header = json.loads(file.read(size))
            metadata = header.pop("__metadata__", {})
            for name, entry in header.items():
                begin, end = entry["data_offsets"]
                if not 0 <= begin <= end <= room - size:
                    raise ValueError(f"{name} is beyond the end")
                file.seek(8 + size + begin)
                data = bytearray(file.read(end - begin))
                dtype = DTYPES[entry["dtype"]]
                flat = torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)
                tensors[name] = flat.reshape(entry["shape"])
        except (ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
            raise ValueError(f"{path} is not a .safetensors file, or it is damaged: "
                             f"{error}") from error
    return tensors, metadata


def write_safetensors(path: str, tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
    """The opposite; the file appears under its name only when it is whole."""
    names = {dtype: name for name, dtype in DTYPES.items()}
    header: dict[str, Any] = {"__metadata__": metadata}
    at = 0
    for name, x in tensors.items():
        size = x.numel() * x.element_size()
        header[name] = {"dtype": names[x.dtype], "shape": list(x.shape),
                        "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    with open(path + ".part", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for x in tensors.values():
            x = x.detach().cpu().contiguous()
            file.write(ctypes.string_at(x.data_ptr(), x.numel() * x.element_size()))
    os.replace(path + ".part", path)


@dataclass
class Run:
    """What a file holds: a model in mid-training."""

    model: GPT
    config: Config
    tokenizer: Tokenizer
    metadata: dict[str, str] = field(default_factory=dict)
    moments: dict[str, Tensor] = field(default_factory=dict)  # "adam.m.<name>", "adam.v.<name>"
    history: dict[str, Tensor] = field(default_factory=dict)  # "run.losses", ".order", ".last"
    state: dict[str, Any] = field(default_factory=dict)  # JSON under glasshouse.state
    random: Random | None = None  # None: to be found by replaying the run's draws

    @property
    def step(self) -> int:
        """Steps done."""
        return int(self.state.get("step", 0))

    @property
    def cursor(self) -> int:
        """Place in the order of documents; older files count it past one pass."""
        return int(self.state.get("cursor", self.step * self.config["batch"]))

    def optimizer(self) -> torch.optim.AdamW:
        """AdamW with the moments of the file."""
        optimizer = make_optimizer(self.model, self.config)
        for name, p in self.model.named_parameters():
            if f"adam.m.{name}" in self.moments:
                optimizer.state[p] = {
                    "step": torch.tensor(float(self.step)),
                    "exp_avg": self.moments[f"adam.m.{name}"].to(p, copy=True),
                    "exp_avg_sq": self.moments[f"adam.v.{name}"].to(p, copy=True),
                }
        return optimizer

    def change(self, option: str, value: float) -> None:
        """Gives a live option another value and notes it in the log of changes, as the tab does."""
        before = self.config[option]
        if before == value:
            return
        self.config[option] = value
        self.state.setdefault("changes", []).append(
            {"step": self.step, "option": option, "from": exact(before), "to": exact(value)})

    def change_batch(self, batch: int) -> None:
        """Goes on with `batch` sequences a step, from the same document on."""
        self.state["cursor"] = self.cursor
        self.config["batch"] = min(batch, BATCH_MAX)

    def record(self, loss: float, rate: float, norm: float, cursor: int, tokens: int) -> None:
        """Counts a step that was done, after which the next document is that of `cursor`.

        From here on the run cannot be replayed from its text.
        """
        stride = max(int(self.state.get("loss_stride", 1)), 1)
        losses = self.history.get("run.losses", torch.empty(0))
        unknown = -(-self.step // stride) - len(losses)  # a file may have none
        losses = torch.cat([losses, torch.full([max(unknown, 0)], math.nan)])
        if self.step % stride == 0:
            losses = torch.cat([losses, torch.tensor([loss])])
        while len(losses) > LOSSES_MAX:  # a long history keeps every second, fourth, ... loss
            losses, stride = losses[::2].clone(), 2 * stride
        self.history["run.losses"] = losses
        self.history["run.last"] = torch.tensor([loss, rate, norm], dtype=torch.float64)
        self.state.update(cursor=cursor, loss_stride=stride,
                          tokens_seen=int(self.state.get("tokens_seen", 0)) + tokens)
        self.state.update(step=self.step + 1, imported=True)


def read_tokenizer(config: Config, vocab: int, text: str) -> Tokenizer:
    """The tokenizer of a file's metadata (bytes need none)."""
    facts, kind = json.loads(text), int(config["tokenizer"])
    for key in ("vocab", "merges"):  # as they stand in vocab.json and merges.txt
        if isinstance(facts.get(key), str):
            lines = [line for line in facts[key].splitlines() if line and line[:8] != "#version"]
            facts[key] = json.loads(facts[key]) if key == "vocab" else lines
    bos = vocab - 1 if config["sequences"] == DOCUMENTS or kind == CHAR else -1
    if kind == BPE:
        bos = facts["vocab"].get("<|endoftext|>", bos)
    return Tokenizer(kind, vocab, bos, facts, bool(config.get("special_tokens")))


def exact(value: float) -> float | str:
    """A number as files have it: its bits as 16 digits where nine decimal digits are not exact."""
    short = value == int(value) or value == float(f"{value:.9g}")
    return value if short else struct.pack(">d", value).hex().upper()


def number(value: float | str) -> float:
    """What `exact` has written."""
    return struct.unpack(">d", bytes.fromhex(value))[0] if isinstance(value, str) else value


def load(path: str) -> Run:
    """Reads a file that Glasshouse or this module has saved."""
    tensors, metadata = read_safetensors(path)
    if "glasshouse.config" not in metadata:
        raise ValueError(f"{path} has no glasshouse.config: it was not saved by Glasshouse")
    tensors = {name.removeprefix("transformer."): x for name, x in tensors.items()}
    config = {name: number(x) for name, x in json.loads(metadata["glasshouse.config"]).items()}
    state = json.loads(metadata.get("glasshouse.state", "{}"))
    for name, bits in state.pop("exact", {}).items():  # of older files, unless edited since
        if math.isclose(config[name], number(bits), rel_tol=1e-8):
            config[name] = number(bits)
    model = GPT(config, tensors["wte.weight"].shape[0])
    names = model.state_dict()
    missing = [name for name in names if name not in tensors]
    if missing:
        raise ValueError(f"{path} lacks {', '.join(missing)}")
    model.load_state_dict({name: tensors[name].float() for name in names})
    tokenizer = read_tokenizer(config, model.wte.num_embeddings,
                               metadata.get("glasshouse.tokenizer", "{}"))
    run = Run(model, config, tokenizer, metadata)
    run.moments = {name: x for name, x in tensors.items() if name.startswith("adam.")}
    run.history = {name: x for name, x in tensors.items() if name.startswith("run.")}
    run.state = state
    if "rng" in run.state:
        run.random = Random(int(run.state["rng"]))
    return run


def save(path: str, run: Run, optimizer: torch.optim.AdamW) -> None:
    """Writes the run so that the tab can open it and go on."""
    # Numbers of eight bytes first: everything is aligned then.
    tensors = {name: x for name, x in run.history.items() if name == "run.last"}
    tensors.update(run.model.state_dict())
    for name, p in run.model.named_parameters():
        if p in optimizer.state:
            tensors[f"adam.m.{name}"] = optimizer.state[p]["exp_avg"]
            tensors[f"adam.v.{name}"] = optimizer.state[p]["exp_avg_sq"]
    tensors.update(run.history)
    if run.random:
        run.state["rng"] = str(run.random.state)
    config = {name: value if name == "left_out" else exact(value)
              for name, value in run.config.items()}
    metadata = {"format": "pt", **run.metadata, "glasshouse.config": json.dumps(config),
                "glasshouse.state": json.dumps(run.state)}
    write_safetensors(path, tensors, metadata)


# ---- Training on many machines -------------------------------------------------------------------


def fnv1a(text: bytes) -> int:
    """The name of a text, by which the tab knows whether a run goes on with its own."""
    value = 0xCBF29CE484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001B3 & Random.MASK
    return value


MARKS = ((b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be"),
         (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def read_text(raw: bytes, run: Run) -> bytes:
    """A text file as the tab and the command line read it: without its mark, lines ending in LF.

    The bytes of the file as they lie, if the run was begun with those. ValueError for bytes that
    are not of the encoding that the mark names (UTF-8 without one).
    """
    if run.state.get("text_hash") == f"{fnv1a(raw):016X}":
        return raw
    mark, encoding = next((pair for pair in MARKS if raw.startswith(pair[0])), (b"", "utf-8"))
    try:
        text = raw[len(mark):].decode(encoding)
    except UnicodeDecodeError as error:
        at = len(mark) + error.start
        raise ValueError(f"byte {at + 1} (0x{raw[at]:02X}) of the text is not {encoding}: "
                         "save the file as UTF-8") from None
    return re.sub("\r\n|[\r\x85\u2028\u2029]", "\n", text).encode()


class Stopped(Exception):
    """Training ended at a signal."""


class StopSignals:
    """Remembers Ctrl-C and the request to end, so that the step of now is done and saved."""

    def __init__(self) -> None:
        self.arrived = False
        self.before = {number: signal.signal(number, self.note)
                       for number in (signal.SIGINT, signal.SIGTERM)
                       if threading.current_thread() is threading.main_thread()}

    def note(self, number: int, _frame: Any) -> None:
        """The second time it ends at once."""
        self.arrived = True
        signal.signal(number, signal.SIG_DFL)

    def close(self) -> None:
        """Gives the signals back."""
        for number, handler in self.before.items():
            signal.signal(number, handler)


def prepare_data(run: Run, text: bytes) -> Dataset:
    """The text in the order of the run; finds the random stream again when the file has none."""
    data = Dataset(text, run.tokenizer, run.config)
    replay = Random(int(run.config["seed"]))
    data.shuffle(replay)
    hashed = f"{fnv1a(text):016X}"
    before = run.state.get("text_hash", hashed), run.state.get("text_bytes", len(text))
    order = run.history.get("run.order", torch.empty(0))
    if "left_out" in run.config and before == (hashed, len(text)):
        raise ValueError("this run leaves out part of its text, which is not supported here: "
                         "go on in Glasshouse, or train a model that leaves nothing out")
    if before != (hashed, len(text)):
        run.config.pop("left_out", None)  # ranges of bytes of that text
        if int(os.environ.get("RANK", 0)) == 0:
            print(f"the run goes on with another text: {len(text)} bytes ({hashed}), until now "
                  f"{before[1]} bytes ({before[0]})", flush=True)
    elif len(order) == len(data.order):
        data.order = order.tolist() or data.order
    run.state.update(text_hash=hashed, text_bytes=len(text))
    if data.order:
        run.history["run.order"] = torch.tensor(data.order, dtype=torch.int32)
    if run.random is None:
        # The run began with two draws an element of every matrix, then one a window.
        replay.skip(2 * sum(p.numel() for p in run.model.parameters() if p.dim() > 1))
        replay.skip(run.step * int(run.config["batch"]) if data.stream else 0)
        run.random = replay
    return data


def train(run: Run, text: bytes, steps: int, batch: int = 0, save_path: str = "",
          save_every: int = 0) -> list[float]:
    """Trains `steps` more steps with `batch` sequences each over all processes; returns the losses.

    Every process draws the places of the whole batch and takes its own rows, so any number of
    processes learns from the same sequences. The loss is the mean over all rows' real tokens.
    """
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    batch = batch or max(int(run.config["batch"]), world)
    if batch < world:
        raise ValueError(f"a batch of {batch} sequences leaves some of {world} processes idle")
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if cuda else CPU
    run.model.to(device)
    model: nn.Module = run.model
    if world > 1:
        if cuda:
            torch.cuda.set_device(device)
        dist.init_process_group("nccl" if cuda else "gloo")
        devices = [device.index] if cuda else None
        model = nn.parallel.DistributedDataParallel(model, device_ids=devices)
    data = prepare_data(run, text)
    assert run.random is not None
    optimizer = run.optimizer()
    last = run.step + steps
    run.change_batch(batch)
    run.change("steps", max(run.config["steps"], last))  # a longer horizon, as the tab does it
    losses: list[float] = []
    # The loss, and whether any process was asked to stop: all stop after the same step.
    shared = torch.zeros(2, device=device)
    stops = StopSignals()
    try:
        while run.step < last:
            ids, targets, tokens = data.batch(run.cursor, batch, run.random, rank, world)
            total = loss_sum(model(ids.to(device)), targets.to(device))
            optimizer.zero_grad(set_to_none=True)
            # Processes' gradients are averaged: times their number makes it the sum.
            (total * (world / tokens)).backward()
            norm = clip_gradients(run.model, run.config["clip"])
            shared[0] = total.detach() / tokens
            shared[1] = float(stops.arrived)
            if world > 1:
                dist.all_reduce(shared)
            losses.append(float(shared[0]))
            asked_to_stop = float(shared[1]) > 0
            if not math.isfinite(losses[-1]):
                raise ArithmeticError(f"the loss of step {run.step + 1} is {losses[-1]}")
            rate = learning_rate(run.config, run.step)
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.step()
            cursor = 0 if data.stream else (run.cursor + batch) % data.train_count
            run.record(losses[-1], rate, norm, cursor, tokens)
            ends = run.step == last or asked_to_stop
            if rank == 0:
                print(f"step {run.step}/{last} loss {losses[-1]:.7f}", flush=True)
                if save_path and (ends or save_every and run.step % save_every == 0):
                    save(save_path, run, optimizer)
            if asked_to_stop:
                raise Stopped(f"stopped after step {run.step}"
                              + (f", saved in {save_path}" if save_path else ", nothing is saved"))
    finally:
        stops.close()
        if world > 1:
            # The processes part while `shared` still lives: were gloo's thread the last to let go of
            # it, PyTorch 1.13 would wait for that thread, and the thread for Python, for ever.
            del model
            dist.destroy_process_group()
    return losses


# ---- Writing text --------------------------------------------------------------------------------


def choose(logits: Tensor, random: Random, temperature: float, top_k: int, top_p: float) -> int:
    """One token from logits (V): the likeliest at temperature 0, else drawn from what is kept."""
    if temperature <= 0:
        return int(logits.argmax())
    weights = (logits.double() / temperature).softmax(-1)
    ranked, ids = weights.sort(descending=True, stable=True)
    kept = top_k if 0 < top_k < len(weights) else len(weights)
    if top_p < 1:
        reached = ranked[:kept].cumsum(0)
        kept = min(kept, int((reached < top_p * reached[-1]).sum()) + 1)
    weights[ids[kept:]] = 0
    cumulated = weights.cumsum(0)
    place = random.uniform() * float(cumulated[-1])
    return int(torch.searchsorted(cumulated, torch.tensor(place).double(), right=True))


def generate(run: Run, prompt: bytes, tokens: int, temperature: float = 1.0, top_k: int = 0,
             top_p: float = 1.0, seed: int = 0) -> bytes:
    """Up to `tokens` tokens after `prompt`, as the tab writes them.

    A document begins with BOS and ends with it, or when the context is full; a stream goes on with
    the last half of its context, read anew.
    """
    context, documents = run.model.context, run.config["sequences"] == DOCUMENTS
    window = run.tokenizer.encode(prompt)
    window = [run.tokenizer.bos, *window] if documents else window[-context:]
    window = window or run.tokenizer.start()
    if len(window) > context:
        raise ValueError(f"the prompt has {len(window) - 1} tokens; {context - 1} fit")
    random, drawn = Random.mixed(seed), []
    device = run.model.wte.weight.device
    with torch.no_grad():
        while len(drawn) < tokens:
            if len(window) > context and documents:
                break  # a full document
            if len(window) > context:
                window = window[-(context // 2):]
            logits = run.model(torch.tensor([window], device=device))[0, -1].cpu()
            token = choose(logits, random, temperature, top_k, top_p)
            if token == run.tokenizer.bos:
                break
            drawn.append(token)
            window.append(token)
    return run.tokenizer.decode(drawn)


def main() -> None:
    """The command line; see the head of this file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--load", required=True, help="a .safetensors file of Glasshouse")
    parser.add_argument("--data", help="text file to go on training on")
    parser.add_argument("--steps", type=int, default=0, help="how many more steps to train")
    parser.add_argument("--batch", type=int, default=0, help="sequences a step, in all")
    parser.add_argument("--save", default="", help="where to write the result")
    parser.add_argument("--save-every", type=int, default=0, help="and every so many steps")
    parser.add_argument("--lr", type=float, help="another learning rate")
    parser.add_argument("--prompt", help="write text that begins with this")
    parser.add_argument("--tokens", type=int, default=200)
    parser.add_argument("--temperature", type=float, default=1.0, help="0: always the likeliest")
    parser.add_argument("--top-k", type=int, default=0)
    parser.add_argument("--top-p", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0, help="of the text written")
    options = parser.parse_args()
    try:
        check(options)
        follow(options)
    except (ValueError, ArithmeticError, OSError) as error:
        sys.exit(f"glasshouse: {error}")
    except Stopped as stopped:
        if int(os.environ.get("RANK", 0)) == 0:
            print(f"glasshouse: {stopped}", file=sys.stderr)
        sys.exit(130)


def check(options: argparse.Namespace) -> None:
    """ValueError says what is missing, or which range a value must be in."""
    def demand(good: bool, what: str) -> None:
        if not good:
            raise ValueError(what)

    if options.data is None:
        for name in ("steps", "save", "save_every"):
            flag = "--" + name.replace("_", "-")
            demand(not getattr(options, name), f"{flag} needs --data: a text to train on")
    else:
        demand(options.steps >= 1, "--data needs --steps: how many more steps to train, 1 or more")
    if options.save:
        folder = os.path.dirname(os.path.abspath(options.save))
        demand(os.path.isdir(folder), f"--save {options.save}: there is no folder {folder}")
        is_new = not os.path.exists(options.save)
        demand(os.access(folder, os.W_OK) and (is_new or os.path.isfile(options.save)),
               f"--save {options.save}: no file can be written there")
        demand(is_new or not os.path.exists(options.data)
               or not os.path.samefile(options.save, options.data),
               f"--save {options.save}: this is the text of --data. Choose another name")
    demand(options.batch >= 0, "--batch must be 1 or more, or 0 for that of the file")
    demand(options.save_every >= 0, "--save-every must be 0 or more")
    demand(options.save_every == 0 or options.save != "", "--save-every needs --save: where to")
    demand(options.lr is None or 0 <= options.lr <= LR_MAX, f"--lr must be from 0 to {LR_MAX}")
    demand(options.tokens >= 1, "--tokens must be 1 or more")
    demand(0 <= options.temperature < math.inf, "--temperature must be 0 or more")
    demand(options.top_k >= 0, "--top-k must be 0 (all tokens) or more")
    demand(0 < options.top_p <= 1, "--top-p must be above 0 and at most 1")


def follow(options: argparse.Namespace) -> None:
    """Does what the command line asks for."""
    run = load(options.load)
    if options.lr is not None:
        run.change("lr", options.lr)
    first = int(os.environ.get("RANK", 0)) == 0
    if first and not options.data and options.prompt is None:
        print(f"{options.load}: step {run.step}, "
              f"{sum(p.numel() for p in run.model.parameters())} weights. --data and --steps train "
              "on, --prompt writes.")
    if options.data:
        if first and not options.save:
            print("glasshouse: without --save nothing of this training is kept", file=sys.stderr)
        with open(options.data, "rb") as file:
            text = read_text(file.read(), run)
        train(run, text, options.steps, options.batch, options.save, options.save_every)
    if options.prompt is not None and first:
        written = generate(run, os.fsencode(options.prompt), options.tokens, options.temperature,
                           options.top_k, options.top_p, options.seed)
        sys.stdout.buffer.write(os.fsencode(options.prompt) + written + b"\n")


if __name__ == "__main__":
    main()
