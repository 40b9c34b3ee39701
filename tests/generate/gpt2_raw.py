#!/usr/bin/env python3
"""Turns GPT-2 as Hugging Face keeps it into the raw form (public/schema/gpt2-raw.schema.json).

    python3 gpt2_raw.py FOLDER OUT           FOLDER has config.json and model.safetensors;
                                             OUT gets gpt2.json and gpt2.bin
    python3 gpt2_raw.py FOLDER OUT --split   a .bin file for every tensor

Needs nothing but Python. Half precision becomes float32; the causal masks that old files carry are
left out.
"""
from __future__ import annotations

import argparse
import json
import re
import struct
from pathlib import Path
from typing import BinaryIO, Iterator

MASK = re.compile(r"(transformer\.)?h\.\d+\.attn\.(masked_)?bias")
PIECE = 1 << 20  # bytes that are converted at a time; a multiple of every number's size


def read_header(file: BinaryIO) -> tuple[dict, int]:
    """The tensors of a safetensors file, and where its data begin."""
    size = struct.unpack("<Q", file.read(8))[0]
    header = json.loads(file.read(size))
    header.pop("__metadata__", None)
    return header, 8 + size


def to_float32(piece: bytes, dtype: str) -> bytes:
    """Numbers of the file as little-endian float32."""
    if dtype == "F32":
        return piece
    count = len(piece) // 2
    if dtype == "F16":
        return struct.pack(f"<{count}f", *struct.unpack(f"<{count}e", piece))
    if dtype == "BF16":  # the upper half of a float32
        return struct.pack(f"<{count}I", *(x << 16 for x in struct.unpack(f"<{count}H", piece)))
    raise SystemExit(f"a tensor is {dtype}: only F32, F16 and BF16 are known here")


def pieces(file: BinaryIO, begin: int, end: int, dtype: str) -> Iterator[bytes]:
    """The numbers between two places of the file as float32, a piece at a time."""
    file.seek(begin)
    while begin < end:
        piece = file.read(min(PIECE, end - begin))
        begin += len(piece)
        yield to_float32(piece, dtype)


def convert(folder: Path, out: Path, split: bool) -> None:
    """Writes the raw form of `folder` into `out`."""
    config = json.loads((folder / "config.json").read_text())
    out.mkdir(parents=True, exist_ok=True)
    tied = config.get("tie_word_embeddings", True)
    files: list[dict] = []
    tensors: list[dict] = []
    with open(folder / "model.safetensors", "rb") as source:
        header, data = read_header(source)
        kept = {name: entry for name, entry in header.items()
                if not MASK.fullmatch(name) and not (tied and name == "lm_head.weight")}
        target: BinaryIO | None = None
        for index, (name, entry) in enumerate(kept.items()):
            if split or target is None:
                if target is not None:
                    target.close()
                files.append({"name": f"{index:03}.bin" if split else "gpt2.bin", "bytes": 0})
                target = open(out / files[-1]["name"], "wb")
            tensors.append({"name": name, "shape": entry["shape"], "file": files[-1]["name"],
                            "offset": files[-1]["bytes"]})
            begin, end = entry["data_offsets"]
            for piece in pieces(source, data + begin, data + end, entry["dtype"]):
                target.write(piece)
                files[-1]["bytes"] += len(piece)
        if target is not None:
            target.close()
    raw = {"format": "gpt2-raw", "version": 1,
           "config": {"n_vocab": config["vocab_size"], "n_ctx": config["n_positions"],
                      "n_embd": config["n_embd"], "n_head": config["n_head"],
                      "n_layer": config["n_layer"], "tied_head": tied},
           "files": files, "tensors": tensors}
    (out / "gpt2.json").write_text(json.dumps(raw, indent=1) + "\n")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--split", action="store_true", help="a .bin file for every tensor")
    options = parser.parse_args()
    convert(options.folder, options.out, options.split)


if __name__ == "__main__":
    main()
