package collection

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// revisitFile writes a WARC file of one record about a page, numbered by its id. A revisit refers to a record by its
// id.
func revisitFile(t *testing.T, path, kind, url string, n, refers int) {
	t.Helper()
	block, more := "", fmt.Sprintf("WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"+
		"WARC-Refers-To: <urn:x:%d>\r\n", refers)
	if kind == "response" {
		block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + revisitedPage
		more = ""
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := fmt.Fprintf(z, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-01-%02dT00:00:00Z\r\n"+
		"WARC-Record-ID: <urn:x:%d>\r\n%sContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n"+
		"\r\n%s\r\n\r\n",
		kind, url, n, n, more, len(block), block)
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

const (
	originalURL   = "http://taken.example/original"
	revisitedPage = "<html><head><title>Quokkaquince</title></head><body><p>The board met on Tuesday.</p></body></html>"
)

// TestTakedown_original: a takedown also removes what revisits repeat: the payload and the title, even from another
// served collection. Before it, the revisit has both, also after compact.
func TestTakedown_original(t *testing.T) {
	for _, test := range []struct{ name, format, archive string }{
		{"two files", "parquet", ""}, {"lines", "jsonl", ""}, {"a WACZ", "parquet", "wacz"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			dir, out, other := filepath.Join(root, "in"), filepath.Join(root, "out"), filepath.Join(root, "other")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			original, again := filepath.Join(dir, "a.warc.gz"), filepath.Join(dir, "b.warc.gz")
			revisitFile(t, original, "response", originalURL, 1, 0)
			revisitFile(t, again, "revisit", "http://again.example/", 2, 1)
			if test.archive != "" {
				must(t, "convert", "--to="+test.archive, "--output="+filepath.Join(root, "converted"), original)
				if err := os.Remove(original); err != nil {
					t.Fatal(err)
				}
				original = filepath.Join(root, "converted")
			}
			must(t, "ingest", "--output="+out, "--format="+test.format, again, original)
			must(t, "ingest", "--output="+other, "--format="+test.format, original)
			const memento = "/memento/20240102000000/http://again.example/"
			ask := func(dirs ...string) (int, string) { return get(t, startServe(t, strings.Join(dirs, ","))+memento) }
			title := func() string {
				return must(t, "query", "--collection="+out, "--host=again.example", "--format=csv", "--fields=title")
			}
			has := func(when string) {
				t.Helper()
				if code, text := ask(out); code != http.StatusOK || text != revisitedPage {
					t.Errorf("%s: %d %.200s", when, code, text)
				}
				if text := title(); !strings.Contains(text, "Quokkaquince") {
					t.Errorf("%s: the title is %q", when, text)
				}
			}
			has("ingested")
			must(t, "collection", "compact", "--collection="+out)
			has("compacted")
			must(t, "collection", "takedown", "--collection="+out, originalURL)
			if list := found(t, out, "Quokkaquince"); len(list) > 0 {
				t.Errorf("the title is in %v", list)
			}
			if text := title(); strings.Contains(text, "Quokkaquince") {
				t.Errorf("taken down: the title is %q", text)
			}
			for _, dirs := range [][]string{{out}, {out, other}, {other, out}} {
				if code, text := ask(dirs...); code != http.StatusNotFound || strings.Contains(text, "Quokkaquince") {
					t.Errorf("taken down, served %d: %d %.200s", len(dirs), code, text)
				}
			}
		})
	}
}

// TestRevisit_otherCollection: the original of a revisit may be in another served collection.
func TestRevisit_otherCollection(t *testing.T) {
	root := t.TempDir()
	revisitFile(t, filepath.Join(root, "a.warc.gz"), "response", originalURL, 1, 0)
	revisitFile(t, filepath.Join(root, "b.warc.gz"), "revisit", "http://again.example/", 2, 1)
	revisitFile(t, filepath.Join(root, "c.warc.gz"), "revisit", "http://third.example/", 3, 2)
	dirs := map[string]string{}
	for _, name := range []string{"a", "b", "c"} {
		dirs[name] = filepath.Join(root, name)
		must(t, "ingest", "--output="+dirs[name], filepath.Join(root, name+".warc.gz"))
	}
	for _, test := range []struct {
		served []string
		path   string
		want   int
	}{
		{[]string{"b", "a"}, "20240102000000/http://again.example/", http.StatusOK},
		{[]string{"a", "b"}, "20240102000000/http://again.example/", http.StatusOK},
		{[]string{"b"}, "20240102000000/http://again.example/", http.StatusNotFound},
		{[]string{"c", "b", "a"}, "20240103000000/http://third.example/", http.StatusOK},
		{[]string{"c", "a"}, "20240103000000/http://third.example/", http.StatusNotFound},
	} {
		var list []string
		for _, name := range test.served {
			list = append(list, dirs[name])
		}
		code, text := get(t, startServe(t, strings.Join(list, ","))+"/memento/"+test.path)
		if code != test.want || code == http.StatusOK && text != revisitedPage {
			t.Errorf("%v: %s: %d %.200s, want %d", test.served, test.path, code, text, test.want)
		}
	}
}
