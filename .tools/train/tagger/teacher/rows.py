"""Texts as rows of word pieces, several texts in a row."""
import numpy as np
from bert import LENGTH

MOST_PIECES = 8  # of a token: longer tokens are mostly addresses


def labels(text):
    """Returns the label of each token: 0 outside of names, 1 + 4 times the type for a begin, then inner, end, single."""
    tokens, y = text["Tokens"], [0] * len(text["Tokens"])
    starts = {start: i for i, (start, _) in enumerate(tokens)}
    for start, end, kind in text["Names"]:
        first = last = starts.get(start, -1)
        if first < 0:
            continue
        while last < len(tokens) and tokens[last][1] <= end:
            last += 1
        n = last - first
        if n == 0 or tokens[last - 1][1] != end:
            continue  # it starts or ends within a token
        for i in range(n):
            y[first + i] = 1 + 4 * kind + (3 if n == 1 else 0 if i == 0 else 2 if i == n - 1 else 1)
    return y


def lines(text):
    """Returns the tokens of each line, as numbers."""
    all_lines = [[]]
    for i, (start, _) in enumerate(text["Tokens"]):
        if i and "\n" in text["Text"][text["Tokens"][i - 1][1] : start]:
            all_lines.append([])
        all_lines[-1].append(i)
    return all_lines


def segments(text, tokenizer):
    """Splits a text into parts of whole lines that fit into a row. It splits longer lines too.

    Yields the tokens of each part, as numbers, and their pieces.
    """
    if not text["Tokens"]:
        return
    unknown = [tokenizer.token_to_id("[UNK]")]
    words = (text["Text"][start:end] for start, end in text["Tokens"])
    pieces = [(tokenizer.encode(w, add_special_tokens=False).ids or unknown)[:MOST_PIECES] for w in words]
    most = LENGTH - 2
    part, size = [], 0
    for line in lines(text):
        n = sum(len(pieces[i]) for i in line)
        if part and size + n > most:
            yield part, [pieces[i] for i in part]
            part, size = [], 0
        for i in line:
            if size + len(pieces[i]) > most:
                yield part, [pieces[i] for i in part]
                part, size = [], 0
            part.append(i)
            size += len(pieces[i])
    yield part, [pieces[i] for i in part]


class Rows:
    """Rows of LENGTH pieces. at has the numbers of each token: of its text, itself, its row and its first piece."""

    def __init__(self, texts, tokenizer, parts=None):
        """Packs texts by their numbers, the longest parts first. parts limits the parts of a text."""
        items = [(k, *s) for k, text in texts for s in list(segments(text, tokenizer))[:parts]]
        sizes = [2 + sum(map(len, pieces)) for _, _, pieces in items]
        rows, free = [], [[] for _ in range(LENGTH + 1)]  # rows by their free space
        for i in sorted(range(len(items)), key=lambda i: -sizes[i]):
            room = next((room for room in range(sizes[i], LENGTH + 1) if free[room]), None)
            if room is None:
                rows.append([])
                row, room = len(rows) - 1, LENGTH
            else:
                row = free[room].pop()
            rows[row].append(i)
            free[room - sizes[i]].append(row)
        self.pieces, self.places, self.segments = np.zeros((3, len(rows), LENGTH), np.int32)
        at, begin, end = [], tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
        for row, content in enumerate(rows):
            column = 0
            for segment, i in enumerate(content):
                text, tokens, pieces = items[i]
                line, first = [begin], column
                for token, p in zip(tokens, pieces):
                    at.append((text, token, row, first + len(line)))
                    line += p
                line.append(end)
                column += len(line)
                self.pieces[row, first:column] = line
                self.places[row, first:column] = np.arange(len(line))
                self.segments[row, first:column] = 1 + segment
        self.at = np.array(at)

    def head(self, n):
        """Keeps the first n rows."""
        self.pieces, self.places, self.segments = self.pieces[:n], self.places[:n], self.segments[:n]
        self.at = self.at[self.at[:, 2] < n]
        return self

    def labels(self, texts):
        """Returns the labels of the pieces, or -1 for pieces inside a token."""
        y, known = np.full(self.segments.shape, -1, np.int32), {}
        for text, token, row, column in self.at:
            if text not in known:
                known[text] = labels(texts[text])
            y[row, column] = known[text][token]
        return y
