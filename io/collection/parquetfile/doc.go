// Package parquetfile writes documents as a Parquet file that DuckDB, pyarrow, Spark and their like read as it is.
//
// A file's rows are sorted by (surt, timestamp), bytewise and with missing values first. Rows with equal keys keep
// their order. Row groups are bounded in rows and bytes, and pages are zstd with checksums. Pages and row groups have
// bounds (except for long texts), so that a query by site or time skips most of them. A bloom filter of each row
// group's URLs excludes groups for a page. The same documents in the same order give the same bytes, whatever the
// limits on memory.
//
// Columns have the names, the order and the meaning of the JSON of [schemas.Document]. Fields that the JSON leaves out
// are null, as are empty lists and maps. A map is a list of structs with key and value, sorted by key. Strings are
// UTF-8: other bytes become U+FFFD, as in the JSON.
//
// Whole numbers are int64, other numbers double, objects groups. Moments are timestamps in microseconds, UTC; finer
// fractions are cut. Iceberg has no milliseconds, and reads them as microseconds. A date that a page states is two
// columns. The moment, published, is the midnight of a date alone; it is null before 1678 and after 2261. The text,
// published_text, is null unless it says more: a date alone, or another time zone.
//
// Every column has a field id, by which table formats know a column after it is renamed: see [schemas.Column].
//
// Documents to be sorted wait in memory and, beyond a limit, in a temporary file. Close encodes the file. pyarrow 26
// and DuckDB 2.0 read all values as in the JSON of the same documents.
//
//	w := parquetfile.NewWriter(file, parquetfile.Options{TempDir: dir})
//	defer w.Abort()
//	err := w.Write(document)
//	err = w.Close() // the file remains open
//
// The package writes whole files: it does not append or merge.
package parquetfile

// Version changes when the same documents or links give other values. It is part of the keys of units that are written
// as Parquet. Changes of form belong to the folder's layout (see holdings.Layout), which rewrites older files without
// reading archives.
const Version = "7"

// Form is the version of the form of rows, in the file's metadata. Up to form 6, and form 1 of links, some nulls are
// "", 0, false or {}: parquetscan.CheckCells finds them. Up to form 7 maps are maps of Parquet.
const Form = "8"
