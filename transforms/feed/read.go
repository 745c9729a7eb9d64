package feed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reader makes a feed of a tree. It reads values from the tree only when a field needs them.
type reader struct {
	*tree
	o   Options
	url string // of the capture
	// site is the site's URL, the base of relative links, if it is absolute in the feed. A relative one is of no more
	// use than the capture's URL. Generators that write "/blog" there mean the same host by "posts/1", and those that
	// write "posts" mean the feed's folder.
	site string
	f    *Feed
}

// element is the name of an element in its vocabulary, a key of the tables of fields.
type element struct {
	space space
	name  string
}

// readTree reads a whole feed; kind is its root's.
func readTree(t *tree, kind, pageURL string, o Options) *Feed {
	r := &reader{tree: t, o: o, url: pageURL, f: &Feed{Format: kind, Truncated: t.cut}}
	r.f.Version = clean(r.attr(0, "version"), r.o.MaxTextBytes)
	switch kind {
	case typeOPML:
		r.readOPML()
	case typeSitemap:
		r.readSitemap()
	default:
		r.readFeed()
	}
	return r.f
}

// readFeed reads RSS, RDF, Atom and CDF, which mix each other's elements. Both the feed's own fields and the items are
// in the channel or in the root.
func (r *reader) readFeed() {
	// The root is a container, too: in RSS 1.0 and Atom items are beside the channel or in the root.
	containers := []int{0}
	for i := range r.children(0) {
		if n := &r.nodes[i]; n.space == core && (n.name == "channel" || n.name == "items") && r.f.Format != typeCDF {
			containers = append(containers, i)
		}
	}
	// The feed's own fields first, since items' links are resolved with its link.
	for _, c := range containers {
		r.describe(c)
	}
	if r.f.Link == "" {
		r.f.Link = r.webID(r.f.ID)
		r.site = r.f.Link
	}
	var items []int
	for _, c := range containers {
		for i := range r.children(c) {
			if n := &r.nodes[i]; n.space == core && (n.name == "item" || n.name == "entry") {
				items = append(items, i)
			}
		}
	}
	// The number of elements is known, so the slice is made once.
	r.f.Items = make([]Item, 0, min(len(items), r.o.MaxItems))
	for _, i := range items {
		// mayAdd sets Truncated.
		if !r.mayAdd() {
			return
		}
		r.f.Items = append(r.f.Items, r.item(i))
	}
}

func (r *reader) mayAdd() bool {
	if len(r.f.Items) < r.o.MaxItems {
		return true
	}
	r.f.Truncated = true
	return false
}

// describe reads the fields of the feed in a channel or root, in two passes as for items.
func (r *reader) describe(container int) {
	if r.f.Format == typeCDF {
		r.f.Link = r.link(0, r.attr(0, "href"))
		r.site = r.webID(r.attr(0, "href"))
		r.f.Updated = date(r.attr(0, "lastmod"))
	}
	// xml:lang of the container, unless <language> overrides it.
	r.f.Language = cmp.Or(r.f.Language, r.context(container).lang)
	for _, fields := range []map[element]func(*reader, int){feedFields, feedFallbacks} {
		for i := range r.children(container) {
			if read := fields[element{r.nodes[i].space, r.nodes[i].name}]; read != nil {
				read(r, i)
			}
		}
	}
}

