package documentio

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestMain(m *testing.M) { ptest.Main(m) }

func documents() []schemas.Document {
	return []schemas.Document{
		{URL: "http://b.example/", Filename: "b.warc", Offset: 5, RecordType: schemas.TypeResponse},
		{URL: "http://a.example/2", Filename: "a.warc", Offset: 7, Sequence: 1, RecordType: schemas.TypeResponse},
		{URL: "http://a.example/1", Filename: "a.warc", Offset: 7, RecordType: schemas.TypeResponse},
	}
}

// write runs a graph that writes docs, and returns what is in the folder.
func write(t *testing.T, dir string, o Options, docs []schemas.Document) error {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	o.Dir = dir
	Write(s, o, beam.CreateList(s, docs))
	return ptest.Run(p)
}

func TestWrite_sortsByPlaceInTheArchive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	if err := write(t, dir, Options{Compression: jsonl.None}, documents()); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "documents-00000-of-00001.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"url":"http://a.example/1","record_type":"response","filename":"a.warc","offset":7,"length":0,"body_bytes":0}
{"url":"http://a.example/2","record_type":"response","filename":"a.warc","offset":7,"length":0,"sequence":1,"body_bytes":0}
{"url":"http://b.example/","record_type":"response","filename":"b.warc","offset":5,"length":0,"body_bytes":0}
`
	if string(b) != want {
		t.Errorf("wrote\n%s, want\n%s", b, want)
	}
}

func TestWrite_everyDocumentIsInOneShard(t *testing.T) {
	dir := t.TempDir()
	if err := write(t, dir, Options{Shards: 7, Compression: jsonl.None}, documents()); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "documents-*-of-00007.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range b {
			if c == '\n' {
				lines++
			}
		}
	}
	if lines != 3 {
		t.Errorf("%d lines in %d shards, want 3", lines, len(names))
	}
}

func TestWrite_failureLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "documents-00000-of-00001.jsonl")
	if err := os.MkdirAll(filepath.Join(taken, "a folder in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := write(t, dir, Options{Compression: jsonl.None}, documents()); err == nil {
		t.Error("no error, and the shard's name is a folder's")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%d entries, %v; want the folder alone", len(entries), err)
	}
}
