package parquetfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
)

// LinkForm is the version of how rows of links are written down, as the file's own metadata has it.
const LinkForm = "1"

// linkRow is a Link as a row. Field ids are given away for good: the next column has 13. Rows of one page stand
// together, so a dictionary makes its five columns next to nothing.
type linkRow struct {
	SURT         string    `parquet:"surt,optional,dict,id(1)"`
	URL          string    `parquet:"url,dict,id(2)"`
	Host         string    `parquet:"host,optional,dict,id(3)"`
	Domain       string    `parquet:"domain,optional,dict,id(4)"`
	Timestamp    time.Time `parquet:"timestamp,optional,timestamp(microsecond:utc),id(5)"`
	Target       string    `parquet:"target,id(6)"`
	TargetSURT   string    `parquet:"target_surt,optional,id(7)"`
	TargetHost   string    `parquet:"target_host,optional,dict,id(8)"`
	TargetDomain string    `parquet:"target_domain,optional,dict,id(9)"`
	Text         string    `parquet:"text,optional,id(10)"`
	Rel          string    `parquet:"rel,optional,dict,id(11)"`
	Place        string    `parquet:"place,dict,id(12)"`
}

// LinkWriter writes one Parquet file of links. Its rows are in the order of (surt, timestamp) of their pages, and of
// one page in its own order. It is not safe for concurrent use.
type LinkWriter struct {
	w      io.Writer
	o      Options
	sorter *extsort.Sorter
	key    []byte
	record []byte
}

// NewLinkWriter returns a writer to w. Either Close or Abort has to be called, or temporary files may be left.
func NewLinkWriter(w io.Writer, o Options) *LinkWriter {
	o = o.withDefaults()
	sorter := extsort.New(extsort.Options{MemoryBytes: o.MemoryBytes, TempDir: o.TempDir})
	return &LinkWriter{w: w, o: o, sorter: sorter}
}

// Write adds the links of one page, which have its five fields in common; none adds nothing. A timestamp that is not
// RFC 3339 is an error and leaves the writer as it was.
func (w *LinkWriter) Write(links []schemas.Link) error {
	if len(links) == 0 {
		return nil
	}
	t, err := parseTime(links[0].Timestamp)
	if err != nil {
		return err
	}
	w.key = appendKey(w.key[:0], links[0].SURT, t)
	w.record = appendLinks(w.record[:0], links)
	if err := w.sorter.Add(w.key, w.record); err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	return nil
}

