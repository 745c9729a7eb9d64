package serve

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/server"
	"github.com/gleaner-web/gleaner/pipelines/server/access"
	"github.com/gleaner-web/gleaner/pipelines/server/account"
	"github.com/gleaner-web/gleaner/pipelines/server/jobs"
	"github.com/gleaner-web/gleaner/pipelines/server/playback"
	"github.com/gleaner-web/gleaner/pipelines/server/saved"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// rules are those of the tests. 192.0.2.0/24 is the reading room.
const rules = `
default: allow
anonymous: yes
rules:
  - {role: admin, action: allow}
  - {collection: vault, action: deny}
  - {domain: closed.example, action: deny}
  - {url: 'http://open.example/private/*', action: deny}
  - {media: application/pdf, action: deny}
  - {host: new.example, younger: 90 days, action: deny}
  - {host: room.example, address: [192.0.2.0/24, '2001:db8::/32'], action: allow}
  - {host: room.example, action: list, message: Only in the reading room.}
`

// held is a capture of the tests. Captures that the rules keep from somebody have a secret in their text, and if they
// are denied also in URL and title.
type held struct {
	url, date, media, title, text string
	refers                        string // URL and date of the original of a revisit
}

var (
	openPages = []held{
		{url: "http://open.example/pic.png", date: "2024-02-03T10:00:00Z", media: "image/png", title: "", text: ""},
		{url: "http://open.example/", date: "2015-03-01T10:00:00Z", title: "Open one", text: "harbour budget zebra"},
		{url: "http://open.example/", date: "2024-03-01T10:00:00Z", title: "Open two", text: "harbour budget lemur"},
		{url: "http://www.open.example/news", date: "2024-05-01T10:00:00Z", title: "News", text: "harbour news"},
		{
			url: "https://sub.open.example/a.txt", date: "2024-06-01T10:00:00Z", media: "text/plain", title: "",
			text: "plain words",
		},
		{url: "http://new.example/old", date: "2026-01-01T10:00:00Z", title: "Old enough", text: "harbour aged"},
	}
	roomPages = []held{
		{
			url: "http://room.example/room.png", date: "2024-02-03T10:00:00Z", media: "image/png", title: "Picture",
			text: "SECRET",
		},
		{url: "http://room.example/a", date: "2024-02-01T10:00:00Z", title: "Catalogue entry", text: "SECRET quokka harbour"},
		{url: "http://room.example/a", date: "2025-02-01T10:00:00Z", title: "Catalogue entry", text: "SECRET quokka wombat"},
	}
	deniedPages = []held{
		{
			url: "http://closed.example/secret.png", date: "2024-02-03T10:00:00Z", media: "image/png", title: "SECRET",
			text: "SECRET",
		},
		{
			url: "http://closed.example/secret-a", date: "2024-01-01T10:00:00Z", title: "SECRET one",
			text: "SECRET zebra harbour",
		},
		{
			url: "https://www.closed.example:8443/secret-b", date: "2024-03-01T10:00:00Z", title: "SECRET two",
			text: "SECRET harbour",
		},
		{
			url: "http://deep.closed.example/secret-c", date: "2013-03-01T10:00:00Z", title: "SECRET three",
			text: "SECRET okapi",
		},
		{
			url: "urn:pageinfo:https://closed.example/secret-d", date: "2024-03-01T10:00:00Z", title: "SECRET",
			text: "SECRET info",
		},
		{
			url: "http://open.example/private/secret-e", date: "2024-03-01T10:00:00Z", title: "SECRET four",
			text: "SECRET harbour",
		},
		{
			url: "http://open.example/secret.pdf", date: "2024-03-01T10:00:00Z", media: "application/pdf", title: "SECRET five",
			text: "SECRET",
		},
		{url: "http://new.example/secret-f", date: "2026-11-01T10:00:00Z", title: "SECRET six", text: "SECRET harbour"},
		{url: "http://new.example/old", date: "2026-11-02T10:00:00Z", title: "SECRET seven", text: "SECRET newer version"},
		{
			url: "http://open.example/copy", date: "2024-09-01T10:00:00Z",
			refers: "http://closed.example/secret-a 2024-01-01T10:00:00Z",
		},
		{
			url: "http://closed.example/secret-r", date: "2024-07-01T10:00:00Z",
			refers: "http://open.example/ 2024-03-01T10:00:00Z",
		},
	}
	vaultPages = []held{{
		url: "http://vault.example/secret-v", date: "2024-01-01T10:00:00Z", title: "SECRET vault",
		text: "SECRET harbour",
	}}
)

