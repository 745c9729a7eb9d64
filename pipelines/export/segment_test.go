package export

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestCapture_segment: the first segment of a record is not returned for the whole.
func TestCapture_segment(t *testing.T) {
	const (
		response = "WARC-Type: response\r\nWARC-Target-URI: http://a/\r\nContent-Type: application/http\r\n"
		resource = "WARC-Type: resource\r\nWARC-Target-URI: http://a/\r\nContent-Type: text/plain\r\n"
		first    = "WARC-Segment-Number: 1\r\n"
		page     = "HTTP/1.1 200 OK\r\n\r\n<p>x"
	)
	other := recordWith(strings.Replace(resource, "//a/", "//b/", 1), "other")
	for _, tt := range []struct {
		name     string
		data     []byte
		sequence int
		whole    bool
	}{
		{"plain", []byte(recordWith(response+first, page)), 0, false},
		{"gzip", packed(t, recordWith(response+first, page)), 0, false},
		{"a resource", packed(t, recordWith(resource+first, "part")), 0, false},
		{"the second of a member", packed(t, other+recordWith(response+first, page)), 1, false},
		{"whole", packed(t, recordWith(response, page)), 0, true},
		{"whole, plain", []byte(recordWith(resource, "all")), 0, true},
		{"whole, the second of a member", packed(t, other+recordWith(response, page)), 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.warc"), tt.data, 0o600); err != nil {
				t.Fatal(err)
			}
			d := &schemas.Document{
				URL: "http://a/", SURT: "a)/", RecordType: schemas.TypeResponse, RecordID: "urn:x:1", Filename: "a.warc",
				Sequence: tt.sequence,
			}
			f := folder.Open(t.Context(), t.TempDir(), nil)
			collectiontest.Fill(t, f, schemas.Range{File: "a.warc", End: 1, Format: "warc"}, holdings.FormatJSONL,
				[]*schemas.Document{d})
			db, err := contentdb.Open(t.Context(), f, contentdb.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }() // it is only read
			c, err := Exporter{DB: db, Store: blob.New(blob.Options{}), Archives: []string{dir}}.Capture(t.Context(), d)
			if (c != nil && err == nil) != tt.whole || !tt.whole && !errors.Is(err, errSegment) {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
}
