package source

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// The most bytes of the texts of a state.
const (
	maxURL   = 2048
	maxTitle = 300
	maxWord  = 80 // of names of things, of codes
	maxPath  = 200
)

// mostFillerWords is the most words of filler.
const mostFillerWords = 150

// Key is the key of a source: the SURT of its feed's URL, which has no scheme, port, www or session. Feeds with other
// keys are one source only by evidence: see Alias.
func Key(feed string) string { return urlkey.SURT(feed) }

// ErrLong means that a feed's URL is longer than a state keeps, so it could not be visited.
var ErrLong = fmt.Errorf("source: the feed's URL is longer than %d bytes", maxURL)

// CheckFeed returns why a row of a collection's feeds cannot be used, or nil.
func CheckFeed(row *schemas.FeedCapture) error {
	if len(row.URL) > maxURL {
		return ErrLong
	}
	return nil
}

// FromFeed returns the state of a feed by one row of a collection's feeds.
func FromFeed(row *schemas.FeedCapture) State {
	when := captured(row.Timestamp)
	// The row is not the feed itself but a page that announces it.
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
	at := place{sites(row), strings.ToLower(hostOf(row.URL)), siteNameOf(row.Title, row.Items)}
	shared := sharedIDs(row.Items)
	for _, i := range row.Items {
		if shared[i.ID] {
			i.ID = ""
		}
		item, entry := itemOf(i, when, at)
		s.Items = append(s.Items, item)
		// An item without a link has no entry, but still counts.
		if i.URL != "" {
			s.Entries = append(s.Entries, entry)
		}
	}
	// Another URL that a feed claims for itself is only a proposal, since any feed can name any URL.
	if row.Self != "" && Key(row.Self) != Key(row.URL) {
		s.Aliases = append(s.Aliases, Alias{URL: cut(row.Self, maxURL), Evidence: BySelf})
	}
	return Of(s)
}

// sharedIDs returns the ids that items with different links have in one feed. They distinguish nothing: some programs
// give the same guid to all items.
func sharedIDs(items []schemas.FeedItem) map[string]bool {
	links, shared := make(map[string]string, len(items)), map[string]bool{}
	for _, i := range items {
		if link, ok := links[i.ID]; ok && link != i.URL {
			shared[i.ID] = true
		}
		links[i.ID] = i.URL
	}
	return shared
}

// place is where a feed is, for judging its items' links.
type place struct {
	domains []string // see sites
	host    string   // of the feed itself
	name    siteName
}

