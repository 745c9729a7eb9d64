"""Aligns two sequences of elements in order, and two tables as trees."""

from rapidfuzz.distance import Levenshtein

LEAST = 0.3  # less alike elements are not the same


def align(a, b, similar):
    """Pairs in ascending order on both sides with the highest sum of similarities."""
    n, m = len(a), len(b)
    if not n or not m:
        return []
    s = [[similar(x, y) for y in b] for x in a]
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        row, below, si = best[i], best[i + 1], s[i]
        for j in range(m - 1, -1, -1):
            v = below[j] if below[j] > row[j + 1] else row[j + 1]
            if si[j] >= LEAST and below[j + 1] + si[j] > v:
                v = below[j + 1] + si[j]
            row[j] = v
    pairs, i, j = [], 0, 0
    while i < n and j < m:
        if s[i][j] >= LEAST and best[i][j] == best[i + 1][j + 1] + s[i][j]:
            pairs.append((a[i], b[j], s[i][j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def distance(a, b, remove, change):
    """Edit distance of two sequences: remove costs an element, change costs a pair."""
    row = [0.0]
    for y in b:
        row.append(row[-1] + remove(y))
    for x in a:
        left, diagonal = row[0] + remove(x), row[0]
        new = [left]
        for j, y in enumerate(b):
            left = min(left + remove(y), row[j + 1] + remove(x), diagonal + change(x, y))
            diagonal = row[j + 1]
            new.append(left)
        row = new
    return row[-1]


def cells(x, y):
    return distance(x, y, lambda c: 1, lambda c, d: Levenshtein.normalized_distance(c, d) if c or d else 0.0)


def tree_similarity(a, b):
    """TEDS of two tables: 1 less the edit distance of their trees by the size of the larger.

    The trees have a table, rows and cells. Rows are only compared with rows, and cells with cells; package apted, which
    also allows others, gives the same on tables of any sense and takes hundreds of times as long.
    """
    size = max(1 + sum(1 + len(r) for r in a), 1 + sum(1 + len(r) for r in b))
    return 1 - distance(a, b, lambda r: 1 + len(r), cells) / size
