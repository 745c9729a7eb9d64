package collection

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
)

// CompactOptions say how documents are gathered; the zero value takes the defaults.
type CompactOptions struct {
	Order       parquetfile.Order // of the rows of each month; parquetfile.OrderFeatures
	MemoryBytes int               // of documents held to sort them, beside the disk; 256 MiB
	ShardBytes  int64             // of documents, uncompressed, after which a month goes on in another shard; 2 GiB
}

func (o CompactOptions) withDefaults() CompactOptions {
	o.Order = cmp.Or(o.Order, parquetfile.OrderFeatures)
	o.MemoryBytes = cmp.Or(o.MemoryBytes, 256<<20)
	o.ShardBytes = cmp.Or(o.ShardBytes, 2<<30)
	return o
}

// Compacted says what Compact did.
type Compacted struct {
	Units  int   // whose documents were moved now
	Rows   int64 // in the shards that were written
	Shards int   // that were written
	Kept   int   // shards of months that got nothing new
	Months int   // that were written
}

// Compact moves the documents of all finished units to shards that they share: one or more a month of their captures,
// in Parquet, sorted as asked for. Shards of an earlier compaction whose months get nothing new stay as they are,
// unless the order is another or an earlier version wrote them. It takes the memory and the temporary disk that one
// sort of what is moved takes.
//
// What was there stays beside it until Expire. Killed before its end, nothing has changed but that some shards lie in
// the folder that nothing names: the next Finish or Compact removes them.
func (c *Collection) Compact(ctx context.Context, o CompactOptions) (done Compacted, err error) {
	o = o.withDefaults()
	m, err := Finished(c.f)
	if err != nil {
		return done, err
	}
	old, err := c.compaction()
	if err != nil {
		return done, err
	}
	// A name of its own, so that what a killed attempt left is never taken for this one's.
	attempt := folder.Unique()
	spill, err := c.f.Temp(holdings.Hidden(spillStart + attempt))
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(spill)) }()
	g := &gathering{
		c: c, ctx: ctx, o: o, old: old, months: map[string]bool{},
		next:   Compaction{Order: o.Order, Sources: slices.Clone(old.Sources), Replaced: slices.Clone(old.Replaced)},
		sorter: extsort.New(extsort.Options{MemoryBytes: o.MemoryBytes, TempDir: spill}),
	}
	defer func() { err = errors.Join(err, g.sorter.Close()) }()
	if err := g.gather(m.Units); err != nil {
		return done, fmt.Errorf("collection: compact %s: %w", c.f.Path(""), err)
	}
	// No unit is new, and order and form are the same: there is nothing to write.
	same := old.Order == o.Order && !slices.ContainsFunc(old.Shards, CompactShard.isOlder)
	if len(g.next.Sources) == len(old.Sources) && same {
		_, err := c.Refinish() // an earlier one may have been killed between its note and the manifest
		return Compacted{Kept: len(old.Shards)}, err
	}
	if err := g.write(); err != nil {
		return done, fmt.Errorf("collection: compact %s: %w", c.f.Path(""), err)
	}
	// This is the commit. Before it nothing names the new shards; after it Refinish only tells the
	// manifest.
	if err := c.saveCompaction(g.next); err != nil {
		return done, err
	}
	g.done.Units = len(g.next.Sources) - len(old.Sources)
	g.done.Months = len(g.months)
	_, err = c.Refinish()
	return g.done, err
}

// gathering is a compaction on its way.
type gathering struct {
	c      *Collection
	ctx    context.Context
	o      CompactOptions
	old    Compaction
	next   Compaction
	sorter *extsort.Sorter
	months map[string]bool // that something goes to
	done   Compacted

	key, value []byte
	writer     *sharedWriter
}

