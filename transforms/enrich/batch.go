package enrich

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Batched is an Extractor that works on several pages in one call, for example in another process. It runs after all
// extractors that are not Batched. Callers of Enrich that do not ask for Extra.Later have it run by Extract.
type Batched interface {
	Extractor
	// Batch returns how many pages a call of ExtractAll may have, at least 1.
	Batch() int
	// Keep returns what ExtractAll needs of a page besides its document. It may not refer to the page.
	Keep(p *Page) any
	// KeepsPages reports whether the results of Keep may be as large as pages, and not only as their texts.
	KeepsPages() bool
	// ExtractAll returns the values of each page as Extract does, in the same order. They must not depend on the other
	// pages of the call.
	ExtractAll(pages []Kept) []Values
}

// Kept is a page for a Batched extractor.
type Kept struct {
	Document *schemas.Document // read-only
	Data     any               // as Keep returned it
}

// Values are the values of a page by column, or an error.
type Values struct {
	ByColumn map[string][]string
	Err      error
}

// Rest is what Finish needs of a page.
type Rest struct {
	document *schemas.Document
	// By the extractor's place in Enricher.batched.
	kept  []any
	ready []bool // Keep has run
}

// Batch returns how many pages Finish should get for full batches, or 0 if Enrich leaves it nothing to do.
func (e *Enricher) Batch() (n int) {
	for _, x := range e.batched {
		n = max(n, x.Batch())
	}
	return n
}

// KeepsPages reports whether a Rest may be as large as its page.
func (e *Enricher) KeepsPages() bool { return slices.ContainsFunc(e.batched, Batched.KeepsPages) }

// keep notes what Batched extractors need of the page.
func (w *work) keep() {
	n := len(w.e.batched)
	w.rest = &Rest{document: w.d, kept: make([]any, n), ready: make([]bool, n)}
	for i, x := range w.e.batched {
		// What the page has now is all that its trigger sees, unless it tests a column of another Batched one.
		if w.off(x.Name()) && !w.e.testsBatched(w.e.triggers[x.Name()]) {
			continue
		}
		w.guard(x.Name(), func(w *work) { w.rest.kept[i], w.rest.ready[i] = x.Keep(&Page{w}), true })
	}
}

// testsBatched reports whether a trigger tests a column of a Batched extractor.
func (e *Enricher) testsBatched(filter query.Expr) bool {
	return slices.ContainsFunc(query.Tested(filter), func(field string) bool {
		place, column, _ := strings.Cut(field, ".")
		return query.IsCustom(place) && slices.ContainsFunc(e.batched, func(x Batched) bool {
			return slices.Contains(x.Columns(), column)
		})
	})
}

// Finish runs the Batched extractors on pages, and sets the values in their documents. Which pages are in one batch
// depends on the list alone.
func (e *Enricher) Finish(list []*Rest) {
	for i, x := range e.batched {
		pages := e.wanted(x.Name(), i, list)
		for n := max(1, x.Batch()); len(pages) > 0; pages = pages[min(n, len(pages)):] {
			finish(x, pages[:min(n, len(pages))])
		}
	}
}

// wanted returns the pages that are ready for an extractor and that its trigger allows.
func (e *Enricher) wanted(name string, i int, list []*Rest) (pages []Kept) {
	holds := func(*schemas.Document) bool { return true }
	if filter, is := e.triggers[name]; is {
		holds = query.Compile(filter)
	}
	for _, r := range list {
		if r.ready[i] && holds(r.document) {
			pages = append(pages, Kept{r.document, r.kept[i]})
		}
	}
	return pages
}

// finish sets the values of a batch. After a panic each of its documents has an error.
func finish(x Batched, pages []Kept) {
	all, err := extractAll(x, pages)
	for i, p := range pages {
		if err != nil {
			fail(p.Document, x.Name(), schemas.KindPanic, err.Error())
		} else {
			setOwn(p.Document, x, all[i].ByColumn, all[i].Err)
		}
	}
}

func extractAll(x Batched, pages []Kept) (all []Values, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	if all = x.ExtractAll(pages); len(all) != len(pages) {
		panic(fmt.Sprintf("%d values for %d pages", len(all), len(pages)))
	}
	return all, nil
}
