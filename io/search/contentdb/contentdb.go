package contentdb

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/meaning"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Options say how to search a collection; the zero value takes the defaults.
type Options struct {
	NoIndex bool // neither use nor make the index
	// Files are the Parquet files of an earlier snapshot, searched instead of the manifest's shards and without the
	// index. SHA256 may be empty if Name and Bytes identify a file.
	Files []schemas.Shard
	// Whole are all files of the snapshot. Files may have only those with answers, but originals of revisits and parts
	// of pages can be in any file.
	Whole       []schemas.Shard
	MemoryBytes int    // memory for sorting answers; 64 MiB
	TempDir     string // for sorting beyond MemoryBytes; the system's
	// Meaning returns the model of searches by meaning, when the first one needs it; nil allows none.
	Meaning func() (*meaning.Model, error)
	// Caches are kept when the collection is opened again; nil for none.
	Caches *index.Caches
}

func (o Options) withDefaults() Options {
	o.MemoryBytes = cmp.Or(o.MemoryBytes, 64<<20)
	return o
}

// DB is an open collection. Several goroutines may call its methods, even while a run writes to the folder: answers are
// those of the manifest at the time of Open.
type DB struct {
	*core
	limits *limits // nil for the whole collection
}

// core is what all views of a collection share: see DB.Limited.
type core struct {
	o        Options
	part     holdings.Part
	manifest schemas.Manifest
	types    map[string]schemas.ValueType // of custom columns
	mixed    []string                     // custom columns with types that may hold texts, too
	columnar []schemas.Shard              // document shards in Parquet
	foreign  []schemas.Shard              // those of columnar that other programs wrote
	shards   *parquetscan.Shards          // reader of the rest
	whole    *core                        // all files of the snapshot; nil if columnar are all
	lines    holdings.Part                // the other document shards
	outlines outlines                     // of lines
	index    *index.Index                 // nil if the shards are read instead
	images   images
	meanings meanings
	notes    []string
	seen     [sha256.Size]byte // hash of the manifest
	mu       sync.Mutex
	overview map[int]*Overview // results of Overview, by top
	filling  sync.Mutex        // protects filled and set
	filled   bool
	set      *revisit.Set
	lost     atomic.Bool // the index was found damaged or missing, and is no longer used
}

// OpenPath opens the collection in a local folder.
func OpenPath(ctx context.Context, path string, o Options) (*DB, error) {
	return Open(ctx, folder.Open(ctx, path, nil), o)
}

// Open opens the collection in f. It returns fs.ErrNotExist if no run has finished there.
func Open(ctx context.Context, f folder.Folder, o Options) (*DB, error) {
	seen, err := manifestHash(f) // before the manifest is read, so that a manifest written in between counts as changed
	if err != nil {
		return nil, err
	}
	part, m, err := holdings.Whole(f)
	if err != nil {
		return nil, err
	}
	// Shards are opened on demand.
	db := &DB{core: &core{o: o.withDefaults(), part: part, manifest: m, types: holdings.CustomTypes(m), seen: seen}}
	db.mixed = holdings.Mixed(m, db.types)
	db.columnar, db.lines = divide(part)
	db.shards = parquetscan.NewShards(f, db.columnar)
	db.shards.Current = db.isCurrent
	if o.Files != nil {
		db.core = db.of(o.Files)
		if o.Whole != nil {
			db.whole = db.of(o.Whole)
		}
	}
	if o.NoIndex || o.Files != nil {
		return db, nil
	}
	// After an error openIndex has closed the index.
	return db, db.openIndex(ctx)
}

// of returns a core like db that reads some Parquet files instead.
func (db *core) of(files []schemas.Shard) *core {
	of := &core{o: db.o, manifest: db.manifest, types: db.types, mixed: db.mixed, seen: db.seen}
	of.lines = holdings.Part{Folder: db.part.Folder}
	of.part = holdings.Part{Folder: db.part.Folder, Shards: named(files)}
	of.columnar = of.part.Shards
	var ours []schemas.Shard
	for _, s := range of.columnar {
		if _, is := holdings.FileTypeOf(s.Name); is {
			ours = append(ours, s)
		} else {
			of.foreign = append(of.foreign, s)
		}
	}
	of.shards = parquetscan.NewShards(of.part.Folder, ours)
	of.shards.Current = of.isCurrent
	return of
}

// all returns db, with all files of its snapshot.
func (db *DB) all() *DB {
	if db.whole == nil {
		return db
	}
	return &DB{core: db.whole, limits: db.limits}
}

// named gives each file without a hash a substitute, which identifies its footer and outline in caches.
func named(files []schemas.Shard) []schemas.Shard {
	list := slices.Clone(files)
	for i, s := range list {
		if s.SHA256 == "" {
			list[i].SHA256 = fmt.Sprintf("%s %d", s.Name, s.Bytes)
		}
	}
	return list
}

