package source

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// How long the texts of a state are at most, in bytes.
const (
	maxURL   = 2048
	maxTitle = 300
	maxWord  = 80 // of names of things, of codes
	maxPath  = 200
)

// mostFillerWords is how long a text of filler is at most.
const mostFillerWords = 150

// Key is what a source is found by: the SURT of its feed's URL, which has no scheme, port, www or session in it. Feeds
// of other keys are one source only by evidence: see Alias.
func Key(feed string) string { return urlkey.SURT(feed) }

// ErrLong is a feed whose URL is longer than a state keeps: nobody could visit it by what is left of it.
var ErrLong = fmt.Errorf("source: the feed's URL is longer than %d bytes", maxURL)

// CheckFeed finds what is wrong with a row of a collection's feeds, that nothing can be told of it.
func CheckFeed(row *schemas.FeedCapture) error {
	if len(row.URL) > maxURL {
		return ErrLong
	}
	return nil
}

// FromFeed is what one row of a collection's feeds tells of the feed that it is about.
func FromFeed(row *schemas.FeedCapture) State {
	when := captured(row.Timestamp)
	// The row is not the feed itself but a page that names it: all that is known is its name.
	if row.Kind != "feed" {
		return State{First: when, Last: when, Announces: []Announce{{
			Page:  Hash(urlkey.SURT(row.Page)),
			URL:   cut(row.URL, maxURL),
			Class: cut(Class(row.URL, row.Title, row.Page), maxWord),
			Title: cut(row.Title, maxTitle),
		}}}
	}
	s := State{First: when, Last: when, Info: infoOf(row, when)}
	s.Visits = []Fetch{{
		Time: when, Digest: Hash(row.Digest), Items: uint32(max(0, row.Count)), Status: uint16(max(0, row.Status)),
	}}
	at := place{sites(row), strings.ToLower(hostOf(row.URL))}
	for _, i := range row.Items {
		item, entry := itemOf(i, when, at)
		s.Items = append(s.Items, item)
		// Without a link there is nothing to show: the item still counts.
		if i.URL != "" {
			s.Entries = append(s.Entries, entry)
		}
	}
	// A feed that calls itself by another URL has that one as a proposal only: any feed can name any URL.
	if row.Self != "" && Key(row.Self) != Key(row.URL) {
		s.Aliases = append(s.Aliases, Alias{URL: cut(row.Self, maxURL), Evidence: BySelf})
	}
	return Of(s)
}

// place is where a feed stands, by which its items' links are judged.
type place struct {
	domains []string // see sites
	host    string   // of the feed itself
}

// sites are the registrable domains that a feed's items stand on: the feed's, that of the site that it names, and, for
// a feed that names none or is kept by a service, the one that most links lead to.
func sites(row *schemas.FeedCapture) []string {
	domains := []string{row.Domain}
	if site := urlkey.RegistrableDomain(hostOf(row.Link)); site != "" && site != row.Domain {
		return append(domains, site)
	} else if site != "" && !feedService.MatchString(row.Domain) {
		return domains
	}
	count := map[string]int{}
	for _, i := range row.Items {
		count[urlkey.RegistrableDomain(hostOf(i.URL))]++
	}
	for domain, n := range count {
		// Four of five links lead there. At most one domain has so many, so the map's order does not matter.
		if domain != "" && 5*n >= 4*len(row.Items) {
			domains = append(domains, domain)
		}
	}
	return domains
}

// feedService are hosts that publish other sites' feeds.
var feedService = regexp.MustCompile(`^(feedburner|feedpress|feedblitz|feedio|rss|rssing|fetchrss|megaphone|libsyn|` +
	`podbean|simplecast|transistor|buzzsprout|anchor|spreaker|acast)\.`)

// periods are those of the syndication module, in seconds.
var periods = map[string]int64{
	"hourly": 3600, "daily": 86400, "weekly": 7 * 86400, "monthly": 30 * 86400, "yearly": 365 * 86400,
}

func infoOf(row *schemas.FeedCapture, when int64) Info {
	i := Info{
		Time: when, URL: cut(row.URL, maxURL), Type: cut(row.Type, maxWord), Title: cut(row.Title, maxTitle),
		Link: cut(row.Link, maxURL), Self: cut(row.Self, maxURL), Language: cut(row.Language, maxWord),
	}
	if r := row.Refresh; r != nil {
		i.TTLMinutes = int64(max(0, r.TTL))
		// So many times in a period; a period that the module does not name gives 0, which is not a hint.
		i.Period = periods[r.UpdatePeriod] / int64(max(1, r.UpdateFrequency))
		if r.MaxAge != nil {
			i.MaxAge = max(0, *r.MaxAge)
		}
	}
	return i
}

func itemOf(i schemas.FeedItem, when int64, at place) (Item, Entry) {
	// A feed's id is what it tells items apart by (guid of RSS 2.0, id of RFC 4287); the link is next best.
	link := LinkKey(i.URL)
	id := link
	if i.ID != "" {
		id = Hash(i.ID)
	} else if withoutTracking(i.URL) != i.URL {
		id = Hash(urlkey.SURT(i.URL))
	}
	item := Item{ID: id, Link: link, Time: when, First: when, Words: Signature(i.Title)}
	// When it was published: updated moves on with each correction.
	if date := unix(cmp.Or(i.Published, i.Updated)); date != 0 {
		item.Time = date
		item.Marks |= Dated
	}
	u, err := url.Parse(i.URL)
	switch {
	case err != nil || !followable(u, at.host):
		item.Marks |= Unfollowed
	case isPrivate(u): // the feed's own
	case slices.Contains(at.domains, urlkey.RegistrableDomain(u.Hostname())):
	case slices.Contains(at.domains, urlkey.RegistrableDomain(hostOf(i.ID))):
		// A link blog: the item has a page of its own, and its link leads to what it is about.
	default:
		item.Marks |= OffSite
	}
	title := strings.TrimSpace(i.Title)
	item.Marks |= marksOfTitle(title)
	if err == nil && isSampleName(u.Path) {
		item.Marks |= Placeholder
	}
	return item, Entry{Time: item.Time, ID: id, URL: cut(i.URL, maxURL), Title: cut(title, maxTitle)}
}

