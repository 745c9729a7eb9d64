"""Answers as rows and as tables."""

import json
from typing import Any, Dict, Iterator, List

from ._program import Process, need


class Rows:
    """Rows of a command that is run for each use: as dicts, or as a table."""

    def _begin(self, form: str) -> Process:
        raise NotImplementedError

    def _end(self, process: Process) -> None:
        """Waits for the process and looks at how it ended."""
        process.end()

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        with self._begin("jsonl") as process:
            for line in process.out:
                yield json.loads(line)
            self._end(process)

    def to_list(self) -> List[Dict[str, Any]]:
        """Returns all rows as dicts."""
        return [row for row in self]  # list would ask for the length first

    def batches(self) -> Iterator[Any]:
        """Yields Arrow record batches as they are ready."""
        ipc = need("pyarrow.ipc", "arrow")
        with self._begin("arrow") as process:
            try:
                with ipc.open_stream(process.out) as stream:
                    for batch in stream:
                        yield batch
            except ValueError:  # pyarrow's errors: the stream ends early if the program fails
                self._end(process)
                raise
            self._end(process)

    def to_arrow(self) -> Any:
        """Returns a pyarrow.Table."""
        pa = need("pyarrow", "arrow")
        ipc = need("pyarrow.ipc", "arrow")
        with self._begin("arrow") as process:
            try:
                with ipc.open_stream(process.out) as stream:
                    table = pa.Table.from_batches(list(stream), stream.schema)
            except ValueError:
                self._end(process)
                raise
            self._end(process)
        return table

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame."""
        need("pandas", "pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Returns a polars.DataFrame."""
        return need("polars", "polars").from_arrow(self.to_arrow())
