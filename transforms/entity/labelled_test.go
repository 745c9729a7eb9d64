package entity

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer"
)

// A label is the content of brackets in testdata/pages: ⟦text|type|id⟧.
type label struct {
	schemas.Span
	kind, id string
}

// A labelledPage is one of testdata/pages.
type labelledPage struct {
	name, language, url, text string
	labels                    []label
}

// labelledPages reads the pages whose text people labelled by hand.
func labelledPages(t *testing.T) []labelledPage {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "pages", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no labelled pages: %v", err)
	}
	var pages []labelledPage
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		header, body, _ := strings.Cut(string(data), "\n\n")
		p := labelledPage{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
		if n, err := fmt.Sscanf(header, "language: %s\nurl: %s", &p.language, &p.url); n != 2 {
			t.Fatalf("%s: %v", file, err)
		}
		p.readLabels(t, body)
		pages = append(pages, p)
	}
	return pages
}

// readLabels removes the labels from the text.
func (p *labelledPage) readLabels(t *testing.T, body string) {
	t.Helper()
	var text strings.Builder
	for {
		before, rest, ok := strings.Cut(body, "⟦")
		text.WriteString(before)
		if !ok {
			break
		}
		inner, after, ok := strings.Cut(rest, "⟧")
		fields := strings.Split(inner, "|")
		if !ok || len(fields) < 2 || len(fields) > 3 {
			t.Fatalf("%s: the label at %q is not one", p.name, rest[:min(len(rest), 40)])
		}
		l := label{Span: schemas.Span{Start: text.Len(), End: text.Len() + len(fields[0])}, kind: fields[1], id: fields[0]}
		if len(fields) == 3 {
			l.id = fields[2]
		} else if slices.Contains([]string{typeEmail, typeHandle, typeHashtag}, l.kind) {
			l.id = strings.ToLower(l.id)
		}
		text.WriteString(fields[0])
		p.labels = append(p.labels, l)
		body = after
	}
	p.text = text.String()
}

// A score counts mentions: right, wrong and missed. It also counts right ones with another identifier.
type score struct{ right, wrong, missed, otherID int }

// compare scores the mentions of a page by type, and calls report for each mistake.
func (p *labelledPage) compare(found []mention, scores map[string]*score, report func(fault, kind, text string)) {
	at := func(kind string) *score {
		if scores[kind] == nil {
			scores[kind] = &score{}
		}
		return scores[kind]
	}
	open := map[schemas.Span]label{}
	for _, l := range p.labels {
		open[l.Span] = l
	}
	for _, m := range found {
		span, text := schemas.Span{Start: m.start, End: m.end}, p.text[m.start:m.end]
		l := open[span]
		switch {
		case l.kind == m.kind:
			at(m.kind).right++
			if l.id != p.idOf(m) {
				at(m.kind).otherID++
				report("other id", m.kind, fmt.Sprintf("%s → %s, not %s", text, p.idOf(m), l.id))
			}
			delete(open, span)
		case slices.ContainsFunc(p.labels, func(l label) bool { return l.kind == "?" && l.Start < m.end && m.start < l.End }):
		default:
			at(m.kind).wrong++
			report("wrong", m.kind, text)
		}
	}
	for _, l := range p.labels {
		if _, left := open[l.Span]; left && l.kind != "?" && l.kind != "no" {
			at(l.kind).missed++
			report("missed", l.kind, p.text[l.Start:l.End])
		}
	}
}

// idOf returns a mention's identifier as in labels; for a place it is the country.
func (p *labelledPage) idOf(m mention) string {
	if m.kind != typePlace {
		return m.id
	}
	l := newLocale(p.language, p.url)
	for _, g := range gazetteer.Find(p.text, gazetteer.Context{Language: l.language, Country: l.home}, nil) {
		if g.Place.URL() == m.id {
			return g.Place.Country
		}
	}
	return ""
}

// These pages were written and labelled for this test, before the code was run on them.
func TestMentions_labelledPages(t *testing.T) {
	scores := map[string]*score{}
	for _, p := range labelledPages(t) {
		c := newCollector(1000, 1000)
		l := newLocale(p.language, p.url)
		found := mentions(c, Input{Text: p.text, Language: p.language, URL: p.url}, l, newPhones(l.region, 1000))
		p.compare(found, scores, func(fault, kind, text string) {
			if testing.Verbose() {
				t.Logf("%-20s %-8s %-7s %s", p.name, fault, kind, text)
			}
		})
	}
	var patterns score
	for _, kind := range sortedKeys(scores) {
		s := scores[kind]
		t.Logf("%-8s right %3d, wrong %3d, missed %3d, other id %3d: precision %.3f, recall %.3f", kind, s.right, s.wrong,
			s.missed,
			s.otherID, s.precision(), s.recall())
		if kind != typePlace {
			patterns.right += s.right
			patterns.wrong += s.wrong
			patterns.missed += s.missed
			patterns.otherID += s.otherID
		}
	}
	t.Logf("patterns %+v: precision %.3f, recall %.3f", patterns, patterns.precision(), patterns.recall())
	if p := patterns.precision(); p < 0.98 {
		t.Errorf("the precision of patterns is %.3f, want .98 or more", p)
	}
}

func (s score) precision() float64 { return float64(s.right) / float64(max(1, s.right+s.wrong)) }

func (s score) recall() float64 { return float64(s.right) / float64(max(1, s.right+s.missed)) }

// sortedKeys returns the keys of m in order.
func sortedKeys(m map[string]*score) []string { return slices.Sorted(maps.Keys(m)) }
