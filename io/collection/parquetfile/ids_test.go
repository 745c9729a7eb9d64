package parquetfile

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestColumns_idsAreNeverGivenAgain: a file has the ids of testdata/ids.txt, by which tables know columns. A dash is the
// id of a column that is not written any more. New columns have the ids that follow.
func TestColumns_idsAreNeverGivenAgain(t *testing.T) {
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
	names := map[int]string{}
	idsOf(t, f.Root(), "", names)
	given, err := os.ReadFile("testdata/ids.txt")
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for line := range strings.Lines(string(given)) {
		var name string
		if _, err := fmt.Sscan(line, &last, &name); err != nil || names[last] != strings.Trim(name, "-") {
			t.Errorf("the id %d is that of %q, want %q, %v", last, names[last], name, err)
		}
		delete(names, last)
	}
	for i := range len(names) {
		if names[last+1+i] == "" {
			t.Errorf("no column has the id %d, and %d new columns have one", last+1+i, len(names))
		}
	}
	if b := f.RowGroups()[0].ColumnChunks()[0].BloomFilter(); b == nil {
		t.Error("the URLs have no bloom filter")
	} else if ok, err := b.Check(parquet.ValueOf("http://a/")); err != nil || !ok {
		t.Errorf("the bloom filter denies a URL that is there: %v, %v", ok, err)
	} else if ok, err := b.Check(parquet.ValueOf("http://b/")); err != nil || ok {
		t.Errorf("the bloom filter has a URL that is not there: %v, %v", ok, err)
	}
}

// idsOf adds the names of the columns inside c by their ids. Groups that Parquet puts between a list and its elements,
// or a map and its pairs, have none.
func idsOf(t *testing.T, c *parquet.Column, name string, names map[int]string) {
	for _, inner := range c.Columns() {
		full := strings.TrimPrefix(name+"."+inner.Name(), ".")
		if group := inner.Name() == "list" || inner.Name() == "key_value"; group {
			full = name
		}
		switch id := inner.ID(); {
		case full == name && id != 0 || full != name && id == 0 || names[id] != "":
			t.Errorf("%s has the id %d, which it must not have, or %q has", inner.Path(), id, names[id])
		case id != 0:
			names[id] = full
		}
		idsOf(t, inner, full, names)
	}
}
