// Package parquetscan answers queries on Parquet files as they are: it finds the rows that a filter takes, and reads of
// the columns that are asked for the pages that these rows are in.
//
//	f, err := parquetscan.Open(object, object.Size())
//	where, err := query.Parse(`language = fr AND mime_detected = "application/pdf"`)
//	for row, err := range f.Rows(ctx, where, []string{"url", "timestamp", "title"}) {
//		fmt.Println(row.Number, row.Document.URL)
//	}
//
// How rows are found, from what is cheap to what is dear:
//
//  1. Row groups that the bounds in the footer exclude are not touched; nor are those whose bloom filter does not have
//     the text that a column must be equal to.
//  2. Comparisons with columns are made on the columns, one after the other and each on the rows that are left: of a
//     dictionary each value is compared once, and rows are looked up by their numbers. Pages in which no row is left,
//     or that the column index excludes, are not read.
//  3. What else a filter may say (words in texts, keys of maps, dates that pages state) is asked of documents that have
//     the columns that it needs, of the rows that are left.
//
// The rows are those that [query.Match] takes of the documents that the file holds.
//
// Files are ours of any version, and what pyarrow, DuckDB and Spark make of them: pages of version 1 and 2, with or
// without indexes, in any encoding but those that Parquet has given up, plain or compressed by zstd, snappy or gzip.
// Metadata, pages and encodings are decoded here. parquet-go reads whatever a file says of itself: every column of
// every row group when it is opened, which takes longer than most queries, and as much memory as a page asks for. Here
// a damaged or hostile file is ErrFormat, and memory is bounded: by a page of each column that is read, at most 256
// MiB, which are some 1 MiB in ours.
//
// A file that is open is its footer; requests go to its ReaderAt alone, and pages that stand near each other are read
// at once (see Options.Gap).
package parquetscan

import "errors"

// ErrFormat is what all errors about the bytes of a file are.
var ErrFormat = errors.New("parquetscan: damaged file")

// ErrUnsupported is what a file may have by the format, and is not read here: an old encoding or compression, or a
// column of another type than a document has.
var ErrUnsupported = errors.New("parquetscan: not supported")
