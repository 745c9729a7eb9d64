package contentsql

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// TestQuery_hostIndex: the table of hosts says the same as statements about documents, and has the ranks of links.
func TestQuery_hostIndex(t *testing.T) {
	db, err := contentdb.Open(t.Context(), site(t, holdings.FormatParquet, holdings.FormatLinks), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	for _, tt := range []struct{ view, documents string }{
		{
			"select url_host_name, captures, pages, bytes, first, last, languages from host_index order by 1",
			"select host, count(*), count(distinct surt), sum(length), min(timestamp), max(timestamp), " +
				"json_group_array(distinct language) from documents group by 1 order by 1",
		},
		{
			"select sum(fetch_200 + fetch_redirPerm + fetch_redirTemp + fetch_notModified + fetch_3xx + fetch_gone + " +
				"fetch_4xx + fetch_5xx + fetch_other + robots_200 + robots_3xx + robots_gone + robots_4xx + robots_5xx + " +
				"robots_other) from host_index",
			"select count(*) from documents where host is not null",
		},
		{
			"select url_host_name, fetch_200, fetch_200_lote, payloads from host_index order by 1",
			"select host, sum(ifnull(status = 200, 0)), " +
				"sum(ifnull(status = 200 and language not in ('en', 'zxx', 'und'), 0)), " +
				"count(distinct digest) from documents group by 1 order by 1",
		},
		{
			"select url_host_name, hcrank, prank, hcrank_pos, prank_pos from host_index order by 1",
			"select d.host, r.hcrank, r.prank, r.hcrank_pos, r.prank_pos from (select distinct host from documents) d " +
				"left join host_ranks r on r.host = d.host order by 1",
		},
	} {
		want := answerOf(t, db, tt.documents, Options{})
		if diff := cmp.Diff(want, answerOf(t, db, tt.view, Options{})); diff != "" || len(want) == 0 {
			t.Errorf("%s (-want, +got)\n%s", tt.view, diff)
		}
	}
}

// TestQuery_hostIndexOfWeb: only URLs of the web count, and not those of records about the crawl.
func TestQuery_hostIndexOfWeb(t *testing.T) {
	var docs []*schemas.Document
	for i, url := range []string{
		"http://a.example/", "HTTPS://a.example/b", "ftp://b.example/file", "gemini://c.example/",
		"metadata://gnu.org/software/wget/warc/MANIFEST.txt", "metadata://a.example/x", "whois://whois.example/?q=a.example",
		"dns:d.example", "dns://e.example/f.example", "urn:pageinfo:http://g.example/", "urn://h.example/",
		"filedesc://i.example.arc", "warcinfo:j.warc", "screenshot://k.example/", "mailto:a@l.example", "no URL", "",
	} {
		d := &schemas.Document{
			URL: url, SURT: urlkey.SURT(url), Timestamp: "2026-03-01T00:00:00Z", Filename: "a.warc", Offset: int64(i),
			RecordType: schemas.TypeResource,
		}
		d.Host, d.Domain = urlkey.Site(url)
		docs = append(docs, d)
	}
	db, err := contentdb.Open(t.Context(), build(t, docs, holdings.FormatParquet), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	got := answerOf(t, db, "select url_host_name, captures from host_index order by 1", Options{})
	want := []string{`["a.example",2]`, `["b.example",1]`, `["c.example",1]`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
}

// TestRankHosts_estimated: the answer of a large graph says that ranks are estimated, and that of a small one does not.
func TestRankHosts_estimated(t *testing.T) {
	q := &question{}
	for _, n := range []int{maxExactHosts, maxExactHosts + 1} {
		q.noteRanks(n)
		if got := len(q.notes) == 1; got != (n > maxExactHosts) {
			t.Errorf("%d hosts: the notes are %q", n, q.notes)
		}
	}
}

// TestQuery_hostIndexRobots: the newest robots.txt that a server had or denied gives the rules. Each capture has one
// count.
func TestQuery_hostIndexRobots(t *testing.T) {
	ruled := func(at string, status int, of schemas.RecordType, rule string) *schemas.Document {
		d := &schemas.Document{Timestamp: at + "-01-01T00:00:00Z", Status: status, RecordType: of}
		if rule != "" {
			d.Rights = []schemas.Right{{Agent: rule}}
		}
		return d
	}
	const response, revisit = schemas.TypeResponse, schemas.TypeRevisit
	for _, tt := range []struct {
		name  string
		files []*schemas.Document
		want  string
	}{
		{"one", []*schemas.Document{ruled("2023", 200, response, "GPTBot")}, "[1,0,0,0,0,0,1]"},
		{"then an empty one", []*schemas.Document{
			ruled("2023", 200, response, "GPTBot"), ruled("2024", 200, response, ""),
		}, "[2,0,0,0,0,0,0]"},
		{"then none", []*schemas.Document{
			ruled("2023", 200, response, "GPTBot"), ruled("2024", 404, response, ""),
		}, "[1,0,1,0,0,0,0]"},
		{"none, then one", []*schemas.Document{
			ruled("2023", 403, response, ""), ruled("2024", 200, response, "GPTBot"),
		}, "[1,0,0,1,0,0,1]"},
		{"then a failure, a redirect, a revisit and others", []*schemas.Document{
			ruled("2023", 200, response, "GPTBot"), ruled("2024", 503, response, ""), ruled("2025", 301, response, ""),
			ruled("2026", 200, revisit, ""), ruled("2026", 0, response, ""), ruled("2026", 999, response, ""),
		}, "[2,1,0,0,1,2,1]"},
	} {
		for i, d := range tt.files {
			d.URL, d.SURT, d.Host, d.Filename, d.Offset = "http://a.example/robots.txt", "example,a)/robots.txt", "a.example",
				"a.warc", int64(i)
		}
		db, err := contentdb.Open(t.Context(), build(t, tt.files, holdings.FormatParquet), contentdb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := answerOf(t, db, "select robots_200, robots_3xx, robots_gone, robots_4xx, robots_5xx, robots_other, "+
			"ifnull(robots_rules like '%GPTBot%', 0) from host_index", Options{})
		if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestQuery_hostIndexLanguages: texts in no language or an unknown one are not in a language other than English.
func TestQuery_hostIndexLanguages(t *testing.T) {
	var docs []*schemas.Document
	for i, language := range []string{"en", "zxx", "und", "", "fr", "de"} {
		docs = append(docs, &schemas.Document{
			URL: "http://a.example/", SURT: "example,a)/", Host: "a.example", Status: 200, Language: language,
			Filename: "a.warc", Offset: int64(i),
		})
	}
	db, err := contentdb.Open(t.Context(), build(t, docs, holdings.FormatParquet), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	if got := answerOf(t, db, "select fetch_200, fetch_200_lote from host_index", Options{}); got[0] != "[6,2]" {
		t.Errorf("%s, want [6,2]", got)
	}
}
