package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// Checked is what Check found.
type Checked struct {
	Shards   int      // that were compared
	Behind   int      // shards that the index lacks or has in another form, or has and are gone: Update mends that
	Problems []string // of the index; Rebuild mends them. At most maxProblems
}

// maxProblems bounds the problems: who has so many needs no more to know what to do.
const maxProblems = 100

// errProblems ends a check that has found enough.
var errProblems = errors.New("index: enough problems")

// Check compares the index with the documents of a part of a collection, which is all of it: all fields of each
// capture, the columns, and the bitmaps that it is in, and of its text the hash and some of its terms. It reads all
// texts. An error is one of reading shards; what is wrong with the index is a problem. There need not be an index.
func (x *Index) Check(ctx context.Context, part holdings.Part) (c Checked, err error) {
	known, err := x.knownShards(ctx)
	if isStale(err) {
		return Checked{Behind: len(part.DocumentShards()), Problems: []string{err.Error()}}, nil
	}
	// No index: all shards are after, and nothing is wrong.
	if err != nil || len(x.volumes) == 0 {
		return Checked{Behind: len(part.DocumentShards())}, err
	}
	// Counted apart: a shard that is new is not damage.
	m, err := x.marked(ctx, part)
	if err != nil {
		return c, err
	}
	if c.Behind, err = x.behind(ctx, m); err != nil {
		return c, err
	}
	// For its way to read documents alone: nothing is written.
	u := &updater{x: x, marked: m, columns: readColumns}
	for _, v := range x.volumes {
		k := &checker{c: &c}
		if err = k.files(ctx, v); err == nil {
			err = k.volume(ctx, u, v, known)
		}
		switch {
		// Enough was found; the rest is not looked at.
		case errors.Is(err, errProblems):
			return c, nil
		// A volume that cannot be read is one problem; the others are checked all the same.
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
	seen    map[value]*roaring.Bitmap // what the captures of a shard have, by their documents
	values  customRows                // likewise
	scanner tokenize.Scanner
}

// wrong notes a problem.
func (k *checker) wrong(format string, args ...any) error {
	k.c.Problems = append(k.c.Problems, fmt.Sprintf("%s: ", k.shard)+fmt.Sprintf(format, args...))
	if len(k.c.Problems) >= maxProblems {
		return errProblems
	}
	return nil
}

// files has SQLite look at its own structures.
func (k *checker) files(ctx context.Context, v *volume) error {
	for _, p := range []*pool{v.index, v.text} {
		var answer string
		if err := p.db.QueryRowContext(ctx, "pragma integrity_check(1)").Scan(&answer); err != nil {
			return explain(err)
		}
		// The first finding is enough: integrity_check(1).
		if answer != "ok" {
			return fmt.Errorf("%w: %s", ErrDamaged, answer)
		}
	}
	return nil
}

// volume compares the shards of a volume that are as the collection has them.
func (k *checker) volume(ctx context.Context, u *updater, v *volume, known map[string]known) (err error) {
	// Of one moment, so that an update which goes on meanwhile makes no problem.
	if k.s, err = v.snapshot(ctx); err != nil {
		return err
	}
	defer k.s.close()
	ranges, err := k.s.shards(ctx)
	if err != nil {
		return err
	}
	for _, s := range u.shards {
		// In another volume, or counted as after: Update mends that.
		if have := known[s.Name]; have.volume != v.name || !have.is(s) {
			continue
		}
		// By name: ranges are in the order of numbers.
		i := slices.IndexFunc(ranges, func(r shardRange) bool { return r.name == s.Name })
		r := shardRange{name: s.Name} // of a shard without captures there is none
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

// compare compares a shard with its documents, some at a time.
func (k *checker) compare(ctx context.Context, u *updater, s schemas.Shard, r shardRange) error {
	// One shard at a time, so that the bitmaps of what was seen stay small.
	k.shard, k.seen, k.values = s.Name, map[value]*roaring.Bitmap{}, customRows{}
	// In batches, so that a shard of any length is compared in bounded memory.
	batch, from := make([]*schemas.Document, 0, lastBatch), 0
	flush := func() error {
		err := k.batch(ctx, r, from, batch)
		// The last part is compared as well, however short it is.
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
	return k.custom(ctx, r)
}

// batch compares some captures, the first of which is the from-th of a shard.
func (k *checker) batch(ctx context.Context, r shardRange, from int, docs []*schemas.Document) error {
	// A shard's captures have numbers that follow each other, in the order of its documents.
	ids := make([]uint32, 0, len(docs))
	for i := range docs {
		ids = append(ids, r.first+uint32(from+i))
	}
	if from+len(docs) > r.rows {
		return nil // told as the number of captures
	}
	hits, err := k.s.hits(ctx, ids)
	if err != nil {
		return err
	}
	// Hits come in no order.
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

// capture compares one.
func (k *checker) capture(ctx context.Context, h *Hit, d *schemas.Document, c columns, row int) error {
	// Compared as documents, which is what an answer gives.
	if field, same := sameFields(h.Document(), d); !same || h.ts != micros(d) {
		return k.wrong("capture %d: the index has another %s", row, field)
	}
	// The columns are a copy of what the rows have, for speed: both must say the same.
	if c.page(row) != h.page || c.text(row) != h.text || c.time(row) != h.ts {
		return k.wrong("capture %d: its columns are not its row's", row)
	}
	for _, f := range smalls {
		id, found, err := k.nameID(ctx, f.kind, f.get(d))
		if err != nil {
			return err
		}
		// A value without a name cannot be found by any filter.
		if !found {
			return k.wrong("capture %d: the index lacks the name %q", row, f.get(d))
		}
		v := value{f.kind, id}
		if k.seen[v] == nil {
			k.seen[v] = roaring.New()
		}
		// Gathered from the documents, to be compared with the bitmaps when the shard is done.
		k.seen[v].Add(h.id)
	}
	if err := k.values.add(d, uint32(row)); err != nil {
		return err
	}
	return k.text(ctx, h, d, row, c.fits[row])
}

// nameID is the number of a name.
func (k *checker) nameID(ctx context.Context, kind kind, text string) (id int64, found bool, err error) {
	list, err := numbers(ctx, k.s.index, "select id from name where kind = ? and value = ?", kind, text)
	if err != nil || len(list) == 0 {
		return 0, false, err
	}
	return list[0], true, nil
}

// sameFields compares what a hit has of a document, except for the time, and names a field that is another.
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
		{"place", h.Filename == d.Filename && h.Offset == d.Offset && h.Length == d.Length && h.Sequence == d.Sequence},
	} {
		if !f.same {
			return f.name, false
		}
	}
	return "time", true
}

// termsTried is how many of a text's terms are looked for: a text that is another's lacks one of them soon.
const termsTried = 3

// text compares the text of a capture by its hash, by some of its terms, and how well it fits by its length.
func (k *checker) text(ctx context.Context, h *Hit, d *schemas.Document, row int, fit uint8) error {
	var terms []string
	// Of the title and of the text, since each could have been left out by itself.
	for _, text := range []string{d.Title, d.Text} {
		for _, term := range k.scanner.Index(text) {
			if terms = append(terms, string(term)); len(terms)%termsTried == 0 {
				break
			}
		}
	}
	marks := map[string]bool{}
	for _, term := range k.scanner.Index(d.Title) {
		if len(marks) == 0 {
			terms = append(terms, titleMark+string(term))
		}
		marks[string(term)] = true
	}
	// A text of which nothing can be searched is none for the index.
	if len(terms) == 0 {
		if h.text != 0 {
			return k.wrong("capture %d: the index has a text of it, and it has none", row)
		}
		return nil
	}
	hash := textHash(d)
	list, err := numbers(ctx, k.s.text, "select text from digest where hash = ?", hash[:])
	if err != nil {
		return err
	}
	// The text's number is the one that its hash stands for: by it several captures share one text.
	if len(list) != 1 || uint32(list[0]) != h.text {
		return k.wrong("capture %d: the index has another text", row)
	}
	var size []byte
	err = k.s.text.QueryRowContext(ctx, "select coalesce(max(sz), x'') from doc_docsize where id = ?", h.text).Scan(&size)
	if err != nil {
		return explain(err)
	}
	if fit != lengthScore(int(varint(size))-len(marks)) {
		return k.wrong("capture %d: the index has another length of its text", row)
	}
	if has, err := k.s.hasTerms(ctx, frequent{Text: &query.Text{Terms: terms}}, h.text); err != nil || has {
		return err
	}
	return k.wrong("capture %d: the index does not find it by the words of its text", row)
}

// bitmaps compares what the bitmaps have of a shard with its documents: all of them, for a capture may be among those
// of a value that it has not.
func (k *checker) bitmaps(ctx context.Context, r shardRange) error {
	if r.rows == 0 {
		return nil
	}
	// Only what the bitmaps say of this shard's captures is compared.
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
	// Sorted, so that the same damage makes the same report.
	for _, v := range slices.SortedFunc(maps.Keys(k.seen), value.compare) {
		// Both ways: a capture that is missing in a bitmap, and one that is in it wrongly.
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
