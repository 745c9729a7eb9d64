package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// volume is one pair of databases, index.db and text.db, open for reading. A collection has one, and above a number of
// rows one more for each month: what it holds of a shard is all of it.
type volume struct {
	name   string // of its folder, "" for the first
	dir    string
	index  *pool
	text   *pool
	limits limits

	cacheBytes int64 // for columns

	// bound is the state that the answers are of; nil for whatever there is. It is set before anybody asks.
	bound *dbState

	mu   sync.Mutex
	kept *kept
}

// dbState is database it is, and how often it was changed.
type dbState struct{ born, generation int64 }

// ErrMoved is an index that another process has brought to another state of the collection since it was opened. Its
// answers would be of that, or while it is being changed of neither.
var ErrMoved = errors.New("index: it was brought to another state of the collection")

// bind has the index answer only as long as it is as it is now, if that is asked for.
func (x *Index) bind(ctx context.Context) error {
	if !x.options.Bound {
		return nil
	}
	for _, v := range x.volumes {
		s, err := v.snapshot(ctx)
		if err != nil {
			return err
		}
		v.bound = &dbState{s.kept.born, s.generation}
		s.close()
	}
	return nil
}

// unbind lets it answer whatever there is.
func (x *Index) unbind() {
	for _, v := range x.volumes {
		v.bound = nil
	}
}

// kept is what is remembered of a database, whose numbers mean nothing in another one: a process that makes the index
// again puts another in its place, and a session that begins later reads that.
type kept struct {
	born    int64
	names   labels
	columns columnCache
	bitmaps bitsCache[value]
	texts   bitsCache[string] // that have the terms of a search in the words of FTS5
	first   bitsCache[string] // likewise of frequent terms those with the smallest numbers
	found   bitsCache[string] // likewise the versions that have these texts
	counted valueColumns
	lists   nameLists
}

// boundBehind is Behind of an index that another process may be changing: it is bound first, so that what was found to
// be whole is what answers later.
func (x *Index) boundBehind(ctx context.Context, m *marked) (int, error) {
	if err := x.bind(ctx); err != nil {
		return 0, err
	}
	n, err := x.behind(ctx, m)
	if errors.Is(err, ErrMoved) {
		return len(m.shards), nil
	}
	return n, err
}

// keptOf is what is remembered of the database that was born so.
func (v *volume) keptOf(born int64) *kept {
	v.mu.Lock()
	defer v.mu.Unlock()
	// Another database in the same place, as after Rebuild: its numbers mean something else.
	if v.kept == nil || v.kept.born != born {
		v.kept = &kept{
			born: born, columns: columnCache{limit: v.cacheBytes},
			bitmaps: bitsCache[value]{limit: uint64(v.cacheBytes) / 2},
			texts:   bitsCache[string]{limit: uint64(v.cacheBytes) / 4},
			first:   bitsCache[string]{limit: uint64(v.cacheBytes) / 8},
			found:   bitsCache[string]{limit: uint64(v.cacheBytes) / 4},
			counted: valueColumns{limit: v.cacheBytes / 2},
		}
	}
	return v.kept
}

// openVolume opens the databases in dir. Its errors are those of openDB.
func openVolume(ctx context.Context, name, dir string, a access, o Options) (v *volume, err error) {
	v = &volume{name: name, dir: dir, limits: o.limits, cacheBytes: o.CacheBytes / 2}
	cache := o.CacheBytes / 4 // for each file: there are many readers, and after them is the system's cache
	if a == writing {
		cache = o.CacheBytes / 2
	}
	text, err := openDB(ctx, filepath.Join(dir, textFile), a, cache)
	if err != nil {
		return nil, err
	}
	if a == writing && name == "" { // pages come in no order, and each that was not kept is read and written again
		cache = 2 * o.CacheBytes
	}
	index, err := openDB(ctx, filepath.Join(dir, indexFile), a, cache)
	if err != nil {
		return nil, errors.Join(err, text.Close())
	}
	v.index, v.text = &pool{db: index}, &pool{db: text}
	return v, nil
}

