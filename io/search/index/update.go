package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Report is what Update did.
type Report struct {
	Added, Replaced, Removed int   // shards
	Rows                     int64 // versions of the shards that were added or replaced
	Behind                   int   // shards that the index still lacks, or has as they were, or has and are gone
	// Rebuilt says why the index was made again as a whole; "" when it was not.
	Rebuilt string
	// Busy says that another process is bringing the index up to date, so nothing was done.
	Busy bool
	// ReadOnly says why nothing can be written where the index is; "" when it can.
	ReadOnly string
}

// lockName is the file that a writer holds locked.
const lockName = "lock"

// Update makes the index that of a part of a collection, which is all of it: shards that are new are added, those that
// changed are replaced, those that are gone are removed. Each is one transaction, so it may end at any moment and go on
// later; what the index has of the others is as good as before. When another process is at it, or nothing can be
// written, it does nothing and says so.
func (x *Index) Update(ctx context.Context, part holdings.Part) (r Report, err error) {
	m, err := x.marked(ctx, part)
	if err != nil {
		return r, err
	}
	x.unbind()
	if x.place.frozen {
		behind, err := x.boundBehind(ctx, m)
		return Report{Behind: behind, ReadOnly: x.place.away}, err
	}
	// One writer of all processes. Whoever finds the lock taken continues with what there is, rather than
	// wait for an update of minutes.
	lock, err := folder.Open(ctx, x.place.dir, nil).Lock(lockName)
	if errors.Is(err, folder.ErrBusy) {
		behind, err := x.boundBehind(ctx, m)
		return Report{Behind: behind, Busy: true}, err
	}
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	// Taken and forgotten: one damage makes the index again once.
	if found := x.damaged.Swap(nil); found != nil {
		err = *found
	} else {
		r, err = x.update(ctx, m)
	}
	if isStale(err) { // what is known by then is of no use
		r, err = x.rebuild(ctx, m, err)
	}
	return r, errors.Join(err, x.reopen(ctx))
}

// Rebuild makes the index again, whatever there is of it, as Update makes one that is damaged. When another process is
// at it, or nothing can be written, it does nothing and says so.
func (x *Index) Rebuild(ctx context.Context, part holdings.Part) (Report, error) {
	// As if damage had been found: the way to make it again is the same.
	x.damaged.Store(&errAsked)
	return x.Update(ctx, part)
}

// reopen opens what there is now.
func (x *Index) reopen(ctx context.Context) error {
	// Also when the update was ended by its context: what is there can be asked.
	err := x.open(context.WithoutCancel(ctx))
	if err == nil {
		// While the lock is held: what the next writer makes of it is another's.
		err = x.bind(context.WithoutCancel(ctx))
	}
	if err != nil && !isStale(err) {
		return err
	}
	return nil
}

// rebuild makes the index again, for a reason.
func (x *Index) rebuild(ctx context.Context, m *marked, why error) (Report, error) {
	if err := x.Close(); err != nil {
		return Report{}, err
	}
	names, err := volumeNames(x.place.dir)
	if err != nil {
		return Report{}, err
	}
	// All volumes: shards are placed again, by what is full then.
	for _, name := range append(names, "") {
		if err := removeVolume(filepath.Join(x.place.dir, name)); err != nil {
			return Report{}, err
		}
	}
	r, err := x.update(ctx, m)
	r.Rebuilt = why.Error()
	return r, err
}

// updater brings the volumes up to date. It has the lock.
type updater struct {
	x *Index
	*marked
	columns []string // of documents that are read
	report  Report
	writers map[string]*writer // by the names of volumes
	known   map[string]known   // shards by their names
	rows    int64              // versions of the first volume
}

// known is a shard that the index has.
type known struct {
	volume, sha256 string
	bytes          int64
}

func (k known) is(s schemas.Shard) bool { return k.sha256 == s.SHA256 && k.bytes == s.Bytes }

