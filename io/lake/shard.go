//go:build !noiceberg && !local

package lake

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/apache/iceberg-go"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// shardPattern matches the Parquet shards of documents. The table ignores all other files in the folder.
var shardPattern = pattern.Lazy(`^documents-[0-9a-z]+\.parquet$`)

// bounded are the columns whose bounds the manifests hold, for selecting files. Bounds of all hundred leaves would make
// manifests 30 times as large and planning as much slower.
var bounded = []string{"surt", "timestamp", "status", "mime_detected", "language"}

// boundBytes is the length of a bound of texts: enough to distinguish SURTs of one site.
const boundBytes = 64

// tableShard is a registered shard with its data for the table.
type tableShard struct {
	schemas.Shard
	rows   int64
	schema *iceberg.Schema
	bounds map[int]bound // by field id
	month  *int          // months since 1970, common to all rows; nil if the rows have several or none
}

// bound is the known range of a column in a shard.
type bound struct {
	low, high []byte // in Iceberg's binary form; nil if unknown
	values    int64
	nulls     int64
}

// readShard reads the footer of a shard, and checks that the file still has the size in the manifest.
func readShard(f folder.Folder, s schemas.Shard) (_ *tableShard, err error) {
	defer func() {
		if p := recover(); p != nil { // the decoder uses lengths from the file as indexes
			err = fmt.Errorf("lake: %s is damaged: %v", f.Path(s.Name), p)
		}
	}()
	r, err := f.Open(s.Name)
	if err != nil {
		return nil, fmt.Errorf("lake: %w", err)
	}
	defer func() { _ = r.Close() }() // read only
	// A run may be replacing the file, and its footer would not be the one in the manifest.
	if r.Size() != s.Bytes {
		return nil, fmt.Errorf("lake: %s has %d bytes, and the manifest says %d", f.Path(s.Name), r.Size(), s.Bytes)
	}
	p, err := parquet.OpenFile(r, r.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("lake: %s: %w", f.Path(s.Name), err)
	}
	out := &tableShard{Shard: s, rows: p.NumRows()}
	if out.schema, err = schemaOf(p); err != nil {
		return nil, fmt.Errorf("%w (%s)", err, f.Path(s.Name))
	}
	out.bounds = boundsOf(p)
	if c := p.Root().Column("timestamp"); c != nil {
		out.month = monthOf(out.bounds[c.ID()])
	}
	return out, nil
}

// boundsOf returns the bounds of a file's columns by id. It reads only the footer.
func boundsOf(p *parquet.File) map[int]bound {
	bounds := map[int]bound{}
	for _, name := range bounded {
		if c := p.Root().Column(name); c != nil && c.Leaf() {
			bounds[c.ID()] = boundOf(p.Metadata().RowGroups, c)
		}
	}
	return bounds
}

// boundOf returns the bound of a column over all row groups. If one group has none, the column has none.
func boundOf(groups []format.RowGroup, c *parquet.Column) bound {
	var b bound
	known := true
	for _, g := range groups {
		m := g.Columns[c.Index()].MetaData
		b.values += m.NumValues
		b.nulls += m.Statistics.NullCount
		if m.NumValues == m.Statistics.NullCount {
			continue // an empty group
		}
		low, high := m.Statistics.MinValue, m.Statistics.MaxValue
		// Parquet has no bound here, or the column holds only empty texts; both count as unknown.
		if len(low) == 0 && len(high) == 0 {
			known = false
			continue
		}
		if b.high == nil || compare(c, low, b.low) < 0 {
			b.low = low
		}
		if b.high == nil || compare(c, high, b.high) > 0 {
			b.high = high
		}
	}
	if !known {
		b.low, b.high = nil, nil
	}
	if c.Type().Kind() == parquet.ByteArray && b.high != nil {
		b.low, b.high = cutLow(b.low), cutHigh(b.high)
	}
	return b
}

// compare compares two values in Parquet's plain form, which is also Iceberg's.
func compare(c *parquet.Column, a, b []byte) int {
	if c.Type().Kind() == parquet.ByteArray {
		return bytes.Compare(a, b)
	}
	return c.Type().Compare(c.Type().Kind().Value(a), c.Type().Kind().Value(b))
}

// cutLow returns a text of at most boundBytes that is not greater than s, cut between characters.
func cutLow(s []byte) []byte {
	if len(s) <= boundBytes {
		return bytes.Clone(s)
	}
	n := boundBytes
	// For Iceberg a bound is a string and has to be UTF-8.
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return bytes.Clone(s[:n])
}

// cutHigh returns a text of at most boundBytes that is not smaller than s, or nil if there is none. It raises the last
// possible character by one, as Iceberg's spec says for truncated bounds.
func cutHigh(s []byte) []byte {
	// The removed rest makes s greater than cut, so the last character that can be raised is raised.
	cut := cutLow(s)
	if len(cut) == len(s) {
		return cut
	}
	for len(cut) > 0 {
		r, n := utf8.DecodeLastRune(cut)
		cut = cut[:len(cut)-n]
		// U+D7FF is followed by surrogates and U+10FFFF is the last: such a character is dropped, and the one before it
		// raised.
		if next := r + 1; r != utf8.RuneError && utf8.ValidRune(next) {
			return utf8.AppendRune(cut, next)
		}
	}
	return nil
}

// monthOf returns the month of all timestamps. It is nil if there are several, or if a row has none.
func monthOf(b bound) *int {
	if b.nulls > 0 || len(b.low) != 8 || len(b.high) != 8 {
		return nil
	}
	low, high := monthAt(b.low), monthAt(b.high)
	// A shard with several months uses the unpartitioned spec.
	if low != high {
		return nil
	}
	return &low
}

// monthAt is Iceberg's transform month: months since January 1970.
func monthAt(micros []byte) int {
	t := time.UnixMicro(int64(binary.LittleEndian.Uint64(micros))).UTC()
	return (t.Year()-1970)*12 + int(t.Month()) - 1
}

// dataFile returns the entry of the shard in the table's manifests. A shard with rows of one month is registered under
// that partition, any other under the unpartitioned spec.
func (s *tableShard) dataFile(meta tableShape) (iceberg.DataFile, error) {
	// A partition must be true of every row in the file: engines skip files by it without reading them.
	spec, partition := meta.whole, map[int]any{}
	if s.month != nil && meta.monthly != nil {
		spec = *meta.monthly
		partition[spec.Field(0).FieldID] = int32(*s.month)
	}
	b, err := iceberg.NewDataFileBuilder(spec, iceberg.EntryContentData, meta.location+"/"+s.Name, iceberg.ParquetFile,
		partition, nil, nil, s.rows, s.Bytes)
	if err != nil {
		return nil, fmt.Errorf("lake: %s: %w", s.Name, err)
	}
	describeBounds(b, s.bounds)
	return b.SortOrderID(meta.order).Build(), nil
}

// describeBounds adds the known bounds of the bounded columns only. Engines assume that a column without bounds may
// hold any value.
func describeBounds(b *iceberg.DataFileBuilder, bounds map[int]bound) {
	low, high, values, nulls := map[int][]byte{}, map[int][]byte{}, map[int]int64{}, map[int]int64{}
	for id, bound := range bounds {
		values[id], nulls[id] = bound.values, bound.nulls
		if bound.high != nil {
			low[id], high[id] = bound.low, bound.high
		}
	}
	b.LowerBoundValues(low).UpperBoundValues(high).ValueCounts(values).NullValueCounts(nulls)
}