// deposit writes an archive of captures and a collection of it.
func deposit(t *testing.T, dir, name string, list []held) string {
	t.Helper()
	var archive strings.Builder
	var docs []*schemas.Document
	for i, c := range list {
		media := cmp.Or(c.media, "text/html")
		body := "<title>" + c.title + "</title><p>" + c.text + "</p>"
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nX-Words: %s\r\n\r\n%s", media, c.text, body)
		kind, more := "response", ""
		d := &schemas.Document{
			URL: c.url, SURT: urlkey.SURT(c.url), Timestamp: c.date, Filename: name + ".warc", Offset: int64(archive.Len()),
			Status: 200, RecordType: schemas.TypeResponse, MIMEDetected: media, MIMEDeclared: media, Language: "en",
			Title: c.title, Text: c.text, BodyBytes: int64(len(body)), RecordID: fmt.Sprintf("urn:x:%s:%d", name, i),
			Digest: "sha1:" + digestOf(body), Tags: strings.Fields(c.text), Description: c.text,
		}
		d.Host, d.Domain = urlkey.Site(c.url)
		if c.text != "" {
			d.Entities = []schemas.Entity{{Type: "person", Text: strings.Fields(c.text)[0] + " Person", Source: "jsonld"}}
		}
		if c.refers != "" {
			to, at, _ := strings.Cut(c.refers, " ")
			block, kind, d.RecordType, d.Digest = "HTTP/1.1 200 OK\r\n\r\n", "revisit", schemas.TypeRevisit, ""
			d.RefersTo = &schemas.Reference{URL: to, Timestamp: at}
			more = "WARC-Refers-To-Target-URI: " + to + "\r\nWARC-Refers-To-Date: " + at + "\r\n" +
				"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
			d.BodyBytes, d.Entities, d.Tags, d.Description, d.MIMEDetected = 0, nil, nil, "", ""
		}
		fmt.Fprintf(&archive, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\nWARC-Record-ID: <%s>"+
			"\r\n%s"+
			"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, c.url, c.date,
			d.RecordID, more, len(block), block)
		d.Length = int64(archive.Len()) - d.Offset
		docs = append(docs, d)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".warc"), []byte(archive.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	f := folder.Open(t.Context(), filepath.Join(dir, name), nil)
	in := schemas.Range{File: name + ".warc", End: int64(archive.Len()), Format: "warc"}
	collectiontest.Link(t, f, in, docs, linksOf(docs)...)
	return f.Path("")
}

// linksOf are links on all captures with a text, which is the text of the links, too.
func linksOf(docs []*schemas.Document) (pages [][]schemas.Link) {
	for _, d := range docs {
		if d.Text == "" {
			continue
		}
		var links []schemas.Link
		for _, target := range []string{"http://open.example/", "http://only.example/"} {
			l := schemas.Link{
				SURT: d.SURT, URL: d.URL, Host: d.Host, Domain: d.Domain, Timestamp: d.Timestamp, Target: target,
				TargetSURT: urlkey.SURT(target), Text: d.Text, Place: schemas.PlaceMain,
			}
			l.TargetHost, l.TargetDomain = urlkey.Site(target)
			links = append(links, l)
		}
		pages = append(pages, links)
	}
	return pages
}

// digestOf is not the digest of a body, but another text for each.
func digestOf(body string) string { return fmt.Sprintf("%032X", []byte(body)[:16]) }

// guarded is a server in this process, whose clock and clients' addresses the tests choose.
type guarded struct {
	t      *testing.T
	main   http.Handler
	replay http.Handler
	tokens map[string]string // by role
	now    time.Time
	files  *access.File
	rules  string
	saved  *saved.Store
}

// launch starts a server of collections, with rules if text is not "".
func launch(t *testing.T, text string, collections map[string][]held) *guarded {
	t.Helper()
	dir := t.TempDir()
	g := &guarded{t: t, tokens: map[string]string{}, now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)}
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	folders := g.deposits(dir, collections)
	if text != "" {
		g.rules = filepath.Join(dir, "access.yml")
		must(os.WriteFile(g.rules, []byte(text), 0o600))
		var err error
		g.files, err = access.Open(g.rules)
		must(err)
	}
	store := blob.New(blob.Options{})
	books, err := shelf.Open(t.Context(), folders, store, shelf.Options{
		Poll: time.Hour, Reserved: server.Reserved,
		Warm: view.Warm,
	})
	must(err)
	t.Cleanup(func() { _ = books.Close() }) // it is only read
	accounts, err := account.Open(t.Context(), filepath.Join(dir, "accounts.db"))
	must(err)
	t.Cleanup(func() { _ = accounts.Close() }) // the test is over by then
	for role, n := range map[string]view.Role{"viewer": view.Viewer, "editor": view.Editor, "admin": view.Admin} {
		must(accounts.AddUser(t.Context(), role+"-user", "correct horse battery", int(n)))
		g.tokens[role], _, err = accounts.NewToken(t.Context(), role+"-user", "test", int(n), time.Time{})
		must(err)
	}
	queue, err := jobs.Open(filepath.Join(dir, "jobs"), jobs.Options{Program: program})
	must(err)
	t.Cleanup(func() { _ = queue.Close() }) // it has no jobs
	g.saved, err = saved.Open(filepath.Join(dir, "saved.json"))
	must(err)
	views := view.New(books, view.Options{
		Store: store, Archives: dir, Access: g.files, Saved: g.saved, Replays: true, Jobs: queue, Forms: forms(),
		Now: func() time.Time { return g.now },
	})
	o := server.Options{
		Views: views, Pages: newPages(views), Accounts: accounts,
		Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32")},
		Others:  others(views, filepath.Join(dir, "sums.json"), nil), Hosts: []string{"archive.example"},
	}
	c := &config{replayOrigin: "https://replay.example"}
	r, err := c.newReplayer(views, o)
	must(err)
	o.Others[playback.Prefix] = r.player
	g.main, g.replay = server.New(o), r.handler
	return g
}

