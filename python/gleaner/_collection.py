"""Collections: folders that ingest wrote."""

import json
import re
import sys
import threading
from typing import Any, Dict, List, Optional, Sequence, Union

from ._program import Paths, Process, flags, named, warn
from ._record import Record
from ._table import Rows


class Answer(Rows):
    """The captures that match a query. Each use asks again."""

    def __init__(self, args: List[str], fields: Optional[Sequence[str]] = None):
        self._args, self._fields = args, fields

    def _begin(self, form: str) -> Process:
        return Process(["query", f"--format={form}", *self._args, *flags({"fields": self._fields})])

    def __len__(self) -> int:
        # The format count counts all captures that match, so answers with a limit and ranked ones are read.
        if any(a.startswith(("--limit=", "--about=", "--like=")) for a in self._args):
            return sum(1 for _ in self)
        with Process(["query", "--format=count", *self._args]) as process:
            count = process.out.read()
            process.end()
        return int(count)

    def __bool__(self) -> bool:
        return len(self) > 0


class Collection:
    """A folder that ingest wrote, or a bucket."""

    def __init__(self, path: str):
        self.path = str(path)

    def __repr__(self) -> str:
        return f"Collection({self.path!r})"

    def query(self, where: Optional[str] = None, *, fields: Optional[Sequence[str]] = None, **more: Any) -> Answer:
        """Asks for captures. `where` is a filter (docs/query.md); `more` are flags of `gleaner query`, such as text=,
        lang=, from_=, limit= and all_versions=True. Without them the newest version of each page is in the answer.
        """
        return Answer([f"--collection={self.path}", *flags({"where": where, **more})], fields)

    def versions(self, url: str, **more: Any) -> Answer:
        """Returns all versions of a page."""
        return self.query(url=_exactly(url), all_versions=True, **more)

    def facets(self, by: Union[str, Sequence[str]], where: Optional[str] = None, **more: Any) -> List[Dict[str, Any]]:
        """Counts captures by the values of fields: a dict for each combination, with the key captures. These are the
        newest ones of each page, or with all_versions=True all.
        """
        return self._rows(flags({"by": by, "where": where, "format": "jsonl", **more}))

    def sql(self, question: str) -> List[Dict[str, Any]]:
        """Answers a question in SQL (docs/query.md)."""
        return self._rows([f"--sql={question}", "--format=jsonl"])

    def record(self, url: str, time: Optional[str] = None) -> Record:
        """Returns the newest record of a URL, or the one at a time, out of its archive. Raises KeyError if there is
        none.
        """
        found = self._rows(flags({"url": _exactly(url), "at": time, "format": "records", "limit": 1}))
        if not found:
            raise KeyError(url)
        return Record(found[0])

    def _rows(self, args: List[str]) -> List[Dict[str, Any]]:
        with Process(["query", f"--collection={self.path}", *args]) as process:
            rows = [json.loads(line) for line in process.out]
            process.end()
        return rows


def _exactly(url: str) -> str:
    """Returns a URL as a question: a star at its end would choose all that begin so."""
    return re.sub(r"\*$", "%2A", url)


def ingest(archives: Paths, output: str, *, extract: Optional[Sequence[str]] = None, progress: Optional[bool] = None,
           **more: Any) -> Collection:
    """Reads archives into a collection in the folder output, and returns the collection.

    A run that was interrupted goes on where it was. `progress` shows a bar, which needs tqdm; None shows one on a
    terminal and in a notebook. `more` are flags of `gleaner ingest`. Damaged archives are no error but a warning:
    `gleaner check` and the rejects in the folder tell what was lost.
    """
    args = ["ingest", f"--output={output}", *flags({"extract": extract, **more}), "--", *named(archives)]
    with Process(args) as process:
        bar = _Bar(process) if progress or progress is None and _interactive() else None
        process.out.read()
        code = process.end((0, 3))
        if bar:
            bar.end()
        if code == 3:
            warn("not all of the archives could be read: see `gleaner check`, and the rejects in the folder")
    return Collection(output)


def _interactive() -> bool:
    return "ipykernel" in sys.modules or sys.stderr.isatty()


class _Bar:
    """A bar of tqdm that follows the program's log."""

    def __init__(self, process: Process):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._bar = None
            return
        self._bar = tqdm(unit="B", unit_scale=True, desc="ingest")
        self._process, self._ended = process, threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        while not self._ended.wait(0.5):
            self._show()

    def _show(self) -> None:
        last = [r for r in self._process.log() if r.get("msg") == "progress"]
        if last and self._bar is not None:
            self._bar.total = last[-1].get("total") or None
            self._bar.n = last[-1].get("bytes", 0)
            self._bar.refresh()

    def end(self) -> None:
        if self._bar is not None:
            self._ended.set()
            self._thread.join()
            self._show()
            self._bar.close()
