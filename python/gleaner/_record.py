"""Records out of archives."""

import base64
from typing import Any, Dict, List, Optional, Tuple


class Record:
    """A record out of its archive, from a line of `gleaner query --format=records`."""

    def __init__(self, line: Dict[str, Any]):
        self.headers = [(k, v) for k, v in line["headers"]]  # type: List[Tuple[str, str]] # of the WARC record
        self.status = line.get("status")  # type: Optional[int] # of HTTP
        self.http_headers = [(k, v) for k, v in line["http_headers"]]  # type: List[Tuple[str, str]]
        # as the archive has it, with chunks and content coding
        self.payload = base64.b64decode(line["payload"] or "")
        # the payload without chunks and content coding; a revisit has that of its original, or b""
        self.body = base64.b64decode(line["body"] or "")
        self.flags = line["flags"] or []  # type: List[str] # of damage and limits
        original = line.get("original")
        self.original = Record(original) if original else None  # type: Optional[Record] # of a revisit, if it was found

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