func (v *volume) close() error { return errors.Join(v.index.close(), v.text.close()) }

// createVolume makes the databases of a volume, text.db first: who sees index.db sees both.
func createVolume(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// Before text.db is made again: an old index.db must not be seen with a new text.db.
	if err := removeDB(filepath.Join(dir, indexFile)); err != nil {
		return err
	}
	if err := createDB(ctx, filepath.Join(dir, textFile), textTables); err != nil {
		return err
	}
	return createDB(ctx, filepath.Join(dir, indexFile), indexTables)
}

// removeVolume removes the databases, index.db first, for the same reason.
func removeVolume(dir string) error {
	return errors.Join(removeDB(filepath.Join(dir, indexFile)), removeDB(filepath.Join(dir, textFile)))
}

// snapshot is a volume at one moment: nothing that a writer does changes what it sees.
type snapshot struct {
	*volume
	*kept // of the database that index reads
	index *session
	text  *session

	generation int64    // of index.db
	key        *termKey // of text.db; nil until a search needs it
}

// snapshot begins to read. A writer changes text.db and index.db one after the other: it adds texts before the shard
// that has them, and takes texts away after it. So a snapshot of index.db and a later one of text.db fit together
// unless texts were taken away meanwhile, and then they are taken again.
func (v *volume) snapshot(ctx context.Context) (*snapshot, error) {
	const attempts = 100 // a writer would have to replace a shard between the two each time
	for range attempts {
		s, fits, err := v.trySnapshot(ctx)
		if err != nil {
			return nil, explain(err)
		}
		if fits {
			return s, nil
		}
		s.close()
	}
	return nil, errors.New("index: the index changes too fast to be read")
}

func (v *volume) trySnapshot(ctx context.Context) (s *snapshot, fits bool, err error) {
	s = &snapshot{volume: v}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	// index.db first: what it refers to is in a text.db of the same moment or a later one.
	if s.index, err = v.index.begin(ctx); err != nil {
		return s, false, err
	}
	s.generation, err = state(ctx, s.index, "generation") // the first statement is what begins to read
	if err != nil {
		return s, false, err
	}
	born, err := state(ctx, s.index, "born")
	if err != nil {
		return s, false, err
	}
	if v.bound != nil && *v.bound != (dbState{born, s.generation}) {
		return s, false, ErrMoved
	}
	// Read within the transaction, so that it is of the database that this session sees.
	s.kept = v.keptOf(born)
	if s.text, err = v.text.begin(ctx); err != nil {
		return s, false, err
	}
	purged, err := state(ctx, s.text, "purged")
	// Texts that were taken away for a later generation may be those that this one refers to.
	return s, purged <= s.generation, err
}

// close ends the reading.
func (s *snapshot) close() {
	// Either may be nil where beginning failed half-way.
	for _, one := range []*session{s.text, s.index} {
		if one != nil {
			one.end()
		}
	}
}

// asker is a session, a *sql.Tx or a *sql.DB.
type asker interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// state is one of the numbers that a database notes of itself.
func state(ctx context.Context, db asker, key string) (n int64, err error) {
	// One row by its key: watching for a context that ends would take longer than the answer.
	err = db.QueryRowContext(context.WithoutCancel(ctx), "select value from state where key = ?", key).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: no %s", ErrDamaged, key)
	}
	return n, err
}

// errEnough is what the visitor of rows returns when it wants no more of them.
var errEnough = errors.New("index: enough")

// each calls visit with each row of an answer, up to an error. errEnough ends it without one.
func each(ctx context.Context, db asker, visit func(*sql.Rows) error, query string, args ...any) (err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return explain(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := visit(rows); errors.Is(err, errEnough) {
			return nil
		} else if err != nil {
			return explain(err)
		}
	}
	return explain(rows.Err())
}

// there reports whether there is a file.
func there(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