// appendLinks appends the form in which the links of a page wait to be sorted: the page's fields, and those of each
// link, all as texts behind their lengths.
func appendLinks(b []byte, links []schemas.Link) []byte {
	text := func(s string) {
		// Parquet's strings are UTF-8, as those of JSON.
		s = strings.ToValidUTF8(s, "\uFFFD")
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	l := &links[0]
	for _, s := range []string{l.SURT, l.URL, l.Host, l.Domain, l.Timestamp} {
		text(s)
	}
	for i := range links {
		l := &links[i]
		for _, s := range []string{l.Target, l.TargetSURT, l.TargetHost, l.TargetDomain, l.Text, l.Rel, l.Place} {
			text(s)
		}
	}
	return b
}

// parseLinks gives the rows of what appendLinks wrote to emit. They are valid until the next record.
func parseLinks(b []byte, emit func(linkRow) error) error {
	damaged := false
	text := func() string {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(b)-size) {
			damaged, b = true, nil
			return ""
		}
		s := string(b[size : size+int(n)])
		b = b[size+int(n):]
		return s
	}
	page := linkRow{SURT: text(), URL: text(), Host: text(), Domain: text()}
	var err error
	if page.Timestamp, err = parseTime(text()); err != nil {
		return err
	}
	for len(b) > 0 {
		r := page
		r.Target, r.TargetSURT, r.TargetHost, r.TargetDomain = text(), text(), text(), text()
		r.Text, r.Rel, r.Place = text(), text(), text()
		if damaged {
			return errors.New("temporary file is damaged")
		}
		if err := emit(r); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the file and removes the temporary one. It does not close the underlying writer. After Abort it
// reports that and writes nothing.
func (w *LinkWriter) Close() error {
	e, err := newLinkEncoder(w.w, w.o)
	if err == nil {
		err = w.sorter.Merge(func(_, record []byte) error { return parseLinks(record, e.add) })
	}
	if err == nil {
		err = errors.Join(e.flush(), e.out.Close())
	}
	if err != nil {
		return fmt.Errorf("parquetfile: links: %w", err)
	}
	return nil
}

// Abort drops the links and removes the temporary file. After Close it does nothing, so that it can be deferred.
func (w *LinkWriter) Abort() error {
	if err := w.sorter.Close(); err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	return nil
}

// linkEncoder writes sorted links.
type linkEncoder struct {
	out   *parquet.GenericWriter[linkRow]
	o     Options
	batch []linkRow
	rows  int // of the current row group
	bytes int // of its texts
}

func newLinkEncoder(w io.Writer, o Options) (*linkEncoder, error) {
	compression, err := newCodec()
	if err != nil {
		return nil, err
	}
	return &linkEncoder{o: o, out: parquet.NewGenericWriter[linkRow](w,
		parquet.CreatedBy("gleaner", LinkForm, "parquetfile"),
		parquet.KeyValueMetadata("gleaner.schema_version", schemas.Version),
		parquet.Compression(compression),
		parquet.DataPageStatistics(true),
		// For "who links to this page".
		parquet.BloomFilters(parquet.SplitBlockFilter(bloomBits, "target_surt")),
		parquet.ColumnIndexSizeLimit(func([]string) int { return boundBytes }),
		// Rows are in the order of their own pages, so that these bounds would tell nothing.
		parquet.SkipPageBounds("target"), parquet.SkipPageBounds("text"),
		parquet.SortingWriterConfig(parquet.SortingColumns(
			parquet.NullsFirst(parquet.Ascending("surt")), parquet.NullsFirst(parquet.Ascending("timestamp")))),
	)}, nil
}

func (e *linkEncoder) add(r linkRow) error {
	e.batch = append(e.batch, r)
	e.rows++
	e.bytes += len(r.Target) + len(r.TargetSURT) + len(r.Text)
	if e.rows >= e.o.RowGroupRows || e.bytes >= e.o.RowGroupBytes {
		e.rows, e.bytes = 0, 0
		return errors.Join(e.flush(), e.out.Flush())
	}
	if len(e.batch) == batchRows {
		return e.flush()
	}
	return nil
}

func (e *linkEncoder) flush() error {
	_, err := e.out.Write(e.batch)
	clear(e.batch)
	e.batch = e.batch[:0]
	return err
}

// ReadLinks returns the links of a file of size bytes that a LinkWriter wrote, in the file's order; timestamps are in
// UTC and whole microseconds. It ends after an error. As Read, it is for files of one's own.
func ReadLinks(r io.ReaderAt, size int64) iter.Seq2[schemas.Link, error] {
	return func(yield func(schemas.Link, error) bool) {
		in, err := openLinks(r, size)
		if err != nil {
			yield(schemas.Link{}, err)
			return
		}
		rows := make([]linkRow, batchRows)
		for {
			n, err := readLinks(in, rows)
			for i := range rows[:n] {
				if !yield(rows[i].link(), nil) {
					return
				}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(schemas.Link{}, fmt.Errorf("parquetfile: %w", err))
				}
				return
			}
		}
	}
}

func openLinks(r io.ReaderAt, size int64) (in *parquet.GenericReader[linkRow], err error) {
	defer recoverTo(&err)
	f, err := parquet.OpenFile(r, size)
	if err != nil {
		return nil, fmt.Errorf("parquetfile: %w", err)
	}
	return parquet.NewGenericReader[linkRow](f), nil
}

func readLinks(in *parquet.GenericReader[linkRow], rows []linkRow) (n int, err error) {
	defer recoverTo(&err)
	return in.Read(rows)
}

func (r *linkRow) link() schemas.Link {
	l := schemas.Link{
		SURT: r.SURT, URL: r.URL, Host: r.Host, Domain: r.Domain, Target: r.Target, TargetSURT: r.TargetSURT,
		TargetHost: r.TargetHost, TargetDomain: r.TargetDomain, Text: r.Text, Rel: r.Rel, Place: r.Place,
	}
	if !r.Timestamp.IsZero() {
		l.Timestamp = r.Timestamp.UTC().Format(time.RFC3339Nano)
	}
	return l
}
