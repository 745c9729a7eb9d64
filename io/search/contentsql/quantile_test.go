package contentsql

import (
	"errors"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
)

// TestQuery_quantiles: as DuckDB has them, over groups, windows, distinct and filtered values.
func TestQuery_quantiles(t *testing.T) {
	db, err := contentdb.Open(t.Context(), build(t, corpus(8), holdings.FormatParquet), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	const four = "with v(g, x) as (values (1, 1), (1, 2), (2, 3), (2, 10), (2, null)) "
	for _, x := range []struct{ statement, want string }{
		{
			four + "select median(x), quantile(x, .5), quantile_cont(x, .25), quantile_disc(x, 1), quantile(x, 0) from v",
			"[2.5,2,1.75,10,1]",
		},
		{four + "select json_group_array(m) from (select median(x) m from v group by g order by g)", `["[1.5,6.5]"]`},
		{four + "select median(x) filter (where x > 1), median(distinct g) from v", "[3,1.5]"},
		{
			four + "select json_group_array(m) from " +
				"(select median(x) over (order by x rows between 1 preceding and current row) m from v)",
			`["[null,1.0,1.5,2.5,6.5]"]`,
		},
		{"select median(x), quantile(x, .3) from (select 1 x where 0)", "[null,null]"},
		{"select median(x), quantile(x, .9) from (select 1.5 x union all select 2)", "[1.75,2]"},
		{"select median(offset), quantile(offset, .9) from documents", "[350,700]"},
	} {
		if got := answer(t, db, x.statement); len(got) != 1 || got[0] != x.want {
			t.Errorf("%s: %v, want %s", x.statement, got, x.want)
		}
	}
	for statement, want := range map[string]string{
		"select median('a')": "takes numbers", "select quantile(1, 2)": "from 0 to 1",
		"select quantile(1, null)":                                "from 0 to 1",
		"select quantile(offset, offset / 1000.0) from documents": "one share",
		"select median(1, 2)":                                     "wrong number of arguments",
	} {
		rows, err := Query(t.Context(), db, statement, Options{})
		if err == nil {
			for rows.Next() {
				t.Errorf("%s: %v", statement, rows.Values())
			}
			err = errors.Join(rows.Err(), rows.Close())
		}
		if !errors.Is(err, ErrStatement) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", statement, err, want)
		}
	}
}
