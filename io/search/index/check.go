package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// Checked is the result of Check.
type Checked struct {
	Shards   int      // compared
	Stale    int      // shards that are missing, outdated or gone: Update fixes that
	Problems []string // faults of the index, at most maxProblems: Rebuild fixes them
}

// maxProblems limits the problems: more would not help anyone.
const maxProblems = 100

// errProblems ends a check that has found enough problems.
var errProblems = errors.New("index: enough problems")

// Check compares the index with the documents of part, which is the whole collection. It compares all fields of each
// capture, the columns and bitmaps, and of its text the hash and some terms. It reads all texts. Errors are those of
// reading shards; faults of the index are problems. There need not be an index.
func (x *Index) Check(ctx context.Context, part holdings.Part) (c Checked, err error) {
	known, err := x.knownShards(ctx)
	if isStale(err) {
		return Checked{Stale: len(part.DocumentShards()), Problems: []string{err.Error()}}, nil
	}
	// Without an index all shards are missing, and nothing is wrong.
	if err != nil || len(x.volumes) == 0 {
		return Checked{Stale: len(part.DocumentShards())}, err
	}
	// Counted separately: a new shard is not damage.
	m, err := x.marked(ctx, part)
	if err != nil {
		return c, err
	}
	if c.Stale, err = x.stale(ctx, m); err != nil {
		return c, err
	}
	// Only used to read documents.
	u := &updater{x: x, marked: m, columns: readColumns}
	for _, v := range x.volumes {
		k := &checker{c: &c}
		if err = k.files(ctx, v); err == nil {
			err = k.volume(ctx, u, v, known)
		}
		switch {
		case errors.Is(err, errProblems):
			return c, nil
		// A volume that cannot be read is one problem; the others are checked.
		case errors.Is(err, ErrDamaged):
			c.Problems = append(c.Problems, err.Error())
		case err != nil:
			return c, err
		}
	}
	return c, nil
}

// checker checks a volume.
type checker struct {
	c       *Checked
	s       *snapshot
	shard   string
	seen    map[value]*roaring.Bitmap // bitmaps of a shard's captures, computed from their documents
	values  customRows                // custom values, likewise
	listed  listRows                  // values of lists, likewise
	blocks  map[blockKey]block        // of listed
	scanner tokenize.Scanner
	ids     map[nameOf]int64  // that were looked up
	counts  map[uint64]uint32 // of texts with a term, by its hash, for rarest
	seed    maphash.Seed      // of these hashes, so that no page can be written whose terms all collide
	looked  []looked          // reused by rarest
	room    []byte            // of the terms in looked
	found   foundTerms
	formed  map[nameOf]bool // terms that the table form has, by language
}

// nameOf is a name of a kind.
type nameOf struct {
	kind kind
	name string
}

// wrong records a problem.
func (k *checker) wrong(format string, args ...any) error {
	k.c.Problems = append(k.c.Problems, fmt.Sprintf("%s: ", k.shard)+fmt.Sprintf(format, args...))
	if len(k.c.Problems) >= maxProblems {
		return errProblems
	}
	return nil
}

// files lets SQLite check its own structures.
func (k *checker) files(ctx context.Context, v *volume) error {
	for _, p := range []*pool{v.index, v.text} {
		var answer string
		if err := p.db.QueryRowContext(ctx, "pragma integrity_check(1)").Scan(&answer); err != nil {
			return explain(err)
		}
		if answer != "ok" {
			return fmt.Errorf("%w: %s", ErrDamaged, answer)
		}
	}
	return nil
}

// volume compares the up-to-date shards of a volume with their documents.
func (k *checker) volume(ctx context.Context, u *updater, v *volume, known map[string]known) (err error) {
	// A snapshot, so that a concurrent update causes no problem.
	if k.s, err = v.snapshot(ctx); err != nil {
		return err
	}
	defer k.s.close()
	ranges, err := k.s.shards(ctx)
	if err != nil {
		return err
	}
	for _, s := range u.shards {
		// In another volume, or not up to date, which Update fixes.
		if have := known[s.Name]; have.volume != v.name || !have.is(s) {
			continue
		}
		// By name: ranges are in the order of numbers.
		i := slices.IndexFunc(ranges, func(r shardRange) bool { return r.name == s.Name })
		r := shardRange{name: s.Name} // a shard without captures has no range
		if i >= 0 {
			r = ranges[i]
		}
		if err := k.compare(ctx, u, s, r); err != nil {
			return err
		}
		k.c.Shards++
	}
	return nil
}

// compare compares a shard with its documents.
func (k *checker) compare(ctx context.Context, u *updater, s schemas.Shard, r shardRange) error {
	// One shard at a time, so that the expected bitmaps stay small.
	k.shard, k.seen, k.values = s.Name, map[value]*roaring.Bitmap{}, customRows{limit: k.s.limits.customRows}
	k.listed, k.blocks = listRows{}, map[blockKey]block{}
	// In batches, to bound memory.
	batch, from := make([]*schemas.Document, 0, lastBatch), 0
	flush := func() error {
		err := k.batch(ctx, r, from, batch)
		from, batch = from+len(batch), batch[:0]
		return err
	}
	for d, err := range u.documents(ctx, s) {
		if err != nil {
			return err
		}
		if batch = append(batch, d); len(batch) < lastBatch {
			continue
		}
		if err := flush(); err != nil {
			return err
		}
	}
	if err := flush(); err != nil {
		return err
	}
	if from != r.rows {
		return k.wrong("it has %d captures, and the index %d", from, r.rows)
	}
	if err := k.bitmaps(ctx, r); err != nil {
		return err
	}
	if err := k.custom(ctx, r); err != nil {
		return err
	}
	return k.lists(ctx, r)
}

