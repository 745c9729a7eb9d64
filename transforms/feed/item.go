package feed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// The most that is kept of an item; real lists are shorter.
const (
	maxAuthors    = 100
	maxEnclosures = 100
	maxCategories = 200
)

// item reads an item or entry in two passes over the children. First come elements meant for a field, then those of
// other vocabularies with a similar meaning.
func (r *reader) item(at int) Item {
	it := itemReader{reader: r}
	// Only if it differs, so that rows do not repeat it a thousand times.
	if lang := r.context(at).lang; lang != r.f.Language {
		it.Language = lang
	}
	// CDF has its link and its date in attributes.
	if r.f.Format == typeCDF {
		it.Link = r.link(at, r.attr(at, "href"))
		it.Updated = date(r.attr(at, "lastmod"))
	}
	for _, fields := range []map[element]func(*itemReader, int){itemFields, itemFallbacks} {
		for i := range r.children(at) {
			// Vocabulary and name: a media:title must not replace a title.
			if read := fields[element{r.nodes[i].space, r.nodes[i].name}]; read != nil {
				read(&it, i)
			}
		}
	}
	// Media RSS puts files of one item into a group.
	if group := r.child(at, media, "group"); group >= 0 {
		it.mediaGroup(group)
	}
	// RSS 1.0: the URI of the item.
	if about, ok := attribute(r.nodes[at].attrs, "rdf:about"); ok {
		set(&it.ID, clean(r.entities.unescape(about), r.o.MaxTextBytes))
	}
	// The link, then a guid that may be one, then the page after FeedBurner.
	it.Link = cmp.Or(it.Link, it.permalink, r.webID(it.Original))
	// The id of Atom and RDF is often the page's URL; in RSS only a guid is.
	if it.Link == "" && r.f.Format != typeRSS {
		it.Link = r.webID(it.ID)
	}
	// Drop a duplicate.
	if it.Original == it.Link {
		it.Original = ""
	}
	return it.Item
}

// itemReader is an item while it is read. Item is promoted, so that the tables below set its fields by name.
type itemReader struct {
	*reader
	Item
	permalink string // from guid
	typed     bool   // the link is certainly to a page
}

// itemFields are the elements that describe an item. Names are in lower case, as in the tree. "set" keeps the first
// value of several. With a table each child costs one look-up instead of many comparisons.
var itemFields = map[element]func(*itemReader, int){
	{core, "title"}:          func(it *itemReader, i int) { set(&it.Title, it.plainText(i)) },
	{core, "link"}:           (*itemReader).readLink,
	{core, "guid"}:           (*itemReader).guid,
	{core, "id"}:             func(it *itemReader, i int) { set(&it.ID, it.id(i)) },
	{core, "description"}:    func(it *itemReader, i int) { set(&it.Summary, it.construct(i)) },
	{core, "summary"}:        func(it *itemReader, i int) { set(&it.Summary, it.construct(i)) },
	{core, "abstract"}:       func(it *itemReader, i int) { set(&it.Summary, it.construct(i)) },
	{core, "content"}:        func(it *itemReader, i int) { set(&it.Content, it.construct(i)) },
	{core, "fullitem"}:       func(it *itemReader, i int) { set(&it.Content, it.construct(i)) },
	{content, "encoded"}:     func(it *itemReader, i int) { set(&it.Content, it.construct(i)) },
	{xhtml, "body"}:          func(it *itemReader, i int) { set(&it.Content, it.markup(i)) },
	{xhtml, "div"}:           func(it *itemReader, i int) { set(&it.Content, it.markup(i)) },
	{core, "body"}:           func(it *itemReader, i int) { set(&it.Content, it.construct(i)) },
	{core, "author"}:         func(it *itemReader, i int) { it.author(&it.Authors, i) },
	{dublin, "creator"}:      func(it *itemReader, i int) { it.author(&it.Authors, i) },
	{dublin, "author"}:       func(it *itemReader, i int) { it.author(&it.Authors, i) },
	{core, "category"}:       func(it *itemReader, i int) { it.category(&it.Categories, i) },
	{dublin, "subject"}:      func(it *itemReader, i int) { it.category(&it.Categories, i) },
	{media, "category"}:      func(it *itemReader, i int) { it.category(&it.Categories, i) },
	{itunes, "category"}:     func(it *itemReader, i int) { it.category(&it.Categories, i) },
	{core, "pubdate"}:        func(it *itemReader, i int) { it.date(&it.Published, i) },
	{core, "published"}:      func(it *itemReader, i int) { it.date(&it.Published, i) },
	{core, "issued"}:         func(it *itemReader, i int) { it.date(&it.Published, i) },
	{terms, "issued"}:        func(it *itemReader, i int) { it.date(&it.Published, i) },
	{core, "updated"}:        func(it *itemReader, i int) { it.date(&it.Updated, i) },
	{core, "modified"}:       func(it *itemReader, i int) { it.date(&it.Updated, i) },
	{terms, "modified"}:      func(it *itemReader, i int) { it.date(&it.Updated, i) },
	{dublin, "date"}:         func(it *itemReader, i int) { it.date(&it.Updated, i) },
	{core, "enclosure"}:      func(it *itemReader, i int) { it.enclosure(i, it.attr(i, "url")) },
	{media, "content"}:       func(it *itemReader, i int) { it.enclosure(i, it.attr(i, "url")) },
	{feedburner, "origlink"}: func(it *itemReader, i int) { set(&it.Original, it.reader.link(i, it.value(i))) },
	{dublin, "language"}:     func(it *itemReader, i int) { set(&it.Language, it.line(i)) },
}

