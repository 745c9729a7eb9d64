package index

import (
	"context"
	"database/sql"
	"errors"
	"hash/maphash"
	"math"
)

// writer changes a volume. There is one at a time, by the lock of the index.
//
// A group of shards is one transaction in each database, and the two are so ordered that a process which is killed
// between them leaves nothing that is seen: their texts come first, and are nobody's until index.db has the shards; the
// texts that nobody has any more are noted there as orphans in the same transaction, and taken away at last.
type writer struct {
	*volume
	indexTx, textTx *sql.Tx // of the group under way; nil outside
	group           group
	did             Report                    // with the group
	in              map[string]*sql.Stmt      // statements of the transaction on index.db
	ft              map[string]*sql.Stmt      // likewise on text.db
	names           map[kind]map[string]int64 // those that are there: forgotten when any of them may have gone
	texts           map[digest]textSeen       // likewise
	pages           map[digest]pageSeen       // likewise, by their SURTs
	seed            maphash.Seed              // of the sums in them
	added           int64                     // versions, since the writer was opened
	key             *termKey                  // of text.db

	newPages, oldPages int // of pages that were not remembered, lately
}

// openWriter opens a volume and clears what a writer that was killed has left.
func openWriter(ctx context.Context, name, dir string, o Options) (*writer, error) {
	v, err := openVolume(ctx, name, dir, writing, o)
	if err != nil {
		return nil, err
	}
	w := &writer{volume: v, seed: maphash.MakeSeed()}
	// A text must be on the disk when the shard that has it is: the machine, too, may be cut off between the two.
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

// recover takes away the texts of a shard that did not come to be, and those of one that went.
func (w *writer) recover(ctx context.Context) error {
	// Orphans that were noted, and not taken away any more.
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

// removeTexts takes away the texts from a number on, which belong to no version.
func removeTexts(ctx context.Context, db changer, first int64) error {
	var last int64
	if err := db.QueryRowContext(ctx, "select coalesce(max(rowid), 0) from doc").Scan(&last); err != nil {
		return err
	}
	if last < first { // as nearly always: it takes a look at all digests
		return nil
	}
	for _, change := range []string{"delete from doc where rowid >= ?", "delete from digest where text >= ?"} {
		if _, err := db.ExecContext(ctx, change, first); err != nil {
			return err
		}
	}
	return nil
}

// close writes the logs into the databases, so that each is one file which can be copied, and closes them. What is not
// committed is lost.
func (w *writer) close(ctx context.Context) error {
	// A group that was not committed is as if it had never begun.
	err := w.rollback()
	for _, db := range []*sql.DB{w.volume.index.db, w.volume.text.db} {
		// A reader may keep this from being done, and whoever closes last does it then.
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

// keptTexts are orphans that a later shard of the same group has again.
const keptTexts = `delete from orphan where
	exists (select 1 from version v where v.id = orphan.text and v.text = v.id) or
	exists (select 1 from version v where v.text = orphan.text and v.text <> v.id and v.text <> 0)`

// commit makes the shards of the group seen, and returns when they are. After an error there is nothing of them.
func (w *writer) commit(ctx context.Context) error {
	if w.indexTx == nil {
		return nil
	}
	// From here on it is done as a whole: to stop between the two commits would only leave work for the
	// next process.
	ctx = context.WithoutCancel(ctx)
	err := w.write(ctx, w.group.bits)
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
	// The texts are there by now without their shards: recover takes them away.
	if err := w.indexTx.Commit(); err != nil {
		return errors.Join(w.lost(err), w.recover(ctx))
	}
	w.indexTx, w.textTx, w.group = nil, nil, group{}
	return explain(w.purge(ctx))
}

// rollback ends the transactions without a trace.
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

// forget forgets names, texts and pages, of which some are not there any more.
func (w *writer) forget() { w.names, w.texts, w.pages = nil, nil, nil }

// purge takes away the texts that nobody has any more. It notes in text.db since which generation of index.db they are
// missing: see volume.snapshot.
func (w *writer) purge(ctx context.Context) error {
	orphans, err := numbers(ctx, w.volume.index.db, "select text from orphan order by text")
	if err != nil || len(orphans) == 0 {
		return err
	}
	w.forget()
	// Snapshots of index.db from this generation on do not refer to them any more.
	generation, err := state(ctx, w.volume.index.db, "generation")
	if err != nil {
		return err
	}
	tx, err := w.volume.text.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing once it is committed
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
	// At last: a process that is killed before does it all again, which changes nothing.
	_, err = w.volume.index.db.ExecContext(ctx, "delete from orphan")
	return err
}

// mergePages bounds the work of merging after a small update, in pages of 4 KiB.
const mergePages = 2000

// settle merges what shards have left of the full text: all of it when much is new since that was last done, by this
// process or by ones that were ended before they came so far, else a little.
func (w *writer) settle(ctx context.Context, added int64, changed bool) error {
	next, err := state(ctx, w.volume.index.db, "next")
	if err != nil {
		return err
	}
	var merged int64
	err = w.volume.text.db.QueryRowContext(ctx, "select value from state where key = 'merged'").Scan(&merged)
	if errors.Is(err, sql.ErrNoRows) {
		merged, err = next-added, nil // an index that was made before this was noted
	}
	switch {
	case err != nil:
		return explain(err)
	// Merging all is worth it where a quarter or more is new.
	case next-merged > next/4:
		_, err = w.volume.text.db.ExecContext(ctx, "insert into doc(doc) values('optimize')")
		if err == nil {
			_, err = w.volume.text.db.ExecContext(ctx, "insert or replace into state values('merged', ?)", next)
		}
		if err == nil {
			// Merging leaves the room of what was merged: a third of the file where texts are short.
			_, err = w.volume.text.db.ExecContext(ctx, "pragma incremental_vacuum")
		}
	case changed:
		_, err = w.volume.text.db.ExecContext(ctx, "insert into doc(doc, rank) values('merge', ?)", mergePages)
	}
	return explain(err)
}

// vacuum writes the files again, so that no byte is left in them of what was removed.
func (w *writer) vacuum(ctx context.Context) error {
	// FTS5 keeps what was deleted until parts are merged: only then vacuum can leave it out.
	_, err := w.volume.text.db.ExecContext(ctx, "insert into doc(doc) values('optimize')")
	if err == nil {
		_, err = w.volume.text.db.ExecContext(ctx, "vacuum")
	}
	if err == nil {
		_, err = w.volume.index.db.ExecContext(ctx, "vacuum")
	}
	return explain(err)
}

// exec runs a statement in the transaction on index.db, which is prepared once.
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

// prepared is a statement of a transaction, which closes it at its end.
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

// one asks index.db for one row within the transaction; found is false when there is none.
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

// errFull is a volume that has given out all its numbers, which are 32 bits.
var errFull = errors.New("index: too many versions in one volume: set Options.VolumeRows, and make the index again")

// reserve takes a number for a version.
func reserve(next *int64) (uint32, error) {
	// Bitmaps and columns have 32 bits.
	if *next >= math.MaxUint32 {
		return 0, errFull
	}
	*next++
	return uint32(*next - 1), nil
}
