package main

import (
	"crypto/md5"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// results are those of a folder, by the request's URL.
func results(t *testing.T, dir string) map[string]schemas.FilesetResult {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "fileset-results-*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]schemas.FilesetResult{}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := jsonl.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		for line, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			var one schemas.FilesetResult
			decode(t, line, &one)
			all[one.Request.BaseURL] = one
		}
	}
	return all
}

// TestLive_thenFromItsWARCs: a dataset is fetched, and what was fetched answers the same request without the web.
func TestLive_thenFromItsWARCs(t *testing.T) {
	var asked atomic.Int64
	body := strings.Repeat("a,b\n", 1000)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.URL.Path {
		case "/records/7":
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html><title>Seven</title></html>")
		case "/api/records/7":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"id": 7, "conceptrecid": "6", "metadata": {"title": "Seven", "access_right": "open"}, "files": [
				{"key": "a.csv", "size": %d, "checksum": "md5:%x", "links": {"self": "https://zenodo.org/api/records/7/files/a.csv/content"}}]}`,
				len(body), md5.Sum([]byte(body)))
		case "/api/records/7/files/a.csv/content":
			_, _ = io.WriteString(w, body)
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	dir := t.TempDir()
	requests := filepath.Join(dir, "requests.jsonl")
	const url = "https://zenodo.org/records/7"
	if err := os.WriteFile(requests, fmt.Appendf(nil, `{"ingest_type": "dataset", "base_url": %q}`+"\n", url), 0o644); err != nil {
		t.Fatal(err)
	}
	out, items := filepath.Join(dir, "out"), filepath.Join(dir, "items")
	live := []string{
		"--live", "--contact=https://example.org/bot", "--host=zenodo.org=" + s.URL, "--host_delay=0s", "--requests=" + requests,
		"--output=" + out,
	}
	finish(t, 2, slices.DeleteFunc(slices.Clone(live), func(a string) bool { return strings.HasPrefix(a, "--contact") })...)
	finish(t, 2, append(live, "--runner=prism")...)
	finish(t, 2, append(live, "--upload")...)
	finish(t, 0, live...)
	first := results(t, out)[url]
	if first.Status != "success-file" || first.Strategy != "web-file" || asked.Load() != 4 {
		t.Fatalf("%+v after %d requests", first, asked.Load())
	}
	again := filepath.Join(dir, "again")
	finish(t, 0, "--requests="+requests, "--archives="+filepath.Join(out, "warcs"), "--output="+again)
	second := results(t, again)[url]
	if second.Status != first.Status || second.Manifest[0].SHA256 != first.Manifest[0].SHA256 ||
		second.Terminal.DT != first.Terminal.DT || asked.Load() != 4 {
		t.Errorf("%+v\nand live\n%+v", second, first)
	}
	// As an item of archive.org, of files that are there: the API is asked again, the file is not.
	finish(t, 0, "--requests="+requests, "--archives="+filepath.Join(out, "warcs"), "--output="+filepath.Join(dir, "third"),
		"--strategy=archiveorg-file", "--items="+items)
	kept, err := os.ReadFile(filepath.Join(items, "zenodo.org-7", "a.csv"))
	if err != nil || string(kept) != body {
		t.Errorf("%d bytes in the item, %v", len(kept), err)
	}
}

func decode(t *testing.T, line []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(line, to); err != nil {
		t.Fatal(err)
	}
}