// itemFallbacks count if the first are missing. They run in a second pass over all children, so the order in a feed
// does not matter.
var itemFallbacks = map[element]func(*itemReader, int){
	{dublin, "title"}:       func(it *itemReader, i int) { set(&it.Title, it.plainText(i)) },
	{media, "title"}:        func(it *itemReader, i int) { set(&it.Title, it.plainText(i)) },
	{itunes, "title"}:       func(it *itemReader, i int) { set(&it.Title, it.plainText(i)) },
	{dublin, "description"}: func(it *itemReader, i int) { set(&it.Summary, it.construct(i)) },
	{itunes, "summary"}:     func(it *itemReader, i int) { set(&it.Summary, it.construct(i)) },
	{itunes, "subtitle"}:    func(it *itemReader, i int) { set(&it.Summary, it.construct(i)) },
	{media, "description"}:  func(it *itemReader, i int) { set(&it.Summary, it.construct(i)) },
	{itunes, "author"}:      func(it *itemReader, i int) { it.firstAuthor(&it.Authors, i) },
	{itunes, "keywords"}:    func(it *itemReader, i int) { it.keywords(&it.Categories, i) },
	{media, "keywords"}:     func(it *itemReader, i int) { it.keywords(&it.Categories, i) },
	{core, "created"}:       func(it *itemReader, i int) { it.date(&it.Published, i) },
	{terms, "created"}:      func(it *itemReader, i int) { it.date(&it.Published, i) },
}

// readLink reads one of an item's links. The first that is certainly a page counts: its type is HTML, or it is in
// RSS's own element. Beside the latter, Atom's has various uses. Atom allows several links with rel=alternate, if
// their types differ.
func (it *itemReader) readLink(i int) {
	href := it.attr(i, "href")
	// RSS's <link> has no href: its text is the page.
	typed := href == "" || strings.Contains(it.attr(i, "type"), "html")
	href = cmp.Or(href, it.value(i))
	switch strings.ToLower(it.attr(i, "rel")) {
	case "", "alternate":
		// A link that is certainly a page replaces one that is not. Links that are too long do not count.
		if it.Link == "" || typed && !it.typed {
			if link := it.reader.link(i, href); link != "" {
				it.Link, it.typed = link, typed
			}
		}
	case "enclosure":
		it.enclosure(i, href)
	}
}

