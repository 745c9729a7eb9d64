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

// errStale is a database that is of another version, or not whole. It is made again.
var errStale = errors.New("index: not a database of this version")

// access is how a database is opened.
type access int

const (
	reading access = iota // while another process may write
	writing               // by the one process that has the lock
	frozen                // in a folder where nothing can be written, not even SQLite's own files beside the database
)

// dsn is the name of a database for the driver. A path becomes a URL, so that no character of it is taken for options.
func dsn(path string, a access, cacheBytes int64) string {
	q := url.Values{"_pragma": {
		fmt.Sprintf("cache_size(-%d)", max(cacheBytes>>10, 256)),
		// Ten seconds for a lock that another process holds. Temporary tables on the disk, since they may be
		// large; and two pragmas for files that somebody may have tampered with.
		"busy_timeout(10000)", "temp_store(file)", "trusted_schema(off)", "cell_size_check(on)",
		// SQLite 3.54.1 gives too few rows where it makes an index for a join of tables without row numbers.
		"automatic_index(off)",
	}}
	switch a {
	case writing:
		q.Set("mode", "rwc")
		// A writer takes the lock when it begins, and not in the middle, where it could fail.
		q.Set("_txlock", "immediate")
		// Room that is free can be given back without writing all again. It says so before anything is written.
		q.Add("_pragma", "auto_vacuum(incremental)")
		// With a log beside the database readers go on while it is written.
		q.Add("_pragma", "journal_mode(wal)")
		q.Add("_pragma", "synchronous(normal)")
	case frozen:
		q.Set("mode", "ro")
		// Nothing changes there, and SQLite need not make its files for locks.
		q.Set("immutable", "1")
	default:
		q.Set("mode", "rw") // a reader of a log beside the database writes to the table of its readers
		q.Add("_pragma", "query_only(on)")
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	return name.String()
}

// openDB opens a database and checks that it is one of ours: errStale when it is not, or not there.
func openDB(ctx context.Context, path string, a access, cacheBytes int64) (*sql.DB, error) {
	path, err := filepath.Abs(path) // a URL of a file has a whole path
	if err != nil {
		return nil, err
	}
	if ok, err := there(path); err != nil {
		return nil, err
	} else if !ok { // the other half of a volume: who looks for volumes looks for index.db
		return nil, fmt.Errorf("%s: %w: it is not there", path, errStale)
	}
	// Nothing is opened yet: checkDB asks the first question.
	db, err := sql.Open("sqlite", dsn(path, a, cacheBytes))
	if err != nil {
		return nil, err
	}
	if a == writing {
		db.SetMaxOpenConns(1) // statements are prepared on it, and two would lock each other out
	}
	if err := checkDB(ctx, db); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return db, nil
}

// checkDB tells by the header whether a database is ours and of this version.
func checkDB(ctx context.Context, db *sql.DB) error {
	var id, version int
	// Both are in the header: a file that is not a database fails here.
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

// createDB makes a database under a temporary name, so that no half of one is ever at path.
func createDB(ctx context.Context, path, tables string) (err error) {
	temp := path + ".new"
	// What a killed process has left.
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
	// The log is brought into the file at the end: only the file itself is renamed.
	text := fmt.Sprintf("pragma application_id = %d; pragma user_version = %d; begin; %s commit;"+
		"pragma wal_checkpoint(truncate)", applicationID, Version, tables)
	_, err = db.ExecContext(ctx, text)
	if err = errors.Join(err, db.Close()); err != nil {
		return errors.Join(explain(err), removeDB(temp))
	}
	if err := removeDB(path); err != nil { // another's log would be taken for the new one's
		return err
	}
	// In one step: whoever looks sees a whole database or none.
	return os.Rename(temp, path)
}

// removeDB removes a database with the files that SQLite has beside it, the log first: it is nothing without the rest.
func removeDB(path string) error {
	for _, suffix := range []string{"-wal", "-shm", "-journal", ""} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// ErrDamaged is an index whose files are not as they were written. Update makes it again.
var ErrDamaged = errors.New("index: the index is damaged")

// ErrGone is an index whose files were taken away, or cannot be read any more, while it was open.
var ErrGone = errors.New("index: the index is not there any more")

// explain marks the errors of SQLite that say that a file is damaged: ErrDamaged, or not to be had: ErrGone.
func explain(err error) error {
	var failed *sqlite.Error
	if !errors.As(err, &failed) {
		return err
	}
	switch failed.Code() & 0xff { // the rest says more closely which
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR:
		return fmt.Errorf("%w: %w", ErrGone, err)
	// A table of ours that is missing: the file is a database and not whole.
	case sqlite3.SQLITE_ERROR:
		if strings.Contains(failed.Error(), "no such table") || strings.Contains(failed.Error(), "no such column") {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	return err
}
