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
	// taken reports whether the filter takes it. With query.Query.At, rows that it does not take count as versions too.
	taken bool
}

// answer puts rows into the order of q and leaves out what q does not ask for.
func (db *DB) answer(
	ctx context.Context, q query.Query, p projection, rows iter.Seq2[candidate, error], memory int,
) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		// Made when the answer is asked for, and not before: a sequence that nobody reads makes no file.
		s := db.newSorting(q, p, memory)
		err := errors.Join(s.run(ctx, rows, yield), s.close())
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}

// InOrder yields captures that were found elsewhere in the order of q, up to its limit, by the memory of o.
func InOrder(
	ctx context.Context, o Options, q query.Query, docs iter.Seq2[*schemas.Document, error],
) iter.Seq2[*schemas.Document, error] {
	q.AllVersions = true // the versions are chosen already
	return Newest(ctx, o, q, docs)
}

// Newest yields of captures that were found elsewhere, which the filter of q takes, those that q asks for: in its
// order, up to its limit, and where it does not ask for all versions the newest of each page, by the memory of o.
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
	return (&DB{o: o}).answer(ctx, q, nil, rows, o.MemoryBytes)
}

// errEnough ends a merge whose caller wants no more.
// It never leaves this package.
var errEnough = errors.New("contentdb: enough")

// sorting brings rows into order, in the memory that the DB has for that and on the disk.
type sorting struct {
	q query.Query
	p projection
	// Both hold candidates by key: versions by page and time, order as the answer goes.
	versions *extsort.Sorter
	order    *extsort.Sorter
	key      []byte
	left     int // answers that are wanted still; negative: all
}

func (db *DB) newSorting(q query.Query, p projection, memory int) *sorting {
	o := extsort.Options{MemoryBytes: memory / 2, TempDir: db.o.TempDir} // there are two of them
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
	// Nothing is yielded before all has been read: the last row may be the first of the answer.
	return s.order.Merge(func(_, value []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := &schemas.Document{}
		if err := json.Unmarshal(value, d); err != nil {
			return err
		}
		// Only now, and not when rows are read: a version before the mark hides the older ones after it.
		if !s.q.Behind(query.KeyOf(d), 0) {
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

// add takes a row: to be ordered at once, or first to be compared with the other versions of its page.
// What waits is a document of the wanted columns as JSON, which is bytes that can go to the disk.
func (s *sorting) add(r candidate) error {
	k := query.KeyOf(r.d)
	if s.q.AllVersions {
		s.key = appendOrder(s.key[:0], k, s.q.Order)
		return s.put(s.order, r.d)
	}
	// The key's memory is used again: the sorter copies it.
	s.key = appendVersion(s.key[:0], k)
	if !r.taken {
		// An empty value stands for it, which no document in JSON is.
		return s.versions.Add(s.key, nil) // it hides what is older
	}
	return s.put(s.versions, r.d)
}

// put adds a document by s.key.
func (s *sorting) put(to *extsort.Sorter, d *schemas.Document) error {
	// Only the columns of the answer and those of the key, from which the second sorter makes its own.
	value, err := json.Marshal(s.p.of(d))
	if err != nil {
		return err
	}
	return to.Add(s.key, value)
}

// choose brings the newest version of each page into the order.
func (s *sorting) choose(ctx context.Context) error {
	var newest, value []byte // the last version that came
	next := func() error {
		if len(value) == 0 {
			return nil // none yet, or one that the filter does not take
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
		// Versions come by page, the newest last: when the page changes, the one before is the newest.
		if !bytes.Equal(page(k), page(newest)) {
			if err := next(); err != nil {
				return err
			}
		}
		// Copied: what Merge gives lasts until it returns.
		newest, value = append(newest[:0], k...), append(value[:0], v...)
		return nil
	})
	if err != nil {
		return err
	}
	return next()
}
