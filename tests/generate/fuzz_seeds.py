#!/usr/bin/env python3
"""Writes the inputs that the fuzz targets start from: tests/fuzz/corpus/<target>/seed-*.

    make cli && python3 tests/generate/fuzz_seeds.py

What the fuzzer finds from there lies beside them (make fuzz). The layout of an input is at the head of
each tests/fuzz/fuzz_<target>.c. Needs the command line, which writes the checkpoints, and nothing but
Python.
"""
from __future__ import annotations

import json
import struct
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/fuzz/corpus"
MARK = b"\xff"
TEXT = "the cat sat on the mat\nthe rat ran\nthat cat had a hat\na bat\n"


def write(target: str, name: str, data: bytes | str) -> None:
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"seed-{name}").write_bytes(data.encode() if isinstance(data, str) else data)


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# ---- JSON ----------------------------------------------------------------------------------------

write("json", "values", '[0,-0,1.5,1e3,-2E-2,0.1e+1,true,false,null,"",{},[]]')
write("json", "strings", '{"a\\"\\\\\\/\\b\\f\\n\\r\\t":"\\u00e9\\ud83d\\ude00\\ud83d","é贝🐚":"\\u0000"}')
write("json", "nested", "[" * 64 + "]" * 64)
write("json", "too-deep", "[" * 65 + "]" * 65)
write("json", "space", ' \t\r\n{ "a" : [ 1 , { "b" : { } } ] } \n')
write("json", "numbers", "[12345678901234567890123,1e308,4.9e-324,1e-400,1e99999,0.000000000000001]")
for i, bad in enumerate(['{"a"}', "[1,]", "01", '"\\x"', '"\\u12"', "tru", "[1 2]", "{1:2}", '"a', "1 1", "]",
                         '{"a":1,}', "1.", "1e", "-", '"\t"', '{"a" 1}']):
    write("json", f"bad-{i:02}", bad)
write("json", "not-utf8", b'"\xc0\x80"')

# ---- safetensors ---------------------------------------------------------------------------------

tensors = {
    "__metadata__": {"format": "pt", "other": "é"},
    "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
    "b": {"dtype": "F16", "shape": [3], "data_offsets": [24, 30]},
    "c": {"dtype": "BF16", "shape": [], "data_offsets": [30, 32]},
    "d": {"dtype": "F64", "shape": [1], "data_offsets": [32, 40]},
    "e": {"dtype": "I32", "shape": [2], "data_offsets": [40, 48]},
    "f": {"dtype": "U8", "shape": [0], "data_offsets": [48, 48], "extra": [1]},
}
data = bytes(range(16, 64))
header = compact(tensors).encode()
write("safetensors", "plain", b"\0\3" + header + MARK + data)
write("safetensors", "prefix", b"\1\1" + struct.pack("<Q", len(header)) + header + data)
write("safetensors", "empty", b"\0\0{}")
write("safetensors", "long-prefix", b"\1\0" + struct.pack("<Q", 1 << 63) + header + data)
for i, (old, new) in enumerate([
        ('[2,3]', '[2,3,4294967296,4294967296]'), ('"F32"', '"F33"'), ("[24,30]", "[23,30]"),
        ('"b"', '"a"'), ("[0,24]", "[0]"), ('"pt"', "1"), ('"shape":[3],', ""), ('"b"', '"' + "b" * 90 + '"'),
        ("[40,48]", "[40,1e300]"), ('{"dtype":"F64"', '{"dtype":"F64","dtype":"F64"'),
        ('"dtype":"U8"', '"dtype":"BOOL"'), ('"b"', '"__metadata__"'), ('"extra":[1]', '"extra":[1')]):
    write("safetensors", f"changed-{i:02}",
          b"\0\2" + header.decode().replace(old, new, 1).encode() + MARK + data)

# ---- vocab.json and merges.txt -------------------------------------------------------------------

visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
alphabet = [chr(byte) if byte in visible else None for byte in range(256)]
spare = iter(range(0x100, 0x200))
alphabet = [symbol if symbol else chr(next(spare)) for symbol in alphabet]
more = ',"th":256,"the":257,"Ġt":258,"Ġthe":259,"<|endoftext|>":260}'
merges = "#version: 0.2\nt h\nth e\nĠ t\nĠ the\n"
write("vocabulary", "short", "\1" + more + "\xff")
write("vocabulary", "short-merges", b"\1" + more.encode() + MARK + merges.encode())
write("vocabulary", "whole", b"\0" + compact({symbol: i for i, symbol in enumerate(alphabet)}).encode() + MARK)
write("vocabulary", "no-more", b"\1}" + MARK + b"\r\n\n")
for i, (vocab, text) in enumerate([
        (more.replace("256", "300"), merges), (more.replace("256", "257"), merges), (more, "t h\nt h\n"),
        (more, "t  h\n"), (more, "t q\n"), (more, "q q\n"), (more, "th"), (more.replace("th", "€"), merges),
        (',"":256}', ""), (',"t":256}', ""), (',"' + "a" * 257 + '":256}', ""), (',"ab":"x"}', ""),
        (',"ab":1e99}', ""), (more, "Ġ€ t\n")]):
    write("vocabulary", f"bad-{i:02}", b"\1" + vocab.encode() + MARK + text.encode())

symbols = {symbol: i for i, symbol in enumerate(alphabet)}
longer = {**symbols, "th": 256, "the": 257}


def tokenizer_json(**change: object) -> dict:
    """A tokenizer.json as the tokenizers library writes it."""
    return {"version": "1.0", "normalizer": None, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False},
            "added_tokens": [{"id": 258, "content": "<|endoftext|>", "special": True}],
            "model": {"type": "BPE", "vocab": longer, "merges": ["t h", "th e"]}, **change}


def put_tokenizer(name: str, **change: object) -> None:
    write("vocabulary", f"tokenizer-{name}", b"\0" + compact(tokenizer_json(**change)).encode() + MARK)


put_tokenizer("plain")
put_tokenizer("pairs", model={"type": "BPE", "vocab": longer, "merges": [["t", "h"], ["th", "e"]], "unk_token": None})
put_tokenizer("holes", added_tokens=[{"id": 300, "content": "a token with blanks", "special": True}])
put_tokenizer("foreign", added_tokens=[{"id": 258, "content": "\u00e9\u8d1d"}, {"id": 259, "content": ""}])
put_tokenizer("no-vocab", model={"type": "BPE", "merges": ["t h"]})
put_tokenizer("twice", added_tokens=[{"id": 257, "content": "the"}, {"id": 257, "content": "x"}])
for i, bad in enumerate([{"model": {"type": "Unigram"}}, {"model": []}, {"pre_tokenizer": {"type": "Whitespace"}},
                         {"normalizer": {"type": "Lowercase"}}, {"added_tokens": [{"id": -1, "content": "x"}]},
                         {"added_tokens": {}}, {"model": {"type": "BPE", "vocab": longer, "merges": [["t"], ["t", "h", "e"]]}},
                         {"added_tokens": [{"id": 70000, "content": "x"}]}]):
    put_tokenizer(f"bad-{i:02}", **bad)
for i, added in enumerate(['{"<|pad|>":261}', '{"<|pad|>":300}', '{"a pad":261,"\u00e9\u8d1d":262}', '{"<|pad|>":0}', '{"":261}',
                           '{"<|pad|>":"x"}', '[]', '{', '{"the":261}', '{"<|endoftext|>":260}']):
    write("vocabulary", f"added-{i:02}", b"\1" + more.encode() + MARK + merges.encode() + MARK + added.encode())

# ---- config.json ---------------------------------------------------------------------------------

gpt2 = json.loads((ROOT / "tests/fixtures/gpt2-tiny/config.json").read_text())
write("config_import", "tiny", json.dumps(gpt2))
write("config_import", "defaults", '{"model_type":"gpt2"}')
write("config_import", "bytes", '{"n_layer":1,"n_head":1,"n_embd":4,"n_positions":8,"vocab_size":256,'
      '"n_inner":null,"tie_word_embeddings":false,"resid_pdrop":0.1,"summary":{"a":[1]}}')
write("config_import", "documents", '{"n_layer":1,"n_head":1,"n_embd":4,"n_positions":8,"vocab_size":257}')
for i, bad in enumerate([{"model_type": "bert"}, {"n_inner": 7}, {"n_head": 5}, {"n_layer": 0}, {"n_embd": "x"},
                         {"vocab_size": 70000}, {"scale_attn_weights": False}, {"layer_norm_epsilon": 1e-6},
                         {"activation_function": "relu"}, {"quantization_config": {}}, {"n_layer": 1.5},
                         {"add_cross_attention": None}, {"tie_word_embeddings": 1}]):
    write("config_import", f"bad-{i:02}", compact(bad))

