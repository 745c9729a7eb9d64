package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

const (
	leastPages   = 2  // that it takes to say what kind of site a source is of
	mostEntities = 20 // of a source
)

// languages are those of the pages, by their words, most first.
func (s State) languages() (list []schemas.Language) {
	words, pages, all := map[string]int{}, map[string]int{}, 0
	for _, p := range s.Pages {
		// An error page has a language too, and not the source's.
		if p.Language != "" && p.answered() {
			words[p.Language] += int(p.Words)
			pages[p.Language]++
			all += int(p.Words)
		}
	}
	total := 0
	for _, n := range pages {
		total += n
	}
	// Shares are of words, of which there are none.
	if all == 0 {
		return nil
	}
	for code, n := range words {
		share := float64(n) / float64(all)
		list = append(list, schemas.Language{
			Code: code, Share: rounded(share), Confidence: rounded(float64(pages[code]) / float64(total)),
		})
	}
	// The code decides between equal shares, since maps have no order.
	slices.SortFunc(list, func(a, b schemas.Language) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Code, b.Code))
	})
	return list
}

// language is the source's main one: that of its pages; with one page or none, what the feed declares, unless that is
// English, which is what software declares by itself; else that of its site, as for a feed of comments.
func (s State) language(ofPages []schemas.Language, host string, w World) string {
	declared := s.declaredLanguage()
	said := declared != "" && declared != "en"
	switch {
	case len(ofPages) > 0 && (len(s.Pages) >= leastPages || !said):
		return ofPages[0].Code
	case said || w.Language == nil:
		return declared
	}
	// What its site is written in is surer than the default of its software.
	return cmp.Or(w.Language(host), declared)
}

// declaredLanguage is the feed's word for it, as a code of languages alone: en of en-US.
func (s State) declaredLanguage() string {
	code, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(s.Info.Language, "_", "-")), "-")
	// ISO 639 has codes of two and three letters; what else stands there is no language.
	if len(code) < 2 || len(code) > 3 {
		return ""
	}
	return code
}

// entities are what the pages name, by the number of pages and by how rare it is among sources. What only one page
// names counts little, and the publisher's own name and those of news agencies, which stand under each text, nothing.
func (s State) entities(rare func(Name) float64) []schemas.SourceEntity {
	// At most MaxPages pages of MaxNames names.
	count := map[Name]int{}
	for _, p := range s.Pages {
		for _, n := range p.Entities {
			count[n]++
		}
	}
	type scored struct {
		Name
		pages int
		score float64
	}
	var list []scored
	own := s.ownNames()
	for n, pages := range count {
		if own.has(n.Text) || agencies[strings.ToLower(n.Text)] {
			continue
		}
		score := float64(pages)
		if pages == 1 {
			score *= 0.3 // measured: see the research on representative entities in docs/sources.md
		}
		// An idf: what every other source names too says little of this one.
		if rare != nil {
			score *= rare(n)
		}
		list = append(list, scored{n, pages, score})
	}
	slices.SortFunc(list, func(a, b scored) int {
		// A total order: the list is cut, and the cut must not depend on that of a map.
		return cmp.Or(cmp.Compare(b.score, a.score), compareNames(a.Name, b.Name))
	})
	var out []schemas.SourceEntity
	for _, e := range list[:min(mostEntities, len(list))] {
		out = append(out, schemas.SourceEntity{Type: e.Type, Text: e.Text, Pages: e.pages})
	}
	return out
}

// agencies stand in bylines, whatever a text is about.
var agencies = map[string]bool{
	"reuters": true, "associated press": true, "ap": true, "afp": true, "agence france-presse": true, "dpa": true,
	"efe": true, "ansa": true, "tass": true, "xinhua": true, "bloomberg": true, "getty images": true, "upi": true,
}

// ownNames are a source's title and the name of its domain, squeezed.
type ownNames struct{ title, domain string }

func (s State) ownNames() ownNames {
	domain, _, _ := strings.Cut(urlkey.RegistrableDomain(hostOf(s.Info.URL)), ".")
	return ownNames{squeeze(s.Info.Title), squeeze(domain)}
}

// has tells whether a name is the source's own, or a part of its title.
func (o ownNames) has(text string) bool {
	name := squeeze(text)
	// Up to three bytes may stand in a title by chance: "un" in "Sunday".
	return name == "" || name == o.title || name == o.domain || len(name) > 3 && strings.Contains(o.title, name)
}

// squeeze leaves the letters and digits of a text, in lower case.
func squeeze(text string) string {
	var b strings.Builder
	for w := range wordsOf(text) {
		b.WriteString(w)
	}
	return b.String()
}

// publisher is the kind of site: that which most pages are taken for, when it is more than one page, else a newspaper
// where what it publishes has its variety. "" where neither tells.
func (s State) publisher() string {
	count := map[string]int{}
	for _, p := range s.Pages {
		if p.Publisher != "" && p.Publisher != schemas.PublisherUnknown {
			count[p.Publisher]++
		}
	}
	kind, ok := mostOf(count)
	switch {
	case ok && count[kind] >= leastPages:
		return kind
	case s.isNewspaper():
		return schemas.PublisherMainstreamNews
	}
	return ""
}

// Names are what pages name, each once.
func Names(pages []Page) map[Name]bool {
	names := map[Name]bool{}
	for _, p := range pages {
		for _, n := range p.Entities {
			names[n] = true
		}
	}
	return names
}
