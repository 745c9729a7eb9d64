package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// weblogArchive is an archive of a site with its posts as RSS, as Atom with other ids, and as a sitemap. Another
// site's feed has no link to the site itself.
func weblogArchive(t *testing.T) string {
	t.Helper()
	var b, rss, atom, sitemap strings.Builder
	page := func(url, media, body string) {
		head := "HTTP/1.1 200 OK\r\nContent-Type: " + media + "\r\n\r\n"
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-11-20T10:00:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nContent-Type: application/http; msgtype=response\r\n"+
			"Content-Length: %d\r\n\r\n%s%s\r\n\r\n", url, b.Len(), len(head)+len(body), head, body)
	}
	subjects := strings.Fields("dykes herons ferries ropes tides barges sluices reeds lamps gulls")
	for i, s := range subjects {
		url := fmt.Sprintf("http://dyke.example/post/%d", i)
		day := time.Date(2026, 11, 19-i, 8, 0, 0, 0, time.UTC)
		title := fmt.Sprintf("Walking among %s on day %d", s, i)
		fmt.Fprintf(&rss, "<item><title>%s</title><link>%s</link><guid>%[2]s</guid><pubDate>%s</pubDate></item>", title, url,
			day.Format(time.RFC1123Z))
		fmt.Fprintf(&atom, "<entry><title>%s</title><link href=%q/><id>tag:dyke.example,2026:%d</id>"+
			"<updated>%s</updated></entry>", title, url, i, day.Format(time.RFC3339))
		fmt.Fprintf(&sitemap, "<url><loc>%s</loc><lastmod>%s</lastmod></url>", url, day.Format(time.DateOnly))
		text := fmt.Sprintf("On the %dth morning we went out to see the %s again, and they were there. ", i+1, s)
		page(url, "text/html", fmt.Sprintf("<html><title>%s</title>"+
			"<link rel=alternate type=application/rss+xml href=/rss.xml>"+
			"<link rel=alternate type=application/atom+xml href=/atom.xml>"+
			"<article><h1>%[1]s</h1><p>%s</article>", title, strings.Repeat(text, 12)))
	}
	page("http://dyke.example/rss.xml", "application/rss+xml",
		`<rss version="2.0"><channel><title>The Dyke</title><link>http://dyke.example/</link>`+rss.String()+
			"</channel></rss>")
	page("http://dyke.example/atom.xml", "application/atom+xml",
		`<feed xmlns="http://www.w3.org/2005/Atom"><title>The Dyke</title><id>tag:dyke.example,2026:feed</id><link href="http://dyke.example/"/>`+atom.String()+"</feed>")
	page("http://dyke.example/sitemap.xml", "application/xml",
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+sitemap.String()+"</urlset>")
	page("http://off.example/rss.xml", "application/rss+xml", `<rss version="2.0"><channel><title>Elsewhere</title>`+
		`<link>http://off.example/</link>`+strings.ReplaceAll(rss.String(), "dyke", "other")+"</channel></rss>")
	path := filepath.Join(t.TempDir(), "weblog.warc")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSources_oneAnswer: the command, the API, the dashboard, SQLite and OPML have the same sources.
func TestSources_oneAnswer(t *testing.T) {
	for name, archive := range map[string]string{
		"the test archives": archives(t), "a weblog": weblogArchive(t), "none": filepath.Join(archives(t), "site-v2.arc"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			out, db := filepath.Join(dir, "out"), filepath.Join(dir, "db")
			ingest(t, out, archive)
			said, stderr, code := run(t, true, "", "sources", "--collection="+out, "--output="+db,
				"--opml="+filepath.Join(dir, "valid.opml"), "--sqlite="+filepath.Join(dir, "sources.sqlite"))
			if code != 0 && code != 3 {
				t.Fatalf("sources: exit code %d\n%s", code, stderr)
			}
			compareSources(t, start(t, "--collection="+out, "--sources="+db, "--state="+filepath.Join(dir, "state")), dir, said)
		})
	}
}

var subscription = regexp.MustCompile(`xmlUrl="([^"]*)"`)

// subscriptions returns the sorted URLs of a list.
func subscriptions(opml string) (urls []string) {
	for _, m := range subscription.FindAllStringSubmatch(opml, -1) {
		urls = append(urls, m[1])
	}
	slices.Sort(urls)
	return urls
}

