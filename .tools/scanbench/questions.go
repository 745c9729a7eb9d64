package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// questions returns the twelve questions about pages in the collection. DuckDB's LIKE does not match whole words. So
// the words make no difference in sentences, or regexp_matches checks their surroundings.
func questions(s *shards) ([]question, error) {
	some, err := s.example()
	if err != nil {
		return nil, err
	}
	month := func(from, to string) string {
		return "timestamp >= '" + from + "' AND timestamp < '" + to + "'"
	}
	march, april := "timestamp >= 2025-03 AND timestamp < 2025-04", month("2025-03-01", "2025-04-01")
	host, _, _ := strings.Cut(some.SURT, ")")
	all := []struct{ name, where, sql string }{
		{
			"French PDFs in March", `language = fr AND mime_detected = "application/pdf" AND ` + march,
			"language = 'fr' AND mime_detected = 'application/pdf' AND " + april,
		},
		{"one URL", fmt.Sprintf("url = %q", some.URL), "url = '" + some.URL + "'"},
		{"one SURT", fmt.Sprintf("surt = %q", some.SURT), "surt = '" + some.SURT + "'"},
		{"one host", fmt.Sprintf("surt = %q", host+")*"), "surt LIKE '" + host + ")%'"},
		{
			"up to a moment", fmt.Sprintf("surt = %q AND timestamp <= 2025-12-31", some.SURT),
			"surt = '" + some.SURT + "' AND timestamp < '2026-01-01'",
		},
		{
			"errors of a day", "status = 404 AND timestamp = 2025-06-17",
			"status = 404 AND " + month("2025-06-17", "2025-06-18"),
		},
		{
			"four languages",
			`(language = th OR language = he OR language = hi OR language = uk) AND mime_detected = "application/pdf"`,
			"language IN ('th', 'he', 'hi', 'uk') AND mime_detected = 'application/pdf'",
		},
		{
			"an entity", `entities.text = "United Kingdom" AND language = de`,
			"list_contains(list_transform(entities, lambda e: e.text), 'United Kingdom') AND language = 'de'",
		},
		{
			"a source", `source_id = "source-321" AND NOT mime_detected = "text/html"`,
			"source_id = 'source-321' AND mime_detected <> 'text/html'",
		},
		{"long texts", "quality.words > 8000 AND language = it", "quality.words > 8000 AND language = 'it'"},
		{"a title", `title:"climate" AND language = en`, "contains(lower(title), 'climate') AND language = 'en'"},
		{
			"a word in March", `ministero AND language = it AND ` + march,
			"language = 'it' AND " + april + " AND (" + hasWord("text") + " OR " + hasWord("title") + ")",
		},
	}
	list := make([]question, len(all))
	for i, q := range all {
		where, err := query.Parse(q.where)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.name, err)
		}
		list[i] = question{q.name, selected + q.sql, where}
	}
	return list, nil
}

// example returns a French page in the collection.
func (s *shards) example() (*schemas.Document, error) {
	where, err := query.Parse("language = fr")
	if err != nil {
		return nil, err
	}
	for _, f := range s.files {
		for row, err := range f.Rows(context.Background(), where, []string{"url", "surt"}) {
			return row.Document, err
		}
	}
	return nil, fmt.Errorf("no French page")
}

// hasWord returns SQL for a column with the word, ignoring case and accents.
func hasWord(column string) string {
	return `regexp_matches(strip_accents(lower(` + column + `)), '(^|[^\pL\pN])ministero($|[^\pL\pN])')`
}