# ---- The raw form --------------------------------------------------------------------------------


def raw_form(channels: int, tied: bool, split: bool) -> dict:
    """A model of one layer over bytes with a context of 4."""
    C = channels
    shapes = {"wte.weight": [256, C], "wpe.weight": [4, C], "ln_f.weight": [C], "ln_f.bias": [C]}
    for name, shape in {"ln_1.weight": [C], "ln_1.bias": [C], "attn.c_attn.weight": [C, 3 * C],
                        "attn.c_attn.bias": [3 * C], "attn.c_proj.weight": [C, C], "attn.c_proj.bias": [C],
                        "ln_2.weight": [C], "ln_2.bias": [C], "mlp.c_fc.weight": [C, 4 * C],
                        "mlp.c_fc.bias": [4 * C], "mlp.c_proj.weight": [4 * C, C], "mlp.c_proj.bias": [C]}.items():
        shapes[f"h.0.{name}"] = shape
    if not tied:
        shapes["lm_head.weight"] = [256, C]
    files, entries, at = [], [], 0
    for i, (name, shape) in enumerate(shapes.items()):
        size = 4
        for n in shape:
            size *= n
        entry = {"name": name, "shape": shape}
        if split:
            files.append({"name": f"{i}.bin", "bytes": size})
            entry["file"] = f"{i}.bin"
        else:
            entry["offset"] = at
        at += size
        entries.append(entry)
    return {"format": "gpt2-raw", "version": 1,
            "config": {"n_vocab": 256, "n_ctx": 4, "n_embd": C, "n_head": 1, "n_layer": 1, "tied_head": tied},
            "files": files or [{"name": "model.bin", "bytes": at}], "tensors": entries}


numbers = struct.pack("<5f", 0.5, -0.25, 0.125, 0.75, -0.5)
for i, (tied, split) in enumerate([(True, False), (False, True)]):
    form = compact(raw_form(1, tied, split))
    for purpose in range(4):
        write("raw", f"model-{i}{purpose}", bytes([purpose * 3, purpose]) + form.encode() + MARK + numbers)
form = compact(raw_form(1, True, False))
for i, (old, new) in enumerate([
        ("model.bin", "../model"), ('"version":1', '"version":2'), ('"offset":0', '"offset":1'),
        ('"n_vocab":256', '"n_vocab":300'), ('"bytes":', '"size":'), ('"tensors":[', '"tensors":[1,'),
        ('"files":[', '"files":[{"name":"b","bytes":0},'), ('"n_embd":1', '"n_embd":2'), ("wte.", "wtf."),
        ('"n_head":1', '"n_head":"1"'), ("[256,1]", "[256,1,1]"), ('"gpt2-raw"', '"gpt3"'), ("[256,1]", "[-1]"),
        ('"files":', '"files":[],"files":'), ('"n_layer":1', '"n_layer":1,"x":[]'), ('"tensors"', '"tensor"'),
        ('"offset":0', '"file":"c"')]):
    write("raw", f"changed-{i:02}", b"\0\0" + form.replace(old, new, 1).encode() + MARK + numbers)

# ---- Weights from elsewhere ----------------------------------------------------------------------

TENSORS = 20  # as fuzz_import.c lists them; the last four: head, two masks, a stranger
for tied in range(2):
    for purpose in range(2):
        for i, (order, extra) in enumerate([(0, {}), (1, {16: 1}), (0, {16: 1}), (1, {17: 1, 18: 1}), (0, {19: 1}),
                                            (0, {3: 1}), (1, {1: 16}), (0, {1: 17}), (0, {5: 6}), (0, {4: 16})]):
            for kind in (0, 2 + 8, 4):
                choices = bytes(extra.get(t, 0) | (kind if t != 16 else 0) for t in range(TENSORS))
                data = struct.pack("<4e", 0.5, -0.0, 6e-8, float("inf") if i == 0 else 1.5)
                write("import", f"model-{tied}{purpose}{i}{kind}", bytes([tied, purpose, i * 3, order]) + choices + data)

# ---- Files of other programs (those of PyTorch: torch_files.py) ----------------------------------

