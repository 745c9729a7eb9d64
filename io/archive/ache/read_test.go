package ache_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

// generated are the files that ACHE's own classes wrote of four pages, in each of its formats.
const generated = "../../../testdata/seeds/ache"

// files returns the files beneath dir, sorted.
func files(t testing.TB, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// read returns the captures of a file in the given format.
func read(t testing.TB, path string) (list []*schemas.Capture, format string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	told, err := archive.Detect(path, f, info.Size())
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	in := archive.Input{Name: path, Size: info.Size(), End: info.Size()}
	r, err := archive.NewReader(f, in, told, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for item, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		if item.Reject != nil {
			t.Errorf("rejected: %+v", item.Reject)
			continue
		}
		c := item.Capture
		list = append(list, c)
	}
	return list, told.String()
}

// normal is a capture without the differences between formats: its position, its ID, and fractions of a second.
func normal(c *schemas.Capture) schemas.Capture {
	n := *c
	n.Origin, n.RecordID, n.Timestamp = schemas.Origin{}, "", n.Timestamp.Truncate(time.Second)
	return n
}

// TestRead_generated: every file that ACHE wrote is read to the pages that it holds, equal except for what the format
// lacks.
func TestRead_generated(t *testing.T) {
	dir := generated
	truth := map[string]schemas.Capture{} // by requested URL
	list, format := read(t, filepath.Join(dir, "KAFKA-JSON.jsonl"))
	for _, c := range list {
		truth[c.RequestedURL()] = normal(c)
	}
	if len(truth) != 4 || format != "ache-json" {
		t.Fatalf("%d pages in %s, want 4", len(truth), format)
	}
	tests := []struct {
		folder, format string
		lacks          func(*schemas.Capture)
	}{
		{"FILES", "ache-json", nil},
		{"WARC-gz", "warc+gzip", warcLacks},
		{"FILESYSTEM_JSON", "ache-json", nil},
		{"FILESYSTEM_JSON-hash", "ache-json", nil},
		{"FILESYSTEM_JSON-hash-deflate", "ache-json", nil},
		{"ELASTIC.jsonl", "ache-elastic", elasticLacks},
		{"FILESYSTEM_CBOR", "ache-cbor", cborLacks},
		{"FILESYSTEM_CBOR-hash", "ache-cbor", cborLacks},
		{"FILESYSTEM_CBOR-deflate", "ache-cbor", cborLacks},
		{"FILESYSTEM_HTML", "ache-html", htmlLacks},
		{"FILESYSTEM_HTML-deflate", "ache-html", htmlLacks},
		{"FILESYSTEM_HTML-hash", "ache-html", hashLacks},
		{"FILESYSTEM_HTML-hash-deflate", "ache-html", hashLacks},
	}
	for _, tt := range tests {
		t.Run(tt.folder, func(t *testing.T) {
			var got, want []schemas.Capture
			for _, path := range files(t, filepath.Join(dir, tt.folder)) {
				list, format := read(t, path)
				if format != tt.format {
					t.Errorf("%s is told to be %s, want %s", path, format, tt.format)
				}
				for _, c := range list {
					got = append(got, normal(c))
				}
			}
			for _, c := range truth {
				if tt.lacks != nil {
					c.Crawl = maps.Clone(c.Crawl)
					tt.lacks(&c)
				}
				want = append(want, c)
			}
			for _, list := range [][]schemas.Capture{got, want} {
				slices.SortFunc(list, func(a, b schemas.Capture) int { return strings.Compare(key(a), key(b)) })
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-KAFKA +%s:\n%s", tt.folder, diff)
			}
		})
	}
}

func key(c schemas.Capture) string { return c.RequestedURL() + c.Crawl[schemas.CrawlNameSHA256] }

// warcLacks takes the crawler's name.
func warcLacks(c *schemas.Capture) { delete(c.Crawl, schemas.CrawlCrawler) }

// elasticLacks takes where the redirect led, and bodies that are not text.
func elasticLacks(c *schemas.Capture) {
	c.URL = c.RequestedURL()
	delete(c.Crawl, schemas.CrawlRequested)
	c.MIMEDeclared = c.Get("Content-Type")
	c.Body = []byte(strings.ToValidUTF8(string(c.Body), "\uFFFD"))
	c.Digest = digest.SHA1(c.Body)
	if c.MIMEDeclared == "image/png" {
		c.Body, c.Digest, c.Truncated = nil, "", "unspecified"
	}
}

// htmlLacks takes from a capture all but the requested URL and the body.
func htmlLacks(c *schemas.Capture) {
	c.URL = c.RequestedURL()
	c.Crawl, c.Header, c.MIMEDeclared, c.Timestamp, c.Flags = nil, nil, "", time.Time{},
		[]schemas.Flag{schemas.FlagTimestamp}
}

// hashLacks takes the URL, too.
func hashLacks(c *schemas.Capture) {
	htmlLacks(c)
	_, rest, _ := strings.Cut(c.URL, "://")
	host := strings.FieldsFunc(rest, func(r rune) bool { return r == '/' || r == ':' })[0]
	c.Crawl = map[string]string{schemas.CrawlHost: host, schemas.CrawlNameSHA256: ache.HashName(c.URL)}
	c.URL = ""
}

// cborLacks leaves the requested URL and the body as the text that ACHE made of it; the time is that of writing.
func cborLacks(c *schemas.Capture) {
	htmlLacks(c)
	c.Timestamp, c.Flags = time.Unix(1795196922, 0).UTC(), nil
	c.Body = []byte(strings.ToValidUTF8(string(c.Body), "\uFFFD"))
	c.Digest = digest.SHA1(c.Body)
}

// BenchmarkFiles reads a file of FILES, by the size of its bodies.
func BenchmarkFiles(b *testing.B) {
	m := &archivetest.Memory{}
	w := ache.NewFiles(m, dump.WriteOptions{})
	var bodies int64
	for i := range 200 {
		for _, c := range archivetest.Samples() {
			c.Body = append(c.Body, fmt.Sprint(i)...)
			bodies += int64(len(c.Body))
			if err := w.Write(c); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	data := m.Files[m.Names[0]]
	size := int64(len(data))
	b.SetBytes(bodies)
	b.ReportAllocs()
	for b.Loop() {
		r, err := dump.NewLineReader(bytes.NewReader(data), dump.Input{Name: "f", Size: size, End: size}, ache.JSON{},
			dump.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for {
			if _, err := r.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}
