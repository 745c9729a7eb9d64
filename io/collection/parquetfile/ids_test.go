package parquetfile

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestColumns_idsAreNeverGivenAgain holds the list against the ids that were given away: each stays that of its
// column, or of none.
func TestColumns_idsAreNeverGivenAgain(t *testing.T) {
	given, err := os.ReadFile("testdata/ids.txt")
	if err != nil {
		t.Fatal(err)
	}
	var now strings.Builder
	for i, name := range columns {
		fmt.Fprintln(&now, i+1, strings.TrimPrefix(name, "-"))
	}
	if !strings.HasPrefix(now.String(), string(given)) {
		t.Errorf("columns are\n%s\nand begin with other ids than testdata/ids.txt, which stay what they are", &now)
	} else if now.String() != string(given) {
		t.Errorf("there are more columns than testdata/ids.txt has: add %q to it", now.String()[len(given):])
	}
}

// TestColumns_haveIDs reads the ids of a file that was written: all columns have those of the list, each once.
func TestColumns_haveIDs(t *testing.T) {
	var file bytes.Buffer
	w := NewWriter(&file, Options{TempDir: t.TempDir()})
	if err := w.Write(&schemas.Document{URL: "http://a/", RecordType: schemas.TypeResponse, Filename: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var ids []int
	var walk func(c *parquet.Column, name string)
	walk = func(c *parquet.Column, name string) {
		for _, inner := range c.Columns() {
			full := columnName(name, inner.Name())
			switch id := inner.ID(); {
			case strings.HasSuffix(full, "/"):
				if id != 0 {
					t.Errorf("%s has the id %d, want none", inner.Path(), id)
				}
			case id == 0 || fieldIDs[full] != id:
				t.Errorf("%s has the id %d, want %d", inner.Path(), id, fieldIDs[full])
			default:
				ids = append(ids, id)
			}
			walk(inner, full)
		}
	}
	walk(f.Root(), "")
	slices.Sort(ids)
	want := len(columns) - strings.Count("\n"+strings.Join(columns, "\n"), "\n-") // except for those that are gone
	if len(slices.Compact(slices.Clone(ids))) != len(ids) || len(ids) != want {
		t.Errorf("%d ids, %v; want each of %d once", len(ids), ids, want)
	}
	if b := f.RowGroups()[0].ColumnChunks()[0].BloomFilter(); b == nil {
		t.Error("the URLs have no bloom filter")
	} else if ok, err := b.Check(parquet.ValueOf("http://a/")); err != nil || !ok {
		t.Errorf("the bloom filter denies a URL that is there: %v, %v", ok, err)
	} else if ok, err := b.Check(parquet.ValueOf("http://b/")); err != nil || ok {
		t.Errorf("the bloom filter has a URL that is not there: %v, %v", ok, err)
	}
}
