"""Documents straight from archives."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from ._program import Paths, Process, flags, named, warn
from ._table import Rows


class Reject(NamedTuple):
    """A part of an archive that could not be read."""

    filename: str
    offset: int  # bytes from the beginning of the file
    bytes_lost: int
    kind: str
    message: str


class Reader(Rows):
    """Documents of archives, in the order of the archives. Each use reads the archives again.

    After a use, `rejects` has what could not be read, and `summary` the counts.
    """

    def __init__(self, args: List[str]):
        self._args = args
        self.rejects: List[Reject] = []
        self.summary: Dict[str, Any] = {}

    def _begin(self, form: str) -> Process:
        self.rejects, self.summary = [], {}
        return Process(["ingest", "--output=-", f"--format={form}", *self._args])

    def _end(self, process: Process) -> None:
        code = process.end((0, 3))
        for record in process.log():
            if record.get("msg") == "reject":
                self.rejects.append(Reject(
                    record["filename"], record["offset"], record["bytes_lost"], record["kind"], record["message"]))
            elif record.get("msg") == "summary":
                self.summary = record.get("summary", {})
        if code == 3:
            lost = self.summary.get("totals", {}).get("bytes_lost", 0)
            warn(f"{lost} bytes of the archives could not be read: see .rejects")


def read(archives: Paths, *, extract: Optional[Sequence[str]] = None, **more: Any) -> Reader:
    """Reads archives: files, folders, patterns or URLs.

    extract names what to extract ("text", "language", …); None extracts what ingest does without --extract. `more` are
    flags of `gleaner ingest`, such as where="language = fr".
    """
    return Reader([*flags({"extract": extract, **more}), "--", *named(archives)])
