// Package cdx writes and reads capture indexes: the CDXJ lines in which pywb and its relatives look up pages. It also
// reads the older CDX files of 7 to 14 columns, with or without a legend.
//
// A CDXJ line is "surt timestamp {json}". Ours have the fields, the order and the spelling of pywb 2.10 and
// cdxj-indexer 1.5: url, mime, status, digest, length, offset, filename. Numbers are strings, everything but ASCII is
// escaped, and unknown values are left out. MIME types lose their parameters, and spaces in a URL are "%20". Where the
// two tools differ:
//
//   - a SHA-1 digest in base32 has no "sha1:" prefix, as in pywb, which knows an empty payload's digest only like that
//     (cdxj-indexer keeps the prefix);
//   - other digests keep their prefix, so that they can be told apart (pywb strips "sha1:" from hexadecimal ones too);
//   - a revisit has the MIME type "warc/revisit", and its status when it is known (cdxj-indexer; pywb leaves it out);
//   - an unknown MIME type is left out (cdxj-indexer; pywb writes "unk").
//
// An index is searched bytewise, so that it has to be sorted as "LC_ALL=C sort" does: [SortedWriter].
//
// It makes no keys (see package urlkey) and no ZipNum clusters (package zipnum), and reads of a line what Line holds,
// not more.
//
// Sources: the CDX and CDXJ descriptions of the IIPC's warc-specifications, and the output of the two programs.
//
//	w := cdx.NewSortedWriter(file, cdx.Options{})
//	defer w.Abort()
//	err := w.Add(cdx.Line{SURT: "com,example)/", Timestamp: t, URL: "http://example.com/", Filename: "a.warc.gz"})
//	err = w.Close()
package cdx

import (
	"cmp"
	"errors"
	"time"
)

// Version is the version of the written form.
const Version = "2"

// MIMERevisit is the MIME type of a revisit in an index.
const MIMERevisit = "warc/revisit"

// Kinds of errors.
var (
	ErrFormat = errors.New("not an index line")
	ErrFilter = errors.New("not a filter of index lines")
)

// Line is one capture in an index. Unknown values are zero, except for the offset.
type Line struct {
	SURT      string    // the sort key: "com,example)/path"
	Timestamp time.Time // UTC; an index knows seconds
	URL       string
	MIME      string // without parameters; MIMERevisit for a revisit
	Status    int    // of HTTP
	Digest    string // of the payload: "sha1:…" in base32, or as the index has it
	Length    int64  // bytes of the record's member in the archive
	Offset    int64  // bytes from the archive's start; -1 if a line that was read has no offset
	Filename  string
	Languages string // of the page, as Common Crawl has them: "eng,fra"; read, and not written
	Digits    int    // number of digits of a timestamp that was read, if below 14; read, and not written
	Columns   bool   // the line that was read is of CDX, which does not define its digests
}

// Options limit readers and sorted writers; the zero value takes the defaults.
type Options struct {
	MaxLineBytes int    // of a line that is read; 1 MiB
	MemoryBytes  int    // memory of a SortedWriter for lines; 16 MiB
	TempDir      string // for the lines of a SortedWriter beyond MemoryBytes; the system's
	Plain        bool   // a SortedWriter does not compress
}

func (o Options) withDefaults() Options {
	o.MaxLineBytes = cmp.Or(o.MaxLineBytes, 1<<20)
	o.MemoryBytes = cmp.Or(o.MemoryBytes, 16<<20)
	return o
}
