package rowstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// Kinds of errors. Errors of a Store wrap them; others come from the network or the server.
var (
	// ErrReadOnly is the error of a Put or Delete in a read-only Store.
	ErrReadOnly = errors.New("the store is read only")
	// ErrRefused means that the store will never accept the request: a missing family, a value that is too large, an
	// empty key.
	ErrRefused = errors.New("refused")
	// ErrLimit means that a row exceeds the reader's limit in bytes.
	ErrLimit = errors.New("limit")
)

// MaxKey is the longest key in bytes: Bigtable takes 4,096, HBase 32,767.
const MaxKey = 4096

// Cell is one value of a column at a version.
type Cell struct {
	Family, Qualifier string
	Time              time.Time // the version, UTC: whole milliseconds, not before 1970
	Value             []byte
}

// Row has the cells of one key. A Store returns columns ordered by family and qualifier as bytes, and in each column
// the newest version first.
type Row struct {
	Key   string
	Cells []Cell
}

// Span is the range of keys from From up to To, without To. An empty From or To means no limit.
type Span struct{ From, To string }

// Has reports whether a key is in the span.
func (s Span) Has(key string) bool { return key >= s.From && (s.To == "" || key < s.To) }

// PrefixSpan returns the span of all keys that begin with p. Its end is the prefix with its last byte raised by one. A
// byte 0xff cannot be raised, so it is dropped and the previous byte counts. A prefix of only 0xff bytes, or an empty
// one, has no end.
func PrefixSpan(p string) Span {
	end := []byte(p)
	for len(end) > 0 && end[len(end)-1] == 0xff {
		end = end[:len(end)-1]
	}
	if len(end) > 0 {
		end[len(end)-1]++
	}
	return Span{p, string(end)}
}

// Range selects the cells to read. The zero value selects the newest version of all columns of all rows.
type Range struct {
	Span
	// Among excludes rows outside all of these spans; nil excludes none. They may overlap.
	Among []Span
	// Since and Till exclude versions: those before Since, and those at Till or after. Zero means no limit.
	Since, Till time.Time
	Families    []string // to read; nil for all
	Versions    int      // of each column, from the newest on: 0 for one, negative for all
	Limit       int      // number of rows; 0 for all
	// Where excludes rows by their content, including unread families: see [Filter]. nil excludes none.
	Where Filter
	// Parts allows a Store to return a row that exceeds its limit as several rows with the same key. Each has all cells
	// of some times. Versions must be negative.
	Parts bool
}

// Prefix returns the range of all keys that begin with p.
func Prefix(p string) Range { return Range{Span: PrefixSpan(p)} }

// Store is a table. Its methods are safe for concurrent use.
type Store interface {
	// Put writes cells. It replaces an existing cell with the same time, so that a repeated Put changes nothing. Each
	// row is written as a whole or not at all; after an error some rows may be written. Put keeps no values, and
	// returns when all is written.
	Put(ctx context.Context, rows []Row) error
	// Get returns the cells of one row that r selects. It ignores the keys, Limit and Where of r. A missing row has no
	// cells, and gives no error.
	Get(ctx context.Context, key string, r Range) (Row, error)
	// Scan returns rows in the order of their keys as bytes, without rows in which r selects no cell. Each row has its
	// state at some moment during the scan, and belongs to the receiver. Nothing follows an error.
	Scan(ctx context.Context, r Range) iter.Seq2[Row, error]
	// Delete removes the versions of a row that are older than till; all with the zero time.
	Delete(ctx context.Context, key string, till time.Time) error
	// Splits returns keys, in order, that divide the table into parts of similar size, for parallel scans. There may be
	// none.
	Splits(ctx context.Context) ([]string, error)
}

// Check returns ErrRefused for rows that no store accepts.
func Check(rows []Row) error {
	for _, r := range rows {
		if r.Key == "" || len(r.Key) > MaxKey {
			// The message leaves out a key that is too long.
			return fmt.Errorf("rowstore: a key of %d bytes, and one has 1 to %d: %w", len(r.Key), MaxKey, ErrRefused)
		}
		for _, c := range r.Cells {
			if c.Family == "" || c.Time.UnixMilli() < 0 {
				return fmt.Errorf("rowstore: row %.80q: a cell of the family %q at %v: %w", r.Key, c.Family, c.Time, ErrRefused)
			}
		}
	}
	return nil
}

