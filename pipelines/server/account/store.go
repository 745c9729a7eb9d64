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

// schema is the database schema. Times are in seconds since 1970.
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
create table if not exists browser (
	hash    blob primary key, -- SHA-256 of what its cookie holds
	user    text not null references user(name) on delete cascade,
	used    integer not null  -- the last log-in
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

// Store is the accounts of a server. It is safe for concurrent use, and other processes may change the file at the
// same time, as "serve user" does.
type Store struct {
	db    *sql.DB
	limit *limiter
	now   func() time.Time
	slots chan struct{} // slots for hashing passwords, which takes 19 MiB each
	pause func(context.Context, time.Duration) error
}

// Open opens or creates the accounts in a file. No other user of the machine may read it.
func Open(ctx context.Context, path string) (*Store, error) {
	// SQLite makes its journal next to the file with the file's mode. A folder made here protects both.
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	// The file is created first, because SQLite would use the mode of the umask, which usually lets others read. An
	// existing file keeps its mode.
	f, err := os.OpenFile(path, os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	// Pragmas are in the address since each connection of the pool needs them. Option foreign_keys is off by default,
	// and removing a user needs it. In WAL mode readers do not wait for a writer. Immediate transactions and a timeout
	// of ten seconds are for the other process, "serve user".
	options := "?_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)&_pragma=journal_mode(wal)&_txlock=immediate"
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+options)
	if err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	// Each statement does nothing if the tables exist, so opening and creating are the same.
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, fmt.Errorf("account: %s: %w", path, errors.Join(err, db.Close()))
	}
	// Two slots need 38 MiB of memory for hashes, and allow some 60 log-ins a second.
	return &Store{db: db, limit: newLimiter(), now: time.Now, slots: make(chan struct{}, 2), pause: wait}, nil
}

// Close closes the file.
func (s *Store) Close() error { return s.db.Close() }
