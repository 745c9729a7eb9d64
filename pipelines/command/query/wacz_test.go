package query

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestWACZ_parts: a WACZ of one page has the parts for its replay, each record once. An archive of all captures has each
// record once, too.
func TestWACZ_parts(t *testing.T) {
	out := collect(t, archives(t))
	for _, c := range []struct {
		name string
		args []string
		want []string
		n    int // records; 0 if not known
	}{
		{
			"page",
			[]string{`--where=url = "https://www.harbour-gazette.example/"`},
			[]string{"example,harbour-gazette)/ ", "/assets/gazette.css ", "/assets/logo.svg "},
			0,
		},
		{"all", []string{"--all_versions"}, nil, -1},
		{"no page", []string{"--where=mime:css"}, []string{"/assets/gazette.css "}, 0},
	} {
		file := filepath.Join(t.TempDir(), "answer.wacz")
		code, _, stderr := command(t, append(c.args, "--collection="+out, "--format=wacz", "--output="+file)...)
		if code != cli.ExitDone {
			t.Fatalf("%s: exit code %d: %s", c.name, code, stderr)
		}
		_, count, _ := command(t, "--collection="+out, "--all_versions", "--format=count")
		lines := indexOf(t, file)
		for _, want := range c.want {
			if !strings.Contains(lines, want) {
				t.Errorf("%s: the index lacks %q: %s", c.name, want, lines)
			}
		}
		seen := map[string]bool{}
		for line := range strings.Lines(lines) {
			_, place, _ := strings.Cut(line, `"offset"`)
			if seen[place] {
				t.Errorf("%s: twice: %s", c.name, line)
			}
			seen[place] = true
		}
		if all := strings.TrimSpace(count); c.n < 0 && all != cli.FormatCount(int64(len(seen))) {
			t.Errorf("%s: %d records of %s", c.name, len(seen), all)
		}
	}
}

// indexOf returns the index of a WACZ file.
func indexOf(t *testing.T, file string) string {
	t.Helper()
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }() // it is only read
	f, err := z.Open("indexes/index.cdx")
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestWACZ_partsOfMissingArchives: parts in an archive that is gone, changed or damaged are counted, and the rest is
// written.
func TestWACZ_partsOfMissingArchives(t *testing.T) {
	for name, change := range map[string]func(file string, data []byte) error{
		"gone": func(file string, _ []byte) error { return os.Remove(file) },
		"moved": func(file string, data []byte) error {
			return os.WriteFile(file, append([]byte("WARC"), data...), 0o600)
		},
		"cut":     func(file string, data []byte) error { return os.WriteFile(file, data[:len(data)-10], 0o600) },
		"emptied": func(file string, data []byte) error { return os.WriteFile(file, data[:20], 0o600) },
		"another": func(file string, data []byte) error {
			return os.WriteFile(file, bytes.ReplaceAll(data, []byte("/2.png"), []byte("/3.png")), 0o600)
		},
	} {
		dir, out := pageAndParts(t)
		file := filepath.Join(dir, "b.warc")
		data, err := os.ReadFile(file)
		if err == nil {
			err = change(file, data)
		}
		if err != nil {
			t.Fatal(err)
		}
		code, _, stderr := command(t, "--where=mime:html", "--collection="+out, "--format=wacz",
			"--output="+filepath.Join(t.TempDir(), "x.wacz"))
		if code != cli.ExitLosses || !strings.Contains(stderr, "b.warc") || strings.Contains(stderr, "internal error") {
			t.Errorf("%s: exit code %d\n%s", name, code, stderr)
		}
	}
}

// pageAndParts returns a folder with a.warc, a page, and b.warc, its images, and a collection of both.
func pageAndParts(t *testing.T) (dir, out string) {
	t.Helper()
	dir = t.TempDir()
	for name, records := range map[string][][3]string{
		"a.warc": {{"http://a.example/", "text/html", "<p>A page with two images<img src=/1.png><img src=/2.png>"}},
		"b.warc": {
			{"http://a.example/1.png", "image/png", "\x89PNG\r\n\x1a\n1"},
			{"http://a.example/2.png", "image/png", "\x89PNG\r\n\x1a\n2"},
		},
	} {
		var b strings.Builder
		for i, r := range records {
			head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", r[1], len(r[2]), r[2])
			fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"+
				"WARC-Record-ID: <urn:uuid:%s-%d>\r\nContent-Type: application/http;msgtype=response\r\n"+
				"Content-Length: %d\r\n\r\n%s\r\n\r\n", r[0], name, i, len(head), head)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, collect(t, dir)
}
