package index

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// removed lists the values of a removed shard, which may be unused now.
type removed struct {
	pages, texts *roaring.Bitmap
	names        map[value]bool
	listed       map[int64]bool // names of lists
}

// remove removes a shard from index.db, if it exists. Data that other shards may share is left to removed.release.
func (w *writer) remove(ctx context.Context, shard string) (*removed, error) {
	gone := &removed{roaring.New(), roaring.New(), map[value]bool{}, map[int64]bool{}}
	var id, from, n int64
	// The shard may be missing after a killed process.
	found, err := w.one(ctx, []any{&id, &from, &n}, "select id, first, rows from shard where name = ?", shard)
	if err != nil || !found {
		return gone, err
	}
	// Collected before the rows go.
	err = w.gather(ctx, gone, from, from+n)
	if err == nil {
		err = w.listed(ctx, func(id int64) { gone.listed[id] = true }, "select ids from list where shard = ?", id)
	}
	if err != nil {
		return gone, err
	}
	// Versions of a shard have consecutive numbers.
	these := span(uint64(from), uint64(from+n))
	// Only bitmaps of the shard's values can have its captures.
	for v := range gone.names {
		err := w.change(ctx, v, these, func(have, these *roaring.Bitmap) { have.AndNot(these) })
		if err != nil {
			return gone, err
		}
	}
	// The shard goes last, because the others are found through it.
	if _, err = w.exec(ctx, "delete from version where id >= ? and id < ?", from, from+n); err == nil {
		_, err = w.exec(ctx, "delete from custom where shard = ?", id)
	}
	if err == nil {
		_, err = w.exec(ctx, "delete from list where shard = ?", id)
	}
	if err == nil {
		_, err = w.exec(ctx, "delete from shard where id = ?", id)
	}
	return gone, err
}

// gather collects what the versions of a shard have.
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
		// Bitmaps, because a shard may have a hundred thousand of each.
		gone.texts.Add(text)
		for i, id := range ids {
			gone.names[value{smalls[i].kind, id}] = true
		}
		// The month has no column and follows from the time.
		months[monthOf(ts)] = true
		return nil
	}, `select page, text, ts, mime, language, status, host, domain, page_type, source, filename, record_type
		from version
		where id >= ? and id < ?`, from, to)
	gone.texts.Remove(0) // 0 means no text
	for month := range months {
		id, failed := w.name(ctx, kindMonth, month)
		gone.names[value{kindMonth, id}] = true
		err = errors.Join(err, failed)
	}
	return err
}

// listed calls visit with the numbers of values in the lists that a query selects.
func (w *writer) listed(ctx context.Context, visit func(id int64), query string, args ...any) error {
	return each(ctx, w.indexTx, func(rows *sql.Rows) error {
		var b block
		if err := rows.Scan(&b.ids); err != nil {
			return err
		}
		return b.numbers(func(id int64, _ uint64) error {
			visit(id)
			return nil
		})
	}, query, args...)
}

// release removes pages and names that no version has any more, and notes unused texts, so that nothing remains of
// removed shards.
func (r *removed) release(ctx context.Context, w *writer) error {
	if len(r.names) == 0 { // the shard did not exist
		return nil
	}
	// Remembered names and pages may be deleted below, and pages may lose URL and title.
	w.names, w.pages = nil, nil
	if len(r.listed) > 0 {
		// A name of a list is used as long as a shard's list has it.
		if err := w.listed(ctx, func(id int64) { delete(r.listed, id) }, "select ids from list"); err != nil {
			return err
		}
	}
	steps := []struct{ list, text string }{
		// Each list is one parameter for json_each: a statement for each number would take far longer.
		{numbersOf(r.pages), `delete from page where id in (select value from json_each(?))
			and not exists (select 1 from version where page = page.id)`},
		{numbersOf(r.pages), `update page set url = '' where id in (select value from json_each(?))
			and not exists (select 1 from version v where v.page = page.id and v.url is null)`},
		{numbersOf(r.pages), `update page set title = '' where id in (select value from json_each(?))
			and not exists (select 1 from version v where v.page = page.id and v.title is null)`},
		// Texts are in another database, which is cleaned after this transaction: see purge.
		{numbersOf(r.texts), `insert or ignore into orphan select e.value from json_each(?) e
			where not exists (select 1 from version v where v.id = e.value and v.text = v.id)
			and not exists (select 1 from version v where v.text = e.value and v.text <> v.id and v.text <> 0)`},
		// A name is used as long as it has a bitmap.
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
	for id := range r.listed {
		list = append(list, id)
	}
	return jsonNumbers(list)
}

// numbers returns the numbers that a query selects.
func numbers(ctx context.Context, db asker, query string, args ...any) (list []int64, err error) {
	err = each(ctx, db, func(rows *sql.Rows) error {
		var n int64
		err := rows.Scan(&n)
		list = append(list, n)
		return err
	}, query, args...)
	return list, err
}

// jsonNumbers returns a list for SQLite's json_each.
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

// numbersOf is jsonNumbers for a bitmap.
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
