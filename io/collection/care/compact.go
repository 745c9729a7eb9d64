package care

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
)

// CompactOptions say how documents are sorted and divided; the zero value takes the defaults.
type CompactOptions struct {
	Order       parquetfile.Order // sort order within each month; parquetfile.OrderFeatures
	MemoryBytes int               // memory for sorting, beside a temporary file; 256 MiB
	ShardBytes  int64             // uncompressed size after which a month continues in another shard; 2 GiB
}

func (o CompactOptions) withDefaults() CompactOptions {
	o.Order = cmp.Or(o.Order, parquetfile.OrderFeatures)
	o.MemoryBytes = cmp.Or(o.MemoryBytes, 256<<20)
	o.ShardBytes = cmp.Or(o.ShardBytes, 2<<30)
	return o
}

// Compacted is the result of Compact.
type Compacted struct {
	Units  int   // whose documents were moved now
	Rows   int64 // in the shards written
	Shards int   // written
	Kept   int   // shards of months without new documents
	Months int   // written
}

// Compact moves the documents of all finished units to shared shards: one or more a month of capture, in Parquet,
// sorted by o.Order. Shards of an earlier compaction stay if their months get no new documents, their order is the same
// and they have today's form. Compact needs the memory and temporary disk of one sort of the moved documents.
//
// The old shards stay until Expire. If Compact is killed, only unnamed shards remain, which the next Finish or Compact
// removes.
func Compact(ctx context.Context, c Collection, o CompactOptions) (done Compacted, err error) {
	o = o.withDefaults()
	f := c.Folder()
	m, err := ledger.Finished(f)
	if err != nil {
		return done, err
	}
	if _, err := wholeRows(c, m); err != nil {
		return done, err
	}
	old, err := c.Compaction()
	if err != nil {
		return done, err
	}
	// The name is unique, so that leftovers of a killed attempt are never used.
	attempt := folder.Unique()
	spill, err := f.Temp(ledger.SpillName(attempt))
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(spill)) }()
	g := &gathering{
		f: f, ctx: ctx, o: o, old: old, months: map[string]bool{},
		next:   ledger.Compaction{Order: o.Order, Sources: slices.Clone(old.Sources), Replaced: slices.Clone(old.Replaced)},
		sorter: extsort.New(extsort.Options{MemoryBytes: o.MemoryBytes, TempDir: spill}),
	}
	defer func() { err = errors.Join(err, g.sorter.Close()) }()
	if err := g.gather(m.Units); err != nil {
		return done, fmt.Errorf("collection: compact %s: %w", f.Path(""), err)
	}
	same := old.Order == o.Order && !slices.ContainsFunc(old.Shards, ledger.CompactShard.IsOlder)
	if len(g.next.Sources) == len(old.Sources) && same {
		// An earlier Compact may have been killed before the manifest.
		return Compacted{Kept: len(old.Shards)}, Refinish(c)
	}
	if err := g.write(); err != nil {
		return done, fmt.Errorf("collection: compact %s: %w", f.Path(""), err)
	}
	// This is the commit: before it nothing names the new shards, after it only the manifest must follow.
	if err := c.SaveCompaction(g.next); err != nil {
		return done, err
	}
	g.done.Units = len(g.next.Sources) - len(old.Sources)
	g.done.Months = len(g.months)
	return g.done, Refinish(c)
}

// gathering is the state of a Compact.
type gathering struct {
	f      folder.Folder
	ctx    context.Context
	o      CompactOptions
	old    ledger.Compaction
	next   ledger.Compaction
	sorter *extsort.Sorter
	months map[string]bool // months that get new shards
	done   Compacted

	key, value []byte
	writer     *shard.Shared
}

