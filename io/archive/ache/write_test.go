package ache_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// writing is when ACHE wrote the seeds.
var writing = time.UnixMilli(1795196922913).UTC()

// pages are the four pages of the seeds.
func pages(t testing.TB) []*schemas.Capture {
	t.Helper()
	list, _ := read(t, filepath.Join(generated, "KAFKA-JSON.jsonl"))
	return list
}

// writeAll writes captures and returns the files and what they lack.
func writeAll(t testing.TB, open func(dump.Sink, dump.WriteOptions) dump.Writer, o dump.WriteOptions,
	list []*schemas.Capture,
) (*archivetest.Memory, map[string]int64) {
	t.Helper()
	m := &archivetest.Memory{}
	w := open(m, o)
	for _, c := range list {
		if err := w.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return m, w.Drops()
}

// undone is content without its compression, whose bytes depend on who compressed.
func undone(t testing.TB, content []byte) []byte {
	t.Helper()
	var r io.Reader
	var err error
	switch {
	case bytes.HasPrefix(content, []byte{0x78, 0x9c}):
		r, err = zlib.NewReader(bytes.NewReader(content))
	case bytes.HasPrefix(content, []byte{0x1f, 0x8b}):
		r, err = gzip.NewReader(bytes.NewReader(content))
	default:
		return content
	}
	if err != nil {
		t.Fatal(err)
	}
	content, err = io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestWrite_filesystemIsAsACHEWrites: names and contents of all variants, byte for byte.
func TestWrite_filesystemIsAsACHEWrites(t *testing.T) {
	list := pages(t)
	for folder, open := range map[string]func(dump.Sink, dump.WriteOptions) dump.Writer{
		"FILESYSTEM_HTML": ache.NewFilesystemHTML, "FILESYSTEM_JSON": ache.NewFilesystemJSON,
		"FILESYSTEM_CBOR": ache.NewFilesystemCBOR,
	} {
		for _, variant := range []string{"", "-hash", "-deflate", "-hash-deflate"} {
			dir := filepath.Join(generated, folder+variant)
			if _, err := os.Stat(dir); err != nil {
				continue // ACHE wrote nine of the twelve
			}
			t.Run(folder+variant, func(t *testing.T) {
				o := dump.WriteOptions{HashNames: strings.Contains(variant, "hash"), Stamp: writing}
				if strings.Contains(variant, "deflate") {
					o.Compress = dump.On
				}
				m, _ := writeAll(t, open, o, list)
				if diff := cmp.Diff(filesOf(t, dir), contents(t, m)); diff != "" {
					t.Errorf("-ACHE +ours:\n%s", diff)
				}
			})
		}
	}
}

// filesOf are the contents of the seeds beneath dir by their names, with the machine's name that CBOR notes as ours.
func filesOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, path := range files(t, dir) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = strings.Replace(string(undone(t, b)), "hostname\x62vm", "hostname\x69localhost", 1)
	}
	if len(all) == 0 {
		t.Fatalf("no files in %s", dir)
	}
	return all
}

func contents(t testing.TB, m *archivetest.Memory) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, b := range m.Files {
		all[name] = string(undone(t, b))
	}
	return all
}

func TestWrite_filesIsAsACHEWrites(t *testing.T) {
	m, drops := writeAll(t, ache.NewFiles, dump.WriteOptions{Stamp: writing}, pages(t))
	if diff := cmp.Diff(filesOf(t, filepath.Join(generated, "FILES")), contents(t, m)); diff != "" {
		t.Errorf("-ACHE +ours:\n%s", diff)
	}
	if len(drops) > 0 {
		t.Errorf("dropped %v", drops)
	}
}

var changing = regexp.MustCompile(`urn:uuid:[0-9a-f-]{36}|crawl_data-\d{17}|WARC-Date: 2026.*Z`)

