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
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Options say how a collection is asked; the zero value takes the defaults.
type Options struct {
	NoIndex bool // neither use the index nor make one
	// Files are the Parquet files that are asked instead of the shards of the manifest: those of an earlier snapshot. The
	// index, which is of the manifest, is not used then. SHA256 may be empty where Name and Bytes tell a file for good.
	Files       []schemas.Shard
	MemoryBytes int    // of answers that are being sorted; 64 MiB
	TempDir     string // for answers beyond that; the system's own
}

func (o Options) withDefaults() Options {
	o.MemoryBytes = cmp.Or(o.MemoryBytes, 64<<20)
	return o
}

// DB is an open collection. Its methods may be called by several goroutines at the same time, while a run writes to the
// folder too: answers are those of the manifest that was there when it was opened.
type DB struct {
	o        Options
	part     holdings.Part
	manifest schemas.Manifest
	types    map[string]schemas.ValueType // of custom columns
	columnar []schemas.Shard              // of documents, in Parquet
	shards   *parquetscan.Shards          // the same, to be asked
	lines    holdings.Part                // the other shards of documents
	outlines outlines                     // of these
	index    *index.Index                 // nil when the shards are read
	notes    []string
	seen     [sha256.Size]byte // of the manifest
	mu       sync.Mutex
	overview map[int]*Overview // that was asked for, by top
	filling  sync.Mutex        // over the two below
	filled   bool
	set      *revisit.Set
	lost     atomic.Bool // the index was found to be damaged or gone, and is asked no more
}

// OpenPath opens the collection in a folder of this machine.
func OpenPath(ctx context.Context, path string, o Options) (*DB, error) {
	return Open(ctx, folder.Open(ctx, path, nil), o)
}

// Open opens the collection in f. One in which no run has finished is fs.ErrNotExist.
func Open(ctx context.Context, f folder.Folder, o Options) (*DB, error) {
	seen, err := manifestHash(f) // before it is read: one that is written between the two counts as changed
	if err != nil {
		return nil, err
	}
	part, m, err := holdings.Whole(f)
	if err != nil {
		return nil, err
	}
	// Nothing is opened yet but the manifest: shards are opened when a question needs them.
	db := &DB{o: o.withDefaults(), part: part, manifest: m, types: holdings.CustomTypes(m), seen: seen}
	db.columnar, db.lines = divide(part)
	db.shards = parquetscan.NewShards(f, db.columnar)
	if o.Files != nil {
		db.part = holdings.Part{Folder: f, Shards: named(o.Files)}
		db.columnar, db.lines = db.part.Shards, holdings.Part{Folder: f}
		db.shards = parquetscan.NewShards(f, db.columnar)
	}
	if o.NoIndex || o.Files != nil {
		return db, nil
	}
	// With an error the index is closed already.
	return db, db.openIndex(ctx)
}

// named are files of which each has something in the place of a hash that tells it from the others: footers and
// outlines are kept by it.
func named(files []schemas.Shard) []schemas.Shard {
	list := slices.Clone(files)
	for i, s := range list {
		if s.SHA256 == "" {
			list[i].SHA256 = fmt.Sprintf("%s %d", s.Name, s.Bytes)
		}
	}
	return list
}

// Close lets go of what Open has opened.
func (db *DB) Close() error {
	if db.index == nil {
		return nil
	}
	return db.index.Close()
}

// Notes say for people why the index is not used, where it was to be.
func (db *DB) Notes() []string { return db.notes }

// Find yields the captures that q asks for, in its order, with the columns at least: top-level JSON names of
// schemas.Document, or nil for all. What is yielded belongs to the caller. It ends after an error.
func (db *DB) Find(ctx context.Context, q query.Query, columns []string) iter.Seq2[*schemas.Document, error] {
	q, err := db.settled(q)
	if err = cmp.Or(err, CheckColumns(columns)); err != nil {
		return func(yield func(*schemas.Document, error) bool) { yield(nil, err) }
	}
	return db.find(ctx, q, keyed(columns, q.Order), db.o.MemoryBytes)
}

// settled is a question that was checked, with the sample in its filter, and with the types that custom columns have
// here.
func (db *DB) settled(q query.Query) (query.Query, error) {
	if err := q.Check(); err != nil {
		return q, err
	}
	where, err := query.Bind(q.Where, db.types)
	q.Where = where
	return q.Sampled(), err
}

// CustomTypes are the types of the collection's custom columns: see holdings.CustomTypes.
func (db *DB) CustomTypes() map[string]schemas.ValueType { return maps.Clone(db.types) }

// find is Find with memory for what is sorted, of a question that was checked.
func (db *DB) find(
	ctx context.Context, q query.Query, columns []string, memory int,
) iter.Seq2[*schemas.Document, error] {
	if db.asked() == nil {
		return db.byShards(ctx, q, columns, memory)
	}
	return func(yield func(*schemas.Document, error) bool) {
		// Once an answer was yielded, a second way would give some rows twice: the error stands.
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

// asked is the index; nil when shards are to be read.
func (db *DB) asked() *index.Index {
	if db.lost.Load() {
		return nil
	}
	return db.index
}

// lose notes that the index cannot be asked any more, when an error says so: somebody has removed or damaged it since
// it was opened. Then questions are answered by the shards, and Changed says that the collection should be opened
// again.
func (db *DB) lose(err error) bool {
	if !errors.Is(err, index.ErrGone) && !errors.Is(err, index.ErrDamaged) && !errors.Is(err, index.ErrMoved) {
		return false
	}
	db.lost.Store(true)
	return true
}

// Lost reports whether the index was found to be gone, damaged or of another manifest since the collection was opened:
// answers come from the shards then, and are slow.
func (db *DB) Lost() bool { return db.lost.Load() }

// byShards is find without the index.
func (db *DB) byShards(
	ctx context.Context, q query.Query, columns []string, memory int,
) iter.Seq2[*schemas.Document, error] {
	// What is read is more than what is asked for: the key to sort by, and what the filter looks at.
	read := union(columns, keyColumns, query.Columns(q.Where))
	return db.answer(ctx, q, newProjection(columns), db.scan(ctx, q, read), memory)
}

// Count is how many captures q asks for, whatever its limit and mark.
func (db *DB) Count(ctx context.Context, q query.Query) (n int64, err error) {
	// The order does not change a count.
	q.Order, q.Limit, q.After = query.SURT, 0, nil
	if q, err = db.settled(q); err != nil {
		return 0, err
	}
	if x := db.asked(); x != nil {
		// A lost index is not an error of the question: the shards have the same answer.
		if n, err := x.Count(ctx, q, db.verify(q)); err == nil || !db.lose(err) {
			return n, err
		}
	}
	// No columns beside the key: a count should not hold documents.
	for _, err := range db.Find(ctx, q, []string{}) {
		if err != nil {
			return 0, fmt.Errorf("contentdb: count: %w", err)
		}
		n++
	}
	return n, nil
}

// Folder is that of the collection.
func (db *DB) Folder() folder.Folder { return db.part.Folder }