// batch compares some captures, the first of which is the from-th of a shard.
func (k *checker) batch(ctx context.Context, r shardRange, from int, docs []*schemas.Document) error {
	// Captures of a shard are numbered in the order of its documents.
	ids := make([]uint32, 0, len(docs))
	for i := range docs {
		ids = append(ids, r.first+uint32(from+i))
	}
	if from+len(docs) > r.rows {
		return nil // reported as a difference in the number of captures
	}
	hits, err := k.s.hits(ctx, ids)
	if err != nil {
		return err
	}
	// Hits are in no order.
	byID := make(map[uint32]*Hit, len(hits))
	for i := range hits {
		byID[hits[i].id] = &hits[i]
	}
	c := columns{}
	if r.rows > 0 {
		if c, err = k.s.load(ctx, r); err != nil {
			return err
		}
	}
	for i, d := range docs {
		h, row := byID[ids[i]], from+i
		if h == nil {
			err = k.wrong("capture %d is not in the index", row)
		} else {
			err = k.capture(ctx, h, d, c, row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// capture compares one capture.
func (k *checker) capture(ctx context.Context, h *Hit, d *schemas.Document, c columns, row int) error {
	// Compared as documents, as in answers.
	if field, same := sameFields(h.Document(), d); !same || h.ts != micros(d) {
		return k.wrong("capture %d: the index has another %s", row, field)
	}
	// Columns duplicate the rows for speed: both must agree.
	if c.page(row) != h.page || c.text(row) != h.text || c.time(row) != h.ts {
		return k.wrong("capture %d: its columns are not its row's", row)
	}
	for _, f := range smalls {
		id, found, err := k.nameID(ctx, f.kind, f.get(d))
		if err != nil {
			return err
		}
		// No filter finds a value without a name.
		if !found {
			return k.wrong("capture %d: the index lacks the name %q", row, f.get(d))
		}
		v := value{f.kind, id}
		if k.seen[v] == nil {
			k.seen[v] = roaring.New()
		}
		// Computed from documents, to be compared with the bitmaps after the shard.
		k.seen[v].Add(h.id)
	}
	if err := k.values.add(d, uint32(row)); err != nil {
		return err
	}
	if err := k.list(ctx, d, row); err != nil {
		return err
	}
	return k.text(ctx, h, d, row, c.fits[row])
}

// sameFields compares the fields of a hit with a document, except for the time, and names one that differs.
func sameFields(h, d *schemas.Document) (field string, same bool) {
	for _, f := range []struct {
		name string
		same bool
	}{
		{"URL", h.URL == d.URL},
		{"SURT", h.SURT == d.SURT},
		{"host", h.Host == d.Host && h.Domain == d.Domain},
		{"status", h.Status == d.Status},
		{"type", h.MIMEDetected == d.MIMEDetected && h.PageType == d.PageType},
		{"language", h.Language == d.Language},
		{"title", h.Title == d.Title},
		{"source", h.SourceID == d.SourceID},
		{"record type", h.RecordType == d.RecordType},
		{"place", h.Filename == d.Filename && h.Offset == d.Offset && h.Length == d.Length && h.Sequence == d.Sequence},
	} {
		if !f.same {
			return f.name, false
		}
	}
	return "time", true
}

// nameID is that of a snapshot, and remembers names that were found.
func (k *checker) nameID(ctx context.Context, of kind, name string) (int64, bool, error) {
	s := nameOf{of, name}
	if id, has := k.ids[s]; has {
		return id, true, nil
	}
	id, found, err := k.s.nameID(ctx, of, name)
	if k.ids == nil || len(k.ids) > mostCounts {
		k.ids = map[nameOf]int64{}
	}
	if found {
		k.ids[s] = id
	}
	return id, found, err
}

// bitmaps compares the bitmaps of a shard with its documents. All of them, because a capture may be in the bitmap of a
// value that it does not have.
func (k *checker) bitmaps(ctx context.Context, r shardRange) error {
	if r.rows == 0 {
		return nil
	}
	// Only the part about this shard's captures.
	these, have := span(uint64(r.first), r.end()), map[value]*roaring.Bitmap{}
	err := each(ctx, k.s.index, func(rows *sql.Rows) error {
		var v value
		set, err := scanBits(rows, &v.kind, &v.id)
		if err != nil || !set.Intersects(these) {
			return err
		}
		if set.And(these); have[v] != nil {
			set.Or(have[v]) // a shard may be in two chunks
		}
		have[v] = set
		return nil
	}, "select kind, value, bits from bits where chunk between ? and ?", chunkOf(r.first), chunkOf(uint32(r.end()-1)))
	if err != nil {
		return err
	}
	// Sorted, so that the same damage gives the same report.
	for _, v := range slices.SortedFunc(maps.Keys(k.seen), value.compare) {
		// This finds captures that are missing in a bitmap, and those that are in it wrongly.
		if set := have[v]; set == nil || !set.Equals(k.seen[v]) {
			if err := k.wrong("the bitmap of value %d lacks some of its captures, or has others", v.id); err != nil {
				return err
			}
		}
		delete(have, v)
	}
	// Values that no document of the shard has.
	if len(have) > 0 {
		return k.wrong("%d bitmaps have captures of it that have other values", len(have))
	}
	return nil
}
