package contentdb

import (
	"cmp"
	"context"
	"errors"
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

// hitColumns are the columns in the index, for which no shard is opened.
var hitColumns = []string{
	"url", "surt", "host", "domain", "timestamp", "status", "mime_detected", "language", "title", "page_type", "source_id",
	"record_type", "filename", "offset", "length", "sequence",
}

// openIndex opens the index and brings it up to date. A failure is not an error, because the shards give the same
// answers, only slower. A read-only folder, a full disk or a damaged index must not prevent answers. Notes has the
// reason.
func (db *DB) openIndex(ctx context.Context) error {
	// Bound, because an index whose shards another process replaces would silently miss both old and new ones.
	x, err := index.Open(ctx, db.part.Folder, index.Options{
		Bound: true, NoRevisits: !revisit.Has(db.manifest), Caches: db.o.Caches,
	})
	if err != nil {
		db.notes = append(db.notes, fmt.Sprintf("no index: %v", err))
		return ctx.Err()
	}
	r, err := x.Update(ctx, db.toIndex())
	switch {
	case err != nil:
		db.notes = append(db.notes, fmt.Sprintf("no index: %v", err))
	// An index that lacks shards would silently miss their captures, so it is not used at all.
	case r.Stale > 0:
		db.notes = append(db.notes, fmt.Sprintf("the index lacks %d shards (%s), so the shards are read", r.Stale,
			reason(r)))
	default:
		db.index = x
		return nil
	}
	// Closed, because it is not used. If the context has ended, the caller wants no answer.
	if closed := x.Close(); closed != nil {
		return closed
	}
	return ctx.Err()
}

// toIndex returns the shards to index. Of units with both formats these are Parquet, whose rows can be read singly.
func (db *DB) toIndex() holdings.Part {
	return holdings.Part{Folder: db.part.Folder, Shards: slices.Concat(db.columnar, db.lines.Shards)}
}

// reason says why an index is not up to date.
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
			// After an error nothing of the batch is yielded: a gap in ordered answers could not be noticed.
			docs, err := db.documents(ctx, hits, columns)
			for _, d := range docs {
				if !yield(p.of(d), nil) {
					return false, err
				}
			}
			return err == nil, err
		}
		const first, last = 32, 1024 // growing, as in the index, so that the first rows come soon
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
			batch, size = batch[:0], min(2*size, last)
		}
		if _, err := flush(batch); err != nil {
			yield(nil, err)
		}
	}
}

// verify returns a test of documents for the part of the filter that the index cannot decide, or nil if it decides all.
func (db *DB) verify(q query.Query) index.Verify {
	_, rest := index.Split(q.Where)
	if rest == nil {
		return nil
	}
	// Only the filter's columns are read here; documents of the answer are read later, if they match.
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

// documents returns the documents of hits, in order, with at least the given columns. It reads each shard once, and
// only columns that the index lacks: pages of a short column hold ten thousand values, all decoded for one.
func (db *DB) documents(ctx context.Context, hits []index.Hit, columns []string) ([]*schemas.Document, error) {
	docs := make([]*schemas.Document, len(hits))
	known := func(c string) bool { return slices.Contains(hitColumns, c) }
	if columns != nil {
		columns = slices.DeleteFunc(slices.Clone(columns), known)
		// The index has all wanted columns.
		if len(columns) == 0 {
			for i := range hits {
				docs[i] = hits[i].Document()
			}
			return docs, nil
		}
	}
	// Grouped by shard, so that each shard is opened once for a batch.
	byShard := map[string][]int{}
	for i, h := range hits {
		byShard[h.Shard] = append(byShard[h.Shard], i)
	}
	names := slices.Sorted(maps.Keys(byShard))
	errs := make([]error, len(names))
	var reading sync.WaitGroup
	turn := make(chan struct{}, runtime.GOMAXPROCS(0)) // reading is limited by decompression
	for i, name := range names {
		places := byShard[name]
		slices.SortFunc(places, func(a, b int) int { return int(hits[a].Row - hits[b].Row) })
		turn <- struct{}{}
		// Each goroutine writes to the elements of its own hits.
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

var hitFields = newProjection(hitColumns)

// filled returns a copy of d with the columns of the index. A copy, because two hits may share a row.
func filled(d *schemas.Document, h *index.Hit) *schemas.Document {
	out := *d
	hitFields.copy(&out, h.Document())
	return &out
}

// rowsAt reads the documents of hits in one shard. places are the indexes of these hits, sorted by row.
func (db *DB) rowsAt(
	ctx context.Context, name string, hits []index.Hit, places []int, columns []string, docs []*schemas.Document,
) error {
	rows := make([]int64, len(places))
	for j, at := range places {
		rows[j] = hits[at].Row
	}
	// One pass over the sorted rows fills all of them. Two hits may share a row.
	left := places
	return db.readRows(ctx, name, slices.Compact(rows), columns, func(row int64, d *schemas.Document) bool {
		for len(left) > 0 && hits[left[0]].Row == row {
			docs[left[0]], left = filled(d, &hits[left[0]]), left[1:]
		}
		return true
	})
}

// readRows calls take with the documents of some rows of an indexed shard, in order, until take returns false. rows
// must be sorted.
func (db *DB) readRows(
	ctx context.Context, name string, rows []int64, columns []string, take func(row int64, d *schemas.Document) bool,
) error {
	// Another process may have written a new index since, with shards that this manifest lacks.
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
	// The shard has fewer rows than when it was indexed.
	if n < len(rows) {
		return fmt.Errorf("%w: it has no row %d", holdings.ErrChanged, rows[n])
	}
	return nil
}

// facetsByIndex counts by the index, if it knows all fields.
func (db *DB) facetsByIndex(
	ctx context.Context, x *index.Index, q query.Query, by []string, top int,
) (groups []Group, known bool, err error) {
	names, known := indexFacets(by)
	if !known {
		return nil, false, nil
	}
	list, err := x.Facets(ctx, q, names, top, db.verify(q))
	// Reading can count them, with groups on disk.
	if errors.Is(err, index.ErrManyFacets) {
		return nil, false, nil
	}
	for _, f := range list {
		groups = append(groups, Group(f))
	}
	return groups, true, err
}

// indexFacets returns the index's names of fields. known is false if it lacks one, so that shards must answer.
func indexFacets(by []string) (names []string, known bool) {
	names = make([]string, len(by))
	// Lookup normalises names of a query.
	for i, name := range by {
		if f, _, err := query.Lookup(name); err == nil {
			name = f.Name
		}
		// Two fields are named differently in the index.
		if name == "source_id" {
			name = "source"
		}
		if name == "mime_detected" {
			name = "mime"
		}
		names[i] = name
	}
	return names, index.Counts(names)
}
