//go:build !noiceberg && !local

package lake

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// pages are how many documents a unit has in these tests.
const pages = 40

// document is the i-th of a month's unit: sites, languages and types come again and again, all pages are of the month.
func document(month, i int) *schemas.Document {
	at := time.Date(2025, time.Month(1+month), 1+i%28, i%24, i, 0, 123456000, time.UTC)
	langs, types := []string{"fr", "de", "en", ""}, []string{"text/html", "application/pdf", "image/png"}
	d := &schemas.Document{
		URL: fmt.Sprintf("http://site%d.example/%d", i%7, i), SURT: fmt.Sprintf("example,site%d)/%d", i%7, i),
		Host: fmt.Sprintf("site%d.example", i%7), Timestamp: at.Format(time.RFC3339Nano), Status: 200 + i%3*102,
		MIMEDetected: types[i%len(types)], Language: langs[i%len(langs)], Title: fmt.Sprintf("Page %d of month %d", i, month),
		Text: "A text.", RecordType: schemas.TypeResponse, Filename: fmt.Sprintf("%d.warc.gz", month), Offset: int64(i),
		Entities: []schemas.Entity{{Type: "person", Text: "Ada", Mentions: []schemas.Span{{Start: 0, End: 3}}}},
		Custom:   map[string][]string{"price": {"1", "2"}},
	}
	return d
}

// made makes f a collection of the units of these months, as a run does: units that are there already stay, and other
// units go.
func made(t testing.TB, f folder.Folder, months ...int) schemas.Manifest {
	t.Helper()
	m, err := makeWith(f, shard.Options{Formats: []string{holdings.FormatParquet}}, "options", document, months...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func makeWith(
	f folder.Folder, o shard.Options, options string, doc func(month, i int) *schemas.Document, months ...int,
) (m schemas.Manifest, err error) {
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	units, keys := plan(months, options)
	todo, done, err := c.Resume(units, keys, nil)
	if err != nil {
		return m, err
	}
	for _, u := range todo {
		r, err := makeUnit(f, u, keys[u.ID], o, months[u.ID], doc)
		if err != nil {
			return m, err
		}
		done = append(done, r)
	}
	return c.Finish(done, collection.Run{Units: len(units)})
}

// plan has a unit for each of the months.
func plan(months []int, options string) (units []schemas.Unit, keys []string) {
	for i, month := range months {
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: fmt.Sprintf("%d.warc.gz", month), End: 1000}}}
		units, keys = append(units, u), append(keys, ledger.Key(u, options, "versions"))
	}
	return units, keys
}

func makeUnit(
	f folder.Folder, u schemas.Unit, key string, o shard.Options, month int, doc func(month, i int) *schemas.Document,
) (schemas.UnitResult, error) {
	w, err := shard.NewWriter(f, u, key, o)
	if err != nil {
		return schemas.UnitResult{}, err
	}
	defer w.Abort()
	for i := range pages {
		if err := w.Document(doc(month, i)); err != nil {
			return schemas.UnitResult{}, err
		}
	}
	return w.Commit(schemas.Counts{Documents: pages}, ledger.Note{})
}

// local is the folder at a path.
func local(dir string) folder.Folder { return folder.Open(context.Background(), dir, nil) }

func synced(t testing.TB, f folder.Folder) Snapshot {
	t.Helper()
	s, err := Sync(t.Context(), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func opened(t testing.TB, f folder.Folder) *Table {
	t.Helper()
	table, err := Open(t.Context(), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// healthy fails when Check finds anything.
func healthy(t testing.TB, f folder.Folder) {
	t.Helper()
	problems, err := opened(t, f).Check(t.Context())
	if err != nil || len(problems) > 0 {
		t.Errorf("Check = %v, %v; want no problems", problems, err)
	}
}
