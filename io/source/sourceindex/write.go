package sourceindex

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Write makes the database of the Source DB's generation m at path, a local file. It appears when it is complete, and
// replaces an older file.
func Write(ctx context.Context, f folder.Folder, m sourcedb.Manifest, path string) (err error) {
	// Beside the file, because a rename is only atomic within a file system.
	temp := fmt.Sprintf("%s.new-%s", path, folder.Unique())
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", path, err), removeIfThere(temp), removeIfThere(temp+"-journal"))
		}
	}()
	// Without a log: the file is made once and only visible when complete.
	name, err := dsn(temp, "journal_mode(off)", "synchronous(off)", "page_size(8192)", "cache_size(-32768)")
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1) // without a log, everything is one transaction on one connection
	if err := errors.Join(fill(ctx, db, f, m), db.Close()); err != nil {
		return err
	}
	// Synced before the rename, because SQLite did not.
	if err := syncFile(temp); err != nil {
		return err
	}
	// Readers of the old file continue with it: see pin.
	return os.Rename(temp, path)
}

func removeIfThere(name string) error {
	if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func syncFile(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// fill writes all rows, then the indexes.
func fill(ctx context.Context, db *sql.DB, f folder.Folder, m sourcedb.Manifest) (err error) {
	if _, err := db.ExecContext(ctx, tables); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := insert(ctx, tx, f, m); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if _, err := tx.ExecContext(ctx, "insert into about values (?, ?)", generation(m), m.AsOf); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	// After the rows: one sort for each index is faster.
	_, err = db.ExecContext(ctx, indexes)
	return err
}

func insert(ctx context.Context, tx *sql.Tx, f folder.Folder, m sourcedb.Manifest) error {
	to, err := prepare(ctx, tx)
	if err != nil {
		return err
	}
	// Links and sources have the same order, so they are read in parallel.
	links, stop := iter.Pull2(sourcedb.Links(ctx, f, m))
	defer stop()
	link, err, more := links()
	if err != nil {
		return err
	}
	n := 0
	for known, err := range sourcedb.All(ctx, f, m) {
		if err != nil {
			return err
		}
		s := known.Source
		// Its pages belong to its representative.
		if same := s.SameAs; same != nil {
			if _, err := to.aliases.ExecContext(ctx, s.ID, s.URL, same.ID, same.Evidence); err != nil {
				return err
			}
			continue
		}
		n++
		if err := to.source(ctx, n, known); err != nil {
			return err
		}
		// Links are in the order of the sources.
		for ; more && err == nil && link.Source == s.ID; link, err, more = links() {
			if _, err := to.pages.ExecContext(ctx, int64(source.LinkKey(link.URL)), n); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
	// A link without its source: the files are not of one generation.
	if more {
		return fmt.Errorf("a page of the source %q, which is not there", link.Source)
	}
	return nil
}

// inserting are the statements that add rows.
type inserting struct{ rows, details, pages, aliases *sql.Stmt }

func prepare(ctx context.Context, tx *sql.Tx) (to inserting, err error) {
	for _, p := range []struct {
		to   **sql.Stmt
		text string
	}{
		{&to.rows, "insert into source values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
		{&to.details, "insert into detail values (?,?,?,?)"},
		{&to.pages, "insert into page values (?,?)"},
		{&to.aliases, "insert into alias values (?,?,?,?)"},
	} {
		if *p.to, err = tx.PrepareContext(ctx, p.text); err != nil {
			return to, err
		}
	}
	return to, nil
}

// source adds the rows of the nth source.
func (to inserting) source(ctx context.Context, n int, known sourcedb.Known) error {
	s := known.Source
	// The first reason decided: see source.Judge.
	reason := ""
	if len(s.Reasons) > 0 {
		reason = s.Reasons[0]
	}
	if _, err := to.rows.ExecContext(ctx, n, s.ID, s.URL, s.Host, s.Domain, s.Title, s.Verdict, reason, s.Class,
		s.Language, s.Publisher, s.Health.State, float64(s.Refresh.Rate), float64(s.Refresh.Interval),
		unix(s.Refresh.Next), unix(s.LastItem), s.Evidence.Items, s.Evidence.Captured, s.Refresh.Lost,
		searched(s)); err != nil {
		return err
	}
	return insertDetail(ctx, to.details, n, known)
}

// insertDetail adds the columns for a single source.
func insertDetail(ctx context.Context, details *sql.Stmt, n int, known sourcedb.Known) error {
	row, err := json.Marshal(known.Source)
	if err != nil {
		return err
	}
	items, err := json.Marshal(itemsOf(known))
	if err != nil {
		return err
	}
	_, err = details.ExecContext(ctx, n, string(row), string(items), pack(known.State.Dates()))
	return err
}

// itemsOf returns the newest items whose texts a state has, at most source.MaxEntries.
func itemsOf(known sourcedb.Known) []Item {
	captured := map[uint64]*schemas.SourcePage{}
	for i, p := range known.Source.Pages {
		// The key that joins items and pages.
		captured[source.LinkKey(p.URL)] = &known.Source.Pages[i]
	}
	dated := map[uint64]bool{}
	for _, i := range known.State.Items {
		dated[i.ID] = dated[i.ID] || i.Marks&source.Dated != 0
	}
	items := []Item{}
	for _, e := range known.State.Entries {
		items = append(items, Item{
			URL: e.URL, Title: e.Title, Time: stamp(e.Time), Seen: !dated[e.ID], Page: captured[source.LinkKey(e.URL)],
		})
	}
	return items
}

// pack encodes dates, ascending, as differences in seconds.
func pack(dates []time.Time) []byte {
	b := []byte{} // not nil, which would be null
	last := int64(0)
	for _, d := range dates {
		// Two or three bytes a date instead of twenty as text.
		b = binary.AppendVarint(b, d.Unix()-last)
		last = d.Unix()
	}
	return b
}

func unpack(b []byte) (dates []time.Time) {
	last := int64(0)
	for len(b) > 0 {
		step, n := binary.Varint(b)
		if n <= 0 {
			return dates // it is ours, and cannot be truncated
		}
		b = b[n:]
		last += step
		dates = append(dates, time.Unix(last, 0).UTC())
	}
	return dates
}

// unix returns the time of a row, or 0.
func unix(s string) int64 {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return 0
	}
	return t.Unix()
}

func stamp(t int64) string {
	if t == 0 {
		return ""
	}
	return time.Unix(t, 0).UTC().Format(time.RFC3339)
}