// guid is also a link, unless isPermaLink is false; it is true by default (section "guid" of RSS 2.0).
func (it *itemReader) guid(i int) {
	id := it.id(i)
	set(&it.ID, id)
	if !strings.EqualFold(it.attr(i, "ispermalink"), "false") && it.permalink == "" {
		it.permalink = it.webID(id)
	}
}

// enclosure keeps each file once.
func (it *itemReader) enclosure(i int, href string) {
	e := Enclosure{URL: it.reader.link(i, href), Type: clean(it.attr(i, "type"), 256)}
	// Media RSS has fileSize.
	size := cmp.Or(it.attr(i, "length"), it.attr(i, "filesize"))
	if n, err := strconv.ParseInt(size, 10, 64); err == nil && n > 0 {
		e.Length = n
	}
	known := slices.ContainsFunc(it.Enclosures, func(o Enclosure) bool { return o.URL == e.URL })
	if e.URL != "" && !known && len(it.Enclosures) < maxEnclosures {
		it.Enclosures = append(it.Enclosures, e)
	}
}

// mediaGroup reads the files of a group, which are forms of one, and its other elements.
func (it *itemReader) mediaGroup(at int) {
	for i := range it.children(at) {
		if n := &it.nodes[i]; n.space == media && n.name == "content" {
			it.enclosure(i, it.attr(i, "url"))
		} else if read := itemFallbacks[element{n.space, n.name}]; read != nil {
			read(it, i)
		}
	}
}

// author adds the author at node i: Atom's name, email and uri, or one line with a name, a mail address, or both.
func (r *reader) author(to *[]Person, i int) {
	p := Person{}
	for c := range r.children(i) {
		switch r.nodes[c].name {
		case "name":
			set(&p.Name, r.line(c))
		case "email":
			set(&p.Email, r.line(c))
		case "uri", "url", "homepage":
			set(&p.URL, r.link(c, r.value(c)))
		}
	}
	// Without elements inside, the text is all.
	if p == (Person{}) {
		p = person(r.line(i))
		// Atom's name may also hold the mail address.
	} else if p.Email == "" {
		parsed := person(p.Name)
		p.Name, p.Email = parsed.Name, parsed.Email
	}
	if p != (Person{}) && len(*to) < maxAuthors && !slices.Contains(*to, p) {
		*to = append(*to, p)
	}
}

// firstAuthor adds an author only if none is known: itunes:author repeats the channel's on each item.
func (r *reader) firstAuthor(to *[]Person, i int) {
	if len(*to) == 0 {
		r.author(to, i)
	}
}

// category adds the category at node i, and those inside it. Atom has it in term, OPML and iTunes in text, RSS as the
// element's content.
func (r *reader) category(to *[]string, i int) {
	addCategory(to, cmp.Or(clean(r.attr(i, "term"), r.o.MaxTextBytes), clean(r.attr(i, "text"), r.o.MaxTextBytes),
		r.leafText(i)))
	// iTunes nests categories; each counts.
	for c := range r.children(i) {
		if n := &r.nodes[c]; n.space == itunes && n.name == "category" {
			addCategory(to, clean(r.attr(c, "text"), r.o.MaxTextBytes))
		}
	}
}

// leafText is the text of an element before the elements in it. A category with elements inside begins with its own
// name.
func (r *reader) leafText(i int) string {
	if !r.hasElements(i) {
		return r.plainText(i)
	}
	s, _, _ := strings.Cut(r.inner(i), "<")
	return clean(r.entities.unescape(s), r.o.MaxTextBytes)
}

func (r *reader) keywords(to *[]string, i int) {
	for word := range strings.SplitSeq(r.line(i), ",") {
		addCategory(to, strings.TrimSpace(word))
	}
}

func addCategory(to *[]string, c string) {
	if c != "" && len(*to) < maxCategories && !slices.Contains(*to, c) {
		*to = append(*to, c)
	}
}
