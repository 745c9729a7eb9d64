package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// "if not exists" lets several processes open a new file at the same time. Deleting a user takes
// sessions and tokens along by the foreign keys, which options turns on.
// schema is what the file holds. Times are seconds since 1970.
const schema = `
create table if not exists user (
	name    text primary key,
	hash    text not null,    -- of the password: see hashOf
	role    integer not null, -- view.Role
	created integer not null
) strict;
create table if not exists session (
	hash    blob primary key, -- SHA-256 of what the cookie holds
	user    text not null references user(name) on delete cascade,
	created integer not null,
	seen    integer not null
) strict;
create table if not exists token (
	id      integer primary key autoincrement, -- numbers are not given twice
	hash    blob not null unique,
	user    text not null references user(name) on delete cascade,
	label   text not null,
	role    integer not null, -- most that it may do; never more than its user
	created integer not null,
	expires integer not null, -- 0 for never
	used    integer not null
) strict;
create table if not exists audit (
	id     integer primary key,
	time   integer not null,
	who    text not null,
	origin text not null, -- address
	what   text not null,
	detail text not null
) strict;
create index if not exists audit_time on audit(time);
pragma user_version = 1;
`

// Store is the accounts of a server. Its methods may be called by several goroutines, and other processes may change
// the file meanwhile, as "serve user" does.
type Store struct {
	db    *sql.DB
	limit *limiter
	// The clock, which tests set.
	now func() time.Time
	// Two at once: a flood of log-ins waits, and does not take the machine's memory.
	slots chan struct{} // that hash passwords: each takes 19 MiB
}

// Open opens the accounts in a file, or makes it. Nobody else on the machine may read it.
func Open(ctx context.Context, path string) (*Store, error) {
	// 0700 and 0600, as the file has hashes that could be guessed at.
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	// Made here, as SQLite would make it with the rights of the umask.
	f, err := os.OpenFile(path, os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	// Ten seconds of patience for another process that writes; a log in place of a journal, so that
	// readers do not wait; and transactions that take the lock at once, so that two cannot wait for
	// each other.
	options := "?_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)&_pragma=journal_mode(wal)&_txlock=immediate"
	// Escaped, as a path may have a "?" or "%", which mean something in SQLite's addresses.
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+options)
	if err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, fmt.Errorf("account: %s: %w", path, errors.Join(err, db.Close()))
	}
	return &Store{db: db, limit: newLimiter(), now: time.Now, slots: make(chan struct{}, 2)}, nil
}

// Close closes the file.
func (s *Store) Close() error { return s.db.Close() }