for version, number in ((3, struct.pack("<f", 0.5)), (5, b"\0\x3f")):
    for layers, padded in ((1, 256), (2, 264)):
        llmc = struct.pack("<8i", 20240326, version, 4, 256, layers, 1, 1, padded) + bytes(4 * 248)
        write("format_import", f"llmc-{version}{layers}", b"\0\0" + llmc + number * (padded + 4 + layers * 25 + 2))
write("format_import", "llmc-version", b"\0\0" + struct.pack("<8i", 20240326, 1, 4, 256, 1, 1, 1, 256) + bytes(4 * 248))



def alphabet() -> list[str]:
    """The characters that stand for the bytes 0 to 255 in GPT-2's files."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = iter(range(256, 512))
    return [chr(byte if byte in plain else next(rest)) for byte in range(256)]


def gguf(kind: int, more: list[str], merges: list[str], tied: bool, version: int = 3) -> bytes:
    """A GPT-2 of one block, two channels and two positions, its matrices of type `kind`."""
    text = lambda t: struct.pack("<Q", len(t.encode())) + t.encode()  # noqa: E731
    pair = lambda key, kind, value: text(key) + struct.pack("<I", kind) + value  # noqa: E731
    u32 = lambda key, value: pair(key, 4, struct.pack("<I", value))  # noqa: E731
    tokens = alphabet() + more
    types = [1] * 256 + [3 if token.startswith("<") else 1 for token in more]
    array = lambda kind, items: struct.pack("<IQ", kind, len(items)) + b"".join(items)  # noqa: E731
    pairs = [pair("general.architecture", 8, text("gpt2")), u32("gpt2.context_length", 2), u32("gpt2.embedding_length", 2),
             u32("gpt2.feed_forward_length", 8), u32("gpt2.block_count", 1), u32("gpt2.attention.head_count", 1),
             pair("gpt2.attention.layer_norm_epsilon", 6, struct.pack("<f", 1e-5)), pair("tokenizer.ggml.model", 8, text("gpt2")),
             pair("tokenizer.ggml.pre", 8, text("gpt-2")), pair("tokenizer.ggml.tokens", 9, array(8, [text(t) for t in tokens])),
             pair("tokenizer.ggml.token_type", 9, array(5, [struct.pack("<i", t) for t in types])),
             pair("tokenizer.ggml.merges", 9, array(8, [text(m) for m in merges]))]
    sizes = [("token_embd.weight", [2, len(tokens)]), ("position_embd.weight", [2, 2]), ("output_norm.weight", [2]),
             ("output_norm.bias", [2])]
    sizes += [] if tied else [("output.weight", [2, len(tokens)])]
    for name, shape in (("attn_norm", [2]), ("attn_qkv", [2, 6]), ("attn_output", [2, 2]), ("ffn_norm", [2]),
                        ("ffn_up", [2, 8]), ("ffn_down", [8, 2])):
        sizes += [(f"blk.0.{name}.weight", shape), (f"blk.0.{name}.bias", shape[-1:])]
    table, data = b"", b""
    for name, shape in sizes:
        of = kind if len(shape) == 2 else 0
        table += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, of, len(data))
        count = shape[0] * (shape[1] if len(shape) == 2 else 1)
        data += {0: struct.pack("<f", 0.5), 1: b"\0\x38", 30: b"\0\x3f"}[of] * count
        data += bytes(-len(data) % 32)
    head = b"GGUF" + struct.pack("<IQQ", version, len(sizes), len(pairs)) + b"".join(pairs) + table
    return head + bytes(-len(head) % 32) + data


for kind in (0, 1, 30):
    write("format_import", f"gguf-{kind}", b"\0\0" + gguf(kind, [], [], kind != 1))
write("format_import", "gguf-merges", b"\5\0" + gguf(1, ["ab", "<|endoftext|>", "<a>"], ["a b"], True, 2))

for model in range(6):
    write("format_export", f"as-written-{model}", bytes([model, model]))
    for i, (recipe, tokenizer) in enumerate([
            (b'{"layers":1,"none":2}', b""), (b'{"layers":2}', b""), (b'{"norm":1}', b""), (b'{"bias":0}', b""),
            (b"", b"{}"), (b"", b'{"codes":[97,98]}'), (b"", b'{"vocab":"{}","merges":""}'), (b"", b'{"vocab":1}')]):
        write("format_export", f"recipe-{model}{i}", bytes([model, i]) + recipe + MARK + tokenizer + MARK)
    write("format_export", f"table-{model}", bytes([model, 3]) + 4 * MARK + compact(
        {"wte.weight": {"dtype": "F32", "shape": [2, 4], "data_offsets": [0, 32]}})[1:-1].encode() + MARK)
    write("format_export", f"data-{model}", bytes([model, 1]) + 5 * MARK + struct.pack("<4f", float("nan"), float("inf"), 1e30, -1.0))

# ---- Options -------------------------------------------------------------------------------------

write("options", "numbers", "\0layers 3\nchannels 64\nheads 5\nlr 0.01\nlr 1e-3\nseed 9007199254740991\nwarmup 1e9\n")
write("options", "choices", "\1tokenizer bpe\nnorm rmsnorm\nschedule warmup_cosine\nbias true\nbias false\nbias maybe\n")
write("options", "wrong", "\2layers 0\nlayers 1.5\nlayers\nnone 1\n 2\nlr nan\nlr -1\nlr 1e999\nlr 0x1\ntokenizer by\n"
      "heads  3\nheads [3]\nclip 1e6 \n" + "x" * 200 + " " + "é" * 100 + "\n")

# ---- Texts and prompts ---------------------------------------------------------------------------

texts = {
    "english": TEXT.encode(),
    "mixed": "don't we'll — 贝壳 🐚 x²  \u00a0 12½\n\n\r\nIt's  \t end".encode(),
    "broken": b"\xe8\xb4ab\xff\xc0\xafx\xed\xa0\x80y\xf4\x90\x80\x80z\xf0\x9f\x90",
    "special": b"one<|endoftext|>two <|endoftext <|endoftext|>",
    "long-word": b"ab" * 60 + b" " * 70 + b"c" * 130,
    "zeros": b"\0\0\r\n\0",
    "repeated": b"na na na " * 500,
}
for name, text in texts.items():
    for tokenizer in range(3):
        for documents in range(2):
            choices = bytes([tokenizer, documents, 1, 40, 3, 3, 2])
            write("text", f"{name}-{tokenizer}{documents}", choices + text)
    write("prompt", name, bytes([2, 3, 0, 0, 0, 12]) + text[:40])
    write("prompt", f"{name}-greedy", bytes([4, 0, 2, 1, 4, 30]) + text[:9])
    write("prompt", f"{name}-characters", bytes([1, 4, 1, 1, 0, 30]) + text[:9])
for i in range(9):
    write("prompt", f"number-{i}", bytes([i % 6, i, i, i, i, 5]) + b"the")

# ---- Checkpoints ---------------------------------------------------------------------------------


def parts_of(file: bytes) -> list[bytes]:
    """config, tokenizer, state, note and table of tensors, as fuzz_checkpoint.c takes them."""
    size = struct.unpack("<Q", file[:8])[0]
    header = file[8:8 + size].rstrip()
    metadata = json.loads(header)["__metadata__"]
    parts = [metadata[f"glasshouse.{name}"].encode() for name in ("config", "tokenizer", "state")]
    table = header[header.index(b'},"', header.index(b"__metadata__")) + 2:-1]
    return [*parts, b"a note", table]


models = [("microgpt", "char", "documents", 1), ("gpt2", "bpe", "stream", 1), ("tinygpt", "byte", "stream", 1),
          ("gpt2", "char", "stream", 2)]
with tempfile.TemporaryDirectory() as folder:
    text = Path(folder, "text.txt")
    text.write_text(TEXT)
    for which, (preset, tokenizer, sequences, channels) in enumerate(models):
        saved = Path(folder, "saved.safetensors")
        options = {"tokenizer": tokenizer, "sequences": sequences, "channels": channels, "layers": 1, "heads": 1,
                   "context": 4, "batch": 2, "vocabulary": 258, "steps": 2}
        subprocess.run([ROOT / "build/train_gpt", "--data", text, "--preset", preset, "--save", saved,
                        "--samples", "0", *(f for name, value in options.items() for f in ("--set", f"{name}={value}"))],
                       check=True, capture_output=True)
        parts = parts_of(saved.read_bytes())
        for purpose in range(4):
            for change in range(6):
                choices = bytes([which, purpose, which + change, change])
                write("checkpoint", f"as-written-{which}{purpose}{change}", choices)
            write("checkpoint", f"parts-{which}{purpose}", bytes([which, purpose, 5, 0]) + MARK.join(parts[:4]) + MARK)
            write("checkpoint", f"data-{which}{purpose}",
                  bytes([which, purpose, 1, 0]) + 5 * MARK + struct.pack("<4f", float("nan"), float("inf"), 1e30, -1.0))
        state = parts[2].decode()
        for i, (old, new) in enumerate([
                ('"step":2', '"step":9007199254740991'), ('"step":2', '"step":0'), ('"loss_stride":1', '"loss_stride":0'),
                ('"step":2', '"step":3'), ('"text_hash":"', '"text_hash":"0'), ('"rng":"', '"rng":"x'),
                ('"step":2', '"step":-1'), ('"exact":{', '"exact":{"none":"0",'), ('{', '{"new":[1],'),
                ('"exact":{', '"exact":{"lr":"3F689374BC6A7EFA"'), ('"exact":{', '"exact":{"lr":"7FF8000000000000"'),
                ('"step":2', '"step":1000000000'), ('"imported":false', '"imported":true')]):
            changed = state.replace(old, new, 1).encode()
            write("checkpoint", f"state-{which}{i:02}", bytes([which, 0, 0, 0]) + MARK + MARK + changed + MARK)
        forked = Path(folder, "forked.safetensors")
        subprocess.run([ROOT / "build/train_gpt", "--load", saved, "--data", text, "--fork", "--save", forked,
                        "--samples", "0"], check=True, capture_output=True)
        fork = parts_of(forked.read_bytes())[2]
        for purpose in range(4):
            write("checkpoint", f"fork-{which}{purpose}", bytes([which, purpose, 0, 0]) + MARK + MARK + fork + MARK)
        table = parts[4].decode()
        for i, (old, new) in enumerate([
                ("wte.weight", "transformer.wte.weight"), ("wte.weight", "h.0.attn.bias"), ("wpe.weight", "other"),
                ("run.losses", "lost"), ("run.order", "lost"), ("run.last", "lost"), ("adam.m.wte", "adam.m.wtf"),
                ('"F32"', '"I32"')]):
            write("checkpoint", f"table-{which}{i}",
                  bytes([which, 0, 0, 0]) + 4 * MARK + table.replace(old, new, 1).encode() + MARK)
for i, (config, tokenizer) in enumerate([
        (b'{"layers":1,"none":2}', b""), (b'{"layers":0}', b""), (b'{"layers":[]}', b""), (b"[]", b""), (b'{"heads":3}', b""),
        (b"", b'{"codes":[97,98]}'), (b"", b'{"codes":[98,97]}'), (b"", b'{"codes":[1114112]}'), (b"", b'{"codes":1}'),
        (b"", b'{"codes":[],"codes":[]}'), (b"", b'{"vocab":"{}","merges":""}'), (b"", b'{"vocab":1}'), (b"", b"[]"),
        (b'{"context":8192,"batch":1024}', b""), (b"", b'{"later":{}}'), (b"", b'{"merges":"","merges":""}'), (b"{", b"{")]):
    write("checkpoint", f"recipe-{i:02}", bytes([0, i % 3, 0, 0]) + config + MARK + tokenizer + MARK)

# ---- Receipts of forks ---------------------------------------------------------------------------

with tempfile.TemporaryDirectory() as folder:
    texts = [Path(folder, name) for name in ("first.txt", "second.txt")]
    texts[0].write_text("ab\nba\naab\nbb\n")  # as fuzz_receipt.c has them
    texts[1].write_text("bab\na\nabba\n")
    tiny = ("--preset", "microgpt", "--dmodel", "1", "--heads", "1", "--layers", "1", "--seq", "4")
    for generation in range(3):
        kept, receipt = Path(folder, f"{generation}.safetensors"), Path(folder, f"{generation}.json")
        begin = tiny if generation == 0 else ("--load", Path(folder, f"{generation - 1}.safetensors"), "--fork")
        subprocess.run([ROOT / "build/train_gpt", "--data", texts[generation % 2], *begin, "--steps", "2", "--samples", "0",
                        "--save", kept, "--receipt", receipt], check=True, capture_output=True)
        write("receipt", f"run-{generation}", receipt.read_bytes())
