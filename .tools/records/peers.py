"""Reads WARC files with the Python peers, for `make bench-records`.

usage: peers.py fastwarc|warcio FILE...     print records, HTTP heads, payload bytes and error of each file, and peak memory
       peers.py convert IN.warc.gz OUT_DIR  write it as .warc (uncompressed) and .warc.zst (a frame for each gzip member)

The payload is the part after the HTTP head, or the block of a record without one. No coding is undone.
"""

import pathlib
import sys
import zlib


def fastwarc_reader():
    from fastwarc.warc import ArchiveIterator

    def read(file, totals):
        for record in ArchiveIterator(file, parse_http=True):
            totals["records"] += 1
            totals["heads"] += record.is_http_parsed
            totals["payload"] += record.consume()

    return read


def warcio_reader():
    from warcio.archiveiterator import ArchiveIterator

    def read(file, totals):
        with open(file, "rb") as stream:
            for record in ArchiveIterator(stream):
                totals["records"] += 1
                totals["heads"] += record.http_headers is not None
                while data := record.raw_stream.read(65536):
                    totals["payload"] += len(data)

    return read


def report(read, files):
    for file in files:
        totals = {"records": 0, "heads": 0, "payload": 0}
        error = ""
        try:
            read(file, totals)
        except Exception as e:  # any error means that the reader has stopped
            error = " ".join(f"{type(e).__name__}: {e}".split())
        print(*totals.values(), error, sep="\t")
    print("peak", peak(), sep="\t")


def peak():
    """Returns the peak resident memory in KiB, or 0 if unknown."""
    try:
        lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((line.split()[1] for line in lines if line.startswith("VmHWM:")), 0)


def convert(source, folder):
    import zstandard

    compressor = zstandard.ZstdCompressor(level=3, write_content_size=True, write_checksum=True)
    name = pathlib.Path(source).name.removesuffix(".gz")
    with open(f"{folder}/{name}", "wb") as plain, open(f"{folder}/{name}.zst", "wb") as zst:
        for member in members(memoryview(pathlib.Path(source).read_bytes())):
            plain.write(member)
            zst.write(compressor.compress(member))


def members(data):
    """Yields the content of each gzip member. It feeds zlib in pieces, because zlib copies its unused input."""
    at = 0
    while at < len(data):
        inflater, parts = zlib.decompressobj(wbits=31), []
        while not inflater.eof:
            piece = data[at : at + 65536]
            if not piece:
                raise EOFError("the last gzip member is cut")
            parts.append(inflater.decompress(piece))
            at += len(piece) - len(inflater.unused_data)
        yield b"".join(parts)


mode, *arguments = sys.argv[1:]
if mode == "convert":
    convert(*arguments)
else:
    report({"fastwarc": fastwarc_reader, "warcio": warcio_reader}[mode](), arguments)
