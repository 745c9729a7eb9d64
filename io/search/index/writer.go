package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
)

// writer changes a volume. The lock of the index allows one writer at a time.
//
// A group of shards is one transaction in each database. Texts are committed first and are unused until index.db has
// their shards, so a killed process leaves nothing visible. The transaction in index.db also lists unused texts as
// orphans, which are removed last.
type writer struct {
	*volume
	indexTx, textTx *sql.Tx // of the current group; nil outside
	group           group
	did             Report                    // in the group
	in              map[string]*sql.Stmt      // prepared statements of the transaction on index.db
	ft              map[string]*sql.Stmt      // the same for text.db
	names           map[kind]map[string]int64 // known to exist: dropped when some may have been removed
	texts           map[digest]textSeen       // the same
	pages           map[digest]pageSeen       // the same, by SURT
	seed            maphash.Seed              // of the hashes in pages
	added           int64                     // versions since the writer was opened
	key             *termKey
	forms           formTerms

	newPages, oldPages int // recent counts of pages that were not remembered
}

// openWriter opens a volume and clears what a killed writer left.
func openWriter(ctx context.Context, name, dir string, o Options) (*writer, error) {
	v, err := openVolume(ctx, name, dir, writing, o)
	if err != nil {
		return nil, err
	}
	w := &writer{volume: v, seed: maphash.MakeSeed()}
	// A text must be on disk before its shard, even if the machine fails in between.
	if _, err = v.text.db.ExecContext(ctx, "pragma synchronous = full"); err == nil {
		err = w.recover(ctx)
	}
	if err == nil {
		w.key, err = readTermKey(ctx, v.text.db)
	}
	if err != nil {
		return nil, errors.Join(explain(err), v.close())
	}
	return w, nil
}

// recover removes the texts of shards that were never committed, and of removed ones.
func (w *writer) recover(ctx context.Context) error {
	// Orphans that were not removed.
	if err := w.purge(ctx); err != nil {
		return err
	}
	next, err := state(ctx, w.volume.index.db, "next")
	if err != nil {
		return err
	}
	// Texts of versions that were never committed have numbers from next on.
	return removeTexts(ctx, w.volume.text.db, next)
}

