package contentdb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// candidate is a row that may be an answer.
type candidate struct {
	d *schemas.Document
	// taken reports whether the row matches the filter. With query.Query.At, other rows count as versions too.
	taken bool
}

// answer sorts rows in the order of q and drops those that q does not ask for.
func (db *DB) answer(
	ctx context.Context, q query.Query, p projection, rows iter.Seq2[candidate, error], memory int,
) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		// Created here, so that a sequence that nobody reads makes no file.
		s := db.newSorting(q, p, memory)
		err := errors.Join(s.run(ctx, rows, yield), s.close())
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}

// InOrder yields captures of another source in the order of q, up to its limit, with the memory of o.
func InOrder(
	ctx context.Context, o Options, q query.Query, docs iter.Seq2[*schemas.Document, error],
) iter.Seq2[*schemas.Document, error] {
	q.AllVersions = true // the versions are chosen already
	return Newest(ctx, o, q, docs)
}

// Newest yields captures of another source, which match the filter of q, in its order and up to its limit, with the
// memory of o. Unless q asks for all versions, it yields only the newest of each page.
func Newest(
	ctx context.Context, o Options, q query.Query, docs iter.Seq2[*schemas.Document, error],
) iter.Seq2[*schemas.Document, error] {
	rows := func(yield func(candidate, error) bool) {
		for d, err := range docs {
			if !yield(candidate{d: d, taken: true}, err) {
				return
			}
		}
	}
	o = o.withDefaults()
	return (&DB{core: &core{o: o}}).answer(ctx, q, nil, rows, o.MemoryBytes)
}

// errEnough ends a merge after the caller has stopped. It never leaves this package.
var errEnough = errors.New("contentdb: enough")

// sorting sorts rows, in the DB's memory for that and on disk.
type sorting struct {
	q query.Query
	p projection
	// Both hold candidates by key: versions by page and time, order in the order of the answer.
	versions *extsort.Sorter
	order    *extsort.Sorter
	key      []byte
	left     int // remaining answers; negative means all
}

func (db *DB) newSorting(q query.Query, p projection, memory int) *sorting {
	o := extsort.Options{MemoryBytes: memory / 2, TempDir: db.o.TempDir} // for each of the two
	left := -1
	if q.Limit > 0 {
		left = q.Limit
	}
	return &sorting{q: q, p: p, versions: extsort.New(o), order: extsort.New(o), left: left}
}

func (s *sorting) close() error {
	return errors.Join(s.versions.Close(), s.order.Close())
}

// run reads the rows, and yields the answers.
func (s *sorting) run(
	ctx context.Context, rows iter.Seq2[candidate, error], yield func(*schemas.Document, error) bool,
) error {
	for r, err := range rows {
		if err == nil {
			err = s.add(r)
		}
		if err != nil {
			return err
		}
	}
	if !s.q.AllVersions {
		if err := s.choose(ctx); err != nil {
			return err
		}
	}
	// The last row may be the first of the answer, so all are read first.
	return s.order.Merge(func(_, value []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := &schemas.Document{}
		if err := json.Unmarshal(value, d); err != nil {
			return err
		}
		// Only now: a version before the mark hides older ones after it.
		if !s.q.IsAfter(query.KeyOf(d), 0) {
			return nil
		}
		if !yield(d, nil) {
			return errEnough
		}
		if s.left--; s.left == 0 {
			return errEnough
		}
		return nil
	})
}

// add takes a row: to the final order, or first to the comparison with other versions of its page. Rows wait as JSON of
// the wanted columns, so that they can go to disk.
func (s *sorting) add(r candidate) error {
	k := query.KeyOf(r.d)
	if s.q.AllVersions {
		s.key = appendOrder(s.key[:0], k, s.q.Order)
		return s.put(s.order, r.d)
	}
	s.key = appendVersion(s.key[:0], k)
	if !r.taken {
		// An empty value marks a version that only hides older ones; JSON is never empty.
		return s.versions.Add(s.key, nil)
	}
	return s.put(s.versions, r.d)
}

// put adds a document by s.key.
func (s *sorting) put(to *extsort.Sorter, d *schemas.Document) error {
	// Columns of the answer and of the key, which the second sorter needs.
	value, err := json.Marshal(s.p.of(d))
	if err != nil {
		return err
	}
	return to.Add(s.key, value)
}

// choose moves the newest version of each page to the final order.
func (s *sorting) choose(ctx context.Context) error {
	var newest, value []byte // the last version so far
	next := func() error {
		if len(value) == 0 {
			return nil // no version yet, or one that does not match
		}
		d := &schemas.Document{}
		if err := json.Unmarshal(value, d); err != nil {
			return err
		}
		return s.order.Add(appendOrder(nil, query.KeyOf(d), s.q.Order), value)
	}
	err := s.versions.Merge(func(k, v []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		// Versions come by page, the newest last.
		if !bytes.Equal(page(k), page(newest)) {
			if err := next(); err != nil {
				return err
			}
		}
		// Copied, because Merge reuses its memory.
		newest, value = append(newest[:0], k...), append(value[:0], v...)
		return nil
	})
	if err != nil {
		return err
	}
	return next()
}
