"""Trains small neural networks to find names, from labelled texts and from pages that a larger model labelled.

usage: python pupil.py FOLDER

FOLDER has texts and vectors, which the trainer writes with -cut, and silver, which teach.py writes. The nets are files
in its folder nets. Each of 0 to 4 has not seen one fold of the web texts. 5 has not seen the development part of the
noisy ones, and 6 has seen everything. A file is float32, little-endian. It has the table, then for each layer the
weights, input by input, and the biases, and then the same for the scores of labels. The trainer reads such nets with
-nets. Package model of the tagger documents the table.
"""
import json
import os
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
from rows import labels

WIDTH, LAYERS, LABELS = 64, 2, 13
ROWS = (1 << 14) + 2 * (1 << 12) + 32 + 256 + 128 + 128 + 32 + 8  # of the table, after those of words
STYLES = 8  # the last rows; each token has one of them
PARTS = 10  # maximum number of rows in the sum of a token
CHUNK, MOST_ROWS = 2048, 8192  # tokens in a step, and rows in most steps
FOLDS = 5
SEED = 5
DOMAINS = {"web": 0, "page": 0, "tweets": 1, "noisy": 2, "noisyDev": 2}
WEB = 2  # weight of a token of web texts
VECTORS = 3  # weight of its vector
FIRST, THEN = dict(epochs=10, rate=3e-3), dict(epochs=8, rate=2e-3)
PAGES = 0.2  # share of the pages in each epoch of THEN
ORDERS = 3  # of THEN: a net is the mean of this many
DROPPED_PARTS, DROPPED = 0.4, 0.1  # dropout of a token's rows, and of its values
DECAY = 1e-4  # of weights, in each step
started = time.time()


def log(*what):
    print(f"{time.time() - started:5.0f} s", *what, flush=True)


class Texts:
    """All tokens of all texts in sequence."""

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
        # Pages have the labels of the teacher. Parts that it has not read are left out.
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
        together = np.zeros(len(ix), np.float32)  # whether a token continues the sentence of the previous one
        together[1:] = (self.within[ix[1:]] == self.within[ix[:-1]]) & (np.diff(ix) == 1)
        return self.known[ix], together, self.domain[ix], self.goal[ix], self.times[ix]


def new(vectors, seed):
    """Returns an untrained net: its table, and the rest. Words have only their difference from their vectors."""
    rnd = np.random.default_rng(seed)

    def chance(*shape, scale):
        return rnd.normal(0, scale, shape).astype(np.float32)

    words, size = vectors.shape
    table = chance(words + ROWS, WIDTH, scale=0.1)
    table[:words] = 0
    return table, dict(
        project=chance(size, WIDTH, scale=0.1), b=np.zeros(WIDTH, np.float32),
        w=chance(LAYERS, 3 * WIDTH, WIDTH, scale=0.6 / np.sqrt(3 * WIDTH)), wb=np.zeros((LAYERS, WIDTH), np.float32),
        out=chance(4, WIDTH, LABELS, scale=0.05), ob=np.zeros((4, LABELS), np.float32))


def scores(p, rows, known, vectors, together, domain, key):
    """Returns the scores of the labels of tokens, which are sums of rows. key chooses rows and values to drop."""

    def dropped(x, share):
        nonlocal key
        key, here = jax.random.split(key)
        return x * jax.random.bernoulli(here, 1 - share, x.shape)

    kept = dropped((known >= 0).astype(jnp.float32), DROPPED_PARTS)
    x = (rows[jnp.maximum(known, 0)] * kept[..., None]).sum(1)
    x = jax.nn.relu(x + vectors @ p["project"] * VECTORS * kept[:, :1] + p["b"])
    behind, nothing = jnp.concatenate([together[1:], jnp.zeros(1)]), jnp.zeros((1, WIDTH))
    for w, b in zip(p["w"], p["wb"]):
        left = jnp.concatenate([nothing, x[:-1]]) * together[:, None]
        right = jnp.concatenate([x[1:], nothing]) * behind[:, None]
        x = x + jax.nn.relu(jnp.concatenate([left, x, right], 1) @ w + b)
        x = dropped(x, DROPPED) / (1 - DROPPED)
    # The weights of a domain are added to those of all domains (Daumé, "Frustratingly easy domain adaptation", 2007).
    # So web pages use the knowledge from tweets, unless their own labels contradict it.
    by_domain = jnp.einsum("nw,dwy->ndy", x, p["out"]) + p["ob"]
    return by_domain[:, 0] + by_domain[jnp.arange(len(x)), 1 + domain]


