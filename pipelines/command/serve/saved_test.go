package serve

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/saved"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// read is what a reader of feeds takes from one.
type read struct {
	ID      string `xml:"http://www.w3.org/2005/Atom id"`
	Title   string `xml:"http://www.w3.org/2005/Atom title"`
	Updated string `xml:"http://www.w3.org/2005/Atom updated"`
	Author  string `xml:"http://www.w3.org/2005/Atom author>name"`
	Entries []struct {
		ID      string `xml:"http://www.w3.org/2005/Atom id"`
		Title   string `xml:"http://www.w3.org/2005/Atom title"`
		Updated string `xml:"http://www.w3.org/2005/Atom updated"`
		Link    struct {
			Href string `xml:"href,attr"`
		} `xml:"http://www.w3.org/2005/Atom link"`
	} `xml:"http://www.w3.org/2005/Atom entry"`
}

// TestSaved: a search is saved, counted, renamed, visited and deleted by its owner alone.
func TestSaved(t *testing.T) {
	g := launch(t, rules, map[string][]held{"out": slices.Concat(openPages, roomPages, deniedPages)})
	viewer, editor := asker{"viewer", "", ""}, asker{"editor", "", ""}
	one := g.save(viewer, `{"name":"Harbour","query":"query=harbour&fold=none&limit=5&cursor=x"}`)
	if one.Captures != 4 || one.New != 0 || one.Query != "fold=none&query=harbour" {
		t.Errorf("%+v", one)
	}
	if err := g.saved.Change(saved.Owner{Name: "viewer-user"}, one.ID, func(o *saved.Search) { o.Seen = 0 }); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		who  asker
		line string
		body string
		code int
		has  string
	}{
		{viewer, "/api/v1/saved", "", 200, `"captures":4,"new":4,`},
		{viewer, "/saved", "", 200, "Harbour"},
		{viewer, "/out/search?query=harbour&fold=none", "", 200, `type="application/atom+xml"`},
		{editor, "/api/v1/saved", "", 200, `"searches":[]`},
		{editor, "/api/v1/saved/" + one.ID, "", 404, ""},
		{editor, "DELETE /api/v1/saved/" + one.ID, "", 404, ""},
		{editor, one.Open, "", 404, ""},
		{asker{}, "/api/v1/saved", "", 401, ""},
		{asker{}, "/saved", "", 401, ""},
		{viewer, one.Open, "", 303, ""},
		{viewer, "/api/v1/saved/" + one.ID, "", 200, `"captures":4,"new":4,`},
		{viewer, "/saved", "", 200, "Mark as seen"},
		{editor, "POST /api/v1/saved/" + one.ID + "/seen", "", 404, ""},
		{viewer, "POST /api/v1/saved/" + one.ID + "/seen", "", 200, `"captures":4,"new":0,`},
		{viewer, "/api/v1/saved/" + one.ID, "", 200, `"captures":4,"new":0,`},
		{viewer, "POST /api/v1/saved/" + one.ID, `{"name":"Port <b>"}`, 200, `"name":"Port <b>"`},
		{viewer, "/saved", "", 200, "Port &lt;b&gt;"},
		{viewer, "POST /api/v1/saved", `{"name":"x","query":"query=language+%3D"}`, 400, ""},
		{viewer, "POST /api/v1/saved", `{"name":"x","collection":"vault","query":"query=a"}`, 404, ""},
		{viewer, "DELETE /api/v1/saved/" + one.ID, "", 200, `"searches":[]`},
		{viewer, one.Feed, "", 404, ""},
	} {
		r, body := g.ask(c.who, c.line, "body", c.body)
		if r.StatusCode != c.code || !strings.Contains(body, c.has) {
			t.Errorf("%+v %s: %d %s", c.who, c.line, r.StatusCode, body[:min(len(body), 300)])
		}
	}
}

func (g *guarded) save(who asker, body string) (one view.SavedRow) {
	g.t.Helper()
	g.settled(who, "/api/v1/overview")
	r, answer := g.ask(who, "POST /api/v1/saved", "body", body)
	if err := json.Unmarshal([]byte(answer), &one); err != nil || r.StatusCode != http.StatusOK {
		g.t.Fatalf("%s: %s", r.Status, answer)
	}
	return one
}

// TestSaved_feed: a feed is Atom, stays the same while nothing new has come, and shows what its reader may see.
func TestSaved_feed(t *testing.T) {
	g := launch(t, rules, map[string][]held{"out": slices.Concat(openPages, roomPages, deniedPages)})
	admin, viewer := asker{"admin", "", ""}, asker{"viewer", "", ""}
	one := g.save(admin, `{"name":"All \u0007 <pages>","query":""}`)
	counts := map[string]int{}
	for name, c := range map[string]struct {
		who  asker
		path string
	}{
		"admin": {admin, one.Feed}, "viewer": {viewer, one.Feed}, "visitor": {asker{}, one.Feed},
		"admin's token":  {asker{}, one.Feed + "?token=" + g.tokens["admin"]},
		"viewer's token": {asker{}, one.Feed + "?token=" + g.tokens["viewer"]},
	} {
		r, body := g.ask(c.who, c.path)
		var f read
		if err := xml.Unmarshal([]byte(body), &f); err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v %s", name, r.Status, err, body)
		}
		if f.ID == "" || f.Title != "All  <pages>" || f.Author == "" || !isTime(f.Updated) ||
			strings.Contains(body, "token") {
			t.Errorf("%s: %+v", name, f)
		}
		f.check(t, name)
		counts[name] = len(f.Entries)
		if !strings.HasPrefix(name, "admin") && leaks(body) {
			t.Errorf("%s: %s", name, around(body))
		}
		if r.Header.Get("Content-Type") != "application/atom+xml; charset=utf-8" ||
			!strings.Contains(r.Header.Get("Cache-Control"), "private") {
			t.Errorf("%s: %v", name, r.Header)
		}
		if again, _ := g.ask(c.who, c.path, "If-None-Match",
			r.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s again: %s", name, again.Status)
		}
	}
	all := len(openPages) + len(roomPages) + len(deniedPages)
	some := len(openPages) + len(roomPages)
	for name, want := range map[string]int{
		"admin": all, "admin's token": all, "viewer": some, "viewer's token": some, "visitor": some,
	} {
		if counts[name] != want {
			t.Errorf("%s has %d entries, want %d", name, counts[name], want)
		}
	}
	for _, path := range []string{
		"/api/v1/runs?token=" + g.tokens["admin"], "/saved?token=" + g.tokens["admin"],
		one.Feed + "?token=gleaner_x",
	} {
		if r, body := g.ask(asker{}, path); r.StatusCode < 400 || leaks(body) {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
	if r, _ := g.ask(viewer, "/saved/000000000000000000000000/feed.atom"); r.StatusCode != http.StatusNotFound {
		t.Error(r.Status)
	}
}

// check checks the entries of a feed.
func (f *read) check(t *testing.T, name string) {
	t.Helper()
	seen := map[string]bool{}
	for _, e := range f.Entries {
		if seen[e.ID] || e.ID == "" || e.Title == "" || !isTime(e.Updated) ||
			!strings.HasPrefix(e.Link.Href, "http://archive.example/out/") {
			t.Errorf("%s: %+v", name, e)
		}
		seen[e.ID] = true
	}
}

func isTime(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}
