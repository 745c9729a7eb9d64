package shard

import (
	"encoding/binary"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Shared writes one shared shard and the source of each row. The shard is named by its hash, so that it never
// overwrites another.
type Shared struct {
	f       folder.Folder
	order   parquetfile.Order
	Month   string
	out     *Output
	enc     *parquetfile.OrderedWriter
	rows    int64
	Bytes   int64 // of records
	sources []int
	place   map[int]int // index into sources, by source
	file    []byte      // content of the sources file: see ReadSources
}

func NewShared(f folder.Folder, order parquetfile.Order, month string) *Shared {
	return &Shared{f: f, order: order, Month: month, place: map[int]int{}}
}

// sharedGroupBytes is the size of row groups, four times the size in units' shards. Each group adds to the footer, and
// these files are read often.
const sharedGroupBytes = 128 << 20

// Add writes a record that parquetfile.AppendRecord made of a document of the source.
func (w *Shared) Add(source int, record []byte) (err error) {
	// Opened with the first row, so that an empty shard has no file.
	if w.out == nil {
		// A provisional name that sweeps recognise.
		name := holdings.Table.Name(strings.Repeat("0", holdings.NameDigits)).String()
		if w.out, err = Create(w.f, name, folder.Unique()); err != nil {
			return err
		}
		w.enc, err = parquetfile.NewOrderedWriter(w.out, w.order, parquetfile.Options{RowGroupBytes: sharedGroupBytes})
		if err != nil {
			return err
		}
		w.out.Enc = w.enc
	}
	at, known := w.place[source]
	if !known {
		at = len(w.sources)
		w.place[source], w.sources = at, append(w.sources, source)
	}
	// Mostly a byte a row: a month has documents of few units.
	w.file = binary.AppendUvarint(w.file, uint64(at))
	w.rows++
	w.Bytes += int64(len(record))
	return w.out.wrap(w.enc.Add(record))
}

// Finish renames the shard after its hash. Nothing refers to it yet.
func (w *Shared) Finish() (ledger.CompactShard, error) {
	s, err := w.out.Finish()
	if err != nil {
		return ledger.CompactShard{}, err
	}
	// Documents of many units have no unit's key.
	s.Name = holdings.Table.Name(ledger.UnitOfKey(s.SHA256)).String()
	// The sources first: a shard without them could not be rewritten.
	if err := w.f.Write(holdings.Hidden(ledger.SourcesFile(s.Name)), w.file); err != nil {
		return ledger.CompactShard{}, err
	}
	if err := w.f.Rename(w.out.Temp, s.Name); err != nil {
		return ledger.CompactShard{}, err
	}
	made := ledger.CompactShard{Shard: s, Month: w.Month, Rows: w.rows, Sources: w.sources, Form: parquetfile.Form}
	return made, w.f.Sync("")
}

// Discard removes an unfinished shard.
func (w *Shared) Discard() {
	if w.out != nil {
		w.out.Discard()
	}
}

// MonthOf returns the month of a document's capture, 2026-03, or "" if its time is unknown.
func MonthOf(d *schemas.Document) string {
	t, ok := query.ParseTime(d.Timestamp)
	if !ok {
		return ""
	}
	return t.Format("2006-01")
}
