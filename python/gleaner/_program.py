"""The program, and processes of it."""

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from typing import IO, Any, Dict, Iterable, List, Optional, Union

Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]
Document = Dict[str, Any]

# It begins the program's notes about an answer.
_ABOUT_ANSWER = "about this answer: "


class GleanerError(Exception):
    """The program failed. `code` is its exit code."""

    def __init__(self, message: str, code: int = 1):
        super().__init__(message)
        self.code = code


class UsageError(GleanerError):
    """An argument is wrong, or an archive is not there."""


def program() -> str:
    """Returns the path of the program: $GLEANER_PROGRAM, that of gleaner[cluster] or of this package, or the first on the
    PATH."""
    given = os.environ.get("GLEANER_PROGRAM")
    if given:
        return given
    suffix = ".exe" if sys.platform == "win32" else ""
    schemes = [sysconfig.get_default_scheme() if hasattr(sysconfig, "get_default_scheme") else None]
    schemes += [s for s in sysconfig.get_scheme_names() if s.endswith("_user")]
    folders = [sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts") for scheme in schemes]
    # The larger program does all that the smaller one does, if it is of the same version.
    names = ["gleaner-cluster" + suffix] if cluster() == version() else []
    for folder in folders:
        for name in [*names, "gleaner" + suffix]:
            if folder and os.path.isfile(os.path.join(folder, name)):
                return os.path.join(folder, name)
    found = shutil.which("gleaner")
    if not found:
        raise GleanerError("the program gleaner is not installed: install a wheel, or set GLEANER_PROGRAM to its path")
    return found


def version() -> str:
    """Returns the version of the package."""
    from ._version import VERSION

    return VERSION


def cluster() -> Optional[str]:
    """Returns the version of the package gleaner-cluster, or None if it is not installed."""
    try:
        return importlib.metadata.version("gleaner-cluster")
    except importlib.metadata.PackageNotFoundError:
        return None


def paths(given: Paths) -> List[str]:
    """Returns a list of paths, patterns or URLs as texts."""
    if isinstance(given, (str, os.PathLike)):
        given = [given]
    return [os.fspath(p) for p in given]


def named(archives: Paths) -> List[str]:
    """Returns archives as texts. Without any, the program would read a folder of its own choice."""
    given = paths(archives)
    if not given:
        raise UsageError("no archives named", 2)
    return given


def flags(given: Dict[str, Any]) -> List[str]:
    """Returns keyword arguments as flags. None is left out."""
    out = []
    for name, value in given.items():
        name = name.rstrip("_")  # from_=2026 is --from, which Python reserves
        if value is None:
            continue
        if isinstance(value, bool):
            value = "true" if value else "false"
        elif isinstance(value, (list, tuple, set, frozenset)):
            value = ",".join(str(v) for v in value)
        out.append(f"--{name}={value}")
    return out


class Process:
    """A run of the program. Its log goes to a file, so that it can never block the program."""

    def __init__(self, args: List[str], stdin: Optional[int] = subprocess.DEVNULL):
        self._log = tempfile.TemporaryFile()
        self._args, env = args, None
        if not any(a.startswith("--config=") for a in args):
            # Else GLEANER_TEXT, which is for ingest, would be words that a query looks for.
            env = {**os.environ, "GLEANER_JOB": "1"}
        try:
            self._popen = subprocess.Popen([program(), args[0], "--log_format=json", *args[1:]], stdin=stdin,
                                           stdout=subprocess.PIPE, stderr=self._log, env=env)
        except BaseException:
            self._log.close()
            raise

    @property
    def out(self) -> IO[bytes]:
        assert self._popen.stdout is not None
        return self._popen.stdout

    @property
    def stdin(self) -> IO[bytes]:
        assert self._popen.stdin is not None
        return self._popen.stdin

    def log(self) -> List[Dict[str, Any]]:
        """Returns the records of the log so far."""
        # The program writes at the position that a seek here would move. Without pread, the log waits for its end.
        if hasattr(os, "pread"):
            text = os.pread(self._log.fileno(), os.fstat(self._log.fileno()).st_size, 0)
        elif self._popen.poll() is None:
            return []
        else:
            self._log.seek(0)
            text = self._log.read()
        records = []
        for line in text.decode("utf-8", "replace").splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                record = None
            records.append(record if isinstance(record, dict) else {"level": "ERROR", "msg": line})
        return records

    def wait(self, accept: Iterable[int] = (0,)) -> int:
        """Waits for the end and returns the exit code. Raises GleanerError for one that is not accepted."""
        code = self._popen.wait()
        if code in accept:
            return code
        said = self.said("ERROR") or self.said("WARN")
        message = "\n".join(said) or f"gleaner {self._args[0]} ended with exit code {code}"
        raise (UsageError if code == 2 else GleanerError)(message, code)

    def said(self, level: str) -> List[str]:
        """Returns the messages of a level with what they are about, without rejects, which have a table."""
        return [_message(r) for r in self.log() if r.get("level") == level and r.get("msg", "reject") != "reject"]

    def end(self, accept: Iterable[int] = (0,)) -> int:
        """Waits for the end of an answer, and warns of what the program says about it: see wait."""
        code = self.wait(accept)
        for text in self.said("WARN"):
            warn(text)
        return code

    def close(self) -> None:
        """Ends the program if it runs, and closes its files."""
        # First, because a program that waits until it is read does not end.
        self.out.close()
        if self._popen.poll() is None:
            self._popen.terminate()
            try:
                self._popen.wait(10)
            except subprocess.TimeoutExpired:
                self._popen.kill()
                self._popen.wait()
        if self._popen.stdin:
            try:
                self._popen.stdin.close()
            except BrokenPipeError:
                pass
        self._log.close()

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _message(record: Dict[str, Any]) -> str:
    """Returns the message of a record of the log, with its attributes."""
    text = str(record["msg"])
    if text.startswith(_ABOUT_ANSWER):
        text = text[len(_ABOUT_ANSWER):]
    more = [f"{k}={v}" for k, v in record.items() if k not in ("time", "level", "msg", "command")]
    return f"{text} ({', '.join(more)})" if more else text


def warn(text: str) -> None:
    """Warns the first caller outside the package."""
    level, frame = 1, sys._getframe()  # type: int, Any
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(__package__ + "."):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, stacklevel=level)


def need(module: str, extra: str) -> Any:
    """Imports an optional module."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as err:
        raise ImportError(f"{err}: install gleaner[{extra}]") from err