// feedFields are the elements that describe a feed: RSS, Atom (0.3 and 1.0), CDF and their modules together, as feeds
// mix them. Several names of one field come from versions: tagline and subtitle, modified and updated.
var feedFields = map[element]func(*reader, int){
	{core, "title"}:             func(r *reader, i int) { set(&r.f.Title, r.plainText(i)) },
	{core, "description"}:       func(r *reader, i int) { set(&r.f.Description, r.construct(i)) },
	{core, "subtitle"}:          func(r *reader, i int) { set(&r.f.Description, r.construct(i)) },
	{core, "tagline"}:           func(r *reader, i int) { set(&r.f.Description, r.construct(i)) },
	{core, "abstract"}:          func(r *reader, i int) { set(&r.f.Description, r.construct(i)) },
	{core, "link"}:              func(r *reader, i int) { r.feedLink(i) },
	{core, "id"}:                func(r *reader, i int) { set(&r.f.ID, r.id(i)) },
	{core, "guid"}:              func(r *reader, i int) { set(&r.f.ID, r.id(i)) },
	{core, "language"}:          func(r *reader, i int) { r.f.Language = cmp.Or(r.line(i), r.f.Language) },
	{dublin, "language"}:        func(r *reader, i int) { r.f.Language = cmp.Or(r.line(i), r.f.Language) },
	{core, "copyright"}:         func(r *reader, i int) { set(&r.f.Rights, r.plainText(i)) },
	{core, "rights"}:            func(r *reader, i int) { set(&r.f.Rights, r.plainText(i)) },
	{dublin, "rights"}:          func(r *reader, i int) { set(&r.f.Rights, r.plainText(i)) },
	{core, "generator"}:         func(r *reader, i int) { set(&r.f.Generator, r.line(i)) },
	{core, "author"}:            func(r *reader, i int) { r.author(&r.f.Authors, i) },
	{core, "managingeditor"}:    func(r *reader, i int) { r.author(&r.f.Authors, i) },
	{dublin, "creator"}:         func(r *reader, i int) { r.author(&r.f.Authors, i) },
	{dublin, "author"}:          func(r *reader, i int) { r.author(&r.f.Authors, i) },
	{core, "category"}:          func(r *reader, i int) { r.category(&r.f.Categories, i) },
	{dublin, "subject"}:         func(r *reader, i int) { r.category(&r.f.Categories, i) },
	{itunes, "category"}:        func(r *reader, i int) { r.category(&r.f.Categories, i) },
	{core, "pubdate"}:           func(r *reader, i int) { r.date(&r.f.Published, i) },
	{core, "published"}:         func(r *reader, i int) { r.date(&r.f.Published, i) },
	{core, "issued"}:            func(r *reader, i int) { r.date(&r.f.Published, i) },
	{terms, "issued"}:           func(r *reader, i int) { r.date(&r.f.Published, i) },
	{core, "lastbuilddate"}:     func(r *reader, i int) { r.date(&r.f.Updated, i) },
	{core, "updated"}:           func(r *reader, i int) { r.date(&r.f.Updated, i) },
	{core, "modified"}:          func(r *reader, i int) { r.date(&r.f.Updated, i) },
	{terms, "modified"}:         func(r *reader, i int) { r.date(&r.f.Updated, i) },
	{dublin, "date"}:            func(r *reader, i int) { r.date(&r.f.Updated, i) },
	{core, "image"}:             func(r *reader, i int) { r.image(i) },
	{core, "logo"}:              func(r *reader, i int) { set(&r.f.Image, r.link(i, r.value(i))) },
	{core, "ttl"}:               func(r *reader, i int) { r.count(&r.f.Refresh.TTL, i) },
	{core, "skiphours"}:         func(r *reader, i int) { r.skipHours(i) },
	{core, "skipdays"}:          func(r *reader, i int) { r.skipDays(i) },
	{update, "updateperiod"}:    func(r *reader, i int) { set(&r.f.Refresh.UpdatePeriod, r.line(i)) },
	{update, "updatefrequency"}: func(r *reader, i int) { r.count(&r.f.Refresh.UpdateFrequency, i) },
	{update, "updatebase"}:      func(r *reader, i int) { r.f.Refresh.UpdateBase = timestamp(date(r.value(i))) },
}

// feedFallbacks count if the first are missing. Podcasts have them in addition, mostly with the same text.
var feedFallbacks = map[element]func(*reader, int){
	{dublin, "title"}:       func(r *reader, i int) { set(&r.f.Title, r.plainText(i)) },
	{itunes, "title"}:       func(r *reader, i int) { set(&r.f.Title, r.plainText(i)) },
	{core, "info"}:          func(r *reader, i int) { set(&r.f.Description, r.construct(i)) },
	{dublin, "description"}: func(r *reader, i int) { set(&r.f.Description, r.construct(i)) },
	{itunes, "subtitle"}:    func(r *reader, i int) { set(&r.f.Description, r.construct(i)) },
	{itunes, "summary"}:     func(r *reader, i int) { set(&r.f.Description, r.construct(i)) },
	{itunes, "author"}:      func(r *reader, i int) { r.firstAuthor(&r.f.Authors, i) },
	{itunes, "image"}: func(r *reader,
		i int,
	) {
		set(&r.f.Image, r.link(i, cmp.Or(r.attr(i, "href"), r.attr(i, "url"))))
	},
	{core, "icon"}:       func(r *reader, i int) { set(&r.f.Image, r.link(i, r.value(i))) },
	{itunes, "keywords"}: func(r *reader, i int) { r.keywords(&r.f.Categories, i) },
}

// set sets a text unless it has a value, so the first value in document order counts.
func set(to *string, value string) {
	if *to == "" {
		*to = value
	}
}

