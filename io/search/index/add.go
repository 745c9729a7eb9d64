package index

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// errUnfit means that a shard has what the index cannot hold.
var errUnfit = errors.New("index: the shard does not fit in")

// batch is the state of adding one shard.
type batch struct {
	w     *writer
	shard int64 // number of the shard
	first int64
	next  int64 // number of the next version

	pages, texts []uint32
	fits         []uint8
	times        []int64
	bits         map[value]*roaring.Bitmap
	custom       customRows
	listed       listRows
	termBytes    int64
	row          []any // row of the table version, reused for each

	// Values of the version before. In a shard that is sorted by SURT, a page's versions and a host's pages are
	// adjacent, and most values repeat for thousands of versions.
	surt     string
	last     pageSeen
	lastSeen []valueSeen // one for each of smalls

	terms   terms
	mark    []byte // a title's term with its mark
	scanner tokenize.Scanner
}

// pageSeen is a page in index.db: its number, and hashes of its URL and title, which recognise a version with the same.
// The hashes have a secret seed, so that nobody can make a collision.
type pageSeen struct {
	id, url, title uint64
}

// valueSeen is a value of a small field, with its number and its bitmap in the batch.
type valueSeen struct {
	text string
	id   int64
	set  *roaring.Bitmap // nil before the first version
}

// replace puts the documents of a shard into the current group, in place of the shard's old documents in the volume. If
// docs is nil, it only removes the old ones. If docs has an error, nothing of the shard remains. After other errors the
// group is lost: see lost.
func (w *writer) replace(
	ctx context.Context, s schemas.Shard, docs iter.Seq2[*schemas.Document, error],
) (rows int64, err error) {
	// Each statement with a context that may end costs a goroutine, a tenth of all time. So the context is checked for
	// each document instead.
	statements := context.WithoutCancel(ctx)
	b, unread, err := w.inside(statements, s, cancelled(ctx, docs))
	if err != nil {
		return 0, w.lost(errors.Join(unread, err))
	}
	// Counted even if it was only removed, because the group has something to commit.
	w.group.shards++
	if b == nil || unread != nil {
		return 0, unread
	}
	w.group.add(b)
	return b.next - b.first, nil
}

