package source

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Version changes when Describe gives another result. Then sources are described again from their states.
const Version = "12"

// mostPages is the number of newest pages in a description.
const mostPages = 10

// World is what other sources contribute to a description. The zero World contributes nothing.
type World struct {
	// Rarity returns how rare a name is among sources; with nil all are equally rare.
	Rarity func(Name) float64
	// Language returns the main language of a host's pages, or "".
	Language func(host string) string
}

// Describe describes a source by its state at a given time. It is a pure function.
func Describe(key string, s State, asOf time.Time, p Policy, w World) schemas.Source {
	row, _ := DescribeWhole(key, s, asOf, p, w)
	return row
}

// DescribeWhole is Describe with the facts that Renew needs for another time.
func DescribeWhole(key string, s State, asOf time.Time, p Policy, w World) (schemas.Source, Facts) {
	s.Items = united(s.Items)
	newest := s.newestPages()
	s.Pages = withoutBare(s.Pages)
	names, dates := s.namings(), s.Dates()
	// Once for both: the class follows from the reasons.
	verdict, reasons, e := Judge(s)
	class := s.classBy(reasons)
	feed := URLOf(key, s)
	host, domain := urlkey.Site(feed)
	d := schemas.Source{
		ID: ID(key), URL: feed, Canonical: Canonical(feed), Type: s.Info.Type, Class: class,
		Title: s.title(), Link: s.Info.Link, Host: host, Domain: domain,
		Verdict: verdict, Reasons: append([]string{}, reasons...), Evidence: e.row(len(s.Announces)),
		Languages: s.languages(), Entities: entitiesOf(names, w.Rarity), Publisher: s.publisher(),
		Refresh: s.refresh(dates, asOf, p), Health: s.health(dates, asOf), Template: s.template(), Pages: newest,
		FirstSeen: stamp(s.First), LastChanged: stamp(s.lastChanged()), LastItem: stamp(s.lastItem()),
	}
	for _, a := range s.Aliases {
		// Only claimed: a comparison of the two feeds would have to prove it.
		d.Aliases = append(d.Aliases, schemas.Alias{URL: a.URL, Evidence: Said})
	}
	d.Language = s.language(d.Languages, host, w)
	if len(s.Visits) > 0 {
		d.LastRefresh = stamp(s.Visits[0].Time)
	}
	// The newest evidence for the verdict, not the time of the verdict.
	d.LastValidation = stamp(s.lastEvidence())
	return d, s.facts(&d, names)
}

// withoutBare are the pages that a capture shows.
func withoutBare(pages []Page) []Page {
	isBare := func(p Page) bool { return p.Marks&Bare != 0 }
	if !slices.ContainsFunc(pages, isBare) {
		return pages
	}
	return slices.DeleteFunc(slices.Clone(pages), isBare)
}

// ID is the identifier of a source, to which documents refer.
func ID(key string) string { return fmt.Sprintf("%016x", Hash(key)) }

// URLOf is the feed's URL at the last visit, else on an announcing page, else its key, whose host is reversed.
func URLOf(key string, s State) string { return cmp.Or(s.anyURL(), key) }

func (s State) title() string {
	if s.Info.Title != "" {
		return s.Info.Title
	}
	// Announces are sorted, so the first title is always the same.
	for _, a := range s.Announces {
		if a.Title != "" {
			return a.Title
		}
	}
	return ""
}

func (e Evidence) row(announced int) schemas.Evidence {
	return schemas.Evidence{
		Items: e.Items, Distinct: rounded(e.Distinct), OnSite: rounded(e.OnSite), Comments: rounded(e.Comments),
		Filler: rounded(e.Filler), Spam: rounded(e.Spam), Announced: announced, Captured: e.Captured,
		Answered: rounded(e.Answered), Duplicates: rounded(e.Duplicate), Agreeing: rounded(e.Agreeing),
		Articles: rounded(e.Articles), Written: rounded(e.Written), Words: e.Median,
	}
}

