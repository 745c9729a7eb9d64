package sourcedb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Options say how sources are described.
type Options struct {
	AsOf   time.Time // time of the description; zero for the last capture of any source
	Policy source.Policy
	Sort   SortOptions
}

// lastingOptions are the options that change the output, unlike memory and folders for sorting.
type lastingOptions struct {
	AsOf   string        `json:"as_of"`
	Policy source.Policy `json:"policy"`
}

func (o Options) lasting() (string, error) {
	l := lastingOptions{Policy: o.Policy}
	if !o.AsOf.IsZero() {
		l.AsOf = o.AsOf.UTC().Format(time.RFC3339)
	}
	data, err := json.Marshal(l)
	return string(data), err
}

// hasPolicyOf reports whether a generation was described with the same policy.
func (o Options) hasPolicyOf(lasting string) bool {
	var l lastingOptions
	return json.Unmarshal([]byte(lasting), &l) == nil && l.Policy == o.Policy
}

// Update merges parts into the Source DB and describes all sources again: the next generation. Merged parts are
// skipped. If no part is new, and options and versions are the same, the generation stays. A new one becomes visible
// with its manifest, in one step. A killed run leaves the previous generation.
func (db *DB) Update(ctx context.Context, parts []Part, o Options) (Manifest, error) {
	lasting, err := o.lasting()
	if err != nil {
		return Manifest{}, err
	}
	fresh := fresh(parts, db.manifest)
	// Swept in any case, because a killed run may have left something.
	if current, _ := db.IsCurrent(o); current && len(fresh) == 0 {
		return db.manifest, db.sweep()
	}
	next, err := db.make(ctx, fresh, o, lasting)
	if err != nil {
		return Manifest{}, err
	}
	data, err := folder.EncodeJSON(next)
	if err == nil {
		// File names must be durable before the manifest names them.
		err = errors.Join(db.f.Sync(""), db.f.Write(manifestFile, data))
	}
	if err != nil {
		return Manifest{}, err
	}
	db.manifest = next
	// Unnamed files are removed last.
	return next, db.sweep()
}

// make makes the next generation. After an error, the next sweep removes its files.
func (db *DB) make(ctx context.Context, fresh []Part, o Options, lasting string) (Manifest, error) {
	first := Manifest{Layout: layout, Version: source.Version, Options: lasting}
	// Merged parts stay in the list, so that they are not merged again.
	first.Parts = slices.Clone(db.manifest.Parts)
	first.Counts.PartBytes = db.manifest.Counts.PartBytes
	for _, p := range fresh {
		first.Parts = append(first.Parts, p.Key)
		first.Counts.PartBytes += p.States.Bytes + p.Pages.Bytes
	}
	// Sorted for Has.
	slices.Sort(first.Parts)
	first.settle(db.manifest.Losses, fresh)
	g := generation{ctx: ctx, f: db.f, o: o, before: db.manifest, next: first}
	err := g.make(fresh)
	if err == nil || g.touched.all || ctx.Err() != nil {
		return g.next, err
	}
	// Previous rows may be damaged. They are derived, so ignoring them loses nothing. Damage to states or pages remains
	// an error.
	damaged, bad := db.damagedOf(db.manifest.rows())
	if bad != nil || len(damaged) == 0 {
		return Manifest{}, errors.Join(err, bad)
	}
	db.Mended = damaged
	g = generation{ctx: ctx, f: db.f, o: o, before: db.manifest, next: first}
	g.before.Facts = nil
	err = g.make(fresh)
	return g.next, err
}

// fresh returns the parts that were not merged before, each once, sorted by key.
func fresh(parts []Part, m Manifest) (list []Part) {
	whole := map[string]bool{}
	for _, p := range parts {
		whole[p.Unit] = whole[p.Unit] || p.Loss == nil
	}
	for _, p := range parts {
		// A damaged copy of a unit that was completely read elsewhere adds nothing.
		if !m.Has(p.Key) && (p.Loss == nil || !whole[p.Unit]) {
			list = append(list, p)
		}
	}
	// Sorted, so that the order of delivery does not matter.
	slices.SortFunc(list, func(a, b Part) int { return cmpStrings(a.Key, b.Key) })
	return slices.CompactFunc(list, func(a, b Part) bool { return a.Key == b.Key })
}

// runs returns the merged stream of a kind: of the previous generation's shards and of the parts.
func (g *generation) runs(
	before []schemas.Shard, parts []Part, of func(Part) schemas.Shard, join joinFunc,
) iter.Seq2[record, error] {
	known := g.chainBy(readRun, before)
	if g.touched.all {
		// Joining a state with itself only updates its form, which an older version may have written.
		known = rewritten(known, join)
	}
	// The order of runs does not matter: see fold.
	return merge([]iter.Seq2[record, error]{known, merge(g.fresh(parts, of), 0)}, 1)
}

// fresh returns the runs of the parts.
func (g *generation) fresh(parts []Part, of func(Part) schemas.Shard) (runs []iter.Seq2[record, error]) {
	for _, p := range parts {
		// Each run is an open file with a decoder, one for each new part.
		runs = append(runs, readRun(g.f, of(p).Name))
	}
	return runs
}

// joinFunc joins two values of one key.
type joinFunc = func(a, b []byte) ([]byte, error)

// rewritten yields records with each value joined with itself.
func rewritten(records iter.Seq2[record, error], join joinFunc) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		for r, err := range records {
			if err == nil {
				r.value, err = join(r.value, r.value)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// chain reads shards one after the other: their keys ascend. A record is valid until the next one.
func (g *generation) chain(shards []schemas.Shard) iter.Seq2[record, error] {
	return g.chainBy(passRun, shards)
}

func (g *generation) chainBy(
	read func(folder.Folder, string) iter.Seq2[record, error], shards []schemas.Shard,
) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		for _, s := range shards {
			for r, err := range read(g.f, s.Name) {
				if err == nil {
					err = g.ctx.Err()
				}
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

// shardName returns the name of a shard, with a place for its hash.
func shardName(kind string, n int, ext string) string {
	return fmt.Sprintf("%s-%05d-%%s%s", kind, n, ext)
}
