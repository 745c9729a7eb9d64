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
// Every column has a field id, by which table formats know it whatever its name becomes: ids.go lists them. Timestamps
// are in microseconds, since Iceberg knows no milliseconds and takes them for microseconds silently.
//
//	url                string, required
//	surt               string
//	host               string
//	domain             string
//	timestamp          timestamp in microseconds, UTC; finer fractions are cut
//	status             int64
//	mime_declared      string
//	mime_detected      string
//	mime_basis         string
//	mime_conflict      boolean
//	mime_inside        string
//	charset            string
//	charset_basis      string
//	language           string
//	languages          list of {code string, script string, share double, confidence double}
//	language_declared  string
//	language_conflict  boolean
//	title              string
//	description        string
//	canonical          string
//	shortlink          string
//	authors            list of string
//	publisher          string
//	section            string
//	tags               list of string
//	site_signals       list of string
//	published          timestamp in microseconds, UTC; of a date alone its midnight; of the years 1678 to 2261
//	published_text     string: as in the JSON, where that is not the timestamp's own form: a date alone, another zone
//	modified           timestamp in microseconds, UTC: likewise
//	modified_text      string: likewise
//	metadata_sources   map of string to string
//	metadata_confidence  map of string to double
//	text               string
//	text_source        string
//	main_html          string
//	template_blocks    int64
//	page_type          string
//	text_path          string
//	comments           {text string, count int64}
//	pages              int64
//	entities           list of {type, text string, count int64, mentions list of {start, end int64}, source, id string, confidence double}
//	feeds              list of {url, type, title string}
//	feed               {type, title, link string, items int64, newest string}
//	links_internal     int64
//	links_external     int64
//	custom             map of string to list of string
//	custom_integers    map of string to list of int64
//	custom_floats      map of string to list of double
//	custom_booleans    map of string to list of boolean
//	custom_times       map of string to list of {time timestamp in microseconds, UTC}
//	source_id          string
//	simhash            string
//	quality            {words, characters int64, mean_word_length … double, gopher_pass boolean}: all of schemas.Quality
//	digest             string
//	record_id          string
//	record_type        string, required
//	refers_to          {record_id, url, timestamp, profile string}
//	filename           string, required
//	offset             int64, required
//	length             int64, required
//	sequence           int64
//	body_bytes         int64, required
//	ip                 string
//	redirect_url       string
//	truncated          string
//	flags              list of string
//	damaged            bool
//	crawl              map of string to string
//	errors             list of {stage, kind, message string}
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
