"""Documents of pages that are in no archive."""

import base64
import json
import os
import queue
import subprocess
import threading
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from ._program import Document, GleanerError, Process, flags


class Extractor:
    """A process that makes documents of pages. It loads its models once. Threads may share it.

        with gleaner.Extractor(extract=["text", "language"]) as extractor:
            document = extractor.page(html, url="https://example.org/")
    """

    def __init__(self, *, extract: Optional[Sequence[str]] = None, **more: Any):
        self._args = ["extract", *flags({"extract": extract, **more})]
        self._lock = threading.Lock()
        self._owner: Optional[int] = None  # thread that has the lock
        self._process: Optional[Process] = None
        self._pid = os.getpid()

    def page(self, page: Union[str, bytes], url: str = "", content_type: str = "") -> Document:
        """Returns the document of a page. A str is HTML; bytes may be any file."""
        (document,) = self.pages([_request(page, url, content_type)])
        return document

    def pages(self, requests: Iterable[Dict[str, Any]], ahead: int = 64) -> Iterator[Document]:
        """Yields a document for each request, in order. A request has the keys of docs/extract.md. At most `ahead` of
        them wait for their answer.
        """
        self._after_fork()
        if self._owner == threading.get_ident():
            raise GleanerError("a loop over pages of this extractor has not ended: end it first, or use another Extractor")
        with self._lock:
            self._owner = threading.get_ident()
            complete = False
            feed: Optional[_Feed] = None
            try:
                feed = _Feed(self._begin(), requests, ahead)
                while feed.more():
                    yield feed.answer()
                complete = True
            finally:
                if not complete:  # answers that nobody will read
                    if feed is not None:
                        feed.stop()
                    self._drop()
                self._owner = None

    def _after_fork(self) -> None:
        """Forgets the process of the parent: two readers of one pipe would get the answers of each other."""
        if self._pid != os.getpid():
            self._pid, self._process, self._owner, self._lock = os.getpid(), None, None, threading.Lock()

    def _begin(self) -> Process:
        if self._process is None:
            self._process = Process(self._args, stdin=subprocess.PIPE)
        return self._process

    def _drop(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None

    def close(self) -> None:
        """Ends the process. Another page starts a new one."""
        self._after_fork()
        if self._owner == threading.get_ident():
            self._drop()  # in a loop over its pages, which ends with an error
            return
        with self._lock:
            self._drop()

    def __enter__(self) -> "Extractor":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if self._pid == os.getpid():
            self._drop()


class _Feed:
    """Sends requests from a thread, because the program may wait until its answers are read."""

    def __init__(self, process: Process, requests: Iterable[Dict[str, Any]], ahead: int):
        self._process, self._requests = process, requests
        self._room = threading.Semaphore(ahead)
        self._stopped = False
        self._sent: "queue.SimpleQueue[Union[bool, BaseException]]" = queue.SimpleQueue()
        threading.Thread(target=self._send, daemon=True).start()

    def _send(self) -> None:
        try:
            for request in self._requests:
                self._room.acquire()
                if self._stopped:
                    return
                self._process.stdin.write(json.dumps(request).encode() + b"\n")
                self._process.stdin.flush()
                self._sent.put(True)
            self._sent.put(False)
        except BrokenPipeError:
            self._sent.put(True)  # the answer will say how the program ended
        except BaseException as err:
            self._sent.put(err)

    def more(self) -> bool:
        """Reports whether another answer will come."""
        sent = self._sent.get()
        if isinstance(sent, BaseException):
            raise sent
        return sent

    def answer(self) -> Document:
        line = self._process.out.readline()
        if not line:
            self._process.wait(())
        self._room.release()
        document = json.loads(line)
        if "error" in document:
            raise GleanerError(document["error"])
        return document

    def stop(self) -> None:
        self._stopped = True
        self._room.release()


def _request(page: Union[str, bytes], url: str, content_type: str) -> Dict[str, Any]:
    request: Dict[str, Any] = {"url": url, "content_type": content_type}
    if isinstance(page, str):
        # JSON of a lone surrogate is no text for the program.
        request["html"] = page.encode("utf-8", "replace").decode()
    else:
        request["body"] = base64.b64encode(page).decode()
    return request


_shared: Dict[Tuple[str, ...], Extractor] = {}
_guard = threading.Lock()


def _forked() -> None:
    global _guard
    _guard = threading.Lock()  # another thread of the parent may have had it


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _extractor(*names: str) -> Extractor:
    with _guard:
        if names not in _shared:
            _shared[names] = Extractor(extract=names or None)
        return _shared[names]


def extract_html(html: Union[str, bytes], url: str = "") -> Document:
    """Returns the document of a page: text, language, title, entities and more. The first call starts a process, which
    later calls share.
    """
    return _extractor().page(html, url)


def extract(data: bytes, url: str = "", content_type: str = "") -> Document:
    """Returns the document of any file: HTML, PDF, office documents, feeds."""
    return _extractor().page(data, url, content_type)


def langid(texts: Union[str, Iterable[str]]) -> Union[str, List[str]]:
    """Returns the language of a text, or of each text: ISO 639-1 or 639-3; "und" if it cannot be told."""
    one = isinstance(texts, str)
    requests = ({"text": t.encode("utf-8", "replace").decode()} for t in ([texts] if one else texts))
    codes = [d.get("language", "und") for d in _extractor("language").pages(requests)]
    return codes[0] if one else codes
