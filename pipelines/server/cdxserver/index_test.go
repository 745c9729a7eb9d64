package cdxserver

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/cdx/zipnum"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
)

// inCluster asks the cluster of the server of tests in place of its collection.
const inCluster = "&collection=index"

// clusterOf returns a cluster of the captures.
func clusterOf(t *testing.T, list []*schemas.Document) *Cluster {
	t.Helper()
	var texts []string
	for _, d := range list {
		texts = append(texts, strings.TrimSuffix(string(entryOf(d, "/data/crawl/").text), "\n"))
	}
	dir := t.TempDir()
	writeCluster(t, dir, texts...)
	c, err := OpenCluster(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// writeCluster writes a cluster with blocks of three lines into a folder.
func writeCluster(t *testing.T, dir string, texts ...string) {
	t.Helper()
	slices.Sort(texts)
	var data, idx bytes.Buffer
	w := zipnum.NewWriter(&data, &idx, zipnum.WriterOptions{Lines: 3})
	for _, l := range texts {
		if _, err := w.Add([]byte(l)); err != nil {
			t.Fatal(err)
		}
	}
	// The part first: a reader may look between the two.
	err := errors.Join(w.Close(), os.WriteFile(filepath.Join(dir, "cdx.gz"), data.Bytes(), 0o644),
		os.WriteFile(filepath.Join(dir, zipnum.IndexFile), idx.Bytes(), 0o644))
	if err != nil {
		t.Fatal(err)
	}
}

// TestCluster_renewed: a cluster that is written again is opened again, and a broken one leaves the earlier state.
func TestCluster_renewed(t *testing.T) {
	dir := t.TempDir()
	const first = `org,a)/ 20200101000000 {"url": "http://a.org/"}`
	const second = `org,b)/ 20200101000000 {"url": "http://b.org/"}`
	writeCluster(t, dir, first)
	c, err := OpenCluster(dir)
	if err != nil {
		t.Fatal(err)
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serveCluster(w, r.WithContext(view.WithActor(r.Context(), view.Actor{Role: view.Viewer})), c)
	})
	later := func() { c.asked = c.asked.Add(-2 * checkEvery) }
	if _, got := ask(h, "/cdx?url=*.org&fl=url"); got != "http://a.org/\n" {
		t.Errorf("first: %q", got)
	}
	writeCluster(t, dir, first, second)
	later()
	if _, got := ask(h, "/cdx?url=*.org&fl=url"); got != "http://a.org/\nhttp://b.org/\n" {
		t.Errorf("second: %q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, zipnum.IndexFile), []byte("broken"), 0o644); err != nil {
		t.Fatal(err)
	}
	later()
	if _, got := ask(h, "/cdx?url=b.org&fl=url"); got != "http://b.org/\n" {
		t.Errorf("broken: %q", got)
	}
}

// TestCluster_otherPrograms: lines of other programs keep their fields, and lines of columns become CDXJ.
func TestCluster_otherPrograms(t *testing.T) {
	dir := t.TempDir()
	crawl := `org,a)/ 20200101000000 {"url": "http://a.org/", "status": "200", "languages": "eng", "charset": "UTF-8"}`
	columns := "org,b)/ 20200101000000 http://b.org/ text/html 200 " + strings.Repeat("A", 32) + " - - 99 7 b.warc.gz"
	writeCluster(t, dir, crawl, columns)
	c, err := OpenCluster(dir)
	if err != nil {
		t.Fatal(err)
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serveCluster(w, r.WithContext(view.WithActor(r.Context(), view.Actor{Role: view.Viewer})), c)
	})
	for query, want := range map[string]string{
		"url=a.org":                        crawl + "\n",
		"url=b.org&fl=url,status,filename": "http://b.org/ 200 b.warc.gz\n",
	} {
		if code, got := ask(h, "/cdx?"+query); code != 200 || got != want {
			t.Errorf("%s: %d, %q, want %q", query, code, got, want)
		}
	}
	w := httptest.NewRecorder()
	serveCluster(w, httptest.NewRequest(http.MethodGet, "/cdx?url=a.org", nil), c)
	if w.Code == 200 {
		t.Errorf("a stranger gets %d", w.Code)
	}
}

func TestOpenCluster_missing(t *testing.T) {
	if _, err := OpenCluster(t.TempDir()); !errors.Is(err, zipnum.ErrFormat) {
		t.Errorf("%v", err)
	}
}
