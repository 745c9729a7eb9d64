"""Teaches small neural networks to find names, as labelled texts have them and as a larger model labels pages.

usage: python pupil.py FOLDER

FOLDER has texts and vectors, which the trainer writes by -cut, and silver, which teach.py writes. The nets are files of its
folder nets: 0 to 4 have each not seen a fold of the web texts, 5 has not seen the development part of the noisy ones, and 6
has seen everything. A file is float32, little-endian: the table; of each layer the weights, input by input, and what is added;
and those of the scores of labels. package model of the tagger reads such nets, and says what the table has.
"""
import json
import os
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
from rows import labels

WIDTH, LAYERS, LABELS = 64, 3, 13
ROWS = (1 << 14) + 2 * (1 << 12) + 32 + 256 + 128 + 128 + 32 + 8  # of the table, behind those of words
STYLES = 8  # the last of them, of which each token has one
PARTS = 10  # rows that a token is the sum of, at most
CHUNK = 2048  # tokens of a step
FOLDS = 5
DOMAINS = {"web": 0, "page": 0, "tweets": 1, "noisy": 2, "noisyDev": 2}
WEB = 2  # how many times a token of web texts counts
VECTORS = 3  # and its vector
FIRST, THEN = dict(epochs=6, rate=3e-3), dict(epochs=4, rate=2e-3)
DROPPED_PARTS, DROPPED = 0.2, 0.1  # share of a token's rows, and of its values, that learning has to do without
DECAY = 1e-4  # of weights, in each step
started = time.time()


def log(*what):
    print(f"{time.time() - started:5.0f} s", *what, flush=True)


class Texts:
    """All tokens of all texts, one behind the other."""

    def __init__(self, folder):
        known, goal, within, domain, document, self.sets = [], [], [], [], [], []
        sentence = 0
        with open(f"{folder}/texts") as f:
            for k, line in enumerate(f):
                text = json.loads(line)
                n = len(text["Tokens"])
                self.sets.append(text["Set"])
                if n == 0:
                    continue
                known += [rows + [-1] * (PARTS - len(rows)) for rows in text["Known"]]
                goal += labels(text)
                within += [sentence + s for s in text["Within"]]
                sentence = within[-1] + 1
                domain += [DOMAINS[text["Set"]]] * n
                document += [k] * n
        self.known, self.within = np.array(known, np.int32), np.array(within, np.int32)
        self.document, self.domain = np.array(document, np.int32), np.array(domain, np.int32)
        self.goal = np.eye(LABELS, dtype=np.float32)[goal]
        self.times = np.where(self.domain == 0, WEB, 1).astype(np.float32)
        # Of pages the labels are what the teacher says, and what it has not read is left out.
        page = np.array([s == "page" for s in self.sets])[self.document]
        silver = np.fromfile(f"{folder}/silver", "<f2").astype(np.float32).reshape(-1, LABELS)
        self.goal[page], self.times[page] = silver, silver[:, 0] >= 0
        starts = np.flatnonzero(np.diff(self.document, prepend=-1))
        self.tokens = {int(self.document[a]): a + np.flatnonzero(self.times[a:b] > 0)
                       for a, b in zip(starts, [*starts[1:], len(self.document)])}

    def of(self, *sets):
        return [k for k, s in enumerate(self.sets) if s in sets and k in self.tokens]

    def chunks(self, documents, rnd):
        documents = list(documents)
        rnd.shuffle(documents)
        ix = np.concatenate([self.tokens[d] for d in documents])
        return [ix[i : i + CHUNK] for i in range(0, len(ix) - CHUNK + 1, CHUNK)]

    def batch(self, ix):
        together = np.zeros(len(ix), np.float32)  # whether a token stands behind the one before it in a sentence
        together[1:] = (self.within[ix[1:]] == self.within[ix[:-1]]) & (np.diff(ix) == 1)
        return self.known[ix], together, self.domain[ix], self.goal[ix], self.times[ix]


def new(vectors, seed):
    """Returns a net that has learnt nothing. Of words the table has what their vectors do not say."""
    rnd = np.random.default_rng(seed)

    def chance(*shape, scale):
        return jnp.asarray(rnd.normal(0, scale, shape), jnp.float32)

    words, size = vectors.shape
    return dict(
        project=chance(size, WIDTH, scale=0.1), table=chance(words + ROWS, WIDTH, scale=0.1).at[:words].set(0),
        b=jnp.zeros(WIDTH), w=chance(LAYERS, 3 * WIDTH, WIDTH, scale=0.6 / np.sqrt(3 * WIDTH)), wb=jnp.zeros((LAYERS, WIDTH)),
        out=chance(4, WIDTH, LABELS, scale=0.05), ob=jnp.zeros((4, LABELS)))