// gather brings to the sorter what goes to new shards: the documents of units that have them still, and of the old
// shards those of the same months, or all when they are sorted otherwise.
func (g *gathering) gather(units []schemas.UnitResult) error {
	ours := map[string]bool{}
	for _, s := range g.old.files() {
		ours[s.Name] = true
	}
	moved := g.old.moved()
	for _, u := range units {
		shards := holdings.Part{Shards: u.Shards}.Of(holdings.KindDocuments)
		// Units whose documents were moved earlier are listed with shared shards, or with none. When the compaction was
		// killed between its note and the manifest, they are listed as before it: to move them again would double them.
		if len(shards) == 0 || ours[shards[0].Name] || moved.has(shards[0]) {
			continue
		}
		n, _ := holdings.ParseName(shards[0].Name)
		// A document's source is a number in this list, which is only ever appended to: numbers in older
		// shards stay right.
		source := len(g.next.Sources)
		g.next.Sources = append(g.next.Sources, Source{Unit: n.Unit, Shards: shards})
		for d, err := range (holdings.Part{Folder: g.c.f, Shards: shards}).Documents(g.ctx) {
			if err != nil {
				return err
			}
			// Noted before the old shards are looked at, which are merged by it.
			g.months[monthOf(d)] = true
			if err := g.add(source, d); err != nil {
				return err
			}
		}
	}
	// Behind the units, since their months decide which old shards have to be merged with them.
	again := g.old.Order != g.o.Order
	for _, s := range g.old.Shards {
		if !again && !g.months[s.Month] && !s.isOlder() {
			g.next.Shards = append(g.next.Shards, s)
			continue
		}
		g.months[s.Month] = true
		g.next.Replaced = append(g.next.Replaced, s.Shard)
		if err := g.addShared(s); err != nil {
			return err
		}
	}
	g.done.Kept = len(g.next.Shards)
	return nil
}