// rounded rounds a share to three digits: more would be noise, and depend on the machine.
func rounded(x float64) schemas.Float { return schemas.Float(float64(int64(x*1000+0.5)) / 1000) }

// newestPages are the captured pages of the newest items.
func (s State) newestPages() []schemas.SourcePage {
	pages := s.byTime()
	// Not nil: even an empty list is a list in the JSON.
	list := make([]schemas.SourcePage, 0, mostPages)
	for _, p := range pages[:min(mostPages, len(pages))] {
		list = append(list, schemas.SourcePage{
			URL: p.URL, Timestamp: stamp(p.Time), Published: s.published(p.Link), Title: p.Title, Filename: p.Filename,
			Offset: p.Offset,
		})
	}
	return list
}

// published is the feed's date of the item with a link, or "".
func (s State) published(link uint64) string {
	i := slices.IndexFunc(s.Items, func(i Item) bool { return i.Link == link && i.Marks&Dated != 0 })
	if i < 0 {
		return ""
	}
	return stamp(s.Items[i].Time)
}

func (s State) lastItem() (last int64) {
	for _, i := range s.Items {
		// An item cannot be published after the visit that showed it: see Dates.
		last = max(last, min(i.Time, i.First))
	}
	return last
}

// lastChanged is the first of the last visits with the same bytes, or 0 if unknown.
func (s State) lastChanged() (since int64) {
	digest, noDigest := uint64(0), Hash("")
	for _, v := range s.Visits {
		switch {
		// Unchanged, failed, or without digest: this visit shows no change.
		case v.Digest == 0 || v.Digest == noDigest || weight(v.Status) > 0:
		case digest == 0 || v.Digest == digest:
			digest, since = v.Digest, v.Time
		default:
			return since
		}
	}
	// A full list may have lost the first visit.
	if len(s.Visits) == MaxVisits {
		return 0
	}
	return since
}

func (s State) lastEvidence() (last int64) {
	if len(s.Visits) > 0 {
		last = s.Visits[0].Time
	}
	for _, p := range s.Pages {
		last = max(last, p.Time)
	}
	return last
}

// leastPathPages is the fewest pages with a known path that describe a site.
const leastPathPages = 3

// template is the tag path with the text of most pages.
func (s State) template() *schemas.SourceTemplate {
	count, pages := map[string]int{}, 0
	for _, p := range s.Pages {
		if p.Path != "" {
			count[p.Path]++
			pages++
		}
	}
	path, ok := mostOf(count)
	if !ok || pages < leastPathPages {
		return nil
	}
	recent, has := 0, 0
	// Of the newest pages: a rebuilt site has its texts elsewhere from then on.
	for _, p := range s.byTime() {
		if p.Path == "" || recent == mostPages {
			continue
		}
		recent++
		if p.Path == path {
			has++
		}
	}
	return &schemas.SourceTemplate{
		Path: path, Support: rounded(float64(count[path]) / float64(pages)), Pages: pages,
		Recent: rounded(float64(has) / float64(recent)),
	}
}

func (s State) byTime() []*Page {
	pages := make([]*Page, 0, len(s.Pages))
	for i := range s.Pages {
		pages = append(pages, &s.Pages[i])
	}
	slices.SortFunc(pages, func(a, b *Page) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Link, b.Link))
	})
	return pages
}

// mostOf is the key with the greatest count, the smallest of several.
func mostOf[K cmp.Ordered](count map[K]int) (best K, ok bool) {
	for k, n := range count {
		if !ok || n > count[best] || n == count[best] && k < best {
			best, ok = k, true
		}
	}
	return best, ok
}

// stamp writes a time, or "" for 0.
func stamp(t int64) string {
	if t == 0 {
		return ""
	}
	return time.Unix(t, 0).UTC().Format(time.RFC3339)
}
