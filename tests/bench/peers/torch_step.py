"""The training step in PyTorch, natively. A contender like those of child.mjs:

    python3 torch_step.py SIZES TOKENS THREADS

SIZES is the configuration as JSON, TOKENS a file of one byte a token. Each line of its input is a number
of seconds to train for; it answers with a line of JSON.
"""

import json
import math
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

sizes = json.loads(sys.argv[1])
V, T, C, L, H, B = (sizes[key] for key in "VTCLHB")
torch.set_num_threads(int(sys.argv[3]))
torch.manual_seed(42)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(C), nn.LayerNorm(C)
        self.qkv, self.out = nn.Linear(C, 3 * C), nn.Linear(C, C)
        self.fc, self.proj = nn.Linear(C, 4 * C), nn.Linear(4 * C, C)

    def forward(self, x, future):
        parts = self.qkv(self.norm1(x)).view(B, T, 3, H, C // H).permute(2, 0, 3, 1, 4)
        query, key, value = parts[0], parts[1], parts[2]
        scores = query @ key.transpose(-1, -2) / math.sqrt(C // H)
        heads = scores.masked_fill(future, -math.inf).softmax(-1) @ value
        x = x + self.out(heads.transpose(1, 2).reshape(B, T, C))
        wide = self.fc(self.norm2(x))
        return x + self.proj(F.relu(wide) ** 2 if sizes["preset"] == "microgpt" else F.gelu(wide))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(V, C), nn.Embedding(T, C)
        self.blocks = nn.ModuleList(Block() for _ in range(L))
        self.norm, self.head = nn.LayerNorm(C), nn.Linear(C, V, bias=False)

    def forward(self, ids, targets, future):
        x = self.tokens(ids) + self.positions.weight
        for block in self.blocks:
            x = block(x, future)
        return F.cross_entropy(self.head(self.norm(x)).view(-1, V), targets.reshape(-1))


text = np.fromfile(sys.argv[2], dtype=np.uint8).astype(np.int64)
model = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95))
future = torch.ones(T, T, dtype=torch.bool).triu(1)
draws = np.random.default_rng(1)


def step():
    firsts = draws.integers(0, len(text) - T - 1, B)
    windows = torch.from_numpy(np.stack([text[at : at + T + 1] for at in firsts]))
    optimizer.zero_grad(set_to_none=True)
    loss = model(windows[:, :-1], windows[:, 1:], future)
    loss.backward()
    optimizer.step()
    return loss.item()


def train(seconds):
    start, steps = time.perf_counter(), 0
    while True:
        loss = step()
        steps += 1
        spent = time.perf_counter() - start
        if spent >= seconds:
            threads = torch.get_num_threads()
            return {"steps_per_s": steps / spent, "loss": loss, "threads": threads}


train(0)
print("ready", flush=True)
for line in sys.stdin:
    print(json.dumps(train(float(line))), flush=True)