// cancelled yields docs, and an error after ctx has ended.
func cancelled(ctx context.Context, docs iter.Seq2[*schemas.Document, error]) iter.Seq2[*schemas.Document, error] {
	if docs == nil {
		return nil
	}
	return func(yield func(*schemas.Document, error) bool) {
		for d, err := range docs {
			if err == nil {
				err = ctx.Err()
			}
			// An error ends it, whether of the documents or of the context.
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// inside is replace within the transactions. b is nil if nothing was added. After unread, the error of docs, the added
// documents are removed again. A savepoint would write a copy of each changed page, half of all that is written.
func (w *writer) inside(
	ctx context.Context, s schemas.Shard, docs iter.Seq2[*schemas.Document, error],
) (b *batch, unread, err error) {
	if err := w.ready(ctx, s); err != nil {
		return nil, nil, err
	}
	// The old shard first, so that names and texts which both have are found unchanged.
	gone, err := w.remove(ctx, s.Name)
	if err == nil && docs != nil {
		b, unread, err = w.add(ctx, s, docs)
	}
	if err == nil && b != nil && (unread != nil || len(gone.names) > 0) { // release reads the bitmaps
		err = w.write(ctx, b.bits)
		b.bits = nil
	}
	if err == nil && unread != nil {
		err = w.takeBack(ctx, s)
	}
	if err != nil {
		return nil, unread, err
	}
	return b, unread, gone.release(ctx, w)
}

// takeBack removes a shard whose documents could not all be read.
func (w *writer) takeBack(ctx context.Context, s schemas.Shard) error {
	w.texts = nil // its texts become orphans
	err := w.writeGroup(ctx)
	if err != nil {
		return err
	}
	gone, err := w.remove(ctx, s.Name)
	if err != nil {
		return err
	}
	return gone.release(ctx, w)
}

// add puts the documents of a shard into the volume, except for their bitmaps: those before unread, the error of docs,
// or errUnfit.
func (w *writer) add(
	ctx context.Context, s schemas.Shard, docs iter.Seq2[*schemas.Document, error],
) (b *batch, unread, err error) {
	b = &batch{
		w: w, bits: map[value]*roaring.Bitmap{}, terms: terms{key: w.key, seed: w.seed},
		lastSeen: make([]valueSeen, len(smalls)), custom: customRows{limit: w.limits.customRows},
		fits: []uint8{}, // not nil, which would be null in SQL
	}
	// Numbers ascend from shard to shard; those of an undone shard are reused.
	if b.first, err = w.next(ctx); err != nil {
		return nil, nil, err
	}
	b.next = b.first
	// The number of rows is known at finish.
	r, err := w.exec(ctx, `insert into shard(name, sha256, bytes, first, rows, pages, times, texts, fits)
		values(?, ?, ?, ?, 0, x'', x'', x'', x'')`, s.Name, s.SHA256, s.Bytes, b.first)
	if err == nil {
		b.shard, err = r.LastInsertId()
	}
	if err != nil {
		return nil, nil, err
	}
	for d, err := range docs {
		if err == nil {
			err = b.document(ctx, d)
			if err != nil && !errors.Is(err, errUnfit) {
				return nil, nil, err
			}
		}
		if unread = err; unread != nil {
			break
		}
	}
	return b, unread, b.finish(ctx)
}

// document adds one version, or nothing of it if the error is errUnfit.
func (b *batch) document(ctx context.Context, d *schemas.Document) error {
	if err := b.custom.add(d, uint32(len(b.pages))); err != nil {
		return err
	}
	id, err := reserve(&b.next)
	if err != nil {
		return err
	}
	if err := b.page(ctx, d); err != nil {
		return err
	}
	text, err := b.text(ctx, id, d)
	if err != nil {
		return err
	}
	ts := micros(d)
	// In the order of the table's columns: see indexTables.
	b.row = append(b.row[:0], id, int64(b.last.id), ts, b.unless(shortURL(d), b.last.url), b.unless(d.Title, b.last.title))
	for i, f := range smalls {
		// The empty value is a name as well, so that each capture has a value of every kind.
		n, err := b.value(ctx, i, f.get(d), id)
		if err != nil {
			return err
		}
		// The month has a bitmap but no column: it follows from the time.
		if f.kind != kindMonth {
			b.row = append(b.row, n)
		}
	}
	b.row = append(b.row, d.Offset, d.Length, d.Sequence, text.id)
	// Columns are collected beside the rows, and written once at the end.
	b.pages = append(b.pages, uint32(b.last.id))
	b.times = append(b.times, ts)
	b.texts = append(b.texts, text.id)
	b.fits = append(b.fits, text.fit)
	if err := b.lists(ctx, d); err != nil {
		return err
	}
	_, err = b.w.exec(ctx, "insert into version values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", b.row...)
	return err
}

// unless returns s for a column, or null if its hash equals the argument null.
func (b *batch) unless(s string, null uint64) any {
	if b.w.sum(s) == null {
		return nil
	}
	return s
}

// value records that a version has a value of the i-th of smalls, and returns the value's number.
func (b *batch) value(ctx context.Context, i int, text string, version uint32) (int64, error) {
	seen := &b.lastSeen[i]
	if seen.set == nil || seen.text != text {
		k := smalls[i].kind
		id, err := b.w.name(ctx, k, text)
		if err != nil {
			return 0, err
		}
		*seen = valueSeen{text, id, b.bitmap(value{k, id})}
	}
	seen.set.Add(version)
	return seen.id, nil
}

// bitmap returns the batch's bitmap of a value. Bitmaps are collected for the whole shard: otherwise that of a language
// would be written for each capture.
func (b *batch) bitmap(v value) *roaring.Bitmap {
	set := b.bits[v]
	if set == nil {
		set = roaring.New()
		b.bits[v] = set
	}
	return set
}

// sum hashes a text; two texts collide with a probability of 2^-64.
func (w *writer) sum(s string) uint64 { return maphash.String(w.seed, s) }

// page finds or creates the page of a document.
func (b *batch) page(ctx context.Context, d *schemas.Document) (err error) {
	// A shard is sorted by SURT, so the versions of a page are adjacent.
	if b.last.id != 0 && b.surt == d.SURT {
		return nil
	}
	hash, known := surtHash(d.SURT), false
	b.surt = d.SURT
	if b.last, known = b.w.pages[hash]; known {
		return nil
	}
	// The more frequent case of late comes first, so that one statement mostly suffices.
	steps := []func(context.Context, *schemas.Document) (bool, error){b.oldPage, b.newPage}
	if b.w.newPages >= b.w.oldPages {
		slices.Reverse(steps)
	}
	done, err := steps[0](ctx, d)
	if err == nil && !done {
		done, err = steps[1](ctx, d)
	}
	if err == nil && !done {
		err = fmt.Errorf("%w: a page", ErrDamaged) // neither found nor created
	}
	if err == nil {
		remember(&b.w.pages, hash, b.last)
	}
	return err
}

// oldPage finds an existing page.
func (b *batch) oldPage(ctx context.Context, d *schemas.Document) (found bool, err error) {
	var id int64
	var url, title string
	// URL and title as well: a version with the same values stores null.
	found, err = b.w.one(ctx, []any{&id, &url, &title}, "select id, url, title from page where surt = ?", d.SURT)
	if found {
		b.last = pageSeen{uint64(id), b.w.sum(url), b.w.sum(title)}
		b.w.met(&b.w.oldPages)
	}
	return found, err
}

// newPage creates a page, unless it exists.
func (b *batch) newPage(ctx context.Context, d *schemas.Document) (made bool, err error) {
	url := shortURL(d)
	r, err := b.w.exec(ctx, "insert or ignore into page(surt, url, title) values(?, ?, ?)", d.SURT, url, d.Title)
	if err != nil {
		return false, err
	}
	// 0 rows mean that the page exists, by its unique SURT.
	if n, err := r.RowsAffected(); n == 0 || err != nil {
		return false, err
	}
	id, err := r.LastInsertId()
	if err != nil {
		return false, err
	}
	b.last = pageSeen{uint64(id), b.w.sum(url), b.w.sum(d.Title)}
	b.w.met(&b.w.newPages)
	return true, nil
}

// met counts a kind of page, to predict the next one. Old counts fade.
func (w *writer) met(kind *int) {
	if *kind++; w.newPages+w.oldPages > 1000 {
		w.newPages /= 2
		w.oldPages /= 2
	}
}

// maxNames limits the names that a writer remembers of a kind: mostly filenames and hosts of one shard.
const maxNames = 100_000

// name finds or creates the number of a value.
func (w *writer) name(ctx context.Context, k kind, v string) (id int64, err error) {
	if id, ok := w.names[k][v]; ok {
		return id, nil
	}
	// Looked up first, because nearly all values of a shard exist.
	found, err := w.one(ctx, []any{&id}, "select id from name where kind = ? and value = ?", k, v)
	if err != nil {
		return 0, err
	}
	if !found {
		r, err := w.exec(ctx, "insert into name(kind, value) values(?, ?)", k, v)
		if err != nil {
			return 0, err
		}
		if id, err = r.LastInsertId(); err != nil {
			return 0, err
		}
	}
	if w.names == nil {
		w.names = map[kind]map[string]int64{}
	}
	if w.names[k] == nil || len(w.names[k]) >= maxNames {
		// All names are dropped when there are too many, because the next shard has mostly others.
		w.names[k] = map[string]int64{}
	}
	w.names[k][v] = id
	return id, nil
}

// finish writes the columns of the shard.
func (b *batch) finish(ctx context.Context) error {
	_, err := b.w.exec(ctx, "update shard set rows = ?, pages = ?, times = ?, texts = ?, fits = ? where id = ?",
		len(b.pages), uint32s(b.pages), int64s(b.times), uint32s(b.texts), b.fits, b.shard)
	if err == nil {
		err = b.custom.blobs(func(kind int, name string, data []byte) error {
			_, err := b.w.exec(ctx, "insert into custom values(?, ?, ?, ?)", b.shard, kind, name, data)
			return err
		})
	}
	if err == nil {
		err = b.writeLists(ctx)
	}
	if err == nil {
		_, err = b.w.exec(ctx, "update state set value = ? where key = 'next'", b.next)
	}
	return err
}

// write adds bitmaps to those of the volume.
func (w *writer) write(ctx context.Context, bits map[value]*roaring.Bitmap) error {
	for _, v := range slices.SortedFunc(maps.Keys(bits), value.compare) { // in the order of the table
		err := w.change(ctx, v, bits[v], func(have, these *roaring.Bitmap) { have.Or(these) })
		if err != nil {
			return err
		}
	}
	return nil
}

// change applies a change to the bitmaps of a value, chunk by chunk.
func (w *writer) change(
	ctx context.Context, v value, set *roaring.Bitmap, apply func(have, these *roaring.Bitmap),
) error {
	// Each chunk is read, changed and written whole: 32 KiB at most.
	for c, these := range chunks(set) {
		var data []byte
		have := roaring.New()
		found, err := w.one(ctx, []any{&data}, "select bits from bits where kind = ? and value = ? and chunk = ?",
			v.kind, v.id, c)
		if err == nil && found {
			// Damage is found before the bitmap is written again.
			have, err = parseBits(data)
		}
		if err != nil {
			return err
		}
		// An empty bitmap is deleted, so that release finds unused names.
		if apply(have, these); have.IsEmpty() {
			_, err = w.exec(ctx, "delete from bits where kind = ? and value = ? and chunk = ?", v.kind, v.id, c)
		} else if data, err = encodeBits(have); err == nil {
			_, err = w.exec(ctx, "insert or replace into bits values(?, ?, ?, ?, ?)", v.kind, v.id, c,
				int64(have.GetCardinality()), data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