// addShared adds the documents of an old shard, each with its source.
func (g *gathering) addShared(s CompactShard) error {
	sources, err := g.c.readSources(s)
	if err != nil {
		return err
	}
	at := 0
	for d, err := range holdings.ReadParquet(g.c.f, s.Shard) {
		// Sources are a list beside the shard, one a row: other lengths are damage.
		if err == nil && at == len(sources) {
			err = ErrContent
		}
		if err == nil {
			err = errors.Join(g.ctx.Err(), g.add(s.Sources[sources[at]], d))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		at++
	}
	return nil
}

// add adds a document. Its key is the month, the order that is asked for, and then where its record is, so that the
// shards do not depend on what was compacted when.
func (g *gathering) add(source int, d *schemas.Document) (err error) {
	g.key = append(append(g.key[:0], monthOf(d)...), 0)
	if g.key, err = parquetfile.AppendKey(g.key, d, g.o.Order); err != nil {
		return err
	}
	g.key = append(append(g.key, d.Filename...), 0)
	// Big-endian, so that comparing bytes compares numbers, which are never negative here.
	g.key = binary.BigEndian.AppendUint64(g.key, uint64(d.Offset))
	g.key = binary.BigEndian.AppendUint64(g.key, uint64(d.Sequence))
	// The source goes before the record, and is read off again when the shard is written.
	g.value, err = parquetfile.AppendRecord(binary.AppendUvarint(g.value[:0], uint64(source)), d)
	if err != nil {
		return err
	}
	return g.sorter.Add(g.key, g.value)
}

// write writes the shards.
func (g *gathering) write() error {
	defer func() {
		if g.writer != nil {
			g.writer.discard()
		}
	}()
	err := g.sorter.Merge(func(key, value []byte) error {
		// Only as many bytes as a month can have: the key of a long URL is not copied for it.
		month, _, _ := strings.Cut(string(key[:min(len(key), len("2026-03")+1)]), "\x00")
		// A shard has one month, so that queries by time open few.
		if g.writer != nil && (g.writer.month != month || g.writer.bytes >= g.o.ShardBytes) {
			if err := g.end(); err != nil {
				return err
			}
		}
		if g.writer == nil {
			g.writer = newSharedWriter(g.c.f, g.o.Order, month)
		}
		source, n := binary.Uvarint(value)
		return errors.Join(g.ctx.Err(), g.writer.add(int(source), value[n:]))
	})
	if err != nil || g.writer == nil {
		return err
	}
	return g.end()
}

// end ends a shard.
func (g *gathering) end() error {
	s, err := g.writer.finish()
	if err != nil {
		return err
	}
	g.next.Shards = append(g.next.Shards, s)
	// A shard's name is that of its content: a month that came out as it was is not to be removed.
	g.next.Replaced = slices.DeleteFunc(g.next.Replaced, func(r schemas.Shard) bool { return r.Name == s.Name })
	slices.SortStableFunc(g.next.Shards, func(a, b CompactShard) int { return strings.Compare(a.Month, b.Month) })
	g.done.Shards++
	g.done.Rows += s.Rows
	// The next record opens another.
	g.writer = nil
	return nil
}

// Refinish writes the manifest of a finished run once more, from the rows of its units: after what changed the shards
// and not what was asked for. Without a manifest it is fs.ErrNotExist.
func (c *Collection) Refinish() (schemas.Manifest, error) {
	m, err := Finished(c.f)
	if err != nil {
		return m, err
	}
	rows, err := c.rows()
	if err != nil {
		return m, err
	}
	// By the names of shards, since a manifest does not have the keys.
	byUnit := make(map[string]Row, len(rows))
	for key, r := range rows {
		byUnit[nameOf(key)] = r
	}
	run := Run{Options: m.Options, Versions: m.Versions, SiteTemplates: m.SiteTemplates}
	run.Index = slices.ContainsFunc(m.Files, func(s schemas.Shard) bool { return s.Name == IndexFile })
	var results []schemas.UnitResult
	named := unitsNamed(m)
	for _, u := range m.Units {
		unit, err := unitOf(u.Shards)
		if err != nil {
			return m, err
		}
		r, ok := byUnit[unit]
		if !ok {
			continue // a shard of many units
		}
		r.ID, r.Segments, r.MadeWith = len(results), nil, u.MadeWith // the segments were joined
		results = append(results, r.UnitResult)
	}
	run.Units = len(results)
	if run.change, err = c.beside(rows, func(r Row) bool { return named[nameOf(r.Key)] }); err != nil {
		return m, err
	}
	return c.Finish(results, run)
}

// beside is the change of a task that leaves an interrupted run as it is: of rows, those that are not the task's wait
// for that run. Without one there is nothing that they could wait for.
func (c *Collection) beside(rows map[string]Row, ours func(Row) bool) (*changeNote, error) {
	ch, there, err := readChange(c.f)
	if err != nil || !there {
		return &ch, err
	}
	ch.Waiting, ch.Commit = nil, nil
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		if !ours(rows[key]) {
			ch.Waiting = append(ch.Waiting, key)
		}
	}
	return &ch, nil
}

// Expired says what Expire removed.
type Expired struct {
	Files int
	Bytes int64
}

// Expire removes the shards whose documents were moved, and those of earlier compactions, except for those that are
// kept: snapshots of a table may refer to them.
func (c *Collection) Expire(kept map[string]bool) (done Expired, err error) {
	// The order is what makes this safe: a reader takes its shards from the manifest.
	if _, err := c.Refinish(); err != nil { // so that the manifest surely names none of them
		return done, err
	}
	k, err := c.compaction()
	if err != nil {
		return done, err
	}
	var old []schemas.Shard
	for _, source := range k.Sources {
		old = append(old, source.Shards...)
	}
	for _, s := range append(old, k.Replaced...) {
		// A snapshot of the table still refers to it.
		if kept[s.Name] {
			continue
		}
		size, err := c.f.Size(s.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = c.f.Remove(s.Name)
		}
		if err != nil {
			return done, fmt.Errorf("collection: expire: %w", err)
		}
		done.Files++
		done.Bytes += size
	}
	// Sources stay noted although their shards are gone: by them rows know what was moved.
	if len(k.Replaced) == 0 {
		return done, nil
	}
	k.Replaced = slices.DeleteFunc(slices.Clone(k.Replaced), func(s schemas.Shard) bool { return !kept[s.Name] })
	return done, c.saveCompaction(k)
}
