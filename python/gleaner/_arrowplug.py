"""The exchange of plugs in Arrow: record batches of documents, and of their values."""

from io import BufferedReader, BufferedWriter
from typing import Any, Callable, Dict, List, Optional

try:
    import pyarrow as pa
except ImportError as err:
    raise ImportError('exchange="arrow" needs pyarrow: pip install gleaner[arrow]') from err

_ITEMS = {"text": pa.string(), "integer": pa.int64(), "float": pa.float64(), "boolean": pa.bool_(),
          "time": pa.timestamp("us", "UTC")}


def name_of(of: pa.DataType) -> Optional[str]:
    """Returns the type of a column that has values of a type of Arrow, or lists of them."""
    if _is_list(of):
        of = of.value_type
    texts = [pa.types.is_string, pa.types.is_large_string, getattr(pa.types, "is_string_view", pa.types.is_string)]
    for name, tests in [("text", texts), ("integer", [pa.types.is_integer]),
                        ("float", [pa.types.is_floating]), ("boolean", [pa.types.is_boolean]),
                        ("time", [pa.types.is_timestamp, pa.types.is_date])]:
        if any(test(of) for test in tests):
            return name
    return None


class ArrowExchange:
    """Answers record batches by a function. Each column of the answer is a list, as a document may have many values."""

    def __init__(self, function: Callable[[pa.RecordBatch], Any], types: Dict[str, str]):
        self.function = function
        self.items = {column: _ITEMS[of] for column, of in types.items()}
        fields = [pa.field(column, pa.list_(item)) for column, item in self.items.items()]
        self.schema = pa.schema([pa.field("row", pa.int64()), pa.field("error", pa.string())] + fields)
        self.offsets = pa.array(range(1025), pa.int32())

    def run(self, documents: BufferedReader, out: BufferedWriter) -> None:
        """Answers the batches of a stream until it ends."""
        if not documents.peek(1):  # the program has no documents
            return
        with pa.ipc.new_stream(out, self.schema) as stream:
            for batch in pa.ipc.open_stream(documents):
                stream.write_batch(self.answer(batch))
                out.flush()

    def answer(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns the values of the documents of a batch, or their errors."""
        documents = batch.select(batch.schema.names[1:])
        try:
            columns = self.values(documents)
        except Exception:
            columns = self._one_by_one(documents)  # to find the one at fault
        return pa.RecordBatch.from_arrays([batch.column(0)] + columns, schema=self.schema)

    def _one_by_one(self, documents: pa.RecordBatch) -> List[pa.Array]:
        parts = []
        for i in range(len(documents)):
            try:
                parts.append(self.values(documents.slice(i, 1)))
            except Exception as err:
                values = [pa.nulls(1, pa.list_(item)) for item in self.items.values()]
                parts.append([pa.array([f"{type(err).__name__}: {err}"], pa.string())] + values)
        return [pa.concat_arrays(list(of_column)) for of_column in zip(*parts)]

    def values(self, documents: pa.RecordBatch) -> List[pa.Array]:
        """Returns the errors of documents, and their values by column."""
        n = len(documents)
        result = self._by_column(self.function(documents))
        error = result.pop("error", None)
        for column in result:
            if column not in self.items:
                raise ValueError(f"{column!r} is none of its columns, {', '.join(self.items)}")
        lists = [pa.nulls(n, pa.string()) if error is None else _sized(_array(error), n, "error").cast(pa.string())]
        for column, item in self.items.items():
            values = result.get(column)
            lists.append(pa.nulls(n, pa.list_(item)) if values is None else self._lists(values, item, n, column))
        return lists

    def _by_column(self, result: Any) -> Dict[str, Any]:
        """Returns the result of the function by column."""
        if isinstance(result, dict):
            return dict(result)
        if hasattr(result, "iloc") and hasattr(result, "columns"):
            result = pa.Table.from_pandas(result, preserve_index=False)
        elif not isinstance(result, (pa.RecordBatch, pa.Table)) and hasattr(result, "columns"):
            result = pa.table(result)  # of Polars and others
        if isinstance(result, (pa.RecordBatch, pa.Table)):
            return dict(zip(result.schema.names, result.columns))
        if isinstance(result, (list, tuple)) and any(isinstance(v, Exception) for v in result):
            errors = [f"{type(v).__name__}: {v}" if isinstance(v, Exception) else None for v in result]
            result = [None if isinstance(v, Exception) else v for v in result]
            return {next(iter(self.items)): result, "error": errors}
        return {next(iter(self.items)): result}

    def _lists(self, values: Any, item: pa.DataType, n: int, column: str) -> pa.Array:
        array = _sized(_array(values), n, column)
        if _is_list(array.type):
            _check(array.type.value_type, item, column)
            return array.cast(pa.list_(item), safe=not _is_finer(array.type.value_type, item))
        _check(array.type, item, column)
        if array.type != item:
            array = array.cast(item, safe=not _is_finer(array.type, item))
        offsets = self.offsets if n < len(self.offsets) else pa.array(range(n + 1), pa.int32())
        return pa.ListArray.from_arrays(offsets.slice(0, n + 1), array)


def _array(values: Any) -> pa.Array:
    if isinstance(values, (pa.Scalar, str, bytes)) or not hasattr(values, "__len__"):
        raise TypeError(f"the function has a value of type {type(values).__name__} for a batch, and it needs an array")
    if not isinstance(values, (pa.Array, pa.ChunkedArray)):
        if hasattr(values, "__arrow_c_stream__"):  # a series of pandas or Polars
            values = pa.chunked_array(values)
        else:
            values = pa.array(values, from_pandas=hasattr(values, "iloc"))
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    if pa.types.is_dictionary(values.type):
        words = values.dictionary
        if name_of(words.type) == "text":  # not every form of text can be taken from
            words = words.cast(pa.string())
        values = words.take(values.indices)
    return values


def _sized(array: pa.Array, n: int, column: str) -> pa.Array:
    if len(array) != n:
        raise ValueError(f"{column} has {len(array)} values for {n} documents")
    return array


def _is_list(of: pa.DataType) -> bool:
    return pa.types.is_list(of) or pa.types.is_large_list(of) or pa.types.is_fixed_size_list(of)


def _check(of: pa.DataType, item: pa.DataType, column: str) -> None:
    """Refuses booleans as numbers and texts, and numbers and texts as booleans, which Arrow would cast."""
    if pa.types.is_boolean(of) != pa.types.is_boolean(item) and not pa.types.is_null(of):
        raise TypeError(f"{column} has values of type {of}, and the column is of type {item}")


def _is_finer(of: pa.DataType, item: pa.DataType) -> bool:
    """Reports whether times have nanoseconds, which documents do not keep."""
    return pa.types.is_timestamp(item) and pa.types.is_timestamp(of) and of.unit == "ns"
