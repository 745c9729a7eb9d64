package pagedata

import (
	"encoding/json"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// TestExtract_brokenBlocks reads the JSON-LD blocks of the given pages that are not valid JSON. At least 20 of 27 must
// give an item with a type and properties.
func TestExtract_brokenBlocks(t *testing.T) {
	blocks, broken, read := 0, 0, 0
	for name, src := range givenPages(t) {
		for _, s := range page.Parse(src, page.Options{URL: base}).Scripts() {
			if s.Type != "application/ld+json" {
				continue
			}
			if blocks++; json.Valid([]byte(s.Text)) {
				continue
			}
			broken++
			nodes, _ := jsonld.Parse(s.Text, jsonld.Options{})
			items, _ := Extract(Input{LD: nodes})
			good := false
			for _, it := range items {
				good = good || len(it.Types) > 0 && len(it.Props) > 0
			}
			if good {
				read++
			} else {
				t.Logf("%s: nothing read of %.200q", name, s.Text)
			}
		}
	}
	t.Logf("%d blocks, %d not valid, %d of these read", blocks, broken, read)
	if broken == 0 || read*27 < broken*20 {
		t.Errorf("%d of %d broken blocks are read, want 20 of 27", read, broken)
	}
}

// BenchmarkExtract measures the given pages that have structured data, without parsing pages and JSON, which other
// extractors share.
func BenchmarkExtract(b *testing.B) {
	var pages []Input
	for _, src := range givenPages(b) {
		p := page.Parse(src, page.Options{URL: base})
		in := Input{Page: p, LD: jsonld.Nodes(p.Scripts(), jsonld.Options{})}
		p.Metas()
		if items, _ := Extract(in); len(items) > 0 {
			pages = append(pages, in)
		}
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		in := pages[n%len(pages)]
		items, _ := Extract(in)
		Rows(items, Source{URL: base})
		n++
	}
	b.ReportMetric(float64(len(pages)), "pages")
}
