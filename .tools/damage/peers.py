"""Reads WARC files with a Python peer, for `make damage`.

usage: peers.py fastwarc|warcio

It writes "ready" after it has imported the peer. Each line of standard input is the name of a file. For each file, it
writes a line of JSON per document, and an empty line.

A document is flagged if its digest does not match, because the peer reports nothing else.
"""

import hashlib
import importlib
import json
import sys


def tell(url, body, flagged):
    line = {"URL": url or "", "SHA1": hashlib.sha1(body).hexdigest(), "Size": len(body), "Flagged": flagged}
    print(json.dumps(line))


def fastwarc(path):
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with open(path, "rb") as file:
        for record in ArchiveIterator(file, parse_http=False, record_types=WarcRecordType.response):
            record.freeze()
            flagged = "WARC-Block-Digest" in record.headers and not record.verify_block_digest()
            url = record.headers.get("WARC-Target-URI", "")
            record.parse_http(auto_decode="all")
            tell(url, record.reader.read(), flagged)


def warcio(path):
    from warcio.archiveiterator import ArchiveIterator

    with open(path, "rb") as file:
        for record in ArchiveIterator(file, check_digests=True):
            if record.rec_type == "response":
                body = record.content_stream().read()
                head = record.rec_headers
                url = head.get_header("WARC-Target-URI") or head.get_header("uri")  # in an ARC file
                tell(url, body, record.digest_checker.passed is False)


importlib.import_module(sys.argv[1])  # otherwise the peer would seem to read nothing from all files
print("ready", flush=True)
read = {"fastwarc": fastwarc, "warcio": warcio}[sys.argv[1]]
for path in sys.stdin:
    try:
        read(path.rstrip("\n"))
    except Exception as error:  # the reader has stopped; its earlier records count
        print(type(error).__name__, error, file=sys.stderr)
    print(flush=True)