// followable reports whether a link names a page as it is written: on the web, or on the feed's own host.
func followable(u *url.URL, own string) bool {
	if u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Host == "" {
		return false
	}
	return !isPrivate(u) || strings.EqualFold(u.Hostname(), own)
}

// isPrivate reports whether a URL is of a host that only its own network knows, or of one that stands in for another.
func isPrivate(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || exampleHost.MatchString(host)
}

// exampleHost are hosts that are in settings until somebody writes the right one.
var exampleHost = regexp.MustCompile(`^((www\.)?(your-?(site|domain|blog|name)|example|mysite|mydomain)\.` +
	`(com|org|net)|127\.0\.0\.1|0\.0\.0\.0)$`)

// LinkKey is what an item's link and a page's capture are joined by.
func LinkKey(link string) uint64 { return Hash(urlkey.SURT(withoutTracking(link))) }

// withoutTracking takes the parameters away that feeds add to count their readers; pages are captured with and without.
func withoutTracking(link string) string {
	before, query, found := strings.Cut(link, "?")
	if !found || !strings.Contains(query, "utm_") {
		return link
	}
	query, fragment, _ := strings.Cut(query, "#")
	_ = fragment // it is not sent
	var kept []string
	for _, p := range strings.Split(query, "&") {
		if !strings.HasPrefix(p, "utm_") {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return before
	}
	return before + "?" + strings.Join(kept, "&")
}

// FromDocument is what the capture of a page tells of the source whose item links to it.
func FromDocument(d *schemas.Document) Page {
	p := Page{
		Link: LinkKey(d.URL), Time: captured(d.Timestamp), Status: uint16(max(0, d.Status)), Signature: Signature(d.Title),
		Language: cut(language(d.Language), 8), Title: cut(d.Title, maxTitle), URL: cut(d.URL, maxURL),
		Filename: cut(d.Filename, maxURL), Offset: d.Offset, Entities: namesOf(d), Path: cut(d.TextPath, maxPath),
		Signs: signsOf(d.SiteSignals),
	}
	if d.Quality != nil {
		p.Words = uint32(max(0, d.Quality.Words))
	} else {
		// Less exact, and few for scripts without spaces, but there is no measure of quality to ask.
		p.Words = uint32(len(strings.Fields(d.Text)))
	}
	p.Simhash, _ = strconv.ParseUint(d.Simhash, 16, 64) // none is 0
	// A type that is not in the table has no mark.
	p.Marks |= typeMarks[d.PageType]
	if len(d.Authors) > 0 {
		p.Author = Hash(squeeze(d.Authors[0]))
	}
	// A long text that has such a passage in it is about something else.
	if p.Words < mostFillerWords && fillerText.MatchString(cut(d.Text, 4096)) || isTheme(d.Text) {
		p.Marks |= Filler
	}
	if notFoundParts.in(strings.ToLower(d.Title)) && notFoundTitle.MatchString(d.Title) {
		p.Marks |= NotFound
	}
	if isRoot(d.URL) {
		p.Marks |= Root
	}
	if d.RedirectURL != "" && d.Status >= 300 && d.Status < 400 {
		// The link's key and not the URL: that is what pages are joined by.
		p.Redirect = LinkKey(d.RedirectURL)
	}
	return p
}

// typeMarks are the marks of a page's type.
var typeMarks = map[string]PageMarks{
	"article": Article, "forum": Article, "documentation": Manual,
	"product": Goods, "listing": Goods, "collection": Goods, "service": Goods,
}

// namesOf are the persons, organisations, places and products that a page names most, sorted.
func namesOf(d *schemas.Document) (names []Name) {
	list := make([]schemas.Entity, 0, len(d.Entities))
	for _, e := range d.Entities {
		switch e.Type {
		case "person", "organization", "place", "product", "event", "work":
			list = append(list, e)
		}
	}
	// By count first: of many names the most frequent are kept. All fields decide, so that equal documents keep equal
	// names.
	slices.SortStableFunc(list, func(a, b schemas.Entity) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Text, b.Text))
	})
	for _, e := range list {
		if len(names) < MaxNames && e.Text != "" {
			names = append(names, Name{Type: e.Type, Text: cut(e.Text, maxWord)})
		}
	}
	slices.SortFunc(names, compareNames)
	// Two names may become one by cut.
	return slices.Compact(names)
}

// language is the code without what is not known.
func language(code string) string {
	if code == "und" {
		return ""
	}
	return code
}

func isRoot(link string) bool {
	u, err := url.Parse(link)
	return err == nil && strings.Trim(u.Path, "/") == "" && u.RawQuery == ""
}

func hostOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// unix reads a time of RFC 3339, or a date; 0 for neither.
func unix(s string) int64 {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Unix()
		}
	}
	return 0
}

// captured is the time of a capture; 0 where it is not known, or before 1970, when nothing was captured: states have 0
// for no time, and no order of merging could tell which of the two counts.
func captured(s string) int64 { return max(0, unix(s)) }

// cut shortens a text to n bytes, at the edge of a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	// Three steps at most in valid UTF-8.
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
