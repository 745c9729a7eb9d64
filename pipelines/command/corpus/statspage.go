package corpus

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

//go:embed stats.html
var statsSource string

var statsTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("stats").Funcs(template.FuncMap{
		"count": cli.FormatCount, "bytes": cli.FormatBytes, "name": visible,
		"tables": tables, "number": func(n int) string { return cli.FormatCount(int64(n)) },
	}).Parse(statsSource))
})

// statsPage writes a page that loads nothing. html/template escapes values from archives.
func statsPage(w io.Writer, name string, st corpora.Statistics) error {
	return statsTemplate().Execute(w, struct {
		Name string
		corpora.Statistics
	}{name, st})
}

// table is a histogram or a ranking of values.
type table struct {
	Title string
	Rows  []tableRow
}

type tableRow struct {
	Name      string
	Documents int64
	Percent   int // of the longest bar
}

// tables returns the tables of a partition. clusters is nil except for the totals.
func tables(p corpora.Part, clusters []int64) (list []table) {
	add := func(title string, rows []tableRow) {
		most := int64(1)
		for _, r := range rows {
			most = max(most, r.Documents)
		}
		for i := range rows {
			rows[i].Percent = int(float64(rows[i].Documents) / float64(most) * 100)
		}
		if len(rows) > 0 {
			list = append(list, table{title, rows})
		}
	}
	add("Length of texts, bytes", powers(p.Lengths))
	add("Quality", tenths(p.Quality))
	for _, r := range []struct {
		title string
		corpora.Ranking
	}{{"Languages", p.Languages}, {"Domains", p.Domains}, {"Media types", p.MediaTypes}} {
		var rows []tableRow
		for _, x := range r.Top {
			rows = append(rows, tableRow{Name: x.Name, Documents: x.Documents})
		}
		title := r.title
		if int(r.Distinct) > len(rows) {
			title = fmt.Sprintf("%s, the first %d of %s", title, len(rows), cli.FormatCount(r.Distinct))
		}
		add(title, rows)
	}
	add("Documents of a domain", powers(p.Domains.Sizes))
	add("How sure the language is", tenths(p.LanguageScores))
	var kinds []tableRow
	for _, reason := range slices.Sorted(maps.Keys(p.Duplicates)) {
		kinds = append(kinds, tableRow{Name: reason, Documents: p.Duplicates[reason]})
	}
	add("Duplicates", kinds)
	add("Duplicates of a document", powers(clusters))
	return list
}

// powers returns the rows of a histogram with bins of powers of 2, from the first bin with documents.
func powers(h []int64) (rows []tableRow) {
	for i, n := range h {
		if n == 0 && rows == nil {
			continue
		}
		low, high := int64(1)<<i, int64(1)<<(i+1)-1
		name := cli.FormatCount(low)
		switch {
		case i == 0:
			name = "0 to 1"
		case high > low:
			name += " to " + cli.FormatCount(high)
		}
		rows = append(rows, tableRow{Name: name, Documents: n})
	}
	return rows
}

func tenths(h [10]int64) (rows []tableRow) {
	for i, n := range h {
		rows = append(rows, tableRow{Name: fmt.Sprintf("%.1f to %.1f", float64(i)/10, float64(i+1)/10), Documents: n})
	}
	return rows
}
