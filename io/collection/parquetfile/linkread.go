package parquetfile

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// ReadLinks yields the links of a file that a LinkWriter wrote, in the file's order; size is in bytes. Timestamps are
// in UTC and whole microseconds. It ends after an error. Like Read, it is for trusted files.
func ReadLinks(r io.ReaderAt, size int64) iter.Seq2[schemas.Link, error] {
	return readRows(r, size, func(row *linkRow) schemas.Link { return row.link() })
}

// LinkRows reads single rows of a file of links, without SURTs, hosts and domains, which follow from the URLs. Each of
// these columns has a dictionary, which a single row would need too.
type LinkRows struct {
	in   *parquet.GenericReader[plainRow]
	list []plainRow
}

// plainRow has the columns of linkRow that do not follow from others.
type plainRow struct {
	URL       string    `parquet:"url,dict,id(2)"`
	Timestamp time.Time `parquet:"timestamp,optional,timestamp(microsecond:utc),id(5)"`
	Target    string    `parquet:"target,id(6)"`
	Text      string    `parquet:"text,optional,id(10)"`
	Rel       string    `parquet:"rel,optional,dict,id(11)"`
	Place     string    `parquet:"place,dict,id(12)"`
}

func (r *plainRow) link() schemas.Link {
	whole := linkRow{URL: r.URL, Timestamp: r.Timestamp, Target: r.Target, Text: r.Text, Rel: r.Rel, Place: r.Place}
	return whole.link()
}

// OpenLinkRows opens a file of links, which must stay open as long as the LinkRows is used.
func OpenLinkRows(r io.ReaderAt, size int64) (*LinkRows, error) {
	in, err := openRows[plainRow](r, size)
	return &LinkRows{in: in}, err
}

// Read passes the links of some rows to emit, up to the first for which it returns false.
func (r *LinkRows) Read(first, rows int64, emit func(schemas.Link) bool) (err error) {
	defer recoverTo(&err)
	if err := r.in.SeekToRow(first); err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	if n := min(rows, batchRows); int64(len(r.list)) < n {
		r.list = make([]plainRow, n)
	}
	for rows > 0 {
		n, err := nextRows(r.in, r.list[:min(rows, int64(len(r.list)))])
		for i := range r.list[:n] {
			if !emit(r.list[i].link()) {
				return nil
			}
		}
		rows -= int64(n)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("parquetfile: %w", err)
		}
	}
	return nil
}
