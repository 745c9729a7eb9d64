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
				"fetch_4xx + fetch_5xx + fetch_other + robots_200 + robots_3xx + robots_gone + robots_4xx + robots_5xx) " +
				"from host_index",
			"select count(*) from documents where host is not null",
		},
		{
			"select url_host_name, fetch_200, fetch_200_lote, payloads from host_index order by 1",
			"select host, sum(ifnull(status = 200, 0)), sum(ifnull(status = 200 and language <> 'en', 0)), " +
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
