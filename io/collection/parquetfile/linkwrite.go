package parquetfile

import (
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// LinkWriter writes one Parquet file of links, sorted by (surt, timestamp) of their pages. Links of one page keep their
// order. It is not safe for concurrent use.
type LinkWriter struct{ pages *pageWriter[schemas.Link] }

// NewLinkWriter returns a writer to w. The caller must call Close or Abort, or temporary files remain.
func NewLinkWriter(w io.Writer, o Options) *LinkWriter {
	return &LinkWriter{newPageWriter(w, o, func(l *schemas.Link) (surt, timestamp string) { return l.SURT, l.Timestamp })}
}

// Write adds the links of one page, which have its five fields in common. A timestamp that is not RFC 3339 is an error
// and leaves the writer unchanged.
func (w *LinkWriter) Write(links []schemas.Link) error { return w.pages.write(links, appendLinks) }

// Close writes the file and removes temporary files. It does not close the underlying writer. After Abort it returns an
// error and writes nothing.
func (w *LinkWriter) Close() error {
	e, err := newRowEncoder(w.pages.w, w.pages.o, LinkForm,
		func(r *linkRow) int { return len(r.Target) + len(r.TargetSURT) + len(r.Text) },
		// For queries for links to a page.
		parquet.BloomFilters(parquet.SplitBlockFilter(bloomBits, "target_surt")),
		// Targets and texts are not sorted, so their bounds are useless.
		parquet.SkipPageBounds("target"), parquet.SkipPageBounds("text"))
	if err != nil {
		return err
	}
	return finishPages(w.pages, e, parseLinks)
}

// Abort drops the links and removes temporary files. After Close it does nothing, so that it can be deferred.
func (w *LinkWriter) Abort() error { return w.pages.abort() }
