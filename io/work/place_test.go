package work

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
)

// TestPlaces: names of files are found below the folder of the archives in all the ways that indexes write them, and
// nothing is found elsewhere.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	const site = "https://ada:pass@Example.org/crawls"
	tests := []struct{ name, base, file, want string }{
		{"relative", dir, "a.warc.gz", "a.warc.gz"},
		{"a dot", dir, "./a.warc.gz", "a.warc.gz"},
		{"dots and slashes", dir, ".//./b//a.warc.gz", "b/a.warc.gz"},
		{"up and down within", dir, "b/../a.warc.gz", "a.warc.gz"},
		{"absolute", dir, dir + "/b/a.warc.gz", "b/a.warc.gz"},
		{"absolute, with dots", dir, dir + "/c/../b/./a.warc.gz", "b/a.warc.gz"},
		{"the folder's other name", link, real + "/a.warc.gz", "a.warc.gz"},
		{"a URL", dir, "file://" + dir + "/a%20b.warc.gz", "a b.warc.gz"},
		{"with a host", dir, "FILE://localhost" + dir + "/a.warc.gz", "a.warc.gz"},
		{"with one slash", dir, "file:" + dir + "/a.warc.gz", "a.warc.gz"},
		{"on the web", site, "https://example.org/crawls/b/a.warc.gz", "b/a.warc.gz"},
		{"in a bucket", "s3://Bucket/crawls/", "s3://bucket/crawls/a.warc.gz", "a.warc.gz"},
		{"relative on the web", site, "./a.warc.gz", "a.warc.gz"},

		{"the folder itself", dir, dir, ""},
		{"out of it", dir, "../a.warc.gz", ""},
		{"into it again", dir, "../" + filepath.Base(dir) + "/a.warc.gz", ""},
		{"up by a name within", dir, "b/../../a.warc.gz", ""},
		{"absolute, elsewhere", dir, "/etc/passwd", ""},
		{"absolute, out of it", dir, dir + "/../a.warc.gz", ""},
		{"beside it", dir, dir + "2/a.warc.gz", ""},
		{"a URL elsewhere", dir, "file:///etc/passwd", ""},
		{"a URL out of it", dir, "file://" + dir + "/%2e%2e/a.warc.gz", ""},
		{"of another machine", dir, "file://host" + dir + "/a.warc.gz", ""},
		{"the web", dir, "http://example.org/a.warc.gz", ""},
		{"another host", site, "https://example.com/crawls/a.warc.gz", ""},
		{"another scheme", site, "http://example.org/crawls/a.warc.gz", ""},
		{"out of it on the web", site, "https://example.org/crawls/../a.warc.gz", ""},
		{"escaped on the web", site, "%2e%2e/a.warc.gz", ""},
		{"a file for the web", site, "file:///crawls/a.warc.gz", ""},
		{"absolute for the web", site, "/crawls/a.warc.gz", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := newPlaces(tt.base, "index.cdx").of(cdx.Line{Filename: tt.file})
			if tt.want == "" {
				if err == nil {
					t.Errorf("%s is %s", tt.file, got)
				}
				return
			}
			if err != nil || tt.base == dir && got != filepath.Join(dir, tt.want) {
				t.Errorf("%s is %s, want %s; %v", tt.file, got, tt.want, err)
			}
			// A fragment names the hidden part of a URL.
			if !strings.HasSuffix(strings.SplitN(got, "#", 2)[0], "/"+tt.want) {
				t.Errorf("%s is %s", tt.file, got)
			}
		})
	}
}
