package care

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestDisjoint: an archive is known again by its real path, its bytes or its stamp, however it was named or divided.
func TestDisjoint(t *testing.T) {
	data := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(data, "shelf"), 0o755),
		os.Symlink("shelf", filepath.Join(data, "link"))); err != nil {
		t.Fatal(err)
	}
	row := func(dir, file string, start, end int64, print, stamp string) ledger.Row {
		var r ledger.Row
		r.Dir, r.Stamps = dir, map[string]string{file: stamp}
		r.Inputs = []schemas.Range{{File: file, Start: start, End: end, Fingerprint: print, Format: "warc+gzip"}}
		return r
	}
	shelf := filepath.Join(data, "shelf", "a.warc.gz")
	for _, tt := range []struct {
		name    string
		a, b    ledger.Row
		refused bool
	}{
		{
			"relative and absolute, divided otherwise",
			row(data, "shelf/a.warc.gz", 0, 25, "sha256:1", "9-1"), row("/elsewhere", shelf, 0, 99, "sha256:2", "9-2"),
			true,
		},
		{
			"from two folders", row(data, "shelf/a.warc.gz", 0, 25, "", ""),
			row(data+"/shelf", "a.warc.gz", 20, 30, "", ""), true,
		},
		{"by a link", row(data, "link/a.warc.gz", 0, 25, "", ""), row("", shelf, 0, 99, "", ""), true},
		{
			"other ranges", row(data, "shelf/a.warc.gz", 0, 25, "sha256:1", "9-1"),
			row("", shelf, 25, 99, "sha256:2", "9-1"), false,
		},
		{
			"one relative name in two folders",
			row("/crawl1", "warcs/0.warc.gz", 0, 25, "sha256:1", "25-1"),
			row("/crawl2", "warcs/0.warc.gz", 0, 30, "sha256:2", "30-2"),
			false,
		},
		{
			"moved, divided otherwise",
			row("/crawl1", "warcs/0.warc.gz", 0, 25, "sha256:1", "99-7"),
			row("/b", "0.warc.gz", 0, 99, "sha256:2", "99-7"),
			true,
		},
		{
			"of the same time and size, with other bytes",
			row("/crawl1", "warcs/0.warc.gz", 0, 99, "sha256:1", "99-7"),
			row("/b", "0.warc.gz", 0, 99, "sha256:2", "99-7"),
			false,
		},
		{
			"of the same time and size, with another name",
			row("/b", "1.warc.gz", 0, 25, "sha256:1", "99-7"), row("/b", "0.warc.gz", 0, 99, "sha256:2", "99-7"),
			false,
		},
		{"of an earlier version", row("", "0.warc.gz", 0, 25, "", ""), row("", "0.warc.gz", 0, 99, "", ""), true},
		{
			"of a bucket", row("/a", "s3://a/0.warc.gz", 0, 25, "version:1", "1"),
			row("/b", "s3://a/0.warc.gz", 0, 99, "version:2", "2"),
			true,
		},
		{
			"of two buckets", row("/a", "s3://a/0.warc.gz", 0, 25, "version:1", "1"),
			row("/a", "s3://b/0.warc.gz", 0, 25, "version:1", "1"),
			false,
		},
	} {
		for _, rows := range [][2]ledger.Row{{tt.a, tt.b}, {tt.b, tt.a}} {
			err := disjoint(map[string]ledger.Row{"1": rows[0]}, map[string]ledger.Row{"2": rows[1]}, false)
			if errors.Is(err, ErrOverlap) != tt.refused || err != nil && !tt.refused {
				t.Errorf("%s: %v, want it refused: %t", tt.name, err, tt.refused)
			}
		}
	}
}
