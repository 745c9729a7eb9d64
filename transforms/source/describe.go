package source

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Version is that of all that Describe says. With another one, sources are described again from their states.
const Version = "8"

// mostPages is how many of its newest pages a source has in its description.
const mostPages = 10

// World is what other sources say, by which one is described. The zero World says nothing.
type World struct {
	// Rarity tells how rare a name is among sources; nil takes all for equally rare.
	Rarity func(Name) float64
	// Language is the main language of the pages of a host, "" where it is not known.
	Language func(host string) string
}

// Describe says what follows from a state at a moment. It is a pure function, so a description that is made again, of
// the same state and for the same moment, is the same.
func Describe(key string, s State, asOf time.Time, p Policy, w World) schemas.Source {
	row, _ := DescribeWhole(key, s, asOf, p, w)
	return row
}

// DescribeWhole is Describe with the facts that Renew needs to make the row of another moment.
func DescribeWhole(key string, s State, asOf time.Time, p Policy, w World) (schemas.Source, Facts) {
	s.Items = united(s.Items)
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
		Refresh: s.refresh(dates, asOf, p), Health: s.health(dates, asOf), Template: s.template(), Pages: s.newestPages(),
		FirstSeen: stamp(s.First), LastChanged: stamp(s.lastChanged()), LastItem: stamp(s.lastItem()),
	}
	for _, a := range s.Aliases {
		// Said, and no more: whether it is so, only a comparison of the two feeds can tell.
		d.Aliases = append(d.Aliases, schemas.Alias{URL: a.URL, Evidence: Said})
	}
	d.Language = s.language(d.Languages, host, w)
	if len(s.Visits) > 0 {
		d.LastRefresh = stamp(s.Visits[0].Time)
	}
	// The newest thing that the verdict rests on, and not the moment at which it was made.
	d.LastValidation = stamp(s.lastEvidence())
	return d, s.facts(&d, names)
}

// ID names a source: it is what documents say that they are of.
func ID(key string) string { return fmt.Sprintf("%016x", Hash(key)) }

// URLOf is the feed's URL as the last visit had it, else as a page names it, else its key, which has it turned round.
func URLOf(key string, s State) string { return cmp.Or(s.anyURL(), key) }

func (s State) title() string {
	if s.Info.Title != "" {
		return s.Info.Title
	}
	// Announces are sorted, so that the first title is the same each time.
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

// rounded is a share with three digits: more would be noise, and depend on how a machine adds.
func rounded(x float64) schemas.Float { return schemas.Float(float64(int64(x*1000+0.5)) / 1000) }

// newestPages are the captured pages of the newest items.
func (s State) newestPages() []schemas.SourcePage {
	pages := s.byTime()
	// Not nil: it is a list in the JSON, also of none.
	list := make([]schemas.SourcePage, 0, mostPages)
	for _, p := range pages[:min(mostPages, len(pages))] {
		list = append(list, schemas.SourcePage{
			URL: p.URL, Timestamp: stamp(p.Time), Published: s.published(p.Link), Title: p.Title, Filename: p.Filename,
			Offset: p.Offset,
		})
	}
	return list
}

// published is the date that the feed gives the item of a link; "" for none.
func (s State) published(link uint64) string {
	i := slices.IndexFunc(s.Items, func(i Item) bool { return i.Link == link && i.Marks&Dated != 0 })
	if i < 0 {
		return ""
	}
	return stamp(s.Items[i].Time)
}

func (s State) lastItem() (last int64) {
	for _, i := range s.Items {
		// An item cannot have been published after the visit that showed it: see Dates.
		last = max(last, min(i.Time, i.First))
	}
	return last
}

// lastChanged is the first of the last visits that showed the same bytes; 0 where it is not known.
func (s State) lastChanged() (since int64) {
	digest, noDigest := uint64(0), Hash("")
	for _, v := range s.Visits {
		switch {
		// Unchanged, failed, or of unknown bytes: this visit says nothing of a change.
		case v.Digest == 0 || v.Digest == noDigest || weight(v.Status) > 0:
		case digest == 0 || v.Digest == digest:
			digest, since = v.Digest, v.Time
		default:
			return since
		}
	}
	// The first visit may be among those that a full list has lost.
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

// leastPathPages is of how many pages a path has to be known to say something of a site.
const leastPathPages = 3

// template is the tag path in which most pages have their text.
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
	// Of the newest pages: a site that was rebuilt has its texts elsewhere from then on.
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

// byTime are the pages, the newest first.
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

// stamp writes a time, and nothing for none.
func stamp(t int64) string {
	if t == 0 {
		return ""
	}
	return time.Unix(t, 0).UTC().Format(time.RFC3339)
}
