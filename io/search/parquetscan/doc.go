// Package parquetscan searches Parquet files directly. It finds the rows that match a filter, and reads only the pages
// of these rows in the requested columns.
//
//	f, err := parquetscan.Open(object, object.Size())
//	where, err := query.Parse(`language = fr AND mime_detected = "application/pdf"`)
//	for row, err := range f.Rows(ctx, where, []string{"url", "timestamp", "title"}) {
//		fmt.Println(row.Number, row.Document.URL)
//	}
//
// Rows are found in these steps, the cheapest first:
//
//  1. Row groups are skipped if the bounds in the footer exclude them, or if a bloom filter lacks the required text.
//  2. Comparisons with columns are made column by column, each on the remaining rows. Each value of a dictionary is
//     compared once. Pages without remaining rows, or excluded by the column index, are not read.
//  3. The rest of the filter is tested on documents of the remaining rows, with the columns that it needs. It may
//     concern words in texts, keys of maps, or dates that pages state.
//
// The result is the rows whose documents [query.Match] accepts.
//
// Files may be Gleaner's of any version, or by pyarrow, DuckDB and Spark. Pages have version 1 or 2, any encoding
// except those that Parquet has deprecated, and no compression, zstd, snappy or gzip. Indexes are optional. Metadata,
// pages and encodings are decoded here, because parquet-go trusts the file. It reads every column of every row group
// when it opens a file, which takes longer than most queries. It also allocates as much memory as a page asks for. Here
// a damaged or hostile file is ErrFormat. Memory is limited to a page of each column read: at most 256 MiB, and about 1
// MiB in Gleaner's files.
//
// An open file is only its footer. Requests go to its ReaderAt, and nearby pages are read together (see Options.Gap).
package parquetscan

import "errors"

// ErrFormat is the kind of all errors about the bytes of a file.
var ErrFormat = errors.New("parquetscan: damaged file")

// ErrUnsupported means that a file is valid but cannot be read here. It has an old encoding or compression, or a column
// of another type than in documents.
var ErrUnsupported = errors.New("parquetscan: not supported")
