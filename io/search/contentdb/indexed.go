package contentdb

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// hitColumns are those that the index knows, so that no shard need be opened for them.
var hitColumns = []string{
	"url", "surt", "host", "domain", "timestamp", "status", "mime_detected", "language", "title", "page_type", "source_id",
	"filename", "offset", "length", "sequence",
}

// openIndex opens the index and brings it up to date. An index that cannot be had is not an error: the shards are the
// truth, and Notes says why they are read.
// A caller must not be kept from an answer by a folder that cannot be written, a full disk or a damaged index: each of
// them only makes the answer slower.
func (db *DB) openIndex(ctx context.Context) error {
	// Bound: while another process removes shards from it and adds others, it would have neither, silently.
	x, err := index.Open(ctx, db.part.Folder, index.Options{Bound: true, NoRevisits: !revisit.Has(db.manifest)})
	if err != nil {
		db.notes = append(db.notes, fmt.Sprintf("no index: %v", err))
		return ctx.Err()
	}
	r, err := x.Update(ctx, db.toIndex())
	switch {
	case err != nil:
		db.notes = append(db.notes, fmt.Sprintf("no index: %v", err))
	// An index that lacks shards would leave their captures out of the answer silently. So it is all or nothing.
	case r.Behind > 0:
		db.notes = append(db.notes, fmt.Sprintf("the index lacks %d shards (%s), so the shards are read", r.Behind,
			reason(r)))
	default:
		db.index = x
		return nil
	}
	// It is not used, so its files are let go of at once. A context that has ended is an error all the same: the caller
	// wants no answer by then.
	if closed := x.Close(); closed != nil {
		return closed
	}
	return ctx.Err()
}

// toIndex is what the index is of: of units in both formats the Parquet, of which single rows can be read.
func (db *DB) toIndex() holdings.Part {
	return holdings.Part{Folder: db.part.Folder, Shards: slices.Concat(db.columnar, db.lines.Shards)}
}

// reason is why an index is after.
func reason(r index.Report) string {
	if r.Busy {
		return "another process is bringing it up to date"
	}
	return r.ReadOnly
}

// indexed yields what the index finds, in batches whose documents are read together.
func (db *DB) indexed(ctx context.Context, q query.Query, columns []string) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		p := newProjection(columns)
		flush := func(hits []index.Hit) (more bool, err error) {
			// With an error docs is nil, and nothing of the batch is given away: answers come in order, and a hole
			// could not be seen.
			docs, err := db.documents(ctx, hits, columns)
			for _, d := range docs {
				if !yield(p.of(d), nil) {
					return false, err
				}
			}
			return err == nil, err
		}
		const first, last = 32, 1024 // as the index does: who wants little waits for little
		size := first
		var batch []index.Hit
		for h, err := range db.index.Find(ctx, q, db.verify(q)) {
			if err != nil {
				yield(nil, err)
				return
			}
			if batch = append(batch, h); len(batch) < size {
				continue
			}
			more, err := flush(batch)
			if err != nil {
				yield(nil, err)
			}
			if !more {
				return
			}
			// The batch's memory is used again: documents does not keep hits.
			batch, size = batch[:0], min(2*size, last)
		}
		if _, err := flush(batch); err != nil {
			yield(nil, err)
		}
	}
}

// verify tests what the index leaves of a filter on the documents; nil when it leaves nothing.
func (db *DB) verify(q query.Query) index.Verify {
	_, rest := index.Split(q.Where)
	if rest == nil {
		return nil
	}
	// Only what the rest of the filter looks at is read here; the documents of the answer are read later, and only
	// those that have passed.
	columns := query.Columns(rest)
	return func(ctx context.Context, hits []index.Hit) ([]bool, error) {
		docs, err := db.documents(ctx, hits, columns)
		if err != nil {
			return nil, err
		}
		passed, test := make([]bool, len(hits)), query.Compile(rest)
		for i, d := range docs {
			passed[i] = test(d)
		}
		return passed, nil
	}
}

