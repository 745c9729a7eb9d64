"""Trains the built-in model of package maintext.

usage: python train.py CORPORA WORK [MODEL]
       python train.py kinds CORPORA WORK [MODEL]

CORPORA is the folder of labelled sets, and WORK a folder for tables between the steps. MODEL is the output folder of
model.bin and model.json, by default transforms/maintext/score. The script needs the packages of requirements.txt, and
the go command. WORK/model0.bin to model4.bin are the models of the five folds: model k has not seen the hosts of fold
k. The results in model.json are of pages that their model has not seen.

With kinds, only the forest of kinds is trained. It replaces the one in MODEL/model.bin and in the models of the folds,
which WORK has from an earlier run.
"""
import hashlib
import json
import multiprocessing
import os
import struct
import subprocess
import sys
import time
import zlib
from concurrent.futures import ProcessPoolExecutor

import lightgbm
import numpy as np

FOLDS = 5
KINDS = ["article", "forum", "product", "collection", "listing", "documentation", "service"]
# A forest is the mean of one forest per seed, which reduces chance.
SEEDS = {"first": (1,), "kind": (1,), "second": (1, 2, 3)}
TREES = dict(
    objective="cross_entropy", num_leaves=31, min_data_in_leaf=80, feature_fraction=0.35,
    bagging_fraction=0.7, bagging_freq=1, lambda_l2=2, max_bin=63, max_depth=7, deterministic=True, force_row_wise=True,
    num_threads=1, verbose=-1)
ROUNDS = {"first": 90, "second": 45, "kind": 100}
RATES = {"first": 0.1, "second": 0.15}
KIND_TREES = dict(
    TREES, objective="multiclass", num_class=len(KINDS), learning_rate=0.08, num_leaves=8, min_data_in_leaf=10)
# The weight for the kinds of pages in sets with only articles. WCXB has all kinds, with weight 1. With weight 1 for
# both, four fifths of the pages were articles, and listings and documentation were mistaken for articles.
ARTICLES = 0.25
# The weight of sets without labels of blocks: with .05 and .25, fewer pages of WCXB have the right type.
OTHERS = {"gn1": 0.1, "dragnet": 0.1}
HOPELESS = 0.1  # as in package score
started = time.time()
shared = {}  # tables that workers inherit by fork


def log(*what):
    print(f"{time.time() - started:5.0f} s", *what, flush=True)


here = os.path.dirname(os.path.abspath(__file__))
TARGET = os.path.join(here, "../../../transforms/maintext/score")
MAGIC = b"GLEANER MAINTEXT 4\n"


def go(*args):
    """Runs a command of the Go program in this folder, and returns its output."""
    return subprocess.run(["go", "run", ".", *args], check=True, cwd=here, stdout=subprocess.PIPE).stdout


def teach(corpora, work):
    """Extracts the main text with go-trafilatura, for pages in which people marked only snippets."""
    with open(f"{work}/teacher.jsonl", "wb") as f:
        pages = subprocess.Popen(["go", "run", ".", "pages", corpora, "trafilatura"], cwd=here, stdout=subprocess.PIPE)
        subprocess.run(["go", "run", "../../maintext", "-texts"], check=True, cwd=here, stdin=pages.stdout, stdout=f)
        if pages.wait():
            raise SystemExit("train pages has failed")


def kind_weights(pages):
    """Returns the weight of each page for the kinds."""
    return np.array([1 if p["Set"] == "wcxb" else OTHERS.get(p["Set"], ARTICLES) for p in pages])


class Tables:
    """The tables of pages and their blocks from the Go program."""

    def __init__(self, work):
        self.work = work
        self.pages = [json.loads(line) for line in open(f"{work}/pages.jsonl")]
        self.counts = np.array([p["Blocks"] for p in self.pages])
        self.page = np.repeat(np.arange(len(self.pages)), self.counts)
        n = len(self.page)
        self.x = np.fromfile(f"{work}/first.f32", "<f4").reshape(n, -1)
        self.y = np.fromfile(f"{work}/labels.f32", "<f4")
        self.words = self.x[:, 0]
        self.folds = np.array([zlib.crc32(("5fold" + p["Host"]).encode()) % FOLDS for p in self.pages])
        self.fold = self.folds[self.page]
        self.kind = np.array([KINDS.index(p["Type"]) if p["Type"] else -1 for p in self.pages])
        self.kind_weight = kind_weights(self.pages)
        self.weight = self.weights(np.fromfile(f"{work}/weights.f32", "<f4"))
        self.samples = {seed: self.sample(seed) for seed in SEEDS["first"] + SEEDS["second"]}

    def with_words(self, x, rows, without):
        """Returns rows of x with the features of words, which are last, from words that were learnt without a fold."""
        x = x[rows]
        x[:, -self.words_of.shape[2]:] = self.words_of[without][rows]
        return x

    def learn_words(self, corpora):
        """Learns from words with the Go program. Its penalty needs weights with a mean of 1."""
        weight = self.weight / self.weight[self.weight > 0].mean()
        weight.astype("<f4").tofile(f"{self.work}/importance.f32")
        go("words", corpora, self.work)
        self.words_of = np.fromfile(f"{self.work}/words.f32", "<f4").reshape(FOLDS + 1, len(self.y), -1)

    def weights(self, trust):
        """Long blocks count more than short ones, and blocks of short pages more than those of long ones."""
        total = np.bincount(self.page, self.words, minlength=len(self.pages))
        return trust * (self.words + 1) ** 0.75 / np.maximum(total, 50)[self.page] ** 0.5

    def sample(self, seed):
        """Samples blocks by weight, because most are short ones of menus, of which some are enough."""
        known = self.weight > 0
        share = np.clip(self.weight / np.median(self.weight[known]) * 0.4, 0.1, 1) * known
        rows = np.nonzero(np.random.RandomState(seed).rand(len(share)) < share)[0]
        return rows, self.weight[rows] / share[rows]