// deposits makes the collections, in the order of their names.
func (g *guarded) deposits(dir string, collections map[string][]held) (folders []string) {
	g.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(collections)) {
		folders = append(folders, deposit(g.t, dir, name, collections[name]))
	}
	return folders
}

// asker is who sends a request.
type asker struct{ role, address, forwarded string }

// ask sends a request, "GET /path", and returns the answer and its body.
func (g *guarded) ask(who asker, line string, head ...string) (*http.Response, string) {
	g.t.Helper()
	method, path, found := strings.Cut(line, " ")
	if !found {
		method, path = http.MethodGet, line
	}
	host, h := "archive.example", g.main
	if rest, is := strings.CutPrefix(path, "https://replay.example"); is {
		host, h, path = "replay.example", g.replay, rest
	}
	r := httptest.NewRequestWithContext(g.t.Context(), method, "http://"+host+path, nil)
	r.RemoteAddr = cmp.Or(who.address, "203.0.113.9:1234")
	if who.role != "" {
		r.Header.Set("Authorization", "Bearer "+g.tokens[who.role])
	}
	if who.forwarded != "" {
		r.Header.Set("X-Forwarded-For", who.forwarded)
	}
	for i := 0; i+1 < len(head); i += 2 {
		if head[i] == "body" {
			r.Body = io.NopCloser(strings.NewReader(head[i+1]))
			r.Header.Set("Content-Type", "application/json")
			continue
		}
		r.Header.Set(head[i], head[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return w.Result(), string(body)
}

// settled waits until a collection is counted, so that answers are complete.
func (g *guarded) settled(who asker, paths ...string) {
	g.t.Helper()
	for _, path := range paths {
		for range 300 {
			if r, body := g.ask(who, path); r.StatusCode < 500 && !strings.Contains(body, `"ready":false`) {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// same removes what differs between two equal answers: times, cursors, numbers of versions.
var changing = regexp.MustCompile(`"(took_ms|version|next_cursor|cursor|offset|length|record_id|shards|etag)":("[^"]*"|[0-9.]+)|` +
	`(cursor|offset|place|at|from|to)=[^"&\\]*|--collection=\S*|Counted in [^<]*|[0-9.]+ m?s\b|"(offset|place|link|value|id)":"~[^"]*"|\d+ [0-9]+ out\.warc`)

func stable(body string) string { return changing.ReplaceAllString(body, "") }

// questions are requests about what the rules deny: all kinds of answers.
var questions = []string{
	"/api/v1/collections", "/api/v1/overview?collection=out&unit=month",
	"/api/v1/search?collection=out&query=harbour", "/api/v1/search?collection=out&query=SECRET&fold=none",
	"/api/v1/search?collection=out&fold=none&limit=100", "/api/v1/search?collection=out&query=%22secret+harbour%22",
	"/api/v1/search?collection=out&query=NOT+harbour&fold=none", "/api/v1/search?collection=out&host=closed.example",
	"/api/v1/search?collection=out&query=surt+%3D+%22example,closed%2A%22", "/api/v1/search?collection=out&sample=50%25",
	"/api/v1/search?collection=out&query=filename+%3D+out.warc&fold=none&order=length",
	"/api/v1/search?collection=out&query=record_type:revisit&fold=none",
	"/api/v1/facets?collection=out&by=host,year", "/api/v1/facets?collection=out&by=tags",
	"/api/v1/facets?collection=out&by=digest",
	"/api/v1/trends?collection=out&terms=harbour,zebra,SECRET&unit=month",
	"/api/v1/trends?collection=out&field=host&unit=year",
	"/api/v1/values?collection=out&field=host", "/api/v1/values?collection=out&field=entity",
	"/api/v1/values?collection=out&field=mime",
	"/api/v1/values?collection=out&field=tag&find=sec", "/api/v1/hosts?collection=out", "/api/v1/entities?collection=out",
	"/api/v1/take?collection=out&query=harbour", "/api/v1/take?collection=out&fold=none", "/out/take",
	"/api/v1/images?collection=out", "/api/v1/images?collection=out&query=secret", "/out/images",
	"/api/v1/links?collection=out&to_host=closed.example", "/api/v1/across?query=harbour", "/api/v1/across?query=SECRET",
	"/api/v1/export?collection=out&format=urls&fold=none",
	"/api/v1/export?collection=out&format=csv&fold=none&fields=url,title,text",
	"/api/v1/resources?collection=out&url=http://new.example/old",
	"/cdx?collection=out&url=open.example&matchType=domain", "/cdx?collection=out&url=closed.example&matchType=domain",
	"/cdx?collection=out&url=open.example/*&showNumPages=true",
	"/cdx/search/cdx?collection=out&url=*.example&showResumeKey=true&limit=3",
	"/cdx?collection=out&url=*.example&filter=mime:application/pdf", "/timemap/link/http://new.example/old",
	"/timegate/http://new.example/old", "/out/search?query=harbour", "/out/hosts", "/out/trends?terms=harbour,zebra",
	"/api/v1/graph?collection=out", "/api/v1/graph?collection=out&lang=en&shown=1&sort=pages",
	"/api/v1/graph/file?collection=out&format=gexf", "/api/v1/graph/file?collection=out&format=csv&query=harbour",
	"/api/v1/links?collection=out&url=http://open.example/&every=yes",
	"/api/v1/links?collection=out&url=http://open.example/&way=out",
	"/api/v1/links?collection=out&url=http://closed.example/secret-a&way=out",
	"/api/v1/links?collection=out&to_host=only.example", "/api/v1/links?collection=out&from_host=closed.example",
	"/out/graph", "/out/links?url=http://open.example/", "/out/resource?url=http://open.example/",
	"/out/resource?url=http://new.example/old", "/out/values?field=host", "/out/entities", "/search?query=harbour",
}

// TestAccess_denied: for each reader, the answer to each question is that of a server that never had the denied
// captures. So neither captures nor counts give them away.
func TestAccess_denied(t *testing.T) {
	all := slices.Concat(openPages, deniedPages)
	g := launch(t, rules, map[string][]held{"out": all, "vault": vaultPages})
	twin := launch(t, "default: allow\nanonymous: yes", map[string][]held{"out": openPages})
	inside := asker{"viewer", "192.0.2.7:999", ""}
	askers := []asker{{"", "", ""}, {"viewer", "", ""}, {"editor", "", ""}, inside}
	for _, who := range askers {
		g.settled(who, "/api/v1/overview", "/api/v1/entities")
	}
	twin.settled(asker{}, "/api/v1/overview", "/api/v1/entities")
	for _, path := range questions {
		want, wanted := twin.ask(asker{"viewer", "", ""}, path)
		for _, who := range askers {
			got, body := g.ask(who, path)
			// A query is repeated in the answer.
			if leaks(body) && !leaks(path) {
				t.Errorf("%+v %s shows a secret: %s", who, path, around(body))
			}
			if isWholeOnly(path) {
				continue
			}
			if got.StatusCode != want.StatusCode || stable(body) != stable(wanted) && strings.HasPrefix(path, "/api/") {
				t.Errorf("%+v %s: %d, and without the captures %d: %s", who, path, got.StatusCode, want.StatusCode,
					difference(stable(body), stable(wanted)))
			}
		}
		if admin, body := g.ask(asker{"admin", "", ""}, path); admin.StatusCode >= 500 || body == "" &&
			admin.StatusCode != 302 {
			t.Errorf("an admin gets %d for %s: %s", admin.StatusCode, path, body)
		}
	}
}

// difference returns where two answers begin to differ.
func difference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-120)
	return a[from:min(len(a), i+120)] + " | " + b[from:min(len(b), i+120)]
}

// isWholeOnly reports whether an answer leaves out more than captures for readers of a part.
func isWholeOnly(path string) bool {
	return strings.HasPrefix(path, "/api/v1/collections") || strings.HasPrefix(path, "/api/v1/overview")
}

var hidden = regexp.MustCompile(`(?i)secret`)

func leaks(body string) bool { return hidden.MatchString(body) }

func around(body string) string {
	at := hidden.FindStringIndex(body)
	return body[max(0, at[0]-200):min(len(body), at[1]+100)]
}

// TestAccess_table: requests by role, address and time.
func TestAccess_table(t *testing.T) {
	g := launch(t, rules, map[string][]held{"out": slices.Concat(openPages, roomPages, deniedPages), "vault": vaultPages})
	viewer, visitor, admin := asker{"viewer", "", ""}, asker{}, asker{"admin", "", ""}
	inside := asker{"", "192.0.2.7:999", ""}
	g.settled(viewer, "/api/v1/overview", "/api/v1/entities")
	later := g.now.AddDate(0, 4, 0)
	record := func(url string) string { return "/api/v1/record?collection=out&url=" + url }
	for _, c := range []struct {
		who   asker
		path  string
		code  int
		has   string // in the answer
		later bool
	}{
		// denied captures are not there, in any form of the URL
		{viewer, "/api/v1/resources?collection=out&url=http://closed.example/secret-a", 404, "No capture of this URL", false},
		{viewer, "/api/v1/resources?collection=out&url=HTTPS://WWW.CLOSED.EXAMPLE:443/%73ecret-a", 404, "", false},
		{viewer, "/api/v1/resources?collection=out&url=closed.example./secret-a", 404, "", false},
		{admin, "/api/v1/resources?collection=out&url=http://closed.example/secret-a", 200, "SECRET one", false},
		{viewer, "/out/resource?url=http://closed.example/secret-a", 404, "", false},
		{viewer, "/out/hosts/closed.example", 404, "", false},
		{viewer, "/out/search?query=closed.example", 200, "", false},
		{viewer, record("http://closed.example/secret-a"), 404, "", false},
		{viewer, "/api/v1/text?collection=out&url=http://deep.closed.example/secret-c", 404, "", false},
		{viewer, "/timemap/link/http://closed.example/secret-a", 404, "", false},
		{viewer, "/timegate/http://closed.example/secret-a", 404, "", false},
		{viewer, "/memento/20240101100000/http://closed.example/secret-a", 404, "", false},
		{admin, "/memento/20240101100000/http://closed.example/secret-a", 200, "SECRET zebra", false},
		{viewer, "HEAD /memento/20240101100000/http://closed.example/secret-a", 404, "", false},
		{viewer, "/replay/20240101100000/http://closed.example/secret-a", 404, "", false},
		{viewer, "/replay/http://open.example/private/secret-e", 404, "", false},
		{viewer, "/cdx?collection=out&url=http://closed.example/secret-a", 200, "", false},
		{
			viewer, "/api/v1/resources?collection=vault&url=http://vault.example/secret-v", 404, "no collection of this name",
			false,
		},
		{viewer, "/vault", 404, "", false},
		{viewer, "/vault/search?query=harbour", 404, "", false},
		{viewer, "/cdx?collection=vault&url=vault.example", 404, "", false},
		{viewer, "/memento/20240101100000/http://vault.example/secret-v", 404, "", false},
		{admin, "/vault/search?query=harbour", 200, "SECRET vault", false},
		// revisits would show titles and payloads of denied captures
		{viewer, "/memento/20240901100000/http://open.example/copy", 404, "", false},
		{admin, "/memento/20240901100000/http://open.example/copy", 200, "SECRET zebra", false},
		{viewer, "/memento/20240701100000/http://closed.example/secret-r", 404, "", false},
		// time
		{viewer, "/memento/20261102100000/http://new.example/old", 404, "no capture of this moment", false},
		{viewer, "/memento/20261102100000/http://new.example/old", 200, "SECRET newer", true},
		{viewer, "/timegate/http://new.example/old", 302, "", false},
		{viewer, "/api/v1/search?collection=out&host=new.example&fold=none", 200, `"captures":1,`, false},
		{viewer, "/api/v1/search?collection=out&host=new.example&fold=none", 200, `"captures":3,`, true},
		// on site only
		{visitor, "/api/v1/resources?collection=out&url=http://room.example/a", 200, "Only in the reading room.", false},
		{visitor, "/out/resource?url=http://room.example/a", 200, "Only in the reading room.", false},
		{visitor, "/api/v1/search?collection=out&host=room.example", 200, "Catalogue entry", false},
		{visitor, "/api/v1/search?collection=out&query=quokka", 200, `"captures":0,`, false},
		{visitor, "/api/v1/search?collection=out&query=%22quokka+harbour%22", 200, `"captures":0,`, false},
		{visitor, "/api/v1/search?collection=out&query=tags:quokka&fold=none", 200, `"captures":0,`, false},
		{visitor, "/api/v1/facets?collection=out&by=tags&query=host:room", 200, "", false},
		{visitor, "/api/v1/entities?collection=out&find=secret", 200, `"entities":[]`, false},
		{visitor, "/api/v1/trends?collection=out&terms=quokka", 200, `"total":0`, false},
		{visitor, "/api/v1/text?collection=out&url=http://room.example/a", 403, "Only in the reading room.", false},
		{visitor, record("http://room.example/a"), 403, "Only in the reading room.", false},
		{visitor, "/memento/20240201100000/http://room.example/a", 403, "Only in the reading room.", false},
		{visitor, "/replay/20240201100000/http://room.example/a", 403, "Only in the reading room.", false},
		{visitor, "/timemap/link/http://room.example/a", 200, "20250201100000", false},
		{visitor, "/cdx?collection=out&url=http://room.example/a", 200, "20240201100000", false},
		{visitor, "/api/v1/export?collection=out&host=room.example&format=jsonl&fold=none", 200, "Catalogue entry", false},
		{visitor, "/api/v1/export?collection=out&host=room.example&format=wet&fold=none", 200, "", false},
		{visitor, "/api/v1/export?collection=out&host=room.example&format=warc&fold=none", 200, "", false},
		{visitor, "/api/v1/resources?collection=out&url=http://room.example/a&from=2024&to=2025", 200, "reading room", false},
		{inside, "/api/v1/text?collection=out&url=http://room.example/a", 200, "SECRET quokka wombat", false},
		{inside, "/memento/20240201100000/http://room.example/a", 200, "SECRET quokka harbour", false},
		{inside, "/api/v1/search?collection=out&query=quokka&fold=none&limit=1", 200, `"text":"SECRET "`, false},
		{asker{"", "[2001:db8::1]:9", ""}, "/api/v1/text?collection=out&url=http://room.example/a", 200, "SECRET", false},
		{visitor, "/api/v1/images?collection=out", 200, `"total":1,`, false},
		{inside, "/api/v1/images?collection=out", 200, `"total":2,`, false},
		{admin, "/api/v1/images?collection=out&host=closed.example", 200, `"total":1,`, true},
		{visitor, "/out/thumbnail?url=http://room.example/room.png", 403, "Only in the reading room.", false},
		{viewer, "/out/thumbnail?url=http://closed.example/secret.png", 404, "No capture of this URL", false},
		{viewer, "HEAD /out/thumbnail?url=http://closed.example/secret.png", 404, "", false},
		// addresses
		{
			asker{"", "[::ffff:192.0.2.7]:9", ""},
			"/api/v1/text?collection=out&url=http://room.example/a", 200, "SECRET",
			false,
		},
		{asker{"", "", "192.0.2.7"}, "/api/v1/text?collection=out&url=http://room.example/a", 403, "", false},
		{asker{"", "10.0.0.1:9", "192.0.2.7"}, "/api/v1/text?collection=out&url=http://room.example/a", 200, "SECRET", false},
		{
			asker{"", "10.0.0.1:9", "192.0.2.7, 203.0.113.5"},
			"/api/v1/text?collection=out&url=http://room.example/a", 403, "",
			false,
		},
		{
			asker{"", "10.0.0.1:9", "192.0.2.7, nonsense"},
			"/api/v1/text?collection=out&url=http://room.example/a", 403, "",
			false,
		},
		{asker{"", "10.0.0.1:9", ""}, "/api/v1/text?collection=out&url=http://room.example/a", 403, "", false},
		{asker{"", "192.0.20.7:9", ""}, "/api/v1/text?collection=out&url=http://room.example/a", 403, "", false},
		// answers about everything
		{viewer, "/api/v1/runs?collection=out", 403, "", false},
		{viewer, "/api/v1/runs/1?collection=out", 403, "", false},
		{viewer, "/api/v1/archives?collection=out", 403, "", false},
		{viewer, "/out/archives", 403, "", false},
		{viewer, "/api/v1/jobs", 403, "", false},
		{asker{"editor", "", ""}, "/api/v1/jobs/form?verb=query", 403, "", false},
		{viewer, "/api/v1/datasets", 403, "", false},
		{viewer, "/api/v1/datasets/1", 403, "", false},
		{viewer, "/wasapi/v1/webdata?collection=out", 403, "", false},
		{viewer, "/wasapi/v1/webdata", 200, `"count":0`, false},
		{viewer, "/wasapi/v1/webdata?collection=vault", 404, "", false},
		{admin, "/wasapi/v1/webdata?collection=out", 200, `"count":1`, false},
		{admin, "/api/v1/archives?collection=out", 200, "out.warc", false},
		{viewer, "/api/v1/sources", 403, "", false},
		// an account
		{visitor, "/api/v1/account", 401, "", false},
		{visitor, "POST /api/v1/tokens", 403, "", false},
		{visitor, "/api/v1/jobs", 403, "", false},
		{visitor, "/", 303, "/out", false},
		{viewer, "/api/v1/nothing", 404, "", false},
		{viewer, "/api/v1/search?collection=out&query=host+%3D", 400, "", false},
	} {
		now := g.now
		if c.later {
			g.now = later
		}
		r, body := g.ask(c.who, c.path)
		g.now = now
		if r.StatusCode != c.code || !strings.Contains(body, c.has) {
			t.Errorf("%+v %s: %d %q, want %d %q", c.who, c.path, r.StatusCode, body[:min(len(body), 400)], c.code, c.has)
		}
		if may := strings.Contains(c.has, "SECRET") || c.later; !may && leaks(withoutAsked(body, c.path)) {
			t.Errorf("%+v %s shows a secret: %s", c.who, c.path, around(withoutAsked(body, c.path)))
		}
	}
}

// withoutAsked returns an answer without the names that the request has.
func withoutAsked(body, path string) string {
	plain, _ := url.PathUnescape(path)
	for _, name := range regexp.MustCompile(`(?i)(%73|s)ecret[-a-z.]*`).FindAllString(path+" "+plain, -1) {
		body = strings.ReplaceAll(body, name, "")
	}
	return body
}

// TestAccess_caches: a tag of one reader is not valid for another, nor for other rules or another day.
func TestAccess_caches(t *testing.T) {
	g := launch(t, rules, map[string][]held{"out": slices.Concat(openPages, roomPages, deniedPages)})
	viewer, inside := asker{"viewer", "", ""}, asker{"viewer", "192.0.2.7:1", ""}
	g.settled(viewer, "/api/v1/overview", "/api/v1/entities")
	g.settled(inside, "/api/v1/overview", "/api/v1/entities")
	for _, path := range []string{
		"/api/v1/overview?collection=out", "/api/v1/search?collection=out&query=quokka",
		"/api/v1/text?collection=out&url=http://room.example/a",
		"/api/v1/export?collection=out", "/api/v1/hosts?collection=out",
		"/api/v1/resources?collection=out&url=http://room.example/a",
	} {
		r, _ := g.ask(inside, path)
		tag := r.Header.Get("ETag")
		if tag == "" || !strings.Contains(r.Header.Get("Cache-Control"), "private") ||
			!strings.Contains(r.Header.Get("Vary"), "Authorization") {
			t.Errorf("%s: %v", path, r.Header)
		}
		if again, _ := g.ask(inside, path, "If-None-Match", tag); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s again: %d", path, again.StatusCode)
		}
		for _, who := range []asker{viewer, {"admin", "", ""}, {"", "", ""}} {
			if other, _ := g.ask(who, path, "If-None-Match", tag); other.StatusCode == http.StatusNotModified {
				t.Errorf("%s: %+v has the tag of another reader", path, who)
			}
		}
		g.now = g.now.AddDate(0, 0, 1)
		if next, _ := g.ask(inside, path, "If-None-Match", tag); next.StatusCode == http.StatusNotModified {
			t.Errorf("%s has the same tag a day later", path)
		}
		g.now = g.now.AddDate(0, 0, -1)
	}
}

// TestAccess_replay: a ticket opens what its reader may see, from where the reader is.
func TestAccess_replay(t *testing.T) {
	g := launch(t, rules, map[string][]held{"out": slices.Concat(openPages, roomPages, deniedPages)})
	inside, outside := asker{"", "192.0.2.7:1", ""}, asker{"", "203.0.113.9:1", ""}
	_, page := g.ask(inside, "/replay/20240201100000/http://room.example/a")
	frame := regexp.MustCompile(`https://replay\.example/replay/[^"]*/http://room\.example/a`).FindString(page)
	if frame == "" {
		t.Fatalf("no frame in %s", page)
	}
	if r, body := g.ask(inside, frame); r.StatusCode != 200 || !strings.Contains(body, "SECRET quokka") {
		t.Errorf("in the room: %d %s", r.StatusCode, body)
	}
	for _, who := range []asker{outside, {"viewer", "", ""}} {
		for _, line := range []string{frame, "HEAD " + frame} {
			if r, body := g.ask(who, line, "Range", "bytes=0-9"); r.StatusCode < 400 || leaks(body) {
				t.Errorf("%+v %s: %d %s", who, line, r.StatusCode, body)
			}
		}
	}
	for _, other := range []string{
		"http://closed.example/secret-a", "http://open.example/private/secret-e",
		"http://new.example/secret-f",
	} {
		path := strings.Replace(frame, "http://room.example/a", other, 1)
		if r, body := g.ask(inside, path); r.StatusCode != http.StatusNotFound || leaks(withoutAsked(body, path)) {
			t.Errorf("%s: %d %s", other, r.StatusCode, body)
		}
	}
	if r, _ := g.ask(inside, frame); strings.Contains(r.Header.Get("Cache-Control"), "public") {
		t.Errorf("a part may be shared: %v", r.Header)
	}
}

// TestAccess_reload: other rules hold from the next request on.
func TestAccess_reload(t *testing.T) {
	g := launch(t, "default: allow", map[string][]held{"out": openPages})
	viewer := asker{"viewer", "", ""}
	if r, _ := g.ask(viewer, "/api/v1/resources?url=http://open.example/"); r.StatusCode != http.StatusOK {
		t.Fatal(r.Status)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.WriteFile(g.rules, []byte("default: deny\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(g.rules, old, old); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if r, _ := g.ask(viewer, "/api/v1/resources?url=http://open.example/"); r.StatusCode == http.StatusNotFound {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the new rules do not hold after five seconds")
}

// TestParse_access: a server with a mistake in its rules does not start, and says where the mistake is.
func TestParse_access(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.yml")
	if err := os.WriteFile(path, []byte("default: allow\nrules:\n  - host: a.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := parsed(t, "--access="+path, "out"); err == nil ||
		!strings.Contains(err.Error(), path+":3: the rule has no action") {
		t.Errorf("%v", err)
	}
	if _, err := parsed(t, "--access="+path+".none", "out"); err == nil {
		t.Error("a missing file is accepted")
	}
}
