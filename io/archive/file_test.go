package archive_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/stream/member"
)

// TestOpenFile_andNoEnd reads each file by its path, from 0 to its size, and without a given end. Without an end, the
// reader once took the range as empty and read nothing, silently.
func TestOpenFile_andNoEnd(t *testing.T) {
	files, err := filepath.Glob("../../testdata/archives/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d archives, %v", len(files), err)
	}
	for _, path := range append(files, "../../testdata/seeds/ache/KAFKA-JSON.jsonl",
		"../../testdata/damaged/cut.warc.gz") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f, err := archive.OpenFile(path, archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			opened := urls(t, f.Reader)
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			size := int64(len(b))
			for _, in := range []archive.Input{{Name: path, Size: size, End: size}, {Name: path, Size: size}} {
				r, err := archive.NewReader(bytes.NewReader(b), in, f.Format, archive.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got := urls(t, r)
				r.Close()
				if len(got) == 0 || !slices.Equal(got, opened) {
					t.Errorf("end %d: %d captures, want the %d of OpenFile", in.End, len(got), len(opened))
				}
			}
		})
	}
}

// TestReaders_noEnd reads records and lines of a range without an end, which is that of the file.
func TestReaders_noEnd(t *testing.T) {
	text := []byte("WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 2\r\n\r\nab\r\n\r\n")
	r, err := record.NewReader(bytes.NewReader(text), member.Range{Size: int64(len(text))}, member.Plain, warc.Grammar{},
		record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if rec, err := r.Next(); err != nil || string(rec.Block) != "ab" {
		t.Errorf("got %v, %v; want the record", rec, err)
	}
	line := []byte(`{"url": "http://a.example/", "content": "x"}` + "\n")
	lines, err := dump.NewLineReader(bytes.NewReader(line), dump.Input{Size: int64(len(line))}, ache.JSON{},
		dump.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	if item, err := lines.Next(); err != nil || item.Capture == nil && item.Reject == nil {
		t.Errorf("got %v, %v; want the line", item, err)
	}
}

func TestOpenFile_errors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(text, []byte("no archive\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path string
		want error
	}{
		{filepath.Join(dir, "none.warc.gz"), fs.ErrNotExist},
		{text, archive.ErrUnsupported},
		{dir, archive.ErrFolder},
	} {
		if f, err := archive.OpenFile(tt.path, archive.Options{}); f != nil || !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, %v, want %v", tt.path, f, err, tt.want)
		} else if !strings.Contains(err.Error(), tt.path) {
			t.Errorf("%q does not name the file", err)
		}
	}
}

func urls(t *testing.T, r *archive.Reader) (urls []string) {
	t.Helper()
	for c, err := range r.Captures() {
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, c.URL)
	}
	return urls
}