def learn_blocks(job):
    seed, without = job
    name = shared["name"]
    t, (rows, weight) = shared["t"], shared["samples"][seed]
    use = t.fold[rows] != without
    data = lightgbm.Dataset(shared["features"](rows[use], without), t.y[rows[use]], weight=weight[use])
    return lightgbm.train(dict(TREES, seed=seed, learning_rate=RATES[name]), data, ROUNDS[name]).model_to_string()


def blocks(t, x, name, known=None):
    """Trains forests on blocks, with each fold left out and with none (FOLDS). It returns a forest per seed, and each
    block's score by forests that have not seen its host. The second pass has scores of the first in known: it uses
    words too, and hopeless blocks keep their scores."""
    samples = t.samples
    if known is not None:
        hope = known >= HOPELESS
        samples = {seed: (rows[hope[rows]], weight[hope[rows]]) for seed, (rows, weight) in samples.items()}
    features = lambda rows, without: x[rows] if known is None else t.with_words(x, rows, without)
    shared.update(t=t, samples=samples, features=features, name=name)  # workers inherit them by fork
    jobs = [(seed, k) for seed in SEEDS[name] for k in range(FOLDS + 1)]
    with ProcessPoolExecutor(int(os.environ.get("JOBS", 2)), multiprocessing.get_context("fork")) as pool:
        learnt = dict(zip(jobs, (lightgbm.Booster(model_str=m) for m in pool.map(learn_blocks, jobs))))
    models = [[learnt[seed, k] for seed in SEEDS[name]] for k in range(FOLDS + 1)]
    scores = np.zeros(len(t.y), "f4")
    for k in range(FOLDS):
        rows = np.nonzero(t.fold == k)[0]
        scores[rows] = sigmoid(mean(models[k], features(rows, k)))
    if known is not None:
        scores = np.where(known < HOPELESS, known, scores)
    return models, scores


def mean(models, x):
    """Returns the mean of the raw scores of models."""
    return np.mean([m.predict(x, num_threads=2, raw_score=True).astype("f4") for m in models], 0)


def sigmoid(x):
    return (1 / (1 + np.exp(-x))).astype("f4")


def kinds(t, x):
    """Does the same for pages and their kinds. Each page has two rows: with its URL and without it."""
    known, nameless = np.split(x, 2, axis=1)
    models, out = [], np.zeros((len(t.pages), len(KINDS)), "f4")
    for k in range(FOLDS + 1):
        rows = (t.folds != k) & (t.kind >= 0)
        data = lambda: lightgbm.Dataset(
            np.vstack([known[rows], nameless[rows]]), np.tile(t.kind[rows], 2), weight=np.tile(t.kind_weight[rows], 2))
        models.append([lightgbm.train(dict(KIND_TREES, seed=seed), data(), ROUNDS["kind"]) for seed in SEEDS["kind"]])
        if k < FOLDS:
            out[t.folds == k] = mean(models[k], known[t.folds == k])
    likely = np.exp(out - out.max(1, keepdims=True))
    return models, likely / likely.sum(1, keepdims=True)


def forest(models):
    """Returns the mean of several forests in the format of ParseModel."""
    trees = [t["tree_structure"] for m in models for t in m.dump_model()["tree_info"]]
    out = struct.pack("<3H", models[0].num_feature(), models[0].num_model_per_iteration(), len(trees))
    return out + b"".join(tree(t, len(models)) for t in trees)


def tree(root, share):
    """Returns a tree's nodes by levels, so that two children are adjacent. A leaf has no child, and its value divided
    by share."""
    nodes, out = [root], b""
    for n in nodes:  # grows
        if "split_feature" in n:
            out += struct.pack("<f2B", down(n["threshold"]), n["split_feature"], len(nodes))
            nodes += [n["left_child"], n["right_child"]]
        else:
            out += struct.pack("<f2B", n["leaf_value"] / share, 0, 0)
    return bytes([len(nodes)]) + out


def down(x):
    """Returns the largest float32 that is not above x. Rows of float32 take the same branch with both."""
    y = np.float32(x)
    return float(np.nextafter(y, np.float32(-np.inf))) if float(y) > x else float(y)