// sites are the registrable domains of a feed's items: the feed's and that of its site. For a feed that names no site,
// or is hosted by a service, it adds the domain of most links.
func sites(row *schemas.FeedCapture) []string {
	domains := []string{row.Domain}
	if site := urlkey.RegistrableDomain(hostOf(row.Link)); site != "" && site != row.Domain {
		return append(domains, site)
	} else if site != "" && !feedService().MatchString(row.Domain) {
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

// feedService matches hosts that publish other sites' feeds.
var feedService = pattern.Lazy(`^(feedburner|feedpress|feedblitz|feedio|rss|rssing|fetchrss|megaphone|libsyn|` +
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
		// So many times in a period; an unknown period gives 0, which is not a hint.
		i.Period = periods[r.UpdatePeriod] / int64(max(1, r.UpdateFrequency))
		if r.MaxAge != nil {
			i.MaxAge = max(0, *r.MaxAge)
		}
	}
	return i
}

func itemOf(i schemas.FeedItem, when int64, at place) (Item, Entry) {
	// A feed distinguishes items by id (guid of RSS 2.0, id of RFC 4287); the link is next best.
	link := LinkKey(i.URL)
	id := link
	if i.ID != "" {
		id = Hash(i.ID)
	} else if withoutTracking(i.URL) != i.URL {
		id = Hash(urlkey.SURT(i.URL))
	}
	item := Item{ID: id, Link: link, Time: when, First: when, Words: Signature(at.name.cut(i.Title))}
	// The date of publication: updated changes with each correction.
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
		// A link blog: the item has a page of its own, and links to its subject.
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

// followable reports whether a link names a page as written: on the web, or on the feed's own host.
func followable(u *url.URL, own string) bool {
	if u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Host == "" {
		return false
	}
	return !isPrivate(u) || strings.EqualFold(u.Hostname(), own)
}

// isPrivate reports whether a URL's host is known only in its own network, or is a placeholder.
func isPrivate(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || exampleHost().MatchString(host)
}

// exampleHost matches hosts in default settings.
var exampleHost = pattern.Lazy(`^((www\.)?(your-?(site|domain|blog|name)|example|mysite|mydomain)\.` +
	`(com|org|net)|127\.0\.0\.1|0\.0\.0\.0)$`)

// LinkKey is the key that joins an item's link and a page's capture.
func LinkKey(link string) uint64 { return Hash(urlkey.SURT(withoutTracking(link))) }

// withoutTracking removes parameters that feeds add to count their readers; pages are captured with and without.
func withoutTracking(link string) string {
	before, query, found := strings.Cut(link, "?")
	if !found || !strings.Contains(query, "utm_") {
		return link
	}
	query, fragment, _ := strings.Cut(query, "#")
	_ = fragment // never sent
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

// FromDocument returns the page of a source by its capture.
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
		// Less exact, and low for scripts without spaces, but the only measure here.
		p.Words = uint32(len(strings.Fields(d.Text)))
	}
	p.Simhash, _ = strconv.ParseUint(d.Simhash, 16, 64) // 0 without one
	// A type outside the table has no mark.
	p.Marks |= typeMarks[d.PageType]
	if len(d.Authors) > 0 {
		p.Author = Hash(squeeze(d.Authors[0]))
	}
	// A long text with such a passage is about something else.
	if p.Words < mostFillerWords && fillerText().MatchString(cut(d.Text, 4096)) || isTheme(d.Text) {
		p.Marks |= Filler
	}
	if notFoundParts.in(strings.ToLower(d.Title)) && notFoundTitle().MatchString(d.Title) {
		p.Marks |= NotFound
	}
	if isRoot(d.URL) {
		p.Marks |= Root
	}
	if d.RedirectURL != "" && d.Status >= 300 && d.Status < 400 {
		// The link's key and not the URL, since pages are joined by it.
		p.Redirect = LinkKey(d.RedirectURL)
	}
	if isAsset(d, p) {
		p.Marks |= Asset
	}
	if isBare(d, p) {
		p.Marks, p.Redirect = p.Marks|Bare, 0
	}
	if status := fateOf(p); status != 0 && p.Time != 0 {
		p.Visits = []Fetch{{Time: p.Time, Status: status}}
	}
	return p
}

// isBare reports whether a capture shows nothing of its page, so that an earlier capture still counts. It is a revisit
// without a body, a 304, or a redirect to another form of the same URL, such as from http to https.
func isBare(d *schemas.Document, p Page) bool {
	isEmpty := p.Words == 0 && p.Simhash == 0 && p.Title == ""
	return d.Status == 304 || d.RecordType == schemas.TypeRevisit && d.Status < 300 && isEmpty || p.Redirect == p.Link
}

// isAsset reports whether a capture is not read as a page: a style, script, image or feed. Documents with text are
// pages, but plain text is not: nearly every host has a robots.txt.
func isAsset(d *schemas.Document, p Page) bool {
	t := cmp.Or(d.MIMEDetected, d.MIMEDeclared)
	return t != "" && !mimetype.IsHTML(t) && (p.Words == 0 || t == "text/plain")
}

// fateOf is the status of a failed capture, 304 for a capture that shows nothing new, or else 0.
func fateOf(p Page) uint16 {
	switch {
	case p.Status >= 400:
		return p.Status
	case p.Marks&Bare != 0 && (p.Status < 300 || p.Status == 304):
		return 304
	}
	return 0
}

var typeMarks = map[string]PageMarks{
	"article": Article, "forum": Article, "documentation": Manual,
	"product": Goods, "listing": Goods, "collection": Goods, "service": Goods,
}

// namesOf are the most frequent persons, organisations, places and the like of a page, sorted.
func namesOf(d *schemas.Document) (names []Name) {
	list := make([]schemas.Entity, 0, len(d.Entities))
	for _, e := range d.Entities {
		switch e.Type {
		case "person", "organization", "place", "product", "event", "work":
			list = append(list, e)
		}
	}
	// By count first: the most frequent are kept. All fields decide, so that equal documents keep equal names.
	slices.SortStableFunc(list, func(a, b schemas.Entity) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Text, b.Text))
	})
	for _, e := range list {
		if len(names) < MaxNames && e.Text != "" {
			names = append(names, Name{Type: e.Type, Text: cut(e.Text, maxWord)})
		}
	}
	slices.SortFunc(names, compareNames)
	// Truncation may make two names equal.
	return slices.Compact(names)
}

// language is the code, or "" if undetermined.
func language(code string) string {
	if !schemas.IsLanguage(code) {
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

// unix reads a time of RFC 3339, or a date; 0 if invalid.
func unix(s string) int64 {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Unix()
		}
	}
	return 0
}

// captured is the time of a capture, or 0 if it is unknown or before 1970. States use 0 for no time, and both would be
// ambiguous in merges.
func captured(s string) int64 { return max(0, unix(s)) }

// cut truncates a text to at most n bytes of whole characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	// At most three steps in valid UTF-8.
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