// Millis returns the version for a time: whole milliseconds since 1970. Earlier times give 0, like the zero time. They
// have no number in Bigtable and HBase, and Check refuses cells with them.
func Millis(t time.Time) int64 { return max(0, t.UnixMilli()) }

// At returns the time of a version.
func At(millis int64) time.Time { return time.UnixMilli(millis).UTC() }

// Compare orders cells as in a Row. The newest version comes first, so d and c change places for the time.
func (c Cell) Compare(d Cell) int {
	return cmp.Or(strings.Compare(c.Family, d.Family), strings.Compare(c.Qualifier, d.Qualifier), d.Time.Compare(c.Time))
}

// Take returns the part of a row that r selects, for stores without such filters. The row's cells must be in order.
func (r Range) Take(row Row) Row {
	out := Row{Key: row.Key}
	n := 0 // number of taken versions of the column
	for i, c := range row.Cells {
		if i > 0 && (c.Family != row.Cells[i-1].Family || c.Qualifier != row.Cells[i-1].Qualifier) {
			n = 0
		}
		// Versions are counted after the time limits, so that "the newest before a moment" is one version.
		if !r.hasFamily(c.Family) || !r.hasTime(c.Time) || r.Versions >= 0 && n >= max(1, r.Versions) {
			continue
		}
		n++
		// The row may be the store's own memory, or part of a large answer, so the receiver gets a copy.
		c.Value = bytes.Clone(c.Value)
		out.Cells = append(out.Cells, c)
	}
	return out
}

// HasKey reports whether the range has a key.
func (r Range) HasKey(key string) bool {
	return r.Has(key) &&
		(r.Among == nil || slices.ContainsFunc(r.Among, func(s Span) bool { return s.Has(key) }))
}

func (r Range) hasFamily(f string) bool { return r.Families == nil || slices.Contains(r.Families, f) }

func (r Range) hasTime(t time.Time) bool {
	return (r.Since.IsZero() || !t.Before(r.Since)) && (r.Till.IsZero() || t.Before(r.Till))
}

// NoTime reports whether no version can be between Since and Till: servers refuse such limits, or ignore them.
func (r Range) NoTime() bool {
	return !r.Till.IsZero() && Millis(r.Till) <= Millis(r.Since)
}

// Spans returns the keys of the range as separate spans, in order, for stores that read one after the other.
func (r Range) Spans() []Span {
	// Nothing to narrow. An empty list that is not nil differs: it has no rows, and gives no spans.
	if r.Among == nil {
		return []Span{r.Span}
	}
	var all []Span
	byFrom := func(a, b Span) int { return strings.Compare(a.From, b.From) }
	for _, s := range slices.SortedFunc(slices.Values(r.Among), byFrom) {
		s.From = max(s.From, r.From)
		if r.To != "" && (s.To == "" || s.To > r.To) {
			s.To = r.To
		}
		last := len(all) - 1
		switch {
		case s.To != "" && s.From >= s.To: // an empty span
		// It begins within the previous span or at its end: they become one, so that no row is read twice.
		case last >= 0 && (all[last].To == "" || s.From <= all[last].To):
			if all[last].To != "" && (s.To == "" || s.To > all[last].To) {
				all[last].To = s.To
			}
		default:
			all = append(all, s)
		}
	}
	return all
}

// Merge returns rows by key, each key once, with cells in order. Of cells with the same version it keeps the last.
func Merge(rows []Row) []Row {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b Row) int { return strings.Compare(a.Key, b.Key) })
	var all []Row
	for _, r := range sorted {
		if n := len(all); n > 0 && all[n-1].Key == r.Key {
			// Concat makes a new slice, so that the cells of the caller's rows are not overwritten.
			all[n-1].Cells = slices.Concat(all[n-1].Cells, r.Cells)
		} else {
			all = append(all, r)
		}
	}
	for i := range all {
		all[i].Cells = lastOfEach(slices.Clone(all[i].Cells))
	}
	return all
}

// lastOfEach sorts cells, and keeps the last of equal ones.
func lastOfEach(cells []Cell) []Cell {
	for i := range cells {
		cells[i].Time = At(Millis(cells[i].Time))
	}
	// A stable sort keeps the sequence of equal cells, and Compact keeps the first of equals. Reversed, the first is
	// the last written one.
	slices.Reverse(cells)
	slices.SortStableFunc(cells, Cell.Compare)
	return slices.CompactFunc(cells, func(a, b Cell) bool { return a.Compare(b) == 0 })
}
