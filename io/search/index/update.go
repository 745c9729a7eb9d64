package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Report is the result of Update.
type Report struct {
	Added, Replaced, Removed int   // numbers of shards
	Rows                     int64 // versions in the added and replaced shards
	Stale                    int   // shards that are still missing, outdated or gone
	// Rebuilt says why the whole index was made again; "" if it was not.
	Rebuilt string
	// Busy means that another process is updating the index, so nothing was done.
	Busy bool
	// ReadOnly says why the index cannot be written; "" if it can.
	ReadOnly string
}

// lockName is the file that a writer locks.
const lockName = "lock"

// Update brings the index up to date with part, which is the whole collection. It adds new shards, replaces changed
// ones and removes those that are gone. It may end at any moment and continue later, because shards are added in
// transactions. If another process is updating, or nothing can be written, it does nothing and says so.
func (x *Index) Update(ctx context.Context, part holdings.Part) (r Report, err error) {
	m, err := x.marked(ctx, part)
	if err != nil {
		return r, err
	}
	x.unbind()
	if x.place.frozen {
		behind, err := x.boundStale(ctx, m)
		return Report{Stale: behind, ReadOnly: x.place.away}, err
	}
	// One writer at a time. If the lock is taken, use the index as it is rather than wait for minutes.
	lock, err := folder.Open(ctx, x.place.dir, nil).Lock(lockName)
	if errors.Is(err, folder.ErrBusy) {
		behind, err := x.boundStale(ctx, m)
		return Report{Stale: behind, Busy: true}, err
	}
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	// Swapped, so that each damage causes one rebuild.
	if found := x.damaged.Swap(nil); found != nil {
		err = *found
	} else {
		r, err = x.update(ctx, m)
	}
	if isStale(err) { // partial results are useless then
		r, err = x.rebuild(ctx, m, err)
	}
	return r, errors.Join(err, x.reopen(ctx))
}

// Rebuild makes the index again, whatever its state, as Update does with a damaged one. If another process is updating,
// or nothing can be written, it does nothing and says so.
func (x *Index) Rebuild(ctx context.Context, part holdings.Part) (Report, error) {
	// Treated like damage.
	x.damaged.Store(&errAsked)
	return x.Update(ctx, part)
}

// reopen opens the current files.
func (x *Index) reopen(ctx context.Context) error {
	// Even if the update's context has ended: the index can be used.
	err := x.open(context.WithoutCancel(ctx))
	if err == nil {
		// Under the lock: the next writer's state is another one.
		err = x.bind(context.WithoutCancel(ctx))
	}
	if err != nil && !isStale(err) {
		return err
	}
	return nil
}

// rebuild makes the index again; why is the reason.
func (x *Index) rebuild(ctx context.Context, m *marked, why error) (Report, error) {
	if err := x.Close(); err != nil {
		return Report{}, err
	}
	names, err := volumeNames(x.place.dir)
	if err != nil {
		return Report{}, err
	}
	// All volumes are removed, and shards are distributed again.
	for _, name := range append(names, "") {
		if err := removeVolume(filepath.Join(x.place.dir, name)); err != nil {
			return Report{}, err
		}
	}
	r, err := x.update(ctx, m)
	r.Rebuilt = why.Error()
	return r, err
}

// updater updates the volumes. It has the lock.
type updater struct {
	x *Index
	*marked
	columns []string // to read, of documents
	report  Report
	writers map[string]*writer // by volume name
	known   map[string]known   // shards by name
	rows    map[string]int64   // versions by volume name
}

// known is a shard in the index.
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
	// Removed first, so that captures which move to another shard, for example by a compaction, are never there twice.
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
	for _, w := range u.writers { // even if ctx has ended: added shards are complete
		err = errors.Join(err, u.commit(ctx, w))
	}
	// Even if some shards could not be read, the added ones are merged.
	if err == nil || ctx.Err() == nil && !isStale(err) {
		err = errors.Join(err, u.merge(ctx))
	}
	return r, err
}

// commit commits the group of a volume, and counts its shards.
func (u *updater) commit(ctx context.Context, w *writer) error {
	// Saved, because the commit clears the group.
	did, rows := w.did, w.group.rows
	w.did = Report{}
	if err := w.commit(ctx); err != nil {
		u.report.Stale += did.Added + did.Replaced + did.Removed
		return err
	}
	// Counted after the commit: before it they may be lost.
	u.report.Added += did.Added
	u.report.Replaced += did.Replaced
	u.report.Removed += did.Removed
	u.report.Rows += rows
	w.added += rows
	return nil
}

