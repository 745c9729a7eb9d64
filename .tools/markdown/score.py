"""Scores Markdown against references, element by element. See README.md for the measures.

usage: score.py LABELS.jsonl PREDICTIONS.jsonl [--half development|kept|all] [--by generator|theme|project] [--worst KIND]
A line of LABELS has id, half, project, generator, theme, reference; a line of PREDICTIONS id and text.
A page without a prediction counts as an empty one.
"""

import argparse
import collections
import json

from rapidfuzz.distance import Levenshtein

import elements
from align import align, tree_similarity

KINDS = ["heading", "item", "table", "code", "inline code", "language", "formula", "quote", "link", "image",
         "footnote", "term", "definition", "paragraph", "order"]


def alike(a, b):
    return Levenshtein.normalized_similarity(a, b) if a or b else 1.0


def placed(a, b):
    """Half for the text, half for the place, given the text."""
    return alike(a.text, b.text) * (1 if (a.place, a.extra) == (b.place, b.extra) else 0.5)


def linked(a, b):
    return alike(a.text, b.text) * (1 if a.place == b.place else 0.5)


SIMILAR = {
    "heading": placed, "item": placed, "link": linked, "image": linked,
    "table": lambda a, b: tree_similarity(a.rows, b.rows),
    "formula": lambda a, b: float(a.text == b.text),
    "inline code": lambda a, b: float(a.text == b.text),
}


def of(all, kind):
    return [e for e in all if e.kind == kind]


def f1(wanted, got, kind):
    """Twice the similarity of aligned elements, by the number of elements on both sides."""
    similar = SIMILAR.get(kind, lambda a, b: alike(a.text, b.text))
    pairs = align(wanted, got, similar)
    total = sum(s for _, _, s in pairs)
    return 2 * total, len(wanted) + len(got), pairs


def order(wanted, got):
    """The share of blocks found that are in ascending order, by their longest ascending run."""
    where = collections.defaultdict(list)
    for i, e in enumerate(got):
        where[e.text].append(i)
    places = []
    for e in wanted:
        if e.text and where[e.text]:
            places.append(where[e.text].pop(0))
    tails = []
    for p in places:
        at = next((i for i, t in enumerate(tails) if t >= p), len(tails))
        tails[at:at + 1] = [p]
    return len(tails), len(places)


def page(reference, prediction):
    """By kind: points and their maximum, and whether the reference has the kind."""
    wanted, got = elements.read(reference), elements.read(prediction)
    result = {}
    for kind in KINDS:
        if kind == "order":
            blocks = ("heading", "item", "paragraph", "quote", "code", "table")
            result[kind] = *order([e for e in wanted if e.kind in blocks], [e for e in got if e.kind in blocks]), True
        elif kind != "language":
            w, g = of(wanted, kind), of(got, kind)
            points, most, pairs = f1(w, g, kind)
            result[kind] = points, most, bool(w)
            if kind == "code":
                named = [(a, b) for a, b, s in pairs if s > .5 and a.place]
                result["language"] = sum(a.place == b.place for a, b in named), len(named), bool(named)
    return result


def load(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def table(rows, title):
    """Mean over pages that have the element, and the share of points over all pages."""
    print(f"{title}: {len(rows)} pages")
    for kind in KINDS:
        has = [r[kind][0] / r[kind][1] for r in rows if r[kind][2] and r[kind][1]]
        most = sum(r[kind][1] for r in rows)
        if has:
            print(f"  {kind:12s} pages {len(has):5d}  mean {sum(has) / len(has):.4f}  all pages {sum(r[kind][0] for r in rows) / most:.4f}")
    both = [(r[k][0], r[k][1]) for r in rows for k in ("heading", "item")]
    worth = [sum(p[k][0] for k in ("heading", "item")) / sum(p[k][1] for k in ("heading", "item")) for p in rows
             if p["heading"][1] or p["item"][1]]
    print(f"  structure    mean {sum(worth) / max(1, len(worth)):.4f}", end="")
    print(f"  all pages {sum(a for a, _ in both) / max(1, sum(b for _, b in both)):.4f}")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("labels")
    a.add_argument("predictions")
    a.add_argument("--half", default="development")
    a.add_argument("--by")
    a.add_argument("--worst", help="list the worst pages of a kind")
    o = a.parse_args()
    got = {p["id"]: p["text"] or "" for p in load(o.predictions)}
    labels = [p for p in load(o.labels) if o.half in ("all", p["half"])]
    groups = collections.defaultdict(list)
    scored = []
    for p in labels:
        r = page(p["reference"], got.get(p["id"], ""))
        for kind in p.get("skip", []):
            r[kind] = 0.0, 0, False
        scored.append((p, r))
        groups[p[o.by] if o.by else o.half].append(r)
    for g in sorted(groups):
        table(groups[g], g)
    if o.worst:
        lost = [(r[o.worst][1] - r[o.worst][0], r[o.worst], p["id"]) for p, r in scored if r[o.worst][1]]
        for l, (points, most, _), id in sorted(lost, reverse=True)[:40]:
            print(f"  {id:60s} lost {l:.1f} of {most}")


if __name__ == "__main__":
    main()