// date sets a date unless it has a value.
func (r *reader) date(to *time.Time, i int) {
	if to.IsZero() {
		*to = dateIn(r.value(i), cmp.Or(r.context(i).lang, r.f.Language))
	}
}

// date reads a date of any form; it is zero if invalid.
func date(s string) time.Time { return dateIn(s, "") }

// dateIn is date for a text in a language, given by its tag.
func dateIn(s, language string) time.Time {
	t, _ := parseDate(s, language) // zero if invalid
	return t
}

// timestamp is the form of dates in rows, or "". RFC 3339 has four digits for the year.
func timestamp(t time.Time) string {
	if t.IsZero() || t.Year() > 9999 {
		return ""
	}
	return t.Format(time.RFC3339)
}

// context is the inherited context of node i.
func (r *reader) context(i int) context { return r.contexts[r.nodes[i].context] }

// integer reads a number of 31 bits, so that it is an int on any machine.
func (r *reader) integer(i int) (int, bool) {
	n, err := strconv.ParseUint(r.value(i), 10, 31)
	return int(n), err == nil
}

// count sets to if node i is a number.
func (r *reader) count(to *int, i int) {
	if n, ok := r.integer(i); ok {
		*to = n
	}
}

// link resolves a URL at node i. URLs above the limit are left out.
func (r *reader) link(i int, ref string) string {
	if ref == "" {
		return ""
	}
	// A truncated URL would be another URL.
	if len(ref) > r.o.MaxTextBytes {
		r.f.Truncated = true
		return ""
	}
	// xml:base first, as in XML; then the site, then the capture.
	base := r.context(i).base
	if base == "" {
		base = cmp.Or(r.site, r.url)
	}
	return strings.Clone(resolve(base, ref)) // a copy, as in clean
}

// id is an identifier as written. The path of a URL is resolved, as it identifies nothing by itself. Ids are compared
// as strings, so nothing else is changed.
func (r *reader) id(i int) string {
	id := r.line(i)
	if strings.HasPrefix(id, "/") {
		return r.link(i, id)
	}
	return id
}

// webID is an id that is also a link. Others are tag: URIs, numbers, or UUIDs.
func (r *reader) webID(id string) string {
	if isWeb(id) {
		return id
	}
	return ""
}

// feedLink reads one of a feed's links. Other relations (via, next, license) are ignored.
func (r *reader) feedLink(i int) {
	written := cmp.Or(r.attr(i, "href"), r.value(i))
	switch url := r.link(i, written); strings.ToLower(r.attr(i, "rel")) {
	case "", "alternate":
		if r.f.Link == "" && isWeb(strings.TrimSpace(written)) {
			r.site = url
		}
		set(&r.f.Link, url)
	// An old form of "self", from before relations had short names.
	case "self", "http://www.iana.org/assignments/relation/self":
		set(&r.f.Self, url)
	case "hub":
		if strings.TrimSpace(written) != "" {
			r.f.addHub(url)
		}
	}
}

// addHub adds a hub, once.
func (f *Feed) addHub(url string) {
	if url != "" && len(f.Hubs) < maxHubs && !slices.Contains(f.Hubs, url) {
		f.Hubs = append(f.Hubs, url)
	}
}

// maxHubs bounds the hubs of a feed, which are rarely more than two.
const maxHubs = 8

// image reads RSS's <image> with its <url>, or one with href.
func (r *reader) image(i int) {
	if url := r.child(i, core, "url"); url >= 0 {
		set(&r.f.Image, r.link(url, r.value(url)))
	} else {
		set(&r.f.Image, r.link(i, r.attr(i, "href")))
	}
}

// skipHours reads hours from 0 on; some write 24 for 0. There are at most 24 different ones.
func (r *reader) skipHours(at int) {
	for i := range r.children(at) {
		if n, ok := r.integer(i); ok && r.nodes[i].name == "hour" && n <= 24 &&
			!slices.Contains(r.f.Refresh.SkipHours, n%24) {
			r.f.Refresh.SkipHours = append(r.f.Refresh.SkipHours, n%24)
		}
	}
}

// skipDays reads names of days as written, at most seven.
func (r *reader) skipDays(at int) {
	for i := range r.children(at) {
		if day := clean(r.line(i), 20); r.nodes[i].name == "day" && day != "" && len(r.f.Refresh.SkipDays) < 7 {
			r.f.Refresh.SkipDays = append(r.f.Refresh.SkipDays, day)
		}
	}
}
