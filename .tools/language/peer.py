"""Detects the language of texts with CLD2.

python peer.py < texts

Each line of the input is one text as a JSON string. Each line of the output is the code of its language, or "" if
unknown. The last line is the CPU time in seconds.
"""
import json
import sys
import time

import pycld2


def detect(text):
    try:
        reliable, _, details = pycld2.detect(text, bestEffort=True)
    except pycld2.error:  # for control characters, which it refuses
        return ""
    code = details[0][1]
    return "" if code == "un" else code


def main():
    texts = [json.loads(line) for line in sys.stdin]
    detect("A text that makes it ready.")
    begin = time.process_time()
    codes = [detect(text) for text in texts]
    took = time.process_time() - begin
    print("\n".join(codes))
    print(took)


main()
