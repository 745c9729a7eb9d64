"""Gleaner: web archives as documents.

    import gleaner

    for document in gleaner.read("crawl.warc.gz"):
        print(document["url"], document.get("language"), document.get("title"))

`read` streams documents from archives. `ingest` writes a collection to a folder, which `Collection` queries. `extract`
and `extract_html` make documents of pages that are in no archive, and `langid` tells languages of texts.

Functions take the flags of the program as keyword arguments: `workers=4` is `--workers=4`, `all_versions=True` is
`--all_versions`, and a list is joined with commas. `gleaner ingest --help` in a shell describes them.
"""

from ._collection import Answer, Collection, Record, ingest
from ._extract import Extractor, extract, extract_html, langid
from ._plug import Plug, extractor
from ._program import GleanerError, UsageError, program, version
from ._read import Reader, Reject, read

__all__ = [
    "Answer", "Collection", "Extractor", "GleanerError", "Plug", "Reader", "Record", "Reject", "UsageError", "extract",
    "extract_html", "extractor", "ingest", "langid", "program", "read", "version",
]
__version__ = version()
