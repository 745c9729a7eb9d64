"""Extractors of one's own: functions that the program calls for each document."""

import datetime
import json
import os
import sys
from typing import Any, BinaryIO, Callable, Dict, List, Optional, Sequence

try:
    from orjson import loads as _loads  # in a third of the time
except ImportError:
    from json import loads as _loads

# As much as a pipe holds: reads of a few KB would cost more than the texts.
_BUFFER = 1 << 20

_TYPES = {str: "text", int: "integer", float: "float", bool: "boolean", datetime.datetime: "time", datetime.date: "time"}


class Plug:
    """A function as an extractor. `run` answers the program until it ends."""

    def __init__(self, function: Callable[[Any], Any], name: str, version: str,
                 columns: Dict[str, Any], reads: Sequence[str], batch: Optional[int] = None, exchange: str = "json"):
        self.function, self.columns = function, list(columns)
        if exchange not in ("json", "arrow"):
            raise ValueError(f'exchange is {exchange!r}; it can be "json" or "arrow"')
        if exchange == "arrow" and batch is None:
            batch = 64
        types = {c: _type_name(t) for c, t in columns.items()}
        for column, of in types.items():
            if of is None:
                raise TypeError(f"{column} cannot be of type {columns[column]}: use str, int, float, bool or datetime")
        if batch is not None and (not isinstance(batch, int) or not 1 <= batch <= 1024):
            raise ValueError(f"batch is {batch!r}; it can be 1 to 1024 documents")
        self.declaration = {"name": name, "version": version, "columns": types, "reads": list(reads)}
        if batch is not None:
            self.declaration["batch"] = batch
        self.arrow = None
        if exchange == "arrow":
            from ._arrowplug import ArrowExchange  # it needs pyarrow
            self.arrow = ArrowExchange(function, types)
            self.declaration["exchange"] = "arrow"

    def __call__(self, documents: Any) -> Any:
        return self.function(documents)

    def answer(self, document: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the values of a document, or its error."""
        try:
            values = self.function(document)
        except Exception as err:
            return _error(err)
        return self._named(values)

    def answers(self, documents: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
        """Returns the values of each document of a batch."""
        values = _listed(self.function(documents))
        if isinstance(values, dict):  # lists by column
            lists = {c: _listed(v) for c, v in values.items()}
            for column, of in lists.items():
                _check(of, documents, column)
            return [{c: v[i] for c, v in lists.items()} for i in range(len(documents))]
        _check(values, documents, "the function")
        return [self._named(v) for v in values]

    def _named(self, value: Any) -> Dict[str, Any]:
        if isinstance(value, Exception):
            return _error(value)
        return value if isinstance(value, dict) else {self.columns[0]: value}

    def run(self) -> None:
        """Answers the program. What the function prints goes to standard error, also if a library in C or another
        process prints it. Standard input is empty for it.
        """
        out = os.fdopen(os.dup(1), "wb", _BUFFER)
        documents = os.fdopen(os.dup(0), "rb", _BUFFER)
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.stdout = sys.stderr
        out.write(json.dumps(self.declaration).encode() + b"\n")
        out.flush()
        if self.arrow:
            self.arrow.run(documents, out)
        else:
            self._lines(documents, out)

    def _lines(self, documents: BinaryIO, out: BinaryIO) -> None:
        answer = self._batch if "batch" in self.declaration else lambda document: _json(self.answer(document))
        while True:
            line = documents.readline()
            if not line:
                return
            out.write(answer(_loads(line)).encode() + b"\n")
            out.flush()

    def _batch(self, documents: List[Dict[str, Any]]) -> str:
        try:
            values = self.answers(documents)
        except Exception as err:  # the program asks for each document alone, to find the one at fault
            return json.dumps(_error(err))
        try:
            return json.dumps(values, default=_plain, allow_nan=False)
        except (TypeError, ValueError):
            return "[" + ",".join(_json(v) for v in values) + "]"


def _type_name(of: Any) -> Optional[str]:
    """Returns the name of a type: one of Python's, of Arrow's, or a name."""
    if isinstance(of, str):
        return of
    if type(of).__module__.startswith("pyarrow"):
        from ._arrowplug import name_of
        return name_of(of)
    return _TYPES.get(of)


def _error(err: Exception) -> Dict[str, str]:
    return {"error": f"{type(err).__name__}: {err}"}


def _json(values: Dict[str, Any]) -> str:
    try:
        return json.dumps(values, default=_plain, allow_nan=False)
    except (TypeError, ValueError) as err:  # a value that JSON cannot have
        return json.dumps({"error": str(err)})


def _listed(values: Any) -> Any:
    """Returns arrays of NumPy and columns of Arrow, pandas and Polars as lists."""
    for name in ("to_pylist", "tolist", "to_list"):
        if hasattr(values, name):
            return getattr(values, name)()
    return values


def _check(values: Any, documents: List[Dict[str, Any]], whose: str) -> None:
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"{whose} has a value of type {type(values).__name__} for a batch, and it needs a list")
    if len(values) != len(documents):
        raise ValueError(f"{whose} has {len(values)} values for {len(documents)} documents")


def _plain(value: Any) -> Any:
    """Returns numbers of NumPy and times as JSON can have them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, datetime.datetime) and value.tzinfo is None:
        return value.isoformat() + "Z"
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no value of a column")


def extractor(*, columns: Dict[str, Any], reads: Sequence[str] = ("url", "text"), version: str = "1",
              name: Optional[str] = None, batch: Optional[int] = None,
              exchange: str = "json") -> Callable[[Callable[[Any], Any]], Plug]:
    """Makes a function an extractor for `gleaner ingest --plug='python3 file.py'`.

        @gleaner.extractor(columns={"words": int})
        def words(document):
            return len(document.get("text", "").split())

        if __name__ == "__main__":
            words.run()

    The function gets a dict with the columns in `reads`, and returns a dict of values by column, or the value of the
    first column. None is no value. Change `version` whenever the same document has another result.

    With `batch=64` it gets a list of up to 64 such dicts, and returns a list with the values of each, or an exception
    for one that it cannot do. It may also return a dict of lists by column. Lists may be arrays. The values of a
    document must not depend on the others.

    With `exchange="arrow"` it gets a pyarrow.RecordBatch of up to `batch` documents (64), and returns an array for the
    first column, or arrays by column: a dict, a RecordBatch, a Table, or a DataFrame of pandas or Polars. An item of an
    array may be a list of values. A column "error" has messages for documents that the function cannot do.
    """
    return lambda function: Plug(function, name or function.__name__.lower(), version, columns, reads, batch, exchange)
