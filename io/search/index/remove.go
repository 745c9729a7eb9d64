package index

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// removed is what went with a shard, and may be needed by nobody any more.
type removed struct {
	pages, texts *roaring.Bitmap
	names        map[value]bool
}

// remove takes a shard out of index.db, if it is there. What others may have, too, is left to release.
func (w *writer) remove(ctx context.Context, shard string) (*removed, error) {
	gone := &removed{roaring.New(), roaring.New(), map[value]bool{}}
	var id, from, n int64
	// A shard that is not there is nothing to remove: a process that was killed may have come so far.
	found, err := w.one(ctx, []any{&id, &from, &n}, "select id, first, rows from shard where name = ?", shard)
	if err != nil || !found {
		return gone, err
	}
	// Noted before the rows go: afterwards nothing says what they had.
	if err := w.gather(ctx, gone, from, from+n); err != nil {
		return gone, err
	}
	// Versions of a shard have numbers that follow each other.
	these := span(uint64(from), uint64(from+n))
	// Only bitmaps of values that the shard has: others cannot have its captures.
	for v := range gone.names {
		err := w.change(ctx, v, these, func(have, these *roaring.Bitmap) { have.AndNot(these) })
		if err != nil {
			return gone, err
		}
	}
	// The shard goes last, by which the others were found.
	if _, err = w.exec(ctx, "delete from version where id >= ? and id < ?", from, from+n); err == nil {
		_, err = w.exec(ctx, "delete from custom where shard = ?", id)
	}
	if err == nil {
		_, err = w.exec(ctx, "delete from shard where id = ?", id)
	}
	return gone, err
}

// gather notes what the versions of a shard have.
func (w *writer) gather(ctx context.Context, gone *removed, from, to int64) error {
	months := map[string]bool{}
	err := each(ctx, w.indexTx, func(rows *sql.Rows) error {
		var page, text uint32
		var ts int64
		// In the order of smalls, which is that of the columns.
		ids := make([]int64, len(smalls)-1) // except for the month
		columns := []any{&page, &text, &ts}
		for i := range ids {
			columns = append(columns, &ids[i])
		}
		if err := rows.Scan(columns...); err != nil {
			return err
		}
		gone.pages.Add(page)
		// As bitmaps, since a shard may have a hundred thousand of each.
		gone.texts.Add(text)
		for i, id := range ids {
			gone.names[value{smalls[i].kind, id}] = true
		}
		// The month has no column in version, so that it is taken from the time.
		months[monthOf(ts)] = true
		return nil
	}, `select page, text, ts, mime, language, status, host, domain, page_type, source, filename from version
		where id >= ? and id < ?`, from, to)
	gone.texts.Remove(0) // stands for none
	for month := range months {
		id, failed := w.name(ctx, kindMonth, month)
		gone.names[value{kindMonth, id}] = true
		err = errors.Join(err, failed)
	}
	return err
}

// release removes the pages and names that no version has any more, and notes the texts that none has: nothing of what
// was taken out of a collection stays.
func (r *removed) release(ctx context.Context, w *writer) error {
	if len(r.names) == 0 { // there was no such shard
		return nil
	}
	// A name or a page that was remembered may be deleted below, and a page may lose its URL and title.
	w.names, w.pages = nil, nil
	steps := []struct{ list, text string }{
		// All lists go in as one parameter, read by json_each: a statement for each number would take far
		// longer.
		{numbersOf(r.pages), `delete from page where id in (select value from json_each(?))
			and not exists (select 1 from version where page = page.id)`},
		{numbersOf(r.pages), `update page set url = '' where id in (select value from json_each(?))
			and not exists (select 1 from version v where v.page = page.id and v.url is null)`},
		{numbersOf(r.pages), `update page set title = '' where id in (select value from json_each(?))
			and not exists (select 1 from version v where v.page = page.id and v.title is null)`},
		// Texts are in another database, and are taken away there when this transaction stands: see purge.
		{numbersOf(r.texts), `insert or ignore into orphan select e.value from json_each(?) e
			where not exists (select 1 from version v where v.id = e.value and v.text = v.id)
			and not exists (select 1 from version v where v.text = e.value and v.text <> v.id and v.text <> 0)`},
		// By the bitmaps: a name is used as long as one is there for it.
		{r.nameList(), `delete from name where id in (select value from json_each(?))
			and not exists (select 1 from bits b where b.kind = name.kind and b.value = name.id)`},
	}
	for _, s := range steps {
		if _, err := w.exec(ctx, s.text, s.list); err != nil {
			return err
		}
	}
	return nil
}

func (r *removed) nameList() string {
	var list []int64
	for v := range r.names {
		list = append(list, v.id)
	}
	return jsonNumbers(list)
}

// numbers asks for a list of numbers.
func numbers(ctx context.Context, db asker, query string, args ...any) (list []int64, err error) {
	err = each(ctx, db, func(rows *sql.Rows) error {
		var n int64
		err := rows.Scan(&n)
		list = append(list, n)
		return err
	}, query, args...)
	return list, err
}

// jsonNumbers is a list as SQLite's json_each reads it.
func jsonNumbers(list []int64) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, n := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(n, 10))
	}
	b.WriteByte(']')
	return b.String()
}

// numbersOf is jsonNumbers of a bitmap.
func numbersOf(set *roaring.Bitmap) string {
	b := []byte{'['}
	for it := set.Iterator(); it.HasNext(); {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(it.Next()), 10)
	}
	return string(append(b, ']'))
}