// gather gives the sorter the documents for new shards: of units that were not moved yet, and of old shards of the same
// months. If the order changed, it takes all old shards.
func (g *gathering) gather(units []schemas.UnitResult) error {
	ours := map[string]bool{}
	for _, s := range g.old.Files() {
		ours[s.Name] = true
	}
	moved := g.old.Moved()
	for _, u := range units {
		shards := holdings.Part{Shards: u.Shards}.Of(holdings.KindDocuments)
		// Moved units list shared shards or none. If Compact was killed before the manifest, they are still listed as
		// before: moving them again would double their documents.
		if len(shards) == 0 || ours[shards[0].Name] || moved.Has(shards[0]) {
			continue
		}
		n, _ := holdings.ParseName(shards[0].Name)
		// A source is an index into this list. The list only grows, so that numbers in older shards stay valid.
		source := len(g.next.Sources)
		g.next.Sources = append(g.next.Sources, ledger.Source{Unit: n.Unit, Shards: shards})
		for d, err := range (holdings.Part{Folder: g.f, Shards: shards}).Documents(g.ctx) {
			if err != nil {
				return err
			}
			g.months[shard.MonthOf(d)] = true
			if err := g.add(source, d); err != nil {
				return err
			}
		}
	}
	// After the units: their months decide which old shards are merged.
	again := g.old.Order != g.o.Order
	for _, s := range g.old.Shards {
		if !again && !g.months[s.Month] && !s.IsOlder() {
			g.next.Shards = append(g.next.Shards, s)
			continue
		}
		g.months[s.Month] = true
		g.next.Replaced = append(g.next.Replaced, s.Shard)
		again := func(source int, d *schemas.Document) error { return errors.Join(g.ctx.Err(), g.add(source, d)) }
		if err := shard.Each(g.f, s, again); err != nil {
			return err
		}
	}
	g.done.Kept = len(g.next.Shards)
	return nil
}

// Add adds a document. Its key is the month, the order's columns and the record's location, so that shards do not
// depend on the history of compactions.
func (g *gathering) add(source int, d *schemas.Document) (err error) {
	g.key = append(append(g.key[:0], shard.MonthOf(d)...), 0)
	if g.key, err = parquetfile.AppendKey(g.key, d, g.o.Order); err != nil {
		return err
	}
	g.key = append(append(g.key, d.Filename...), 0)
	// Big-endian, so that bytes compare as the numbers do, which are never negative.
	g.key = binary.BigEndian.AppendUint64(g.key, uint64(d.Offset))
	g.key = binary.BigEndian.AppendUint64(g.key, uint64(d.Sequence))
	// The source precedes the record; write separates them.
	g.value, err = parquetfile.AppendRecord(binary.AppendUvarint(g.value[:0], uint64(source)), d)
	if err != nil {
		return err
	}
	return g.sorter.Add(g.key, g.value)
}

func (g *gathering) write() error {
	defer func() {
		if g.writer != nil {
			g.writer.Discard()
		}
	}()
	err := g.sorter.Merge(func(key, value []byte) error {
		// Cut to a month's length first, so that a long URL in the key is not copied.
		month, _, _ := strings.Cut(string(key[:min(len(key), len("2026-03")+1)]), "\x00")
		// A shard has one month, so that queries by time open few shards.
		if g.writer != nil && (g.writer.Month != month || g.writer.Bytes >= g.o.ShardBytes) {
			if err := g.end(); err != nil {
				return err
			}
		}
		if g.writer == nil {
			g.writer = shard.NewShared(g.f, g.o.Order, month)
		}
		source, n := binary.Uvarint(value)
		return errors.Join(g.ctx.Err(), g.writer.Add(int(source), value[n:]))
	})
	if err != nil || g.writer == nil {
		return err
	}
	return g.end()
}

// end finishes the current shard.
func (g *gathering) end() error {
	s, err := g.writer.Finish()
	if err != nil {
		return err
	}
	g.next.Shards = append(g.next.Shards, s)
	g.next.Replaced = g.next.Gone()
	slices.SortStableFunc(g.next.Shards, func(a, b ledger.CompactShard) int { return strings.Compare(a.Month, b.Month) })
	g.done.Shards++
	g.done.Rows += s.Rows
	g.writer = nil
	return nil
}