func TestWrite_warcIsAsACHEWrites(t *testing.T) {
	m, drops := writeAll(t, ache.NewWARC, dump.WriteOptions{Stamp: writing}, pages(t))
	var ours, theirs string
	for name, b := range m.Files {
		ours = changing.ReplaceAllString(name+"\n"+string(undone(t, b)), "#")
	}
	for name, b := range filesOf(t, filepath.Join(generated, "WARC-gz")) {
		theirs = changing.ReplaceAllString(name+"\n"+b, "#")
	}
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Errorf("-ACHE +ours:\n%s", diff)
	}
	if want := map[string]int64{"crawl.crawler_id": 4}; !cmp.Equal(drops, want) {
		t.Errorf("dropped %v, want %v", drops, want)
	}
}

// TestWrite_filesRoll: a file is ended before the line that would make it larger, counted uncompressed.
func TestWrite_filesRoll(t *testing.T) {
	const limit = 1200
	m, _ := writeAll(t, ache.NewFiles, dump.WriteOptions{MaxFileBytes: limit}, pages(t))
	if want := []string{
		"crawl_data-0-0.deflate", "crawl_data-0-1.deflate",
		"crawl_data-0-2.deflate",
	}; !slices.Equal(m.Names, want) {
		t.Errorf("files %v, want %v, as ACHE's three of 778, 835 and 295 bytes", m.Names, want)
	}
	for name, b := range m.Files {
		if len(b) > limit {
			t.Errorf("%s has %d bytes", name, len(b))
		}
	}
	m, _ = writeAll(t, ache.NewWARC, dump.WriteOptions{MaxFileBytes: 1}, pages(t))
	if len(m.Names) != 4 || !strings.HasSuffix(m.Names[3], "-00003.warc.gz") {
		t.Errorf("WARC files %v, want one for each page", m.Names)
	}
}

func TestWrite_refused(t *testing.T) {
	long := "http://example.com/" + strings.Repeat("a", 300)
	for name, tt := range map[string]struct {
		c       schemas.Capture
		o       dump.WriteOptions
		refused bool
	}{
		"long name":        {c: schemas.Capture{URL: long}, refused: true},
		"long URL, hashed": {c: schemas.Capture{URL: long}, o: dump.WriteOptions{HashNames: true}},
		"no host":          {c: schemas.Capture{URL: "dns:example.com"}, refused: true},
		"a way out":        {c: schemas.Capture{URL: "http://../etc"}, refused: true},
		"a way out, hashed": {
			c: schemas.Capture{URL: "http://../etc"}, o: dump.WriteOptions{HashNames: true},
			refused: true,
		},
		"a hash for the URL": {c: schemas.Capture{Crawl: map[string]string{
			"host":        "a.example",
			"name_sha256": ache.HashName("http://a.example/"),
		}}, o: dump.WriteOptions{HashNames: true}},
		"nothing for the URL": {c: schemas.Capture{}, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			m := &archivetest.Memory{}
			err := ache.NewFilesystemHTML(m, tt.o).Write(&tt.c)
			if refused := errors.Is(err, dump.ErrRefused); refused != tt.refused || refused != (len(m.Files) == 0) ||
				!refused && err != nil {
				t.Errorf("error %v, files %v, want refused %v", err, m.Names, tt.refused)
			}
		})
	}
}

// TestWrite_warcHostile: no URL and no header field begins another field or record.
func TestWrite_warcHostile(t *testing.T) {
	c := &schemas.Capture{
		URL: "http://a.example/\r\nContent-Length: 0\r\n\r\n", RecordType: schemas.TypeResponse, Timestamp: writing,
		Header: []schemas.Field{{Name: "A\r\n\r\nB: c", Value: "d\r\nE: f\r\n\r\n<p>"}, {Name: "Server", Value: "x"}},
		Body:   []byte("<p>body</p>"),
		Crawl:  map[string]string{schemas.CrawlRelevant: "true\nX: y"},
	}
	m, _ := writeAll(t, ache.NewWARC, dump.WriteOptions{Compress: dump.Off}, []*schemas.Capture{c})
	dir := t.TempDir()
	path := filepath.Join(dir, "a.warc")
	if err := os.WriteFile(path, m.Files[m.Names[0]], 0o644); err != nil {
		t.Fatal(err)
	}
	list, _ := read(t, path)
	if len(list) != 1 || len(list[0].Header) != 2 || string(list[0].Body) != "<p>body</p>" {
		t.Errorf("read again: %+v", list)
	}
}
