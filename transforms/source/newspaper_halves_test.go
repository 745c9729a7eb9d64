package source_test

import (
	"fmt"
	"hash/fnv"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/department"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/source"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// TestNewspaper_halves holds out half of the given sites, in ten ways and each half in turn. Names of departments,
// weights and the minimum score come only from the other half. The people who made the list of names had seen sites of
// both halves. Here a name counts only if a page of the other half has it. This is harder than in practice, since
// names that people know without any page do not count either.
func TestNewspaper_halves(t *testing.T) {
	if os.Getenv("GLEANER_PACKAGES") == "" {
		t.Skip("most of the sites are in packages: set GLEANER_PACKAGES")
	}
	var given []site
	for _, s := range labelledSites(t) {
		if !s.kept && s.label != "unclear" {
			given = append(given, s)
		}
	}
	var all score
	for seed := range 10 {
		for kept := range uint64(2) {
			s := scoreHalf(given, func(s site) bool { return halfOf(seed, s.domain) == kept })
			t.Logf("ways %d, half %d: %d sites, %d newspapers: precision %.3f of %d, recall %.3f", seed, kept, s.sites, s.there,
				s.precision(), s.found, s.recall())
			all.found, all.right, all.there = all.found+s.found, all.right+s.right, all.there+s.there
		}
	}
	all.want(t)
}

func halfOf(seed int, domain string) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, seed, " ", domain) // a hash never fails
	return h.Sum64() >> 32 & 1
}

// scoreHalf scores the kept sites with two pages or more, using the others.
func scoreHalf(given []site, kept func(site) bool) (s score) {
	known := map[string]bool{}
	for _, one := range given {
		if kept(one) {
			continue
		}
		for _, p := range one.read {
			for name := range p.departments {
				known[name] = true
			}
			for _, folder := range strings.Split(p.URL, "/") {
				for name := range namesIn(folder) {
					known[name] = true
				}
			}
		}
	}
	var learn, judge []site
	for _, one := range given {
		if one.State = one.knowing(known); !kept(one) {
			learn = append(learn, one)
		} else if len(one.Pages) > 1 {
			judge = append(judge, one)
		}
	}
	weights := train(learn, func(int) bool { return true })
	_, several := scored(learn)
	least := lowestOf(several) + step
	for _, one := range judge {
		s.add(source.NewsScore(weights, one.State) >= least, one.label == "news")
	}
	return s
}

// lowestOf returns the lowest score above which results have the required precision.
func lowestOf(all []tried) int {
	for least := lowest; ; least += step {
		var s score
		for _, one := range all {
			s.add(one.score >= least, one.newspaper)
		}
		if s.precision() >= 0.95 || s.found == 0 {
			return least
		}
	}
}

// knowing returns the site's state if only known names of departments count.
func (s site) knowing(known map[string]bool) source.State {
	state := source.State{Info: s.Info}
	for _, d := range s.read {
		// Signals have the English names of departments; other signals are not names.
		made := *d.Document
		made.SiteSignals = slices.DeleteFunc(slices.Clone(d.SiteSignals),
			func(x string) bool { return department.Of(x) != 0 })
		for name, of := range d.departments {
			if !known[name] {
				continue
			}
			for one := range of.All() {
				made.SiteSignals = append(made.SiteSignals, one.String())
			}
		}
		p := source.FromDocument(&made)
		p.URL = withoutUnknown(d.URL, known)
		state.Pages = append(state.Pages, p)
	}
	return source.Of(state)
}

// withoutUnknown removes folders that name departments by unknown names.
func withoutUnknown(link string, known map[string]bool) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	folders := strings.Split(u.Path, "/")
	for i, folder := range folders {
		for name := range namesIn(folder) {
			if !known[name] {
				folders[i] = "-"
			}
		}
	}
	u.Path = strings.Join(folders, "/")
	return u.String()
}

// departmentsOf returns the names of departments in a page's links to its own site, as used by publisher.NewsSignals,
// and their departments.
func departmentsOf(p *page.Page) map[string]department.Set {
	found := map[string]department.Set{}
	domain := urlkey.RegistrableDomain(urlkey.Host(p.URL))
	for _, a := range p.Anchors() {
		if department.Of(a.Text) != 0 && urlkey.RegistrableDomain(urlkey.Host(a.Href)) == domain {
			maps.Copy(found, namesIn(a.Text))
		}
	}
	return found
}

// joined matches the separator of two names.
var joined = regexp.MustCompile(`[&/,|+:・·]|[ -](and|und|et|y|e|og|och|en|i|a|и)[ -]`)

// namesIn returns each name in a text that department.Of knows, and its departments.
func namesIn(text string) map[string]department.Set {
	found := map[string]department.Set{}
	all := department.Of(text)
	for _, part := range joined.Split(text, -1) {
		if d := department.Of(part); d != 0 {
			name := strings.Trim(strings.ReplaceAll(strings.ToLower(part), "-", " "), " ")
			name = strings.TrimSuffix(name, " news") // these words add nothing
			found[name] |= d
			all &^= d
		}
	}
	if all != 0 {
		found[strings.ToLower(text)] = all
	}
	return found
}
