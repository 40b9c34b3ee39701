#!/usr/bin/env python3
"""The microgpt recipe once more, written from its description alone, on another text.

    /usr/bin/python3 tests/generate/microgpt_oracle.py

Writes tests/fixtures/microgpt-other.bin, a text full of edge cases, and microgpt-other.json, the
losses of STEPS steps and the samples that follow. It shares nothing with the engine or with
public/pytorch/glasshouse.py: neither the random stream nor the model nor Adam. Matrices are
(out,in) as in the recipe; gradients come from PyTorch, everything is computed in double precision.

The recipe: one line a document; vocabulary of the characters found, sorted, BOS last; one
xorshift64 stream seeded with 42 shuffles the documents, then draws the weights, then the samples;
L 2, H 4, C 64, T 32; RMSNorm, squared ReLU, no biases; one document a step; Adam 0.9 / 0.95 with a
cosine from 1e-3 over 5000 steps.
"""
from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "tests" / "fixtures"
STEPS, SAMPLES = 120, 5
LAYERS, HEADS, WIDTH, CONTEXT = 2, 4, 64, 32
HORIZON, RATE, BETA1, BETA2, EPSILON = 5000, 1e-3, 0.9, 0.95, 1e-8
TEMPERATURE = 0.5


def other_text() -> bytes:
    """Sentences, whole paragraphs and verses with every kind of line end, and one broken byte."""
    novel = (ROOT / "public/texts/moby-dick-en.txt").read_text("utf-8").split("\n")
    verses = (ROOT / "public/texts/tang-quatrains-zh.txt").read_text("utf-8").split("\n")
    paragraphs = [line for line in novel if line]
    sentences = [s for p in paragraphs[:60] for s in p.split(", ")][:110]
    lines = [*paragraphs[:6], *sentences, *verses[:70], "x", "", "x", "naïve façade 🐋", "-" * 31,
             "-" * 32, "-" * 33, " ", "\r", "end\rof\rline"]
    ends = [b"\n", b"\r\n", b"\n\n", b"\n", b"\r\r\n", b"\n", b"\r\n\r\n"]
    text = b"".join(line.encode() + ends[i % len(ends)] for i, line in enumerate(lines))
    return text + b"a broken \xe4\xbd byte\nlast line without an end"


class Stream:
    """xorshift64."""

    def __init__(self, seed: int) -> None:
        self.x = np.uint64(seed)

    def uniform(self) -> float:
        """In [0, 1), from the upper 53 bits."""
        for shift, left in ((13, True), (7, False), (17, True)):
            moved = np.left_shift if left else np.right_shift
            self.x = self.x ^ moved(self.x, np.uint64(shift))
        return float(np.right_shift(self.x, np.uint64(11))) / 9007199254740992.0

    def normal(self) -> float:
        """Box-Muller, the cosine branch, rounded to float."""
        u1 = max(self.uniform(), 1e-30)
        u2 = self.uniform()
        return float(np.float32(math.sqrt(-2 * math.log(u1)) * math.cos(2 * math.pi * u2)))

    def matrix(self, rows: int, columns: int, std: float) -> Tensor:
        """(rows, columns) row by row, scaled in float; a std of zero draws all the same."""
        drawn = [self.normal() for _ in range(rows * columns)]
        scaled = np.array(drawn, np.float32) * np.float32(std)
        return torch.tensor(scaled.astype(np.float64).reshape(rows, columns), requires_grad=True)