func (x *Index) update(ctx context.Context, m *marked) (r Report, err error) {
	u := &updater{x: x, marked: m, columns: readColumns, writers: map[string]*writer{}}
	if u.known, err = x.knownShards(ctx); err != nil {
		return r, err
	}
	defer func() {
		for _, w := range u.writers {
			err = errors.Join(err, w.close(context.WithoutCancel(ctx)))
		}
		r = u.report
	}()
	if err := u.start(ctx); err != nil {
		return r, err
	}
	// What is gone is removed before others are added: captures that moved to another shard, as when
	// shards are compacted, are never there twice.
	left := map[string]bool{}
	for _, s := range m.shards {
		left[s.Name] = true
	}
	for name, k := range u.known {
		if left[name] {
			continue
		}
		if err := u.remove(ctx, name, k); err != nil {
			return r, err
		}
	}
	err = u.putAll(ctx, m.shards)
	for _, w := range u.writers { // when ctx is done, too: what was added is whole
		err = errors.Join(err, u.commit(ctx, w))
	}
	// Also when single shards could not be read: what was added is worth merging.
	if err == nil || ctx.Err() == nil && !isStale(err) {
		err = errors.Join(err, u.merge(ctx))
	}
	return r, err
}

// commit commits the group of a volume, and counts its shards.
func (u *updater) commit(ctx context.Context, w *writer) error {
	// Taken before the commit, which clears the group.
	did, rows := w.did, w.group.rows
	w.did = Report{}
	if err := w.commit(ctx); err != nil {
		u.report.Behind += did.Added + did.Replaced + did.Removed
		return err
	}
	// Reported when they are committed: before that they may still be lost.
	u.report.Added += did.Added
	u.report.Replaced += did.Replaced
	u.report.Removed += did.Removed
	u.report.Rows += rows
	w.added += rows
	return nil
}

// noted counts what was done in the group of a volume, and commits it when it is full. Errors of the group, and not of
// a shard, lose all of it.
func (u *updater) noted(ctx context.Context, w *writer, done *int, err error) error {
	if errors.Is(err, errGroup) {
		u.report.Behind += w.did.Added + w.did.Replaced + w.did.Removed
		w.did = Report{}
	}
	if err != nil {
		return err
	}
	if *done++; w.full() {
		return u.commit(ctx, w)
	}
	return nil
}

// putAll adds and replaces shards. One that cannot be read keeps no other out; what is wrong with it is told at the
// end.
func (u *updater) putAll(ctx context.Context, wanted []schemas.Shard) error {
	var errs []error
	for _, s := range wanted {
		// By hash and size: a shard that was written again with the same bytes is the same.
		if u.known[s.Name].is(s) {
			continue
		}
		err := u.put(ctx, s)
		// Errors of the index and not of the shard: no other shard would fare better.
		if isStale(err) || ctx.Err() != nil {
			return err
		}
		if err != nil {
			u.report.Behind++
			// The others are added all the same: an index with a gap is told by Behind.
			errs = append(errs, fmt.Errorf("index: %s: %w", s.Name, err))
		}
		if len(errs) == maxErrors {
			break
		}
	}
	return errors.Join(errs...)
}

// maxErrors is after how many shards that cannot be read no more are tried.
const maxErrors = 10

// start opens or makes the first volume, and opens the others, so that what a killed writer left in any is cleared.
func (u *updater) start(ctx context.Context) error {
	names, err := volumeNames(u.x.place.dir)
	if err != nil {
		return err
	}
	// The first volume is always there: new shards begin in it.
	if !slices.Contains(names, "") {
		names = append(names, "")
	}
	for _, name := range names {
		if _, err := u.writer(ctx, name); err != nil {
			return err
		}
	}
	return u.writers[""].volume.index.db.QueryRowContext(ctx, "select coalesce(sum(rows), 0) from shard").Scan(&u.rows)
}

// writer is that of a volume, which is made when it is not there.
func (u *updater) writer(ctx context.Context, name string) (*writer, error) {
	if w, ok := u.writers[name]; ok {
		return w, nil
	}
	dir := filepath.Join(u.x.place.dir, name)
	if ok, err := there(filepath.Join(dir, indexFile)); err != nil {
		return nil, err
	} else if !ok {
		if err := createVolume(ctx, dir); err != nil {
			return nil, err
		}
	}
	w, err := openWriter(ctx, name, dir, u.x.options)
	if err == nil {
		u.writers[name] = w
	}
	return w, err
}

