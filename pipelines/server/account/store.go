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

// Store is the accounts of a server. Its methods may be called by several goroutines, and other processes may change
// the file meanwhile, as "serve user" does.
type Store struct {
	db    *sql.DB
	limit *limiter
	now   func() time.Time
	slots chan struct{} // that hash passwords: each takes 19 MiB
	pause func(context.Context, time.Duration) error
}

// Open opens the accounts in a file, or makes it. Nobody else on the machine may read it.
func Open(ctx context.Context, path string) (*Store, error) {
	// SQLite makes its journal beside the file, with the file's own mode; a folder that is made here keeps others from
	// both.
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	// Made before SQLite would make it, whose mode is the umask's and mostly lets others read. A file
	// that is there keeps its mode.
	f, err := os.OpenFile(path, os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	// Pragmas are in the address since each connection of the pool needs them: foreign_keys is off
	// by default, and removing a user relies on it. In WAL mode readers do not wait for a writer;
	// immediate transactions and ten seconds of patience are for the other process, "serve user".
	options := "?_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)&_pragma=journal_mode(wal)&_txlock=immediate"
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+options)
	if err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	// Each statement is harmless where the tables exist, so that opening and making are the same
	// thing.
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, fmt.Errorf("account: %s: %w", path, errors.Join(err, db.Close()))
	}
	// Two slots: 38 MiB of memory for hashes, and some 60 log-ins a second.
	return &Store{db: db, limit: newLimiter(), now: time.Now, slots: make(chan struct{}, 2), pause: wait}, nil
}

// Close closes the file.
func (s *Store) Close() error { return s.db.Close() }
