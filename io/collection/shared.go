package collection

import (
	"encoding/binary"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// sharedWriter writes one shard of documents of many units, and which unit each row is of. The shard is named by its
// bytes, so that one that is there already is never overwritten by another.
type sharedWriter struct {
	f       folder.Folder
	order   parquetfile.Order
	month   string
	out     *output // nil before the first row
	enc     *parquetfile.OrderedWriter
	rows    int64
	bytes   int64 // of records
	sources []int
	place   map[int]int // of a source in sources
	file    []byte      // the sources of rows, as readSources reads them
}

func newSharedWriter(f folder.Folder, order parquetfile.Order, month string) *sharedWriter {
	return &sharedWriter{f: f, order: order, month: month, place: map[int]int{}}
}

// sharedGroupBytes is how large row groups are: four times those of units, since a reader pays for each group's part
// of the footer, and these files are read often.
const sharedGroupBytes = 128 << 20

// add writes a record that parquetfile.AppendRecord made of a document of the source.
func (w *sharedWriter) add(source int, record []byte) (err error) {
	// Opened with the first row, so that a shard that stays empty has no file.
	if w.out == nil {
		// A name for the time being, by which a sweep knows the file.
		name := holdings.Table.Name(strings.Repeat("0", holdings.NameDigits)).String()
		if w.out, err = newOutput(w.f, name, folder.Unique()); err != nil {
			return err
		}
		w.enc, err = parquetfile.NewOrderedWriter(w.out, w.order, parquetfile.Options{RowGroupBytes: sharedGroupBytes})
		if err != nil {
			return err
		}
		w.out.enc = w.enc
	}
	at, known := w.place[source]
	if !known {
		at = len(w.sources)
		w.place[source], w.sources = at, append(w.sources, source)
	}
	// A byte a row, mostly: a month has the documents of few units.
	w.file = binary.AppendUvarint(w.file, uint64(at))
	w.rows++
	w.bytes += int64(len(record))
	return w.out.wrap(w.enc.Add(record))
}

// finish gives the shard its name. Nothing refers to it yet.
func (w *sharedWriter) finish() (CompactShard, error) {
	s, err := w.out.finish()
	if err != nil {
		return CompactShard{}, err
	}
	// By content, as no unit's key could name it.
	s.Name = holdings.Table.Name(nameOf(s.SHA256)).String()
	// The sources first: a shard without them could not be written again.
	if err := w.f.Write(holdings.Hidden(sourcesName(s.Name)), w.file); err != nil {
		return CompactShard{}, err
	}
	if err := w.f.Rename(w.out.temp, s.Name); err != nil {
		return CompactShard{}, err
	}
	made := CompactShard{Shard: s, Month: w.month, Rows: w.rows, Sources: w.sources, Form: parquetfile.Form}
	return made, w.f.Sync("")
}

// discard removes what was not finished.
func (w *sharedWriter) discard() {
	if w.out != nil {
		w.out.discard()
	}
}

// monthOf is the month of a document's capture, 2026-03; empty when its time is not known.
func monthOf(d *schemas.Document) string {
	const length = len("2026-03")
	if len(d.Timestamp) < length {
		return ""
	}
	// Timestamps are RFC 3339 in UTC: the first seven characters are year and month.
	return d.Timestamp[:length]
}
