"""Extractors of one's own: functions that the program calls for each document."""

import json
import os
import sys
from typing import Any, Callable, Dict, Optional, Sequence, Union

_TYPES = {str: "text", int: "integer", float: "float", bool: "boolean"}


class Plug:
    """A function as an extractor. `run` answers the program until it ends."""

    def __init__(self, function: Callable[[Dict[str, Any]], Any], name: str, version: str,
                 columns: Dict[str, Union[type, str]], reads: Sequence[str]):
        self.function, self.columns = function, list(columns)
        types = {c: t if isinstance(t, str) else _TYPES[t] for c, t in columns.items()}
        self.declaration = {"name": name, "version": version, "columns": types, "reads": list(reads)}

    def __call__(self, document: Dict[str, Any]) -> Any:
        return self.function(document)

    def answer(self, document: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the values of a document, or its error."""
        try:
            values = self.function(document)
        except Exception as err:
            return {"error": f"{type(err).__name__}: {err}"}
        if not isinstance(values, dict):
            values = {self.columns[0]: values}
        return values

    def run(self) -> None:
        """Answers the program. What the function prints goes to standard error, also if a library in C or another
        process prints it. Standard input is empty for it.
        """
        out = os.fdopen(os.dup(1), "w", encoding="ascii", newline="\n")
        documents = os.fdopen(os.dup(0), "rb")
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.stdout = sys.stderr
        out.write(json.dumps(self.declaration) + "\n")
        out.flush()
        for line in documents:
            out.write(self._line(json.loads(line)) + "\n")
            out.flush()

    def _line(self, document: Dict[str, Any]) -> str:
        try:
            return json.dumps(self.answer(document), default=_plain, allow_nan=False)
        except (TypeError, ValueError) as err:  # a value that JSON cannot have
            return json.dumps({"error": str(err)})


def _plain(value: Any) -> Any:
    """Returns numbers of NumPy and times as JSON can have them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no value of a column")


def extractor(*, columns: Dict[str, Union[type, str]], reads: Sequence[str] = ("url", "text"), version: str = "1",
              name: Optional[str] = None) -> Callable[[Callable[[Dict[str, Any]], Any]], Plug]:
    """Makes a function an extractor for `gleaner ingest --plug='python3 file.py'`.

        @gleaner.extractor(columns={"words": int})
        def words(document):
            return len(document.get("text", "").split())

        if __name__ == "__main__":
            words.run()

    The function gets a dict with the columns in `reads`, and returns a dict of values by column, or the value of the
    first column. None is no value. Change `version` whenever the same document has another result.
    """
    return lambda function: Plug(function, name or function.__name__.lower(), version, columns, reads)
