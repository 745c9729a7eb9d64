package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite" // the driver, by its name in database/sql as well
	sqlite3 "modernc.org/sqlite/lib"
)

// The files of a volume.
const (
	indexFile = "index.db"
	textFile  = "text.db"
)

// errStale means that a database is of another version or incomplete. It is made again.
var errStale = errors.New("index: not a database of this version")

type access int

const (
	reading access = iota // while another process may write
	writing               // by the process that has the lock
	frozen                // in a folder in which even SQLite's own files cannot be written
)

// dsn returns the driver's name for a database. The path becomes a URL, so that its characters are not taken for
// options.
func dsn(path string, a access, cacheBytes int64) string {
	q := url.Values{"_pragma": {
		fmt.Sprintf("cache_size(-%d)", max(cacheBytes>>10, 256)),
		// Wait ten seconds for another process's lock. Temporary tables may be large, so they go to disk. The last two
		// protect against manipulated files.
		"busy_timeout(10000)", "temp_store(file)", "trusted_schema(off)", "cell_size_check(on)",
		// SQLite 3.54.1 loses rows when it makes an index for a join of tables without row numbers.
		"automatic_index(off)",
	}}
	switch a {
	case writing:
		q.Set("mode", "rwc")
		// A writer takes the lock at its beginning, not in the middle, where it could fail.
		q.Set("_txlock", "immediate")
		// Allows returning free space without rewriting the file. It must be set before anything is written.
		q.Add("_pragma", "auto_vacuum(incremental)")
		// With a log, readers can continue during writes.
		q.Add("_pragma", "journal_mode(wal)")
		q.Add("_pragma", "synchronous(normal)")
	case frozen:
		q.Set("mode", "ro")
		// Nothing changes there, so SQLite needs no lock files.
		q.Set("immutable", "1")
	default:
		q.Set("mode", "rw") // a reader of a log writes to its shared memory
		q.Add("_pragma", "query_only(on)")
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	return name.String()
}

// openDB opens a database and checks it: errStale if it is missing or not of this version.
func openDB(ctx context.Context, path string, a access, cacheBytes int64) (*sql.DB, error) {
	path, err := filepath.Abs(path) // a file URL needs an absolute path
	if err != nil {
		return nil, err
	}
	if ok, err := there(path); err != nil {
		return nil, err
	} else if !ok { // the other half of a volume, which is found by its index.db
		return nil, fmt.Errorf("%s: %w: it is not there", path, errStale)
	}
	// sql.Open opens nothing; checkDB runs the first query.
	db, err := sql.Open("sqlite", dsn(path, a, cacheBytes))
	if err != nil {
		return nil, err
	}
	if a == writing {
		db.SetMaxOpenConns(1) // prepared statements belong to it, and two would lock each other out
	}
	if err := checkDB(ctx, db); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return db, nil
}

// checkDB checks by its header that a database is ours and of this version.
func checkDB(ctx context.Context, db *sql.DB) error {
	var id, version int
	// A file that is not a database fails here.
	err := db.QueryRowContext(ctx, "pragma application_id").Scan(&id)
	if err == nil {
		err = db.QueryRowContext(ctx, "pragma user_version").Scan(&version)
	}
	switch {
	case err != nil:
		return explain(err)
	case id != applicationID || version != Version:
		return errStale
	}
	return nil
}

// createDB creates a database under a temporary name, so that path is always complete.
func createDB(ctx context.Context, path, tables string) (err error) {
	temp := path + ".new"
	// Left by a killed process.
	if err := removeDB(temp); err != nil {
		return err
	}
	abs, err := filepath.Abs(temp)
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(abs, writing, 1<<20))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	// The log is merged into the file, because only the file is renamed.
	text := fmt.Sprintf("pragma application_id = %d; pragma user_version = %d; begin; %s commit;"+
		"pragma wal_checkpoint(truncate)", applicationID, Version, tables)
	_, err = db.ExecContext(ctx, text)
	if err = errors.Join(err, db.Close()); err != nil {
		return errors.Join(explain(err), removeDB(temp))
	}
	if err := removeDB(path); err != nil { // an old log would be applied to the new database
		return err
	}
	// In one step, so that others see a complete database or none.
	return os.Rename(temp, path)
}

// removeDB removes a database with SQLite's other files, the log first, which is useless alone.
func removeDB(path string) error {
	for _, suffix := range []string{"-wal", "-shm", "-journal", ""} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// ErrDamaged means that the files of the index are damaged. Update makes it again.
var ErrDamaged = errors.New("index: the index is damaged")

// ErrGone means that the files of the open index were removed or cannot be read any more.
var ErrGone = errors.New("index: the index is not there any more")

// explain marks SQLite's errors: ErrDamaged for damaged files, ErrGone for missing ones.
func explain(err error) error {
	var failed *sqlite.Error
	if !errors.As(err, &failed) {
		return err
	}
	switch failed.Code() & 0xff { // the other bits are details
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR:
		return fmt.Errorf("%w: %w", ErrGone, err)
	// Without one of our tables the database is incomplete.
	case sqlite3.SQLITE_ERROR:
		if strings.Contains(failed.Error(), "no such table") || strings.Contains(failed.Error(), "no such column") {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	return err
}
