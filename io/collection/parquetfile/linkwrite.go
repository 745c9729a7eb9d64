package parquetfile

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
)

// LinkWriter writes one Parquet file of links, sorted by (surt, timestamp) of their pages. Links of one page keep their
// order. It is not safe for concurrent use.
type LinkWriter struct {
	w      io.Writer
	o      Options
	sorter *extsort.Sorter
	key    []byte
	record []byte
}

// NewLinkWriter returns a writer to w. The caller must call Close or Abort, or temporary files remain.
func NewLinkWriter(w io.Writer, o Options) *LinkWriter {
	o = o.withDefaults()
	sorter := extsort.New(extsort.Options{MemoryBytes: o.MemoryBytes, TempDir: o.TempDir})
	return &LinkWriter{w: w, o: o, sorter: sorter}
}

// Write adds the links of one page, which have its five fields in common. A timestamp that is not RFC 3339 is an error
// and leaves the writer unchanged.
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

// Close writes the file and removes temporary files. It does not close the underlying writer. After Abort it returns an
// error and writes nothing.
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

// Abort drops the links and removes temporary files. After Close it does nothing, so that it can be deferred.
func (w *LinkWriter) Abort() error {
	if err := w.sorter.Close(); err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	return nil
}

type linkEncoder struct {
	out   *parquet.GenericWriter[linkRow]
	o     Options
	batch *batch
	links []linkRow // of the batch
	rows  int       // of the current row group
	bytes int       // of the current row group's texts
}

// linkRuns are the fields in which parquet-go looks for runs: optional texts.
var linkRuns = func() (places []int) {
	for f := range reflect.TypeFor[linkRow]().Fields() {
		if f.Type.Kind() == reflect.String && strings.Contains(f.Tag.Get("parquet"), ",optional") {
			places = append(places, f.Index[0])
		}
	}
	return places
}()

func newLinkEncoder(w io.Writer, o Options) (*linkEncoder, error) {
	compression, err := newCodec()
	if err != nil {
		return nil, err
	}
	out := parquet.NewGenericWriter[linkRow](w,
		parquet.CreatedBy("gleaner", LinkForm, "parquetfile"),
		parquet.KeyValueMetadata("gleaner.schema_version", schemas.Version),
		parquet.Compression(compression),
		parquet.DataPageStatistics(true),
		// For queries for links to a page.
		parquet.BloomFilters(parquet.SplitBlockFilter(bloomBits, "target_surt")),
		parquet.ColumnIndexSizeLimit(func([]string) int { return boundBytes }),
		// Targets and texts are not sorted, so their bounds are useless.
		parquet.SkipPageBounds("target"), parquet.SkipPageBounds("text"),
		parquet.SortingWriterConfig(parquet.SortingColumns(
			parquet.NullsFirst(parquet.Ascending("surt")), parquet.NullsFirst(parquet.Ascending("timestamp")))))
	return &linkEncoder{out: out, o: o, batch: newBatch(len(linkRuns))}, nil
}

func (e *linkEncoder) add(r linkRow) error {
	v := reflect.ValueOf(&r).Elem()
	isNull := func(i int) bool { return v.Field(linkRuns[i]).IsZero() }
	if !e.batch.takes(isNull) {
		if err := e.flush(); err != nil {
			return err
		}
		e.batch.takes(isNull)
	}
	e.links = append(e.links, r)
	e.rows++
	e.bytes += len(r.Target) + len(r.TargetSURT) + len(r.Text)
	if e.rows >= e.o.RowGroupRows || e.bytes >= e.o.RowGroupBytes {
		e.rows, e.bytes = 0, 0
		return errors.Join(e.flush(), e.out.Flush())
	}
	return nil
}

// flush writes the links of the batch.
func (e *linkEncoder) flush() error {
	_, err := e.out.Write(e.links)
	clear(e.links)
	e.links = e.links[:0]
	e.batch.end()
	return err
}
