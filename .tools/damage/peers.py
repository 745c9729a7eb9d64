"""Reads WARC files with a Python peer, for `make damage`.

usage: peers.py fastwarc|warcio

For each line of standard input, the name of a file, it writes a line of JSON for each document, then an empty line.

Flagged is what the peer itself can tell: that a digest does not match.
"""

import hashlib
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
                tell(record.rec_headers.get_header("WARC-Target-URI"), body, record.digest_checker.passed is False)


read = {"fastwarc": fastwarc, "warcio": warcio}[sys.argv[1]]
for path in sys.stdin:
    try:
        read(path.rstrip("\n"))
    except Exception as error:  # whatever it is, the reader has stopped; what it gave before counts
        print(type(error).__name__, error, file=sys.stderr)
    print(flush=True)
