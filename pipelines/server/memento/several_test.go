package memento_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
)

// crawl returns captures of the years, with bodies that name the crawl.
func crawl(name, url string, years ...int) (list []capture) {
	for _, y := range years {
		list = append(list, capture{url: url, date: fmt.Sprintf("%d-01-01T00:00:00Z", y), body: fmt.Sprint(name, y)})
	}
	return list
}

// TestSeveral: the captures of a URL are those of all collections.
func TestSeveral(t *testing.T) {
	const url = "http://example.org/a"
	shared := crawl("shared", url, 2011, 2013)
	of := func(name string, years ...int) []capture { return crawl(name, url, years...) }
	for _, tt := range []struct {
		name  string
		lists [][]capture
		want  string // bodies by time
	}{
		{"one after another", [][]capture{of("A", 2011, 2012), of("B", 2014)}, "A2011 A2012 B2014"},
		{"the later ones first", [][]capture{of("A", 2014), of("B", 2011, 2012)}, "B2011 B2012 A2014"},
		{"in turn", [][]capture{of("A", 2011, 2015), of("B", 2013, 2017)}, "A2011 B2013 A2015 B2017"},
		{"three", [][]capture{of("A", 2012), of("B", 2011), of("C", 2013)}, "B2011 A2012 C2013"},
		{"not in the first", [][]capture{crawl("A", url+"/b", 2012), of("B", 2011)}, "B2011"},
		{"one archive in both", [][]capture{shared, shared}, "shared2011 shared2013"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := shelveAll(t, view.Options{}, tt.lists...)
			_, list := ask(t, h, http.MethodGet, memento.TimeMap+url, "")
			var got []string
			for line := range strings.SplitSeq(list, ",\n") {
				to, rel, _ := strings.Cut(strings.TrimPrefix(line, "<http://server.example"), ">")
				if strings.Contains(rel, "memento\"") {
					_, body := ask(t, h, http.MethodGet, to, "")
					got = append(got, body)
					digits := strings.Split(to, "/")[2]
					at, err := time.Parse("20060102150405", digits)
					if err != nil {
						t.Fatal(err)
					}
					// The gate leads to each from a month later.
					r, _ := ask(t, h, http.MethodGet, memento.TimeGate+url, at.AddDate(0, 1, 0).Format(http.TimeFormat))
					if to := r.Header.Get("Location"); !strings.Contains(to, digits) {
						t.Errorf("the gate leads from %s to %s", digits, to)
					}
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("the TimeMap lists %v, want %s", got, tt.want)
			}
			r, _ := ask(t, h, http.MethodGet, memento.TimeGate+url, "")
			if year := tt.want[len(tt.want)-4:]; !strings.Contains(r.Header.Get("Location"), "/"+year) {
				t.Errorf("the newest is %s, want that of %s", r.Header.Get("Location"), year)
			}
		})
	}
}

// TestSeveral_equal: of captures of one second, that of the first collection is sent.
func TestSeveral_equal(t *testing.T) {
	const url = "http://example.org/a"
	h := shelveAll(t, view.Options{}, crawl("A", url, 2012), crawl("B", url, 2012))
	if _, body := ask(t, h, http.MethodGet, memento.Memento+"20120101000000/"+url, ""); body != "A2012" {
		t.Errorf("the memento is %q, want that of the first collection", body)
	}
}

// TestEqual: of captures that are equally near, all doors choose the later one, and links name each address once.
func TestEqual(t *testing.T) {
	const url, second = "http://example.org/a", "2012-01-01T00:00:00Z"
	at := func(date, body string) capture { return capture{url: url, date: date, body: body} }
	gone := capture{url: url, date: second, body: "gone", status: http.StatusNotFound}
	for _, tt := range []struct {
		name  string
		lists [][]capture
		want  string
	}{
		{"twins", [][]capture{{at(second, "A"), at(second, "B")}}, "B"},
		{"three", [][]capture{{at(second, "A"), at(second, "B"), at(second, "C")}}, "C"},
		{"fractions", [][]capture{{at("2012-01-01T00:00:00.1Z", "A"), at("2012-01-01T00:00:00.9Z", "B")}}, "B"},
		{"fractions, turned", [][]capture{{at("2012-01-01T00:00:00.9Z", "B"), at("2012-01-01T00:00:00.1Z", "A")}}, "B"},
		{"an answer before an error", [][]capture{{at(second, "A"), gone}}, "A"},
		{"around", [][]capture{{at("2011-12-31T00:00:00Z", "A"), at("2012-01-02T00:00:00Z", "B")}}, "B"},
		{"around, apart", [][]capture{{at("2011-12-31T00:00:00Z", "A")}, {at("2012-01-02T00:00:00Z", "B")}}, "B"},
		{"the first collection", [][]capture{{at(second, "A"), at(second, "B")}, {at(second, "C")}}, "B"},
		{"others beside them", [][]capture{{
			at("2011-01-01T00:00:00Z", "0"), at(second, "A"), at(second, "B"), at("2013-01-01T00:00:00Z", "3"),
		}}, "B"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, _ := shelveIn(t, view.Options{}, tt.lists...)
			moment, err := time.Parse(time.RFC3339, second)
			if err != nil {
				t.Fatal(err)
			}
			r, err := h.Near(viewer(t), url, moment, func(*schemas.Capture) bool { return true })
			if err != nil || string(r.Capture.Body) != tt.want {
				t.Errorf("the nearest is %+v, %v", r, err)
			}
			gate, _ := ask(t, h, http.MethodGet, memento.TimeGate+url, moment.Format(http.TimeFormat))
			to := strings.TrimPrefix(gate.Header.Get("Location"), "http://server.example")
			if _, body := ask(t, h, http.MethodGet, to, ""); body != tt.want {
				t.Errorf("the memento of the gate is %q, want %q", body, tt.want)
			}
			links := strings.Split(gate.Header.Get("Link"), ", <")
			known := map[string]bool{}
			for _, l := range links {
				address, rel, _ := strings.Cut(l, ">")
				if strings.Contains(rel, "memento") && known[address] {
					t.Errorf("links name %s twice: %v", address, links)
				}
				known[address] = true
			}
		})
	}
}

