package parquetfile

import (
	"io"
	"iter"
)

// urlRow is the column of documents that ReadURLs reads.
type urlRow struct {
	URL string `parquet:"url,optional"`
}

// ReadURLs is like Read, but yields only the URLs of the documents. It reads no other column.
func ReadURLs(r io.ReaderAt, size int64) iter.Seq2[string, error] {
	return readRows(r, size, func(row *urlRow) string { return row.URL })
}