def rmsnorm(x: Tensor) -> Tensor:
    """x / sqrt(mean x^2 + 1e-5) over the last dimension."""
    return x / (x.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt()


def forward(weights: list[Tensor], tokens: list[int]) -> Tensor:
    """Logits (n,V) of tokens (n)."""
    token_table, position_table, head, *layers = weights
    n, size = len(tokens), WIDTH // HEADS
    x = rmsnorm(token_table[tokens] + position_table[:n])
    mask = torch.full((n, n), -math.inf, dtype=x.dtype).triu(1)
    for i in range(LAYERS):
        wq, wk, wv, wo, fc1, fc2 = layers[6 * i: 6 * i + 6]
        seen = rmsnorm(x)
        heads = []
        for h in range(HEADS):
            part = slice(h * size, (h + 1) * size)
            q, k, v = (seen @ w[part].T for w in (wq, wk, wv))
            heads.append(torch.softmax(q @ k.T / math.sqrt(size) + mask, -1) @ v)
        x = x + torch.cat(heads, -1) @ wo.T
        hidden = torch.clamp(rmsnorm(x) @ fc1.T, min=0)
        x = x + (hidden * hidden) @ fc2.T
    return x @ head.T


def documents_of(text: bytes) -> list[str]:
    """Lines without their trailing CRs and LFs, none of them empty; broken bytes stay symbols."""
    lines = (line.rstrip(b"\r").decode("utf-8", "surrogateescape") for line in text.split(b"\n"))
    return [line for line in lines if line]


def main() -> None:
    """Trains, samples, writes the text and the trace."""
    torch.set_num_threads(1)
    text = other_text()
    documents = documents_of(text)
    symbols = sorted(set("".join(documents)))
    bos, vocab = len(symbols), len(symbols) + 1
    stream = Stream(42)
    order = list(range(len(documents)))
    for i in range(len(order) - 1, 0, -1):
        j = int(stream.uniform() * (i + 1))
        order[i], order[j] = order[j], order[i]

    weights = [stream.matrix(vocab, WIDTH, 0.02), stream.matrix(CONTEXT, WIDTH, 0.02),
               stream.matrix(vocab, WIDTH, 0.02)]
    for _ in range(LAYERS):
        weights += [stream.matrix(WIDTH, WIDTH, std) for std in (0.02, 0.02, 0.02, 0.0)]
        weights += [stream.matrix(4 * WIDTH, WIDTH, 0.02), stream.matrix(WIDTH, 4 * WIDTH, 0.0)]
    first = [torch.zeros_like(w) for w in weights]
    second = [torch.zeros_like(w) for w in weights]

    losses = []
    for step in range(STEPS):
        document = documents[order[step % len(order)]]
        tokens = [bos, *(symbols.index(c) for c in document), bos]
        n = min(CONTEXT, len(document) + 1)
        p = torch.softmax(forward(weights, tokens[:n]), -1)
        loss = -torch.log(p[range(n), tokens[1: n + 1]] + 1e-30).mean()
        gradients = torch.autograd.grad(loss, weights)
        losses.append(float(loss))
        rate = RATE * 0.5 * (1 + math.cos(math.pi * step / HORIZON))
        with torch.no_grad():
            for w, g, m, v in zip(weights, gradients, first, second):
                m += (1 - BETA1) * (g - m)
                v += (1 - BETA2) * (g * g - v)
                m_hat = m / (1 - BETA1 ** (step + 1))
                v_hat = v / (1 - BETA2 ** (step + 1))
                w -= rate * m_hat / (v_hat.sqrt() + EPSILON)

    samples = []
    for _ in range(SAMPLES):
        tokens = [bos]
        while len(tokens) <= CONTEXT:
            with torch.no_grad():
                p = torch.softmax(forward(weights, tokens)[-1] / TEMPERATURE, -1).tolist()
            place, token = stream.uniform() * sum(p), 0
            while token < vocab - 1 and place >= p[token]:
                place -= p[token]
                token += 1
            if token == bos:
                break
            tokens.append(token)
        samples.append("".join(symbols[token] for token in tokens[1:]))

    cut = [len(d) - CONTEXT for d in documents if len(d) + 1 > CONTEXT]
    facts = {"documents": len(documents), "vocab": vocab, "cut_documents": len(cut),
             "cut_tokens": sum(cut), "losses": [round(x, 10) for x in losses],
             "samples": samples}
    (OUT / "microgpt-other.bin").write_bytes(text)
    (OUT / "microgpt-other.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n")
    print(f"{len(documents)} documents, {vocab} symbols, {len(text)} bytes; "
          f"loss {losses[0]:.4f} to {losses[-1]:.4f}; samples {samples}")


if __name__ == "__main__":
    main()
