package parquetfile

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
)

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

// Close writes the file and removes the temporary one. It does not close the underlying writer. After Abort it
// reports that and writes nothing.
func (w *LinkWriter) Close() error {
	e, err := newLinkEncoder(w.w, w.o)
	if err == nil {
		err = w.sorter.Merge(func(_, record []byte) error { return parseLinks(record, e.add) })
	}
	if err == nil {
		err = errors.Join(e.batch.flush(), e.out.Close())
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
	batch *batch[linkRow]
	rows  int // of the current row group
	bytes int // of its texts
}

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
		// For "who links to this page".
		parquet.BloomFilters(parquet.SplitBlockFilter(bloomBits, "target_surt")),
		parquet.ColumnIndexSizeLimit(func([]string) int { return boundBytes }),
		// Rows are in the order of their own pages, so that these bounds would tell nothing.
		parquet.SkipPageBounds("target"), parquet.SkipPageBounds("text"),
		parquet.SortingWriterConfig(parquet.SortingColumns(
			parquet.NullsFirst(parquet.Ascending("surt")), parquet.NullsFirst(parquet.Ascending("timestamp")))))
	return &linkEncoder{out: out, o: o, batch: newBatch(out)}, nil
}

func (e *linkEncoder) add(r linkRow) error {
	if err := e.batch.add(r); err != nil {
		return err
	}
	e.rows++
	e.bytes += len(r.Target) + len(r.TargetSURT) + len(r.Text)
	if e.rows >= e.o.RowGroupRows || e.bytes >= e.o.RowGroupBytes {
		e.rows, e.bytes = 0, 0
		return errors.Join(e.batch.flush(), e.out.Flush())
	}
	return nil
}
