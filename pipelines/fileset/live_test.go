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
	"time"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// results returns the results in a folder by the request's URL.
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

// TestLive_thenFromItsWARCs: a dataset is fetched, and its WARC files then answer the same request offline.
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
	if err := os.WriteFile(requests, fmt.Appendf(nil, `{"ingest_type": "dataset", "base_url": %q}`+"\n", url),
		0o644); err != nil {
		t.Fatal(err)
	}
	out, items := filepath.Join(dir, "out"), filepath.Join(dir, "items")
	live := []string{
		"--live", "--contact=https://example.org/bot", "--host=zenodo.org=" + s.URL, "--host_delay=0s", "--requests=" +
			requests,
		"--output=" + out,
	}
	finish(t, 2, slices.DeleteFunc(slices.Clone(live),
		func(a string) bool { return strings.HasPrefix(a, "--contact") })...)
	finish(t, 2, append(live, "--runner=prism")...)
	finish(t, 2, append(live, "--upload")...)
	finish(t, 0, live...)
	first := results(t, out)[url]
	if first.Status != "success-file" || first.Strategy != "web-file" || asked.Load() != 4 {
		t.Fatalf("%+v after %d requests", first, asked.Load())
	}
	readByIngest(t, filepath.Join(out, "warcs"), 4)
	again := filepath.Join(dir, "again")
	finish(t, 0, "--requests="+requests, "--archives="+filepath.Join(out, "warcs"), "--output="+again)
	second := results(t, again)[url]
	if second.Status != first.Status || second.Manifest[0].SHA256 != first.Manifest[0].SHA256 ||
		second.Terminal.DT != first.Terminal.DT || asked.Load() != 4 {
		t.Errorf("%+v\nand live\n%+v", second, first)
	}
	// For an item of archive.org with existing files, the API is asked again, but not for the file.
	finish(t, 0, "--requests="+requests, "--archives="+filepath.Join(out, "warcs"), "--output="+
		filepath.Join(dir, "third"),
		"--strategy=archiveorg-file", "--items="+items)
	finish(t, 0, "--requests="+requests, "--archives="+filepath.Join(out, "warcs"), "--output="+again,
		"--format=frictionless")
	line, err := os.ReadFile(filepath.Join(again, "frictionless.jsonl"))
	if err != nil || !strings.Contains(string(line), `"path":"a.csv"`) || strings.Count(string(line), "\n") != 1 {
		t.Errorf("%s, %v", line, err)
	}
	finish(t, 2, "--requests="+requests, "--format=xml")
	kept, err := os.ReadFile(filepath.Join(items, "zenodo.org-7", "a.csv"))
	if err != nil || string(kept) != body {
		t.Errorf("%d bytes in the item, %v", len(kept), err)
	}
}

// readByIngest checks that ingest reads the WARC files of a folder: at least so many captures, without damage.
func readByIngest(t *testing.T, warcs string, captures int64) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "collection")
	code, said := commandtest.Combined(t, commandtest.Command(t.Context(), "ingest", "--output="+out, warcs))
	if code != 0 { // losses have another
		t.Fatalf("ingest: exit code %d\n%s", code, said)
	}
	text, err := os.ReadFile(filepath.Join(out, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m schemas.Manifest
	decode(t, text, &m)
	if n := m.Totals; n.Captures < captures || n.Rejects > 0 || len(n.ByQuirk) > 0 {
		t.Errorf("ingest read %+v, want %d captures", n, captures)
	}
}

// TestLive_killed: a run that is killed while it fetches is continued, and its WARC files are whole.
func TestLive_killed(t *testing.T) {
	const n = 12
	body := strings.Repeat("a,b\n", 1000)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		id := strings.FieldsFunc(r.URL.Path, func(r rune) bool { return r < '0' || r > '9' })
		switch {
		case len(id) == 0:
			http.NotFound(w, r)
		case strings.HasPrefix(r.URL.Path, "/records/"):
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html><title>T</title></html>")
		case strings.HasSuffix(r.URL.Path, "/content"):
			_, _ = io.WriteString(w, body)
		default:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"id": %s, "conceptrecid": "c", "metadata": {"title": "T", "access_right": "open"}, "files": [
				{"key": "a.csv", "size": %d, "checksum": "md5:%x", "links": {"self": "https://zenodo.org/api/records/%[1]s/files/a.csv/content"}}]}`,
				id[0], len(body), md5.Sum([]byte(body)))
		}
	}))
	defer s.Close()
	dir := t.TempDir()
	requests, out := filepath.Join(dir, "requests.jsonl"), filepath.Join(dir, "out")
	var lines []byte
	for i := range n {
		lines = fmt.Appendf(lines, `{"ingest_type": "dataset", "base_url": "https://zenodo.org/records/%d"}`+"\n", i+1)
	}
	if err := os.WriteFile(requests, lines, 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--live", "--contact=x@example.org", "--host=zenodo.org=" + s.URL, "--host_delay=5ms", "--requests=" + requests,
		"--output=" + out,
		"--unit_requests=3",
	}
	for i := range 4 {
		cmd, _ := start(t, args...)
		time.Sleep(time.Duration(i+1) * 150 * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	finish(t, 0, args...)
	// The state of a run that was killed after all requests, before its last file was closed.
	warcs := filepath.Join(out, "warcs")
	closed, err := filepath.Glob(filepath.Join(warcs, "*.warc.gz"))
	if err != nil || len(closed) == 0 {
		t.Fatalf("%s has no WARC files: %v", warcs, err)
	}
	last := closed[len(closed)-1]
	if err := os.Rename(last, last+".open"); err != nil {
		t.Fatal(err)
	}
	finish(t, 0, args...)
	if left, _ := filepath.Glob(filepath.Join(warcs, "*.open")); len(left) > 0 {
		t.Errorf("left open: %q", left)
	}
	again := filepath.Join(dir, "again")
	finish(t, 0, "--requests="+requests, "--archives="+warcs, "--output="+again)
	// There may be more, because a killed run fetches uncommitted requests again.
	readByIngest(t, warcs, 3*n)
	live, kept := results(t, out), results(t, again)
	for url, r := range kept {
		if r.Status != "success-file" || live[url].Status != r.Status {
			t.Errorf("%s: %s from the WARC files, %s live", url, r.Status, live[url].Status)
		}
	}
	if len(kept) != n || len(live) != n {
		t.Errorf("%d and %d results, want %d", len(live), len(kept), n)
	}
}

func decode(t *testing.T, line []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(line, to); err != nil {
		t.Fatal(err)
	}
}