func compareSources(t *testing.T, s *server, dir, said string) {
	t.Helper()
	s.until("the Source DB is open", time.Minute, func() bool {
		status, _ := s.send("GET", "/api/v1/sources", "")
		return status == http.StatusOK
	})
	var list struct {
		Total   int64
		AsOf    string `json:"as_of"`
		Sources []struct {
			ID, URL, Verdict, Class string
			Link                    string
		}
	}
	s.json("/api/v1/sources?limit=1000", &list)
	verdicts := map[string]int64{}
	for _, one := range list.Sources {
		verdicts[one.Verdict]++
	}
	if int64(len(list.Sources)) != list.Total {
		t.Errorf("the API lists %d of %d sources", len(list.Sources), list.Total)
	}
	// The summary of the command.
	want := fmt.Sprintf("Sources      %d, and ", list.Total)
	for v, n := range map[string]int64{"valid": 0, "rejected": 0, "undecided": 0} {
		want += "|" + fmt.Sprintf("  %-10s %d\n", v, verdicts[v]+n)
	}
	for _, line := range strings.Split(want, "|") {
		if !strings.Contains(said, line) {
			t.Errorf("the command says otherwise than %q:\n%s", line, said)
		}
	}
	if strings.Contains(said, "1970") || strings.HasPrefix(list.AsOf, "1970") {
		t.Errorf("a moment that is not known is said: %q\n%s", list.AsOf, said)
	}
	plural := "s"
	if list.Total == 1 {
		plural = ""
	}
	if text := fmt.Sprintf(">%d source%s in ", list.Total, plural); !strings.Contains(s.get("/sources", 200), text) {
		t.Errorf("the page does not say %q", text)
	}
	if n := strings.Count(s.get("/api/v1/feeds", http.StatusOK), "\n"); int64(n) != list.Total {
		t.Errorf("%d lines of sources, want %d", n, list.Total)
	}
	compareTables(t, filepath.Join(dir, "sources.sqlite"), list.Total, verdicts)
	opml, err := os.ReadFile(filepath.Join(dir, "valid.opml"))
	if err != nil {
		t.Fatal(err)
	}
	var mains []string
	for _, one := range list.Sources {
		if one.Verdict == "valid" && one.Class == "main" && !strings.HasSuffix(one.URL, "sitemap.xml") {
			mains = append(mains, one.URL)
		}
	}
	slices.Sort(mains)
	ours := subscriptions(string(opml))
	theirs := subscriptions(s.get("/api/v1/feeds?format=opml&verdict=valid&class=main", 200))
	if !slices.Equal(ours, mains) || !slices.Equal(theirs, mains) {
		t.Errorf("OPML of the command has %q, of the API %q, want %q", ours, theirs, mains)
	}
	n := aliasesLead(t, s, filepath.Join(dir, "sources.sqlite"))
	if strings.Contains(string(opml), "dyke.example") && n == 0 {
		t.Error("of two feeds of one weblog none is known to be the same as the other")
	}
}

// compareTables compares the results of SQL.
func compareTables(t *testing.T, path string, total int64, verdicts map[string]int64) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // it is only read
	rows, err := db.Query("select verdict, count(*) from source group by verdict")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // likewise
	sum := int64(0)
	for rows.Next() {
		var verdict string
		var n int64
		if err := rows.Scan(&verdict, &n); err != nil {
			t.Fatal(err)
		}
		if sum += n; n != verdicts[verdict] {
			t.Errorf("SQLite has %d sources that are %s, the API %d", n, verdict, verdicts[verdict])
		}
	}
	if err := rows.Err(); err != nil || sum != total {
		t.Errorf("SQLite has %d sources, %v, the API %d", sum, err, total)
	}
}

// aliasesLead checks that the id of a duplicate feed leads to the source of the other one, which lists the id.
func aliasesLead(t *testing.T, s *server, path string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // it is only read
	rows, err := db.Query("select id, url, source from alias")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // likewise
	for ; rows.Next(); n++ {
		var id, url, to string
		if err := rows.Scan(&id, &url, &to); err != nil {
			t.Fatal(err)
		}
		var one struct {
			ID         string `json:"source_id"`
			Aliases    []struct{ URL string }
			Validation string   `json:"last_validation"`
			Changed    string   `json:"last_changed"`
			Updates    []string `json:"last_updates"`
		}
		s.json("/api/v1/sources/"+id, &one)
		found := slices.ContainsFunc(one.Aliases, func(a struct{ URL string }) bool { return a.URL == url })
		if one.ID != to || !found || one.Validation == "" || one.Changed == "" || len(one.Updates) == 0 {
			text, _ := json.Marshal(one)
			t.Errorf("the alias %s leads to %s, want %s, with its URL among the aliases", url, text, to)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}