def loss(net, known, vectors, together, domain, goal, times, key):
    p, rows = net
    chances = jax.nn.log_softmax(scores(p, rows, known, vectors, together, domain, key), -1)
    return -((goal * chances).sum(-1) * times).sum() / times.sum()


tree = jax.tree_util.tree_map


@jax.jit
def step(net, mean, square, t, rate, *batch):
    """Takes a step of Adam."""
    cost, g = jax.value_and_grad(loss)(net, *batch)
    mean = tree(lambda a, b: 0.9 * a + 0.1 * b, mean, g)
    square = tree(lambda a, b: 0.999 * a + 0.001 * b * b, square, g)
    scale = jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
    net = tree(lambda a, b, c: a - rate * (scale * b / (jnp.sqrt(c) + 1e-7) + DECAY * a), net, mean, square)
    return net, mean, square, cost


def learn(net, vectors, texts, documents, seed, epochs, rate):
    """Trains in an order by seed. The rate increases over 50 steps, and then decreases to a fiftieth.

    documents returns the documents of an epoch. A step uses only the rows of its tokens, because it has no gradient
    for the others.
    """
    rnd, key = np.random.default_rng(seed), jax.random.PRNGKey(seed)
    tables = [net[0].copy(), np.zeros_like(net[0]), np.zeros_like(net[0])]  # itself, and the moments of Adam
    rest = [net[1], tree(jnp.zeros_like, net[1]), tree(jnp.zeros_like, net[1])]
    t, steps = 0, 0
    for epoch in range(epochs):
        chunks = texts.chunks(documents(rnd), rnd)
        steps = steps or epochs * len(chunks)
        costs = []
        for ix in chunks:
            t += 1
            key, here = jax.random.split(key)
            now = rate * min(1, t / 50) * max(0.02, 1 - t / steps)
            known, *others = texts.batch(ix)
            used, at = np.unique(np.maximum(known, 0), return_inverse=True)
            at = np.where(known < 0, -1, at.reshape(known.shape)).astype(np.int32)
            # The maximum of a batch, or enough for most: each size is compiled once.
            room = MOST_ROWS if len(used) <= MOST_ROWS else CHUNK * PARTS
            rows = [np.concatenate([table[used], np.zeros((room - len(used), WIDTH), np.float32)]) for table in tables]
            *stepped, cost = step(*zip(rest, rows), t, now, at, vectors[known[:, 0]], *others, here)
            rest = [p for p, _ in stepped]
            for table, (_, changed) in zip(tables, stepped):
                table[used] = np.asarray(changed)[: len(used)]
            costs.append(cost)
        log(f"epoch {epoch}, {t} steps, loss {np.mean(costs):.4f}")
    return tables[0], rest[0]


def write(name, net, vectors, domain):
    """Writes a net for a domain. The bias of tokens is added to the rows of styles, which all tokens have."""
    table, p = net[0].copy(), net[1]
    table[: len(vectors)] += vectors @ p["project"] * VECTORS
    table[-STYLES:] += p["b"]
    parts = [table]
    for w, b in zip(p["w"], p["wb"]):
        parts += [w, b]
    parts += [p["out"][0] + p["out"][1 + domain], p["ob"][0] + p["ob"][1 + domain]]
    with open(name, "wb") as f:
        for a in parts:
            f.write(np.asarray(a, "<f4").tobytes())


def main(folder):
    texts = Texts(folder)
    vectors = np.fromfile(f"{folder}/vectors", "<f4").reshape(-1, 100)
    log(len(texts.document), "tokens")
    web, others, pages = texts.of("web"), texts.of("tweets", "noisy"), texts.of("page")
    first = learn(new(vectors, SEED), vectors, texts, lambda _: others + pages, SEED, **FIRST)
    lessons = [[d for d in web if d % FOLDS != k] for k in range(FOLDS)]  # web texts come first
    lessons += [web, web + texts.of("noisyDev")]
    os.makedirs(f"{folder}/nets", exist_ok=True)
    for k, lesson in enumerate(lessons):

        def documents(rnd, lesson=lesson):
            return lesson * 2 + others + rnd.choice(pages, int(len(pages) * PAGES), replace=False).tolist()

        nets = [learn(first, vectors, texts, documents, SEED + 1 + i, **THEN) for i in range(ORDERS)]
        net = tree(lambda *parts: sum(map(np.asarray, parts)) / ORDERS, *nets)
        write(f"{folder}/nets/{k}", net, vectors, DOMAINS["noisy" if k == FOLDS else "web"])


if __name__ == "__main__":
    main(*sys.argv[1:])