def scores(p, vectors, known, together, domain, key=None):
    """Returns the scores of the labels of tokens, and in learning drops rows and values by key."""

    def dropped(x, shape, share):
        nonlocal key
        key, here = jax.random.split(key)
        return x * jax.random.bernoulli(here, 1 - share, shape)

    kept = (known >= 0).astype(jnp.float32)
    if key is not None:
        kept = dropped(kept, kept.shape, DROPPED_PARTS)
    x = (p["table"][jnp.maximum(known, 0)] * kept[..., None]).sum(1)
    x = jax.nn.relu(x + vectors[known[:, 0]] @ p["project"] * VECTORS * kept[:, :1] + p["b"])
    behind, nothing = jnp.concatenate([together[1:], jnp.zeros(1)]), jnp.zeros((1, WIDTH))
    for w, b in zip(p["w"], p["wb"]):
        left = jnp.concatenate([nothing, x[:-1]]) * together[:, None]
        right = jnp.concatenate([x[1:], nothing]) * behind[:, None]
        x = x + jax.nn.relu(jnp.concatenate([left, x, right], 1) @ w + b)
        if key is not None:
            x = dropped(x, x.shape, DROPPED) / (1 - DROPPED)
    # Like those of the trainer, weights are the sum of those of all domains and those of one.
    by_domain = jnp.einsum("nw,dwy->ndy", x, p["out"]) + p["ob"]
    return by_domain[:, 0] + by_domain[jnp.arange(len(x)), 1 + domain]


def loss(p, vectors, known, together, domain, goal, times, key):
    chances = jax.nn.log_softmax(scores(p, vectors, known, together, domain, key), -1)
    return -((goal * chances).sum(-1) * times).sum() / times.sum()


tree = jax.tree_util.tree_map


@jax.jit
def step(p, mean, square, t, rate, *batch):
    """Takes a step of Adam."""
    cost, g = jax.value_and_grad(loss)(p, *batch)
    mean = tree(lambda a, b: 0.9 * a + 0.1 * b, mean, g)
    square = tree(lambda a, b: 0.999 * a + 0.001 * b * b, square, g)
    scale = jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
    p = tree(lambda a, b, c: a - rate * (scale * b / (jnp.sqrt(c) + 1e-7) + DECAY * a), p, mean, square)
    return p, mean, square, cost


def learn(p, vectors, texts, documents, seed, epochs, rate):
    """Learns in an order by seed; the rate rises over 50 steps and falls to a fiftieth."""
    rnd, key = np.random.default_rng(seed), jax.random.PRNGKey(seed)
    mean = square = tree(jnp.zeros_like, p)
    t = 0
    for epoch in range(epochs):
        chunks = texts.chunks(documents, rnd)
        costs = []
        for ix in chunks:
            t += 1
            key, here = jax.random.split(key)
            now = rate * min(1, t / 50) * max(0.02, 1 - t / (epochs * len(chunks)))
            p, mean, square, cost = step(p, mean, square, t, now, vectors, *texts.batch(ix), here)
            costs.append(cost)
        log(f"epoch {epoch}, {t} steps, loss {np.mean(costs):.4f}")
    return p


def write(name, p, vectors, domain):
    """Writes a net for a domain. What is added to each token's rows goes to those of styles."""
    table = np.array(p["table"])
    table[: len(vectors)] += vectors @ np.asarray(p["project"]) * VECTORS
    table[-STYLES:] += np.asarray(p["b"])
    parts = [table]
    for w, b in zip(p["w"], p["wb"]):
        parts += [w, b]
    parts += [p["out"][0] + p["out"][1 + domain], p["ob"][0] + p["ob"][1 + domain]]
    with open(name, "wb") as f:
        for a in parts:
            f.write(np.asarray(a, "<f4").tobytes())


def main(folder):
    texts = Texts(folder)
    vectors = jnp.asarray(np.fromfile(f"{folder}/vectors", "<f4").reshape(-1, 100))
    log(len(texts.document), "tokens")
    web, others = texts.of("web"), texts.of("tweets", "noisy", "page")
    first = learn(new(vectors, 0), vectors, texts, others, 0, **FIRST)
    lessons = [[d for d in web if d % FOLDS != k] for k in range(FOLDS)]  # web texts come first
    lessons += [web, web + texts.of("noisyDev")]
    os.makedirs(f"{folder}/nets", exist_ok=True)
    for k, lesson in enumerate(lessons):
        p = learn(first, vectors, texts, lesson * 2 + others, 1, **THEN)
        write(f"{folder}/nets/{k}", p, np.asarray(vectors), DOMAINS["noisy" if k == FOLDS else "web"])


if __name__ == "__main__":
    main(*sys.argv[1:])
