// Package arrowstream writes documents as an Arrow IPC stream. pyarrow, pandas, Polars and DuckDB read it from a pipe.
//
// Columns have the names, types and nulls of package parquetfile, so that a query gives the same table in both formats.
package arrowstream