// remove takes a shard out.
func (u *updater) remove(ctx context.Context, name string, k known) error {
	w, err := u.writer(ctx, k.volume)
	if err == nil {
		_, err = w.replace(ctx, schemas.Shard{Name: name}, nil)
		err = u.noted(ctx, w, &w.did.Removed, err)
	}
	return err
}

// put adds a shard, or replaces it where it is.
func (u *updater) put(ctx context.Context, s schemas.Shard) error {
	docs, stop, name, err := u.read(ctx, s)
	if err != nil {
		return err
	}
	defer stop()
	k, replaced := u.known[s.Name]
	if replaced {
		// Where it is, so that it is replaced in one transaction.
		name = k.volume
	}
	w, err := u.writer(ctx, name)
	if err != nil {
		return err
	}
	rows, err := w.replace(ctx, s, docs)
	if name == "" {
		// Only of the first volume, which is what VolumeRows bounds. What was replaced is counted again, so
		// that the volume may end a little early.
		u.rows += rows
	}
	if replaced {
		return u.noted(ctx, w, &w.did.Replaced, err)
	}
	return u.noted(ctx, w, &w.did.Added, err)
}

// read begins to read a shard, and tells which volume it goes to: the first, until that is full, and then the one of
// the month of its first document. A shard is never divided, so that it is there as a whole or not at all.
func (u *updater) read(ctx context.Context, s schemas.Shard) (
	docs iter.Seq2[*schemas.Document, error], stop func(), volume string, err error,
) {
	// Pulled, since the first document has to be seen before the volume is known.
	next, stop := iter.Pull2(u.documents(ctx, s))
	first, err, ok := next()
	if err != nil {
		stop()
		return nil, nil, "", err
	}
	docs = func(yield func(*schemas.Document, error) bool) {
		for d, err := first, error(nil); ok; d, err, ok = next() {
			if !yield(d, err) {
				return
			}
		}
	}
	// A shard without documents goes to the first volume: it has no month.
	if ok && u.rows >= u.x.options.VolumeRows {
		volume = cmp.Or(monthOf(micros(first)), otherName)
	}
	return docs, stop, volume, nil
}

// readColumns are what the index is made of.
var readColumns = slices.Concat([]string{"text"}, customColumns, hitColumns)

// merge puts what the shards left of the full text together, when that is worth it.
func (u *updater) merge(ctx context.Context) error {
	changed := u.report.Added+u.report.Replaced+u.report.Removed > 0
	for _, w := range u.writers {
		if err := w.settle(ctx, w.added, changed); err != nil {
			return err
		}
	}
	return nil
}

// knownShards are the shards that the index has.
func (x *Index) knownShards(ctx context.Context) (map[string]known, error) {
	list := map[string]known{}
	if len(x.volumes) == 0 { // made since, or never opened
		if err := x.open(ctx); err != nil {
			return nil, err
		}
	}
	for _, v := range x.volumes {
		err := each(ctx, v.index.db, func(rows *sql.Rows) error {
			var name string
			k := known{volume: v.name}
			err := rows.Scan(&name, &k.sha256, &k.bytes)
			list[name] = k
			return err
		}, "select name, sha256, bytes from shard")
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Purge writes the files of the index again, so that no byte is left in them of what was removed.
func (x *Index) Purge(ctx context.Context) (err error) {
	lock, err := folder.Open(ctx, x.place.dir, nil).Lock(lockName)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close(), x.reopen(ctx)) }()
	u := &updater{x: x, writers: map[string]*writer{}}
	if err := x.Close(); err != nil { // a reader would keep the logs
		return err
	}
	if err := u.start(ctx); err != nil {
		return err
	}
	for _, w := range u.writers {
		err = errors.Join(err, w.vacuum(ctx), w.close(context.WithoutCancel(ctx)))
	}
	return err
}