// TestSeveral_many: parts of a TimeMap over two collections list all captures.
func TestSeveral_many(t *testing.T) {
	const n = 10_100
	lists := make([][]capture, 2)
	for i := range n {
		date := time.Date(2000, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.RFC3339)
		lists[i%2] = append(lists[i%2], capture{url: "http://example.org/a", date: date, body: fmt.Sprint(i)})
	}
	listed(t, shelveAll(t, view.Options{}, lists...), memento.TimeMap+"http://example.org/a", n)
}

// TestSeveral_unread: a collection that fails while it is read does not take the captures of the others away.
func TestSeveral_unread(t *testing.T) {
	const url = "http://example.org/a"
	for _, tt := range []struct {
		name   string
		broken []int // collections that cannot be read
		status int
		want   string // the year of the newest capture
	}{
		{"none", nil, http.StatusFound, "2014"},
		{"the second", []int{1}, http.StatusFound, "2012"},
		{"the first", []int{0}, http.StatusFound, "2014"},
		{"one without the URL", []int{2}, http.StatusFound, "2014"},
		{"those with the URL", []int{0, 1}, http.StatusInternalServerError, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, dir := shelveIn(t, view.Options{}, crawl("A", url, 2011, 2012), crawl("B", url, 2014),
				crawl("C", url+"/c", 2013))
			for _, i := range tt.broken {
				spoil(t, filepath.Join(dir, fmt.Sprintf("crawl-%d", i)))
			}
			r, body := ask(t, h, http.MethodGet, memento.TimeGate+url, "")
			if r.StatusCode != tt.status || !strings.Contains(r.Header.Get("Location"), tt.want) {
				t.Errorf("the gate: status %d, %s, %s", r.StatusCode, r.Header.Get("Location"), body)
			}
			answers := []*http.Response{r}
			r, body = ask(t, h, http.MethodGet, memento.TimeMap+url, "")
			if (r.StatusCode == http.StatusOK) != (tt.want != "") || !strings.Contains(body, tt.want) {
				t.Errorf("the TimeMap: status %d, %s", r.StatusCode, body)
			}
			answers = append(answers, r)
			has, err := h.Has(viewer(t), url)
			if has != (tt.want != "") || (err == nil) != (tt.want != "") {
				t.Errorf("Has = %v, %v", has, err)
			}
			if tt.want == "" {
				return
			}
			r, body = ask(t, h, http.MethodGet, memento.Memento+tt.want+"0101000000/"+url, "")
			if !strings.HasSuffix(body, tt.want) {
				t.Errorf("the memento: status %d, %s", r.StatusCode, body)
			}
			// An incomplete answer must not be kept.
			for i, r := range append(answers, r) {
				if got := r.Header.Get("Cache-Control") == "no-store"; got != (len(tt.broken) > 0) {
					t.Errorf("answer %d: Cache-Control %q", i, r.Header.Get("Cache-Control"))
				}
			}
		})
	}
}

// spoil overwrites the shards of a collection.
func spoil(t *testing.T, dir string) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.Contains(filepath.Base(path), ".jsonl") {
			return err
		}
		n++
		return os.WriteFile(path, []byte("{"), 0o600)
	})
	if err != nil || n == 0 {
		t.Fatalf("%d shards of %s spoilt: %v", n, dir, err)
	}
}

// TestSeveral_changed: a collection that another process has replaced since the server read it is read again.
func TestSeveral_changed(t *testing.T) {
	const url = "http://example.org/a"
	for _, changed := range []int{0, 1} {
		h, dir := shelveIn(t, view.Options{}, crawl("A", url, 2011), crawl("B", url, 2012))
		crawled := filepath.Join(dir, fmt.Sprintf("crawl-%d", changed))
		spoil(t, crawled) // open files would stay readable
		if err := os.RemoveAll(crawled); err != nil {
			t.Fatal(err)
		}
		archive, docs := written(crawl("C", url, 2013, 2014))
		if err := os.WriteFile(filepath.Join(dir, "c.warc"), []byte(archive), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, d := range docs {
			d.Filename = "c.warc"
		}
		collectiontest.Fill(t, folder.Open(t.Context(), crawled, nil), schemas.Range{File: "c.warc", End: 1},
			holdings.FormatJSONL, docs)
		for _, path := range []string{memento.TimeMap, memento.TimeGate, memento.Memento + "20140101000000/"} {
			r, body := ask(t, h, http.MethodGet, path+url, "")
			got, caches := r.Header.Get("Location")+body, r.Header.Get("Cache-Control")
			if !strings.Contains(got, "2014") || caches == "no-store" {
				t.Errorf("collection %d, %s: status %d, %q, %s", changed, path, r.StatusCode, caches, got)
			}
		}
	}
}
