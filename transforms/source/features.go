package source

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

const (
	leastPages   = 2  // for the kind of site
	mostEntities = 20 // of a source
)

// languages are those of the pages by words, most first.
func (s State) languages() (list []schemas.Language) {
	words, pages, all := map[string]int{}, map[string]int{}, 0
	for _, p := range s.Pages {
		// The language of an error page is not the source's.
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
	// Shares are of words.
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

// language is the main language of the source, by its pages. With one page or none it is the declared one, unless that
// is English, the default of software. Then it is its site's.
func (s State) language(ofPages []schemas.Language, host string, w World) string {
	main := ""
	if len(ofPages) > 0 {
		main = ofPages[0].Code
	}
	return s.languageBy(main, len(s.Pages) >= leastPages, host, w)
}

// languageBy is language, given the main language of the pages and whether they are enough.
func (s State) languageBy(main string, many bool, host string, w World) string {
	declared := s.declaredLanguage()
	said := declared != "" && declared != "en"
	switch {
	case main != "" && (many || !said):
		return main
	case said || w.Language == nil:
		return declared
	}
	// Its site's language is more reliable than the default of its software.
	return cmp.Or(w.Language(host), declared)
}

// declaredLanguage is the feed's declaration as a code of only the language: en of en-US.
func (s State) declaredLanguage() string {
	code, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(s.Info.Language, "_", "-")), "-")
	// ISO 639 has codes of two and three letters; others are invalid.
	if len(code) < 2 || len(code) > 3 {
		return ""
	}
	return code
}

// entitiesOf are the names in the pages, by number of pages and rarity among sources. A name in only one page counts
// little. The publisher's own name and those of news agencies, which are below each text, do not count.
func entitiesOf(names []Naming, rare func(Name) float64) []schemas.SourceEntity {
	type scored struct {
		place int // index among the names, which are sorted: it decides between equal scores
		score float64
	}
	// The best so far, sorted: nearly all names are worse than the last of them.
	var best [mostEntities]scored
	n := 0
	for i, name := range names {
		if name.Own {
			continue
		}
		score := float64(name.Pages)
		if name.Pages == 1 {
			score *= 0.3 // measured: see the research on representative entities in docs/sources.md
		}
		// An idf: names in every other source say little about this one.
		if rare != nil {
			score *= rare(name.Name)
		}
		if n == mostEntities && score <= best[n-1].score {
			continue
		}
		n = min(n+1, mostEntities)
		at := n - 1
		for ; at > 0 && best[at-1].score < score; at-- {
			best[at] = best[at-1]
		}
		best[at] = scored{i, score}
	}
	if n == 0 {
		return nil
	}
	out := make([]schemas.SourceEntity, 0, n)
	for _, x := range best[:n] {
		e := names[x.place]
		out = append(out, schemas.SourceEntity{Type: e.Type, Text: e.Text, Pages: e.Pages})
	}
	return out
}

// agencies are in bylines of texts on any topic.
var agencies = map[string]bool{
	"reuters": true, "associated press": true, "ap": true, "afp": true, "agence france-presse": true, "dpa": true,
	"efe": true, "ansa": true, "tass": true, "xinhua": true, "bloomberg": true, "getty images": true, "upi": true,
}

func isAgency(name string) bool { return agencies[strings.ToLower(name)] }

// ownNames are a source's title and the name of its domain, squeezed.
type ownNames struct{ title, domain []byte }

func (s State) ownNames() ownNames {
	domain, _, _ := strings.Cut(urlkey.RegistrableDomain(hostOf(s.Info.URL)), ".")
	return ownNames{appendSqueezed(nil, s.Info.Title), appendSqueezed(nil, domain)}
}

// has reports whether a name is empty, the source's own, or a part of its title.
func (o ownNames) has(text string) bool {
	var room [64]byte // nearly all names are shorter, and there are tens of millions
	name := appendSqueezed(room[:0], text)
	// Up to three bytes may be in a title by chance: "un" in "Sunday".
	return len(name) == 0 || bytes.Equal(name, o.title) || bytes.Equal(name, o.domain) ||
		len(name) > 3 && bytes.Contains(o.title, name)
}

// squeeze keeps the letters and digits of a text, in lower case.
func squeeze(text string) string { return string(appendSqueezed(nil, text)) }

func appendSqueezed(b []byte, text string) []byte {
	for w := range wordsOf(text) {
		b = append(b, w...)
	}
	return b
}

// publisher is the kind of site of most pages, if more than one, else a newspaper if its topics are varied enough, or
// "".
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