def report(t, name, scores):
    """Prints the F1 of words from the labels of blocks, which is fast and close to the real one."""
    truth = np.bincount(t.page, t.words * t.y, minlength=len(t.pages))
    def f1(keep):
        got = np.bincount(t.page, t.words * keep, minlength=len(t.pages))
        both = np.bincount(t.page, t.words * keep * t.y, minlength=len(t.pages))
        return 2 * both / np.maximum(got + truth, 1)
    of = lambda name: np.array([p["Set"] == name for p in t.pages])
    for at in 0.3, 0.4, 0.5:
        v = f1(scores >= at)
        log(name, at, "wcxb %.4f" % v[of("wcxb")].mean(), " ".join(
            "%s %.3f" % (k[:4], v[of("wcxb") & (t.kind == i)].mean()) for i, k in enumerate(KINDS)),
            " ".join("%s %.4f" % (s[:4], v[of(s)].mean()) for s in ("readability", "chinese", "gn1", "dragnet")))


def write_card(corpora, work, target):
    """Writes model.json: the origin of the model, and the quality of the models of the folds."""
    open(f"{work}/predictions.jsonl", "wb").write(go("predict", corpora, work))
    card = json.loads(go("card", corpora))
    card["model"] = hashlib.sha256(open(f"{target}/model.bin", "rb").read()).hexdigest()
    card.update(folds=FOLDS, seeds=SEEDS, rounds=ROUNDS, rates=RATES, trees=TREES, kind_trees=KIND_TREES)
    card["lightgbm"], card["numpy"] = lightgbm.__version__, np.__version__
    card["cross_validation"] = go("evaluate", corpora, f"{work}/predictions.jsonl").decode().splitlines()
    with open(f"{target}/model.json", "w") as f:
        json.dump(card, f, indent="\t")
        f.write("\n")


class Pages:
    """The table of pages without their blocks."""

    def __init__(self, work):
        self.pages = [json.loads(line) for line in open(f"{work}/kinds.jsonl")]
        self.folds = np.array([zlib.crc32(("5fold" + p["Host"]).encode()) % FOLDS for p in self.pages])
        self.kind = np.array([KINDS.index(p["Type"]) for p in self.pages])
        self.kind_weight = kind_weights(self.pages)


def replace_kinds(data, new):
    """Returns a model's bytes with another forest of kinds, which is the second forest."""
    ends = [len(MAGIC)]
    for _ in range(2):
        at = ends[-1]
        trees = struct.unpack_from("<3H", data, at)[2]
        at += 6
        for _ in range(trees):
            at += 1 + 6 * data[at]
        ends.append(at)
    return data[:ends[1]] + new + data[ends[2]:]


def kinds_alone(corpora, work, target=TARGET):
    corpora, work, target = map(os.path.abspath, (corpora, work, target))
    go("kinds", corpora, work)
    t = Pages(work)
    models, likely = kinds(t, np.fromfile(f"{work}/kinds.f32", "<f4").reshape(len(t.pages), -1))
    for name in sorted({p["Set"] for p in t.pages}):
        of = np.array([p["Set"] == name for p in t.pages])
        log("kinds told rightly: %s %.3f" % (name, (likely.argmax(1)[of] == t.kind[of]).mean()))
    for k in range(FOLDS + 1):
        file = f"{work}/model{k}.bin" if k < FOLDS else f"{target}/model.bin"
        data = open(file, "rb").read()
        open(file, "wb").write(replace_kinds(data, forest(models[k])))
    write_card(corpora, work, target)


def main(corpora, work, target=TARGET):
    corpora, work, target = map(os.path.abspath, (corpora, work, target))
    os.makedirs(work, exist_ok=True)
    teach(corpora, work)
    go("first", corpora, work)
    t = Tables(work)
    log("blocks", len(t.y), "used", len(t.samples[1][0]), "features", t.x.shape[1])
    t.learn_words(corpora)
    log("words")
    first, scores = blocks(t, t.x, "first")
    report(t, "first", scores)
    scores.astype("<f4").tofile(f"{work}/scores1.f32")
    go("second", corpora, work)
    at = json.load(open(f"{work}/second.json"))["KindsAt"]
    x = np.fromfile(f"{work}/second.f32", "<f4").reshape(len(t.y), -1)
    kind, likely = kinds(t, np.fromfile(f"{work}/kinds.f32", "<f4").reshape(len(t.pages), -1))
    known = np.array([p["Set"] == "wcxb" for p in t.pages])
    log("kinds told rightly: %.3f" % (likely.argmax(1)[known] == t.kind[known]).mean())
    x[:, at:at + len(KINDS)] = likely[t.page]
    second, scores = blocks(t, x, "second", scores)
    report(t, "second", scores)
    for k in range(FOLDS + 1):
        data = MAGIC + forest(first[k]) + forest(kind[k]) + forest(second[k])
        data += open(f"{work}/words{k}.bin", "rb").read()
        open(f"{work}/model{k}.bin" if k < FOLDS else f"{target}/model.bin", "wb").write(data)
    write_card(corpora, work, target)
    log("done")


if __name__ == "__main__":
    if sys.argv[1] == "kinds":
        kinds_alone(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
