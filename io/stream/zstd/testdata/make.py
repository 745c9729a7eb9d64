"""Makes libzstd/*.zst: what libzstd writes of some text at different levels, with and without a dictionary.

usage: python make.py    (needs: pip install zstandard==0.25.0)

All frames have a checksum, so decoding them without an error is proof.
"""
import pathlib
import random

import zstandard

OUT = pathlib.Path(__file__).parent / "libzstd"
WORDS = "<p> <div class=quay> harbour ship the of and </p> </div> a crane anchor in to lighthouse &amp; \n".split(" ")


def text(n, seed):
    r = random.Random(seed)
    out = []
    while sum(map(len, out)) < n:
        out.append(r.choice(WORDS) if r.random() < 0.9 else "%x" % r.getrandbits(r.randrange(1, 40)))
    return " ".join(out).encode()[:n]


def frame(data, level, dictionary=None, size=True, **parameters):
    p = zstandard.ZstdCompressionParameters.from_level(level, write_checksum=True, write_content_size=size, **parameters)
    return zstandard.ZstdCompressor(dict_data=dictionary, compression_params=p).compress(data)


def main():
    OUT.mkdir(exist_ok=True)
    for level in (-5, 1, 3, 9, 19, 22):
        (OUT / f"level{level}.zst").write_bytes(frame(text(12_000, level), level))
    (OUT / "small-window.zst").write_bytes(frame(text(12_000, 7), 5, size=False, window_log=10))
    (OUT / "long.zst").write_bytes(frame(bytes(range(256)) * 30 + text(3_000, 8) * 8, 12, enable_ldm=True, window_log=20))
    (OUT / "zeros.zst").write_bytes(frame(bytes(40_000), 3))
    r = random.Random(9)
    (OUT / "noise.zst").write_bytes(frame(r.randbytes(3_000) + bytes(r.choices(range(20), k=9_000)), 3))
    samples = [text(700, i) for i in range(300)]
    trained = zstandard.train_dictionary(4_000, samples, dict_id=1234)
    (OUT / "trained.dict").write_bytes(trained.as_bytes())
    raw = zstandard.ZstdCompressionDict(samples[0] + samples[1], dict_type=zstandard.DICT_TYPE_RAWCONTENT)
    (OUT / "raw.dict").write_bytes(raw.as_bytes())
    for name, d in (("trained", trained), ("raw", raw)):
        for level in (1, 19):
            (OUT / f"{name}-{level}.zst").write_bytes(frame(samples[0][100:] + samples[1] + samples[5], level, d))


main()