// Close closes what Open has opened.
func (db *DB) Close() error {
	if db.index == nil || db.limits != nil {
		return nil
	}
	return db.index.Close()
}

// Notes explain, for people, why the index is not used although it was wanted.
func (db *DB) Notes() []string { return db.notes }

// Find yields the captures that match q, in its order, with at least the given columns: top-level JSON names of
// schemas.Document, or nil for all. Yielded documents belong to the caller. Find ends after an error.
func (db *DB) Find(ctx context.Context, q query.Query, columns []string) iter.Seq2[*schemas.Document, error] {
	q, err := db.settled(q)
	if err = cmp.Or(err, CheckColumns(columns)); err != nil {
		return func(yield func(*schemas.Document, error) bool) { yield(nil, err) }
	}
	return func(yield func(*schemas.Document, error) bool) {
		for d, err := range db.find(ctx, q, db.limits.columns(keyed(columns, q.Order)), db.o.MemoryBytes) {
			if !yield(db.limits.shown(d), err) {
				return
			}
		}
	}
}

// settled returns a checked query with its sample and the limits in the filter, and with the types of custom columns.
func (db *DB) settled(q query.Query) (query.Query, error) {
	if err := q.Check(); err != nil {
		return q, err
	}
	// A version that does not exist for the reader would hide an older one.
	if db.limits != nil && !q.At.IsZero() {
		return q, fmt.Errorf("%w: the state at a moment", ErrLimited)
	}
	if db.limits.has(q.Where) {
		return q, nil // it was settled before
	}
	where, err := db.Bind(q.Where)
	q.Where = where
	q = q.Sampled()
	q.Where = db.limits.narrow(q.Where)
	return q, err
}

// Bind is query.Bind with the types of the collection.
func (db *DB) Bind(e query.Expr) (query.Expr, error) { return query.Bind(e, db.types, db.mixed...) }

// IsMixed reports whether a custom column that has a type may hold texts, too.
func (db *DB) IsMixed(column string) bool { return slices.Contains(db.mixed, column) }

// CustomTypes returns the types of the collection's custom columns: see holdings.CustomTypes.
func (db *DB) CustomTypes() map[string]schemas.ValueType { return maps.Clone(db.types) }

// find is Find for a checked query, with the given memory for sorting.
func (db *DB) find(
	ctx context.Context, q query.Query, columns []string, memory int,
) iter.Seq2[*schemas.Document, error] {
	if db.asked() == nil {
		return db.byShards(ctx, q, columns, memory)
	}
	return func(yield func(*schemas.Document, error) bool) {
		// After a yielded document, another way would repeat rows, so the error is final.
		begun := false
		for d, err := range db.indexed(ctx, q, columns) {
			if err != nil && !begun && db.lose(err) {
				db.byShards(ctx, q, columns, memory)(yield)
				return
			}
			if begun = true; !yield(d, err) {
				return
			}
		}
	}
}

// asked returns the index, or nil if shards must be read.
func (db *DB) asked() *index.Index {
	if db.lost.Load() {
		return nil
	}
	return db.index
}

// lose reports whether err means that the index became unusable. If so, the shards answer from now on, and Changed says
// that the collection should be opened again.
func (db *DB) lose(err error) bool {
	if !errors.Is(err, index.ErrGone) && !errors.Is(err, index.ErrDamaged) && !errors.Is(err, index.ErrMoved) {
		return false
	}
	db.lost.Store(true)
	return true
}

// Lost reports whether the index was found missing, damaged or of another manifest since Open. Answers then come from
// the shards and are slow.
func (db *DB) Lost() bool { return db.lost.Load() }

// Ranks reports whether the index answers now, which alone ranks by relevance.
func (db *DB) Ranks() bool { return db.asked() != nil }

// byShards is find without the index.
func (db *DB) byShards(
	ctx context.Context, q query.Query, columns []string, memory int,
) iter.Seq2[*schemas.Document, error] {
	// It reads more columns than wanted: the sort key, and those of the filter.
	read := union(columns, keyColumns, query.Columns(q.Where))
	return db.answer(ctx, q, newProjection(columns), db.scan(ctx, q, read), memory)
}

// Count returns how many captures match q, whatever its limit and mark.
func (db *DB) Count(ctx context.Context, q query.Query) (n int64, err error) {
	// The order does not change a count.
	q.Order, q.Limit, q.After = query.SURT, 0, nil
	if q, err = db.settled(q); err != nil {
		return 0, err
	}
	if x := db.asked(); x != nil {
		// The shards give the same answer as a lost index.
		if n, err := x.Count(ctx, q, db.verify(q)); err == nil || !db.lose(err) {
			return n, err
		}
	}
	// Only the key, because a count should not hold documents.
	for _, err := range db.Find(ctx, q, []string{}) {
		if err != nil {
			return 0, fmt.Errorf("contentdb: count: %w", err)
		}
		n++
	}
	return n, nil
}

// Folder returns the collection's folder.
func (db *DB) Folder() folder.Folder { return db.part.Folder }
