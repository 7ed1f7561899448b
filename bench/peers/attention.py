"""Attention and small transformers in hybridlua and PyTorch, side by side (turns.py). The Python that runs this file must
have torch (bench/peers/setup.sh makes DIR/torch). MXNet has neither.

usage: attention.py [--program ./hybridlua] [--threads N] [--core N] [--rounds N] [PATTERN]...

A work is one call. PyTorch runs eagerly and compiled by torch.compile; generating, whose arrays grow, is eager in both.
PyTorch's attention is scaled_dot_product_attention."""
import turns

VOCABULARY = 500

# name: highest ratio that issue 14 asks for
WORKS = {
    "attention 8x64, 1024 tokens, with gradient": 0.9,
    "the same, causal": 0.9,
    "transformer 4x256, 64 tokens x 16, training": 0.8,
    "GPT 3x96, batch 1, generating 256 tokens": 0.3,
}


def attention(way, causal):
    import torch
    q, k, v, g = (torch.randn(1, 8, 1024, 64) for _ in range(4))
    for x in (q, k, v):
        x.requires_grad_()

    def run(q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    run = torch.compile(run) if way == "compiled" else run

    def step():
        q.grad = k.grad = v.grad = None
        run(q, k, v).backward(g)

    return step


def gpt(layers, units, heads):
    import torch
    from torch import nn
    from torch.nn import functional as F

    class Cell(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm_1, self.norm_2 = nn.LayerNorm(units), nn.LayerNorm(units)
            self.qkv, self.proj = nn.Linear(units, 3 * units), nn.Linear(units, units)
            self.up, self.down = nn.Linear(units, 4 * units), nn.Linear(4 * units, units)

        def forward(self, x, cache=None, at=0):
            batch, tokens, _ = x.shape
            split = self.qkv(self.norm_1(x)).view(batch, tokens, 3, heads, units // heads).permute(2, 0, 3, 1, 4)
            q, k, v = split.unbind(0)
            if cache is not None:
                cache[0][:, :, at:at + tokens], cache[1][:, :, at:at + tokens] = k, v
                k, v = cache[0][:, :, :at + tokens], cache[1][:, :, :at + tokens]
            y = F.scaled_dot_product_attention(q, k, v, is_causal=cache is None)
            x = x + self.proj(y.transpose(1, 2).reshape(batch, tokens, units))
            return x + self.down(F.gelu(self.up(self.norm_2(x))))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed, self.cells = nn.Embedding(VOCABULARY, units), nn.ModuleList(Cell() for _ in range(layers))
            self.norm, self.out = nn.LayerNorm(units), nn.Linear(units, VOCABULARY)

        def forward(self, words, caches=None, at=0):
            x = self.embed(words)
            for i, cell in enumerate(self.cells):
                x = cell(x, caches[i], at) if caches is not None else cell(x)
            return self.out(self.norm(x))

    return Model()


def torch_work(name, way):
    import torch
    if "attention" in name or "same" in name:
        return attention(way, "causal" in name)
    if name.startswith("GPT"):
        net = gpt(3, 96, 4)

        def generate():
            with torch.no_grad():
                caches = [torch.zeros(2, 1, 4, 256, 24) for _ in range(3)]
                word = torch.zeros(1, 1, dtype=torch.long)
                for t in range(256):
                    word = net(word, caches, t).argmax(2)
                    word.item()

        return generate
    net = gpt(4, 256, 4)
    model = torch.compile(net) if way == "compiled" else net
    x, y = (torch.randint(0, VOCABULARY, (16, 64)) for _ in range(2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x).reshape(-1, VOCABULARY), y.reshape(-1)).backward()
        optimizer.step()

    return step


turns.main(__file__, __doc__, WORKS, {"torch": torch_work}, None)
