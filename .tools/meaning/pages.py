"""Writes the labelled pages of the given corpora as one archive, for TestMeasureAbout:

    python3 pages.py ../shared/corpora pages.warc.gz

Pages without a known address get one on a host of their own.
"""

import base64
import gzip
import json
import sys
import uuid
from pathlib import Path


def pages(root):
    """Yields the address and the HTML of each page, always in the same order."""
    for file in sorted((root / "wcxb-dev/html").glob("*.html.gz")):
        truth = json.loads((root / "wcxb-dev/ground-truth" / file.name.replace(".html.gz", ".json")).read_text())
        yield truth.get("url"), gzip.decompress(file.read_bytes()), file
    half = root / "trafilatura-half"
    for url, entry in sorted(json.loads((half / "evaldata.json").read_text()).items()):
        file = half / "html" / (entry["file"] + ".gz")
        if file.exists():
            yield url, gzip.decompress(file.read_bytes()), file
    for file in sorted(root.glob("readability/*/source.html.gz")):
        yield None, gzip.decompress(file.read_bytes()), file.parent
    for file in sorted((root / "chinese/original").glob("*.html.gz")):
        yield None, gzip.decompress(file.read_bytes()), file
    for name in "feed-texts/pages", "cleaning/cleaneval-half", "cleaning/dragnet-half", "cleaning/gn1-half":
        with gzip.open(root / (name + ".jsonl.gz"), "rt") as lines:
            for line in lines:
                page = json.loads(line)
                html = base64.b64decode(page["html_base64"]) if "html_base64" in page else page["html"].encode()
                yield page["url"], html, None


def record(url, html):
    """Returns a record as a member of its own. The same page gives the same bytes."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url)}>\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", mtime=0)


corpora, out = Path(sys.argv[1]), Path(sys.argv[2])
with out.open("wb") as archive:
    for number, (url, html, file) in enumerate(pages(corpora / "maintext")):
        archive.write(record(url or f"http://{file.name.split('.')[0].lower()}.example/{number}", html))
