//go:build !noiceberg && !local

package lake

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// FuzzMetadata: whatever the newest version is, the table is read, or is an error.
func FuzzMetadata(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "out")
	twoSnapshots(f, dir)
	for _, name := range []string{"v1.metadata.json", "v2.metadata.json"} {
		data, err := os.ReadFile(filepath.Join(dir, metadataDir, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"format-version":2}`))
	f.Add([]byte(`{"format-version":2,"snapshots":[null],"current-snapshot-id":1,"refs":{"main":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		meta, err := parse(data)
		if err != nil {
			return
		}
		newest(meta)
		for range history(meta) {
		}
		if _, err := shapeOf(meta); err == nil {
			pushed(query.Query{}, meta.CurrentSchema())
		}
	})
}

// FuzzShard: whatever a shard's bytes are, its footer is read, or is an error.
func FuzzShard(f *testing.F) {
	dir := f.TempDir()
	m := made(f, local(filepath.Join(dir, "out")), 0)
	for _, s := range m.Units[0].Shards {
		if shardPattern().MatchString(s.Name) {
			data, err := os.ReadFile(filepath.Join(dir, "out", s.Name))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Add([]byte("PAR1PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := schemas.Shard{Name: "documents-0.parquet", Bytes: int64(len(data))}
		read, err := readShard(memory{data: data}, s)
		if err == nil && read.rows < 0 {
			t.Errorf("%d rows", read.rows)
		}
	})
}

// memory is a folder with one file.
type memory struct {
	folder.Folder
	data []byte
}

func (memory) Path(name string) string { return name }

func (m memory) Open(string) (folder.Reader, error) {
	return memoryReader{bytes.NewReader(m.data)}, nil
}

type memoryReader struct{ *bytes.Reader }

func (memoryReader) Close() error { return nil }

// FuzzCut: bounds that are cut enclose the text, and are texts.
func FuzzCut(f *testing.F) {
	f.Add("example,site3)/")
	f.Add(string(bytes.Repeat([]byte("é"), 40)))
	f.Add(string(bytes.Repeat([]byte{0xff}, 80)))
	f.Add(string(bytes.Repeat([]byte("\U0010ffff"), 40)))
	f.Add(string(bytes.Repeat([]byte("\ud7ff"), 40)))
	f.Fuzz(func(t *testing.T, s string) {
		low, high := string(cutLow([]byte(s))), cutHigh([]byte(s))
		if low > s || len(low) > boundBytes || high != nil && (string(high) < s || len(high) > boundBytes+4) {
			t.Errorf("%q is not between %q and %q", s, low, high)
		}
		if utf8.ValidString(s) && !(utf8.ValidString(low) && utf8.Valid(high)) {
			t.Errorf("bounds %q and %q are no texts", low, high)
		}
	})
}
