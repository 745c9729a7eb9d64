//go:build !noiceberg && !local

package lake

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/gzip"
	"github.com/parquet-go/parquet-go/compress/snappy"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// inserted is a row of another program, which has a column of its own and not all of ours.
type inserted struct {
	URL   string   `parquet:"url,optional,id(1)"`
	SURT  string   `parquet:"surt,optional,id(2)"`
	Tags  []string `parquet:"tags,optional,list,id(31)"`
	Note  *string  `parquet:"note,optional,id(20001)"`
	Price float64  `parquet:"price,id(20002)"`
}

// insertedURLs are pages and what crawlers note, a third of it of the host that is taken down.
var insertedURLs = []string{
	"http://gone.example/zanzibar", "http://stays.example/", "", "dns:gone.example", "http://stays.example/b",
	"http://www.gone.example/okapi", "http://other.example/",
}

func isGone(url string) bool { return strings.Contains(url, "gone.example") }

func parquetOf[T any](t *testing.T, codec compress.Codec, rows []T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, parquet.Compression(codec), parquet.DataPageVersion(1),
		parquet.KeyValueMetadata("iceberg.schema", "{}"))
	for i := range rows { // row groups of three
		_, err := w.Write(rows[i : i+1])
		if i%3 == 2 {
			err = errors.Join(err, w.Flush())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func insertedRows(urls []string) (rows []inserted) {
	for i, u := range urls {
		r := inserted{URL: u, SURT: "example,x)/" + u, Price: float64(i)}
		if i%2 == 0 {
			note := strings.Repeat("n", i)
			r.Note, r.Tags = &note, []string{"", "b"}
		}
		rows = append(rows, r)
	}
	return rows
}

// commit adds files to the table and removes others, as another program does.
func commit(t *testing.T, f folder.Folder, files map[string][]byte, drop ...string) {
	t.Helper()
	_, err := opened(t, f).retry(t.Context(), func(c *change) error {
		c.remove = drop
		for name, data := range files {
			if err := errors.Join(f.Make(filepath.Dir(name)), f.Write(name, data)); err != nil {
				return err
			}
			m := rewritten{name: name, bytes: int64(len(data)), kept: 1}
			p, err := openParquet(f, name)
			if err != nil {
				return err
			}
			m.kept, m.bounds = p.NumRows(), boundsOf(p.File)
			p.close()
			d, err := m.dataFile(c.now, unpartitioned{})
			if err != nil {
				return err
			}
			c.put = append(c.put, d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// unpartitioned is a data file of the spec without partitions.
type unpartitioned struct{ iceberg.DataFile }

func (unpartitioned) SpecID() int32          { return 0 }
func (unpartitioned) Partition() map[int]any { return nil }

// rowsOf are the rows of a file.
func rowsOf(t *testing.T, f folder.Folder, name string) []inserted {
	t.Helper()
	in, err := f.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }() // it is only read
	rows, err := parquet.Read[inserted](in, in.Size())
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// others are the files of the newest snapshot that are not shards.
func others(t *testing.T, f folder.Folder) (names []string) {
	t.Helper()
	files, err := opened(t, f).Plan(t.Context(), Point{}, query.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !file.Ours() {
			names = append(names, file.Name)
		}
	}
	return names
}

// leftOver are the files of which Left tells.
func leftOver(t *testing.T, f folder.Folder) (names []string) {
	t.Helper()
	problems, err := opened(t, f).Left(t.Context(), isGone, func(string, int64) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		names = append(names, p.Name)
	}
	return names
}

// TestTakeOut: rows that other programs wrote go, whatever the columns and the compression; what stays is as it was.
func TestTakeOut(t *testing.T) {
	staying := slices.DeleteFunc(slices.Clone(insertedURLs), isGone)
	for _, x := range []struct {
		name string
		data []byte
		rows int
		left []string // URLs of the rows that stay; nil for the file as it was
	}{
		{"some", parquetOf(t, &snappy.Codec{}, insertedRows(insertedURLs)), 3, staying},
		{"some, gzip", parquetOf(t, &gzip.Codec{}, insertedRows(insertedURLs)), 3, staying},
		{"all", parquetOf(t, &snappy.Codec{}, insertedRows(insertedURLs[5:6])), 1, []string{}},
		{"none", parquetOf(t, &snappy.Codec{}, insertedRows(insertedURLs[1:3])), 0, nil},
		{"without ids", parquetOf(t, &snappy.Codec{}, []struct {
			URL string `parquet:"url"`
		}{{"http://gone.example/"}, {"http://stays.example/"}}), 1, []string{"http://stays.example/"}},
		{"renamed", parquetOf(t, &snappy.Codec{}, []struct {
			URL   string `parquet:"address,id(1)"`
			Other string `parquet:"url,id(20003)"`
		}{{insertedURLs[0], "x"}, {"http://stays.example/", "elsewhere"}}), 1, []string{"elsewhere"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			f := local(filepath.Join(t.TempDir(), "out"))
			made(t, f, 0, 1)
			synced(t, f)
			const name = "data/timestamp_month=2025-01/0101/part-0.parquet"
			commit(t, f, map[string][]byte{name: x.data})
			before := opened(t, f)
			if rows, err := before.TakeOut(t.Context(), isGone); rows != int64(x.rows) || err != nil {
				t.Fatalf("TakeOut = %d, %v, want %d", rows, err, x.rows)
			}
			if left := leftOver(t, f); (x.rows > 0) != slices.Contains(left, name) {
				t.Errorf("of the earlier snapshot %v is left", left)
			}
			if _, err := before.Expire(t.Context(), Expiry{Keep: 1, Young: time.Nanosecond}); err != nil {
				t.Fatal(err)
			}
			now := others(t, f)
			checkLeft(t, f, now, name, x.left)
			if left := leftOver(t, f); len(left) > 0 {
				t.Errorf("%v have pages that were taken down", left)
			}
			if rows, err := before.TakeOut(t.Context(), isGone); rows != 0 || err != nil {
				t.Errorf("again: %d, %v", rows, err)
			}
			healthy(t, f)
			noDeleted(t, f)
		})
	}
}

// checkLeft compares the rows that a file still has.
func checkLeft(t *testing.T, f folder.Folder, now []string, name string, want []string) {
	t.Helper()
	_, err := f.Size(name)
	if want == nil {
		if err != nil || !slices.Equal(now, []string{name}) {
			t.Errorf("the file that has nothing of it: %v, and the table has %v", err, now)
		}
		return
	}
	if err == nil {
		t.Errorf("%s is still there", name)
	}
	if len(want) == 0 {
		if len(now) > 0 {
			t.Errorf("the table has %v", now)
		}
		return
	}
	if len(now) != 1 || filepath.Dir(now[0]) != filepath.Dir(name) {
		t.Fatalf("the table has %v", now)
	}
	all, got := insertedRows(insertedURLs), []string{}
	for _, r := range rowsOf(t, f, now[0]) {
		got = append(got, r.URL)
		// Rows of this table are as they were: nulls and empty texts in lists, too.
		for _, w := range all {
			if w.URL == r.URL && r.SURT != "" && !reflect.DeepEqual(r, w) {
				t.Errorf("%+v, want %+v", r, w)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows of %q, want %q", got, want)
	}
}

// noDeleted fails if the newest snapshot has entries of missing files: their bounds hold SURTs.
func noDeleted(t *testing.T, f folder.Folder) {
	t.Helper()
	now, err := opened(t, f).load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files := &fileIO{f: f, location: now.Location()}
	manifests, err := now.CurrentSnapshot().Manifests(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range manifests {
		for e, err := range m.Entries(files, false) {
			if err != nil || e.Status() == iceberg.EntryStatusDELETED {
				t.Errorf("%v: an entry of %s, which is gone", err, e.DataFile().FilePath())
			}
		}
	}
}

// TestTakeOut_rewrittenShard: a shard that another program has rewritten, and the takedown writes again, does not come
// into the table a second time.
func TestTakeOut_rewrittenShard(t *testing.T) {
	f := local(filepath.Join(t.TempDir(), "out"))
	m := made(t, f, 0, 1)
	synced(t, f)
	shard := m.Units[0].Shards[0].Name
	data := parquetOf(t, &snappy.Codec{}, insertedRows(insertedURLs))
	commit(t, f, map[string][]byte{"data/part-0.parquet": data}, shard)
	takenDown(t, f, "site1.example")
	s := synced(t, f)
	if s.Records != int64(len(insertedURLs)+pages-(pages+5)/7) {
		t.Errorf("%d rows after the takedown", s.Records)
	}
	if rows, err := opened(t, f).TakeOut(t.Context(), isGone); rows != 3 || err != nil {
		t.Errorf("TakeOut = %d, %v", rows, err)
	}
	if _, err := opened(t, f).Expire(t.Context(), Expiry{Keep: 1, Young: time.Nanosecond}); err != nil {
		t.Fatal(err)
	}
	healthy(t, f)
}

// takenDown takes a host down from the shards.
func takenDown(t *testing.T, f folder.Folder, host string) {
	t.Helper()
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := takedown.Parse(host)
	if err == nil {
		_, err = care.TakeDown(t.Context(), c, []takedown.Entry{e}, nil)
	}
	if err = errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestTakeOut_refuses: rows that cannot be taken out cause an error, Left reports them, and nothing is changed or left
// over.
func TestTakeOut_refuses(t *testing.T) {
	for name, data := range map[string][]byte{
		"no URLs": parquetOf(t, &snappy.Codec{}, []struct {
			Title string `parquet:"title,id(23)"`
		}{{"gone"}}),
		"damaged": damaged(parquetOf(t, &snappy.Codec{}, insertedRows(insertedURLs))),
	} {
		t.Run(name, func(t *testing.T) {
			f := local(filepath.Join(t.TempDir(), "out"))
			made(t, f, 0)
			synced(t, f)
			commit(t, f, map[string][]byte{
				"data/a.parquet": parquetOf(t, &snappy.Codec{}, insertedRows(insertedURLs)), "data/b.parquet": data,
			})
			if rows, err := opened(t, f).TakeOut(t.Context(), isGone); rows != 0 || err == nil {
				t.Errorf("TakeOut = %d, %v", rows, err)
			}
			if left := leftOver(t, f); !slices.Equal(left, []string{"data/a.parquet", "data/b.parquet"}) {
				t.Errorf("Left tells of %v", left)
			}
			if list, err := os.ReadDir(f.Path("data")); err != nil || len(list) != 2 {
				t.Errorf("left behind: %v, %v", list, err)
			}
		})
	}
}

// damaged is a file with other bytes in its first page.
func damaged(data []byte) []byte {
	data = bytes.Clone(data)
	for i := 4; i < 30; i++ {
		data[i] ^= 0xff
	}
	return data
}

// TestLeft_tag: Left lists the files of a snapshot that the tag of another program keeps.
func TestLeft_tag(t *testing.T) {
	f := local(filepath.Join(t.TempDir(), "out"))
	made(t, f, 0)
	synced(t, f)
	commit(t, f, map[string][]byte{"data/a.parquet": parquetOf(t, &snappy.Codec{}, insertedRows(insertedURLs))})
	opens := opened(t, f)
	tagged(t.Context(), t, opens)
	if _, err := opens.TakeOut(t.Context(), isGone); err != nil {
		t.Fatal(err)
	}
	if _, err := opens.Expire(t.Context(), Expiry{Keep: 1, Young: time.Nanosecond}); err != nil {
		t.Fatal(err)
	}
	if left := leftOver(t, f); !slices.Equal(left, []string{"data/a.parquet"}) {
		t.Errorf("Left tells of %v", left)
	}
}

// tagged tags the newest snapshot.
func tagged(ctx context.Context, t *testing.T, x *Table) {
	t.Helper()
	now, err := x.load(ctx)
	if err == nil {
		_, _, err = x.cat.CommitTable(ctx, x.ident, nil, []table.Update{
			table.NewSetSnapshotRefUpdate("kept", now.CurrentSnapshot().SnapshotID, table.TagRef, 0, 0, 0),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}
