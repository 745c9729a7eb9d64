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

// volume is a pair of databases, index.db and text.db, open for reading. A collection has one, and beyond a number of
// rows one more for each month. A shard is completely in one volume.
type volume struct {
	name   string // of its folder, "" for the first
	dir    string
	index  *pool
	text   *pool
	limits limits

	cacheBytes int64
	caches     *Caches
	own        bool // caches are closed with the volume

	// bound is the state that answers must have; nil for any. It is set before queries.
	bound *dbState

	mu   sync.Mutex
	kept *kept
}

// dbState identifies a database, and counts its changes.
type dbState struct{ born, generation int64 }

// ErrMoved means that another process has brought the index to another state of the collection since Open. Its answers
// would be of that state, or during the change of none.
var ErrMoved = errors.New("index: it was brought to another state of the collection")

// bind makes queries fail once the index has changed, if Options.Bound is set.
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

// unbind allows answers of any state.
func (x *Index) unbind() {
	for _, v := range x.volumes {
		v.bound = nil
	}
}

// kept are the caches of one database. Another process may replace the database by a new one, in which all numbers
// differ.
type kept struct {
	*lasting
	names   labels
	bitmaps bitsCache[value]
	texts   bitsCache[string] // texts that match an FTS5 search
	first   bitsCache[string] // like texts, for frequent terms: those with the smallest numbers
	found   bitsCache[string] // versions that match an FTS5 search
	lists   nameLists
}

// boundStale is Stale for an index that another process may be changing. It binds the index first, so that later
// answers are of the state that it examined.
func (x *Index) boundStale(ctx context.Context, m *marked) (int, error) {
	if err := x.bind(ctx); err != nil {
		return 0, err
	}
	n, err := x.stale(ctx, m)
	if errors.Is(err, ErrMoved) {
		return len(m.shards), nil
	}
	return n, err
}

// keptOf returns the caches of the database with this birth number.
func (v *volume) keptOf(born int64) *kept {
	v.mu.Lock()
	defer v.mu.Unlock()
	// After Rebuild, another database is in the same place.
	if v.kept == nil || v.kept.born != born {
		v.kept = &kept{
			lasting: v.caches.lastingOf(v.dir, born, v.cacheBytes),
			bitmaps: bitsCache[value]{limit: uint64(v.cacheBytes) / 2},
			texts:   bitsCache[string]{limit: uint64(v.cacheBytes) / 4},
			first:   bitsCache[string]{limit: uint64(v.cacheBytes) / 8},
			found:   bitsCache[string]{limit: uint64(v.cacheBytes) / 4},
		}
	}
	return v.kept
}

// openVolume opens the databases in dir. Its errors are those of openDB.
func openVolume(ctx context.Context, name, dir string, a access, o Options) (v *volume, err error) {
	v = &volume{name: name, dir: dir, limits: o.limits, cacheBytes: o.CacheBytes / 2}
	if v.caches = o.Caches; v.caches == nil {
		v.caches, v.own = &Caches{}, true
	}
	cache := o.CacheBytes / 4 // for each file: there are many readers, and the system caches as well
	if a == writing {
		cache = o.CacheBytes / 2
	}
	text, err := openDB(ctx, filepath.Join(dir, textFile), a, cache)
	if err != nil {
		return nil, err
	}
	if a == writing && name == "" { // pages come in random order, and uncached ones are read and written again
		cache = 2 * o.CacheBytes
	}
	index, err := openDB(ctx, filepath.Join(dir, indexFile), a, cache)
	if err != nil {
		return nil, errors.Join(err, text.Close())
	}
	v.index, v.text = &pool{db: index}, &pool{db: text}
	return v, nil
}

func (v *volume) close() error {
	if v.own {
		v.caches.Close()
	}
	return errors.Join(v.index.close(), v.text.close())
}

// createVolume creates the databases of a volume, text.db first, so that index.db never exists without it.
func createVolume(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// An old index.db must not be used with a new text.db.
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

// snapshot is a volume at one moment: writers do not change what it sees.
type snapshot struct {
	*volume
	*kept // of the database that index reads
	index *session
	text  *session

	generation int64    // of index.db
	key        *termKey // of text.db; nil until a search needs it
}

// snapshot begins to read. A writer adds texts to text.db before their shard is in index.db, and removes texts after
// it. So a snapshot of index.db and a later one of text.db fit together, unless texts were removed in between. Then
// both are repeated.
func (v *volume) snapshot(ctx context.Context) (*snapshot, error) {
	const attempts = 100 // each time, a writer would have to replace a shard in between
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
	// index.db first: its texts are in a text.db of the same moment or a later one.
	if s.index, err = v.index.begin(ctx); err != nil {
		return s, false, err
	}
	s.generation, err = state(ctx, s.index, "generation") // the first statement begins the snapshot
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
	// Read in the transaction, so that it identifies this session's database.
	s.kept = v.keptOf(born)
	if s.text, err = v.text.begin(ctx); err != nil {
		return s, false, err
	}
	purged, err := state(ctx, s.text, "purged")
	// Texts that were removed for a later generation may be needed by this one.
	return s, purged <= s.generation, err
}

// close ends the reading.
func (s *snapshot) close() {
	// Either may be nil after a failed beginning.
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

// state returns a number from a database's table state.
func state(ctx context.Context, db asker, key string) (n int64, err error) {
	// A lookup of one row: watching the context would take longer.
	err = db.QueryRowContext(context.WithoutCancel(ctx), "select value from state where key = ?", key).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: no %s", ErrDamaged, key)
	}
	return n, err
}

// errEnough is returned by a visitor of rows that wants no more.
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

// there reports whether a file exists.
func there(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
