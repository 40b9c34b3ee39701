#!/usr/bin/env python3
"""Writes tests/fixtures/pca.json: the plane of the embeddings of a trained model, by numpy.

    /usr/bin/python3 tests/generate/pca.py

For the token table, the position table and a tall matrix (more rows than columns) in
tests/fixtures/microgpt-first-names.step5000.safetensors (the reference program on the names, 5000 steps): the first two right singular vectors of the rows less
their mean, each turned so that its largest component is positive, the rows along them, their shares of
the variance, and for each row the nearest other one by cosine. In double precision by singular values,
which is another way than that of web/data/pca.ts.
"""
from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

FIXTURES = Path(__file__).resolve().parents[2] / "tests" / "fixtures"
MODEL = FIXTURES / "microgpt-first-names.step5000.safetensors"


def table(name: str) -> np.ndarray:
    data = MODEL.read_bytes()
    (size,) = struct.unpack_from("<Q", data)
    facts = json.loads(data[8 : 8 + size])[name]
    begin, end = (8 + size + offset for offset in facts["data_offsets"])
    return np.frombuffer(data[begin:end], "<f4").reshape(facts["shape"]).astype(np.float64)


def plane(rows: np.ndarray) -> dict[str, object]:
    from_mean = rows - rows.mean(axis=0)
    _, singular, vectors = np.linalg.svd(from_mean, full_matrices=False)
    axes = vectors[:2]
    axes = axes * np.sign(axes[range(2), np.abs(axes).argmax(axis=1)])[:, None]
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -2)
    return {
        "axes": np.round(axes, 12).tolist(),
        "x": np.round(from_mean @ axes[0], 12).tolist(),
        "y": np.round(from_mean @ axes[1], 12).tolist(),
        "shares": np.round((singular**2 / (singular**2).sum())[:2], 12).tolist(),
        "nearest": cosines.argmax(axis=1).tolist(),
        "cosines": np.round(cosines.max(axis=1), 12).tolist(),
    }


planes = {name: plane(table(name)) for name in ("wte", "wpe", "layer0.mlp_fc1")}
(FIXTURES / "pca.json").write_text(json.dumps(planes) + "\n")
