// Package parquetfile writes documents as a Parquet file that DuckDB, pyarrow, Spark and their like read as it is.
//
// A file's rows are sorted by (surt, timestamp), bytewise and with what is missing first; rows with equal keys keep
// the order in which they were written. Row groups are bounded in rows and bytes; pages are zstd with checksums; pages
// and row groups have bounds (except for text, main_html and description), so that a query by site or time skips what
// it does not need; a bloom filter of each row group's URLs tells which groups a page is not in. The same documents in
// the same order give the same bytes, whatever the limits on memory.
//
// Columns have the names, the order and the meaning of the JSON of [schemas.Document]. A field that the JSON leaves
// out is null; an empty list or map is null as well. Strings are UTF-8: other bytes became U+FFFD, as in the JSON.
//
// Whole numbers are int64, other numbers double, objects groups. Moments are timestamps in microseconds, UTC, since
// Iceberg knows no milliseconds and takes them for microseconds silently; finer fractions are cut. A date that a page
// states is two columns: published is the moment, the midnight of a date alone, of the years 1678 to 2261, and
// published_text the JSON's text if it says more, as of a date alone or another time zone.
//
// Every column has a field id, by which table formats know it whatever its name becomes. See [schemas.Column].
//
// To be sorted, documents wait in memory and, beyond a limit, in a temporary file; the file is encoded when the writer
// is closed. It was checked with pyarrow 26 and DuckDB 2.0: all values equal to those of the same documents as JSON.
//
//	w := parquetfile.NewWriter(file, parquetfile.Options{TempDir: dir})
//	defer w.Abort()
//	err := w.Write(document)
//	err = w.Close() // the file remains open
//
// It appends to no file and merges none: a unit's shard is written whole.
package parquetfile

// Version is the version of what rows say, and part of the keys of units that are written as Parquet, documents or
// links: it changes when the same documents give other values. How they are written down belongs to the layout of the
// folder (see holdings.Layout), which rewrites files of an earlier one: no archive has to be read for that.
const Version = "6"

// Form is the version of how rows are written down, as the file's own metadata has it. Up to form 6, and up to form 1
// of links, some nulls are "", 0, false or {}: parquetscan.CheckCells finds them.
const Form = "7"