// changer is a *sql.DB or a *sql.Tx.
type changer interface {
	asker
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// removeTexts removes the texts from number first on, which belong to no version.
func removeTexts(ctx context.Context, db changer, first int64) error {
	var last int64
	if err := db.QueryRowContext(ctx, "select coalesce(max(rowid), 0) from doc").Scan(&last); err != nil {
		return err
	}
	if last < first { // nearly always; this saves reading all digests
		return nil
	}
	for _, change := range []string{"delete from doc where rowid >= ?", "delete from digest where text >= ?"} {
		if _, err := db.ExecContext(ctx, change, first); err != nil {
			return err
		}
	}
	return nil
}

// close merges the logs into the databases, so that each is a single file that can be copied, and closes them.
// Uncommitted changes are lost.
func (w *writer) close(ctx context.Context) error {
	err := w.rollback()
	for _, db := range []*sql.DB{w.volume.index.db, w.volume.text.db} {
		// A reader may prevent this; then the last one to close does it.
		_, failed := db.ExecContext(ctx, "pragma wal_checkpoint(truncate)")
		err = errors.Join(err, failed)
	}
	return errors.Join(err, w.volume.close())
}

// begin starts the transactions of a group.
func (w *writer) begin(ctx context.Context) (err error) {
	// Statements of the last transaction ended with it.
	w.in, w.ft = map[string]*sql.Stmt{}, map[string]*sql.Stmt{}
	if w.indexTx, err = w.volume.index.db.BeginTx(ctx, nil); err != nil {
		return err
	}
	if w.textTx, err = w.volume.text.db.BeginTx(ctx, nil); err != nil {
		return errors.Join(err, w.rollback())
	}
	return nil
}

// keptTexts deletes orphans that a later shard of the same group uses again.
const keptTexts = `delete from orphan where
	exists (select 1 from version v where v.id = orphan.text and v.text = v.id) or
	exists (select 1 from version v where v.text = orphan.text and v.text <> v.id and v.text <> 0)`

// commit makes the shards of the group visible. After an error nothing of them remains.
func (w *writer) commit(ctx context.Context) error {
	if w.indexTx == nil {
		return nil
	}
	// Not cancellable: stopping between the two commits would only leave work for the next process.
	ctx = context.WithoutCancel(ctx)
	err := w.write(ctx, w.group.bits)
	if err == nil {
		err = w.writeForms(ctx)
	}
	if err == nil {
		_, err = w.exec(ctx, keptTexts)
	}
	if err == nil {
		_, err = w.exec(ctx, "update state set value = value + 1 where key = 'generation'")
	}
	if err == nil {
		// text.db first: see writer.
		err = w.textTx.Commit()
	}
	if err != nil {
		return w.lost(err)
	}
	// The texts are committed without their shards: recover removes them.
	if err := w.indexTx.Commit(); err != nil {
		return errors.Join(w.lost(err), w.recover(ctx))
	}
	w.indexTx, w.textTx, w.group = nil, nil, group{}
	return explain(w.purge(ctx))
}

// rollback undoes the transactions.
func (w *writer) rollback() error {
	w.forget()
	defer func() { w.indexTx, w.textTx = nil, nil }()
	var errs []error
	for _, tx := range []*sql.Tx{w.textTx, w.indexTx} {
		if tx == nil {
			continue
		}
		if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// forget drops remembered names, texts and pages, of which some may not exist any more.
func (w *writer) forget() {
	w.names, w.texts, w.pages = nil, nil, nil
	w.forms.forget()
}

// purge removes unused texts. It notes in text.db the generation of index.db from which on they are missing: see
// volume.snapshot.
func (w *writer) purge(ctx context.Context) error {
	orphans, err := numbers(ctx, w.volume.index.db, "select text from orphan order by text")
	if err != nil || len(orphans) == 0 {
		return err
	}
	w.forget()
	// Snapshots of index.db from this generation on do not use them.
	generation, err := state(ctx, w.volume.index.db, "generation")
	if err != nil {
		return err
	}
	tx, err := w.volume.text.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after the commit
	gone := jsonNumbers(orphans)
	_, err = tx.ExecContext(ctx, "delete from doc where rowid in (select value from json_each(?))", gone)
	if err == nil {
		_, err = tx.ExecContext(ctx, "delete from digest where text in (select value from json_each(?))", gone)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "update state set value = ? where key = 'purged'", generation)
	}
	if err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	// Last: after a crash everything is repeated, without effect.
	_, err = w.volume.index.db.ExecContext(ctx, "delete from orphan")
	return err
}

// mergePages limits the merging after a small update, in pages of 4 KiB.
const mergePages = 2000

// settle merges the parts of the full text. It merges all of it if much is new since the last full merge, counting
// interrupted processes. Otherwise it merges a little.
func (w *writer) settle(ctx context.Context, added int64, changed bool) error {
	next, err := state(ctx, w.volume.index.db, "next")
	if err != nil {
		return err
	}
	var merged int64
	err = w.volume.text.db.QueryRowContext(ctx, "select value from state where key = 'merged'").Scan(&merged)
	if errors.Is(err, sql.ErrNoRows) {
		merged, err = next-added, nil // an index from before this number was stored
	}
	switch {
	case err != nil:
		return explain(err)
	// Merging everything pays if a quarter or more is new.
	case next-merged > next/4:
		_, err = w.volume.text.db.ExecContext(ctx, "insert into doc(doc) values('optimize')")
		if err == nil {
			_, err = w.volume.text.db.ExecContext(ctx, "insert or replace into state values('merged', ?)", next)
		}
		if err == nil {
			// Merging frees space: a third of the file if texts are short.
			_, err = w.volume.text.db.ExecContext(ctx, "pragma incremental_vacuum")
		}
	case changed:
		_, err = w.volume.text.db.ExecContext(ctx, "insert into doc(doc, rank) values('merge', ?)", mergePages)
	}
	return explain(err)
}

// vacuumCache limits the pages in memory to 8 MiB during vacuum.
const vacuumCache = "pragma cache_size = -8192"

// vacuum rewrites the files, so that no removed byte remains in them.
func (w *writer) vacuum(ctx context.Context) error {
	// FTS5 keeps deleted terms until its parts are merged.
	_, err := w.volume.text.db.ExecContext(ctx, "insert into doc(doc) values('optimize')")
	if err == nil {
		err = dropForms(ctx, w.volume.text.db)
	}
	for _, db := range []*sql.DB{w.volume.text.db, w.volume.index.db} {
		// Pages are copied in order, so a large cache gains nothing, and the copy has another one.
		if err == nil {
			_, err = db.ExecContext(ctx, vacuumCache)
		}
		if err == nil {
			_, err = db.ExecContext(ctx, "vacuum")
		}
	}
	if err != nil {
		return explain(err)
	}
	return errors.Join(truncateLog(ctx, w.volume.text.db), truncateLog(ctx, w.volume.index.db))
}

// errRead means that another process reads old pages of a database.
var errRead = errors.New("index: another process is reading")

// truncateLog moves the pages of the log to the database. Until then the database has the old ones.
func truncateLog(ctx context.Context, db *sql.DB) error {
	var busy, log, moved int
	err := db.QueryRowContext(ctx, "pragma wal_checkpoint(truncate)").Scan(&busy, &log, &moved)
	if err == nil && busy != 0 {
		err = errRead
	}
	return explain(err)
}

// exec runs a statement, prepared once, in the transaction on index.db.
func (w *writer) exec(ctx context.Context, text string, args ...any) (sql.Result, error) {
	return run(ctx, w.indexTx, w.in, text, args)
}

// execText is exec on text.db.
func (w *writer) execText(ctx context.Context, text string, args ...any) (sql.Result, error) {
	return run(ctx, w.textTx, w.ft, text, args)
}

func run(ctx context.Context, tx *sql.Tx, stmts map[string]*sql.Stmt, text string, args []any) (sql.Result, error) {
	s, err := prepared(ctx, tx, stmts, text)
	if err != nil {
		return nil, explain(err)
	}
	r, err := s.ExecContext(ctx, args...)
	return r, explain(err)
}

// prepared returns a prepared statement of a transaction, which closes it.
func prepared(ctx context.Context, tx *sql.Tx, stmts map[string]*sql.Stmt, text string) (*sql.Stmt, error) {
	if s, ok := stmts[text]; ok {
		return s, nil
	}
	s, err := tx.PrepareContext(ctx, text)
	if err == nil {
		stmts[text] = s
	}
	return s, err
}

// one selects one row of index.db within the transaction; found is false if there is none.
func (w *writer) one(ctx context.Context, to []any, text string, args ...any) (found bool, err error) {
	return first(ctx, w.indexTx, w.in, to, text, args)
}

func first(
	ctx context.Context, tx *sql.Tx, stmts map[string]*sql.Stmt, to []any, text string, args []any,
) (found bool, err error) {
	s, err := prepared(ctx, tx, stmts, text)
	if err != nil {
		return false, explain(err)
	}
	err = s.QueryRowContext(ctx, args...).Scan(to...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, explain(err)
}

// errFull means that a volume has used all its 32-bit numbers.
var errFull = fmt.Errorf("%w: too many versions in one volume: set Options.VolumeRows, and make the index again",
	errUnfit)

// reserve returns a new number for a version.
func reserve(next *int64) (uint32, error) {
	if *next >= math.MaxUint32 {
		return 0, errFull
	}
	*next++
	return uint32(*next - 1), nil
}