// documents are those of hits, in their order, with the columns at least. Each shard is read once, for what the index
// does not know alone: pages of a short column hold ten thousand values, which are decoded for one.
func (db *DB) documents(ctx context.Context, hits []index.Hit, columns []string) ([]*schemas.Document, error) {
	docs := make([]*schemas.Document, len(hits))
	known := func(c string) bool { return slices.Contains(hitColumns, c) }
	if columns != nil {
		columns = slices.DeleteFunc(slices.Clone(columns), known)
		// All that is wanted is in the index itself.
		if len(columns) == 0 {
			for i := range hits {
				docs[i] = hits[i].Document()
			}
			return docs, nil
		}
	}
	// Hits come in the order of the answer, which is all over the shards. Read shard by shard, each is opened once for
	// a batch.
	byShard := map[string][]int{}
	for i, h := range hits {
		byShard[h.Shard] = append(byShard[h.Shard], i)
	}
	names := slices.Sorted(maps.Keys(byShard))
	errs := make([]error, len(names))
	var reading sync.WaitGroup
	turn := make(chan struct{}, runtime.GOMAXPROCS(0)) // to read is to decompress
	for i, name := range names {
		places := byShard[name]
		slices.SortFunc(places, func(a, b int) int { return int(hits[a].Row - hits[b].Row) })
		turn <- struct{}{}
		// Each writes into docs at the places of its own hits.
		reading.Go(func() {
			defer func() { <-turn }()
			if err := db.rowsAt(ctx, name, hits, places, columns, docs); err != nil {
				errs[i] = fmt.Errorf("contentdb: %s: %w", name, err)
			}
		})
	}
	reading.Wait()
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	return docs, nil
}

// hitFields are the places of hitColumns.
var hitFields = newProjection(hitColumns)

// filled is a document that was read without what the index knows, with that.
func filled(d *schemas.Document, h *index.Hit) *schemas.Document {
	// A copy: two hits may be of one row.
	out := *d
	hitFields.copy(&out, h.Document())
	return &out
}

// rowsAt reads the documents of hits that are in one shard. places are those of the hits, by their rows.
func (db *DB) rowsAt(
	ctx context.Context, name string, hits []index.Hit, places []int, columns []string, docs []*schemas.Document,
) error {
	rows := make([]int64, len(places))
	for j, at := range places {
		rows[j] = hits[at].Row
	}
	// places is sorted by row, so one pass over the rows fills all of them. Two hits may be the same row.
	left := places
	return db.readRows(ctx, name, slices.Compact(rows), columns, func(row int64, d *schemas.Document) bool {
		for len(left) > 0 && hits[left[0]].Row == row {
			docs[left[0]], left = filled(d, &hits[left[0]]), left[1:]
		}
		return true
	})
}

// readRows gives take the documents of some rows, which are sorted, of a shard that the index names, until it wants no
// more.
func (db *DB) readRows(
	ctx context.Context, name string, rows []int64, columns []string, take func(row int64, d *schemas.Document) bool,
) error {
	// The index is of this manifest, by Update. Another process may have written a new index since, with shards that
	// this manifest has not.
	i := slices.IndexFunc(db.part.Shards, func(s schemas.Shard) bool { return s.Name == name })
	if i < 0 {
		return fmt.Errorf("%w: the index names a shard that the manifest does not", holdings.ErrChanged)
	}
	s := db.part.Shards[i]
	if _, is := parquetUnit(s); !is {
		return db.linesAt(ctx, s, rows, take)
	}
	if columns == nil {
		columns = Columns()
	}
	n := 0
	for r, err := range db.shards.At(ctx, s, rows, columns) {
		if err != nil {
			return err
		}
		if n++; !take(r.Number, r.Document) {
			return nil
		}
	}
	// The shard is shorter than when it was indexed.
	if n < len(rows) {
		return fmt.Errorf("%w: it has no row %d", holdings.ErrChanged, rows[n])
	}
	return nil
}

// facetsByIndex counts by the index, where it knows all fields.
func (db *DB) facetsByIndex(
	ctx context.Context, x *index.Index, q query.Query, by []string, top int,
) (groups []Group, known bool, err error) {
	names, known := indexFacets(by)
	if !known {
		return nil, false, nil
	}
	list, err := x.Facets(ctx, q, names, top, db.verify(q))
	for _, f := range list {
		groups = append(groups, Group(f))
	}
	return groups, true, err
}

// indexFacets are the names that the index has for fields, and whether it has them all: one that it does not have makes
// the whole question one for the shards.
func indexFacets(by []string) (names []string, known bool) {
	names = make([]string, len(by))
	// Names may be written in several ways in a query: Lookup gives the one that documents have.
	for i, name := range by {
		if f, _, err := query.Lookup(name); err == nil {
			name = f.Name
		}
		// Two fields have another name in the index.
		if name == "source_id" {
			name = "source"
		}
		if name == "mime_detected" {
			name = "mime"
		}
		if names[i] = name; !slices.Contains(index.FacetFields(), name) {
			return nil, false
		}
	}
	return names, true
}
