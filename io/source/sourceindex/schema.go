package sourceindex

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver

	"github.com/gleaner-web/gleaner/io/source/sourcedb"
)

// layout is the version of the tables; a database of another version is made again.
const layout = "4"

// tables has integers for times (Unix seconds, or 0), which compare directly. Wide columns have their own table, so
// that a pass over all sources does not read them.
const tables = `
create table source (
	n integer primary key, id text not null, url text not null, host text not null, site text not null,
	title text not null, verdict text not null, reason text not null, class text not null, language text not null,
	publisher text not null, health text not null, rate real not null, interval real not null, next integer not null,
	last_item integer not null, items integer not null, pages integer not null, lost integer not null,
	folded text not null);
create table detail (n integer primary key, row text not null, items text not null, dates blob not null);
create table page (link integer not null, n integer not null);
create table alias (id text primary key, url text not null, source text not null, evidence text not null) without rowid;
create table about (generation text not null, as_of text not null);`

// indexes are made after the rows, which takes half of the time.
const indexes = `
create unique index source_id on source (id);
create index source_rate on source (rate);
create index source_next on source (next) where verdict <> 'rejected' and health <> 'gone';
create index source_last on source (last_item);
create index source_site on source (site);
create index page_link on page (link, n);`

// dsn returns the driver's name for a database. The path becomes a URL, so that its characters are not taken for
// options.
func dsn(path string, pragmas ...string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	// The database may come from elsewhere: trusted_schema(off) keeps its schema from calling harmful functions, and
	// cell_size_check finds damage early.
	q := url.Values{"_pragma": append(pragmas, "temp_store(file)", "trusted_schema(off)", "cell_size_check(on)")}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	return name.String(), nil
}

// generation identifies the input of a database: the files of the Source DB, whose names contain hashes.
func generation(m sourcedb.Manifest) string {
	h := sha256.New()
	// Rows depend on version and time as well.
	fmt.Fprintln(h, layout, m.Version, m.AsOf)
	// Full capacity, so that append copies.
	for _, s := range append(m.Sources[:len(m.Sources):len(m.Sources)], m.States...) {
		fmt.Fprintln(h, s.Name)
	}
	return hex.EncodeToString(h.Sum(nil))[:20]
}

// isOf reports whether the file at path is a database of a generation.
func isOf(ctx context.Context, path, generation string) (bool, error) {
	file, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	db, err := openReading(path)
	if err != nil {
		return false, err
	}
	var found string
	var size int64
	// A truncated file may still have the page with its generation, so the size is checked.
	err = db.QueryRowContext(ctx, "select generation, page_count * page_size from about, pragma_page_count, "+
		"pragma_page_size").Scan(&found, &size)
	// A faulty file is made again.
	return err == nil && found == generation && size == file.Size(), db.Close()
}

func openReading(path string) (*sql.DB, error) {
	name, err := dsn(path, "query_only(on)", "cache_size(-16384)", "mmap_size(0)")
	if err != nil {
		return nil, err
	}
	// Immutable, because a renamed file never changes: SQLite needs no locks.
	return sql.Open("sqlite", name+"&mode=ro&immutable=1")
}