// noted counts a shard of a volume's group, and commits the group when it is full. An error of the group loses all its
// shards.
func (u *updater) noted(ctx context.Context, w *writer, done *int, err error) error {
	if errors.Is(err, errGroup) {
		u.report.Stale += w.did.Added + w.did.Replaced + w.did.Removed
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

// putAll adds and replaces shards. Unreadable shards do not stop the others; their errors are returned at the end.
func (u *updater) putAll(ctx context.Context, wanted []schemas.Shard) error {
	var errs []error
	for _, s := range wanted {
		// By hash and size: a shard that was rewritten with the same bytes is unchanged.
		if u.known[s.Name].is(s) {
			continue
		}
		err := u.put(ctx, s)
		// An error of the index affects all shards.
		if isStale(err) || ctx.Err() != nil {
			return err
		}
		if err != nil {
			u.report.Stale++
			// The others are added all the same; the report counts the missing ones.
			errs = append(errs, fmt.Errorf("%s: %w", s.Name, err))
		}
		if len(errs) == maxErrors {
			break
		}
	}
	return errors.Join(errs...)
}

// maxErrors is the number of unreadable shards after which no more are tried.
const maxErrors = 10

// start opens or creates the first volume, and opens the others, which clears what killed writers left.
func (u *updater) start(ctx context.Context) error {
	names, err := volumeNames(u.x.place.dir)
	if err != nil {
		return err
	}
	// The first volume always exists: new shards start there.
	if !slices.Contains(names, "") {
		names = append(names, "")
	}
	for _, name := range names {
		if _, err := u.writer(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// writer returns the writer of a volume, and creates the volume if needed.
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
	if err != nil {
		return nil, err
	}
	u.writers[name] = w
	var rows int64
	err = w.volume.index.db.QueryRowContext(ctx, "select coalesce(sum(rows), 0) from shard").Scan(&rows)
	if u.rows == nil {
		u.rows = map[string]int64{}
	}
	u.rows[name] = rows
	return w, explain(err)
}

// remove removes a shard.
func (u *updater) remove(ctx context.Context, name string, k known) error {
	w, err := u.writer(ctx, k.volume)
	if err == nil {
		_, err = w.replace(ctx, schemas.Shard{Name: name}, nil)
		err = u.noted(ctx, w, &w.did.Removed, err)
	}
	return err
}

// put adds a shard, or replaces it in its volume.
func (u *updater) put(ctx context.Context, s schemas.Shard) error {
	docs, stop, name, err := u.read(ctx, s)
	if err != nil {
		return err
	}
	defer stop()
	k, replaced := u.known[s.Name]
	if replaced {
		// In the same volume, so that one transaction replaces it.
		name = k.volume
	}
	w, err := u.writer(ctx, name)
	if err != nil {
		return err
	}
	rows, err := w.replace(ctx, s, docs)
	// Replaced versions are counted twice, so a volume may end a little early.
	u.rows[name] += rows
	if replaced {
		return u.noted(ctx, w, &w.did.Replaced, err)
	}
	return u.noted(ctx, w, &w.did.Added, err)
}

// read begins to read a shard, and chooses its volume: the first until it is full, then one of the month of its first
// document. A shard is never divided, so that it is complete or missing.
func (u *updater) read(ctx context.Context, s schemas.Shard) (
	docs iter.Seq2[*schemas.Document, error], stop func(), volume string, err error,
) {
	// Pulled, because the first document determines the volume.
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
	// A shard without documents has no month.
	if ok && u.rows[""] >= u.x.options.VolumeRows {
		volume = u.volumeOf(cmp.Or(monthOf(micros(first)), otherName))
	}
	return docs, stop, volume, nil
}

// volumeOf returns the first volume of a month that is not full: 2026-03, then 2026-03.2 and so on.
func (u *updater) volumeOf(month string) string {
	volume := month
	for i := 2; u.rows[volume] >= u.x.options.VolumeRows; i++ {
		volume = fmt.Sprintf("%s.%d", month, i)
	}
	return volume
}

// readColumns are the columns that the index is made from.
var readColumns = slices.Concat([]string{"text"}, customColumns, listColumns, hitColumns)

// merge merges the shards' parts of the full text, if that is worthwhile.
func (u *updater) merge(ctx context.Context) error {
	changed := u.report.Added+u.report.Replaced+u.report.Removed > 0
	for _, w := range u.writers {
		if err := w.settle(ctx, w.added, changed); err != nil {
			return err
		}
	}
	return nil
}

// knownShards returns the shards in the index, by name.
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

// Purge rewrites the files of the index, so that no removed byte remains in them. It fails if a reader of another
// process keeps old pages in use.
func (x *Index) Purge(ctx context.Context) (err error) {
	lock, err := folder.Open(ctx, x.place.dir, nil).Lock(lockName)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close(), x.reopen(ctx)) }()
	u := &updater{x: x, writers: map[string]*writer{}}
	if err := x.shut(); err != nil { // a reader would keep the logs
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

// KeepOnly removes from the index everything that part, the whole collection, no longer has, to the last byte. It also
// removes the files that other packages keep beside the index. It returns false if there is no index to keep, or if
// making it again costs less. After that, or after an error, callers remove the folder.
func (x *Index) KeepOnly(ctx context.Context, part holdings.Part) (kept bool, err error) {
	if len(x.volumes) == 0 || x.place.away != "" {
		return false, nil
	}
	// Purge rewrites all files, which takes as long as indexing a tenth of their shards.
	behind, err := x.Stale(ctx, part)
	if err != nil || 2*behind > len(part.DocumentShards()) {
		return false, err
	}
	r, err := x.Update(ctx, part)
	if err != nil || r.Stale > 0 || r.Busy || r.Rebuilt != "" {
		return false, err
	}
	if err := x.Purge(ctx); err != nil {
		return false, err
	}
	return true, x.removeOthers()
}

// removeOthers removes everything in the index's folder except for its databases and its lock.
func (x *Index) removeOthers() error {
	volumes, err := volumeNames(x.place.dir)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(x.place.dir)
	for _, e := range entries {
		own := e.Name() == lockName || strings.HasPrefix(e.Name(), indexFile) || strings.HasPrefix(e.Name(), textFile)
		if own || slices.Contains(volumes, e.Name()) {
			continue
		}
		err = errors.Join(err, os.RemoveAll(filepath.Join(x.place.dir, e.Name())))
	}
	return err
}
