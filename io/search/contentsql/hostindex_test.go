package contentsql

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
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
