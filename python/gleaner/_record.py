"""Records out of archives."""

import re
import zlib
from typing import Iterator, List, Optional, Tuple

# One member of a gzip payload may not grow to more than this, as in the program.
_MAX_BODY = 1 << 30


class Record:
    """A record out of its archive."""

    def __init__(self, headers: List[Tuple[str, str]], status: Optional[int], http_headers: List[Tuple[str, str]],
                 payload: bytes):
        self.headers = headers  # of the WARC record
        self.status = status  # of HTTP
        self.http_headers = http_headers
        self.payload = payload  # as the archive has it, with chunks and content coding
        self.original = None  # type: Optional[Record] # of a revisit, if it was found

    def header(self, name: str) -> Optional[str]:
        """Returns a field of HTTP, or else of the WARC record."""
        for key, value in [*self.http_headers, *self.headers]:
            if key.lower() == name.lower():
                return value
        return None

    @property
    def is_revisit(self) -> bool:
        """Reports whether the record has no payload of its own."""
        return (self.header("WARC-Type") or "").lower() == "revisit"

    @property
    def body(self) -> bytes:
        """The payload without chunks and without a gzip coding. A revisit has that of its original, or b""."""
        if self.original is not None and not self.payload:
            return self.original.body
        body = self.payload
        if "chunked" in (self.header("Transfer-Encoding") or "").lower():
            body = _unchunked(body)
        # Some crawlers keep the field and store the payload decoded.
        if "gzip" in (self.header("Content-Encoding") or "").lower() and body[:2] == b"\x1f\x8b":
            body = _unzipped(body)
        return body


_size = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\n]*)?\r?\n")


def _unchunked(data: bytes) -> bytes:
    """Returns the data of chunks (RFC 9112, 7.1), or data itself if it is not a sequence of chunks: some crawlers join
    them and keep the field.
    """
    parts, at = [], 0
    while True:
        found = _size.match(data, at)
        if not found:
            # Only a payload that was cut between two chunks is one of chunks without the last.
            return b"".join(parts) if parts and at == len(data) else data
        size, at = int(found.group(1), 16), found.end()
        if size == 0:
            return b"".join(parts)
        if size > len(data) - at:
            return b"".join(parts + [data[at:]]) if parts else data
        parts.append(data[at:at + size])
        at += size
        at += 2 if data[at:at + 2] == b"\r\n" else data[at:at + 1] == b"\n"


def _unzipped(data: bytes) -> bytes:
    """Returns the text of gzip members, as far as they can be read, or data itself if nothing can."""
    parts, rest, left = [], data, _MAX_BODY
    while rest[:2] == b"\x1f\x8b" and left > 0:
        member = zlib.decompressobj(31)
        try:
            text = member.decompress(rest, left)
        except zlib.error:
            text = _readable(rest, left)
            parts += [text] if text else []
            break
        parts.append(text)
        left -= len(text)
        rest = member.unused_data
    return b"".join(parts) if parts else data


def _readable(data: bytes, left: int) -> bytes:
    """Returns what a damaged gzip member has before the damage. Its steps become finer there."""
    member, parts, at, step = zlib.decompressobj(31), [], 0, 1 << 16
    while at < len(data) and left > 0 and step > 0:
        before = member.copy()
        try:
            text = member.decompress(data[at:at + step], left)
        except zlib.error:
            member, step = before, step // 16
            continue
        parts.append(text)
        left -= len(text)
        at += step
    return b"".join(parts)


_end = re.compile(rb"\r?\n\r?\n")


def _head(data: bytes) -> Tuple[bytes, List[Tuple[str, str]], bytes]:
    """Divides a message into its first line, its fields and the rest. Old archives have lines without CR."""
    end = _end.search(data)
    head, rest = (data[:end.start()], data[end.end():]) if end else (data, b"")
    first, *lines = re.split(rb"\r?\n", head)
    fields = []  # type: List[Tuple[str, str]]
    for line in lines:
        text = line.decode("utf-8", "surrogateescape")
        if text[:1] in (" ", "\t") and fields:
            fields[-1] = (fields[-1][0], f"{fields[-1][1]} {text.strip()}".strip())
            continue
        name, _, value = text.partition(":")
        fields.append((name.strip(), value.strip()))
    return first, fields, rest


def records(data: bytes) -> Iterator[Tuple[str, Record]]:
    """Yields the records of a WARC file with their types."""
    while data:
        _, fields, rest = _head(data)
        named = {name.lower(): value for name, value in fields}
        length = int(named["content-length"])
        block, data = rest[:length], rest[length:].lstrip(b"\r\n")
        status, http = None, []  # type: Optional[int], List[Tuple[str, str]]
        if named.get("content-type", "").startswith("application/http"):
            first, http, block = _head(block)
            words = first.split()
            status = int(words[1]) if len(words) > 1 and words[1].isdigit() else None
        yield named.get("warc-type", ""), Record(fields, status, http, block)
