package feed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// The most that is kept of an item: what has more is not a list of authors, files or categories.
const (
	maxAuthors    = 100
	maxEnclosures = 100
	maxCategories = 200
)

// item reads an item or entry. Fields are found in two passes over the children: first the elements that are meant
// for this, then those of other vocabularies that say nearly the same.
func (r *reader) item(at int) Item {
	it := itemReader{reader: r}
	// Only where it differs, so that rows do not repeat it a thousand times.
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
			// Vocabulary and name: a media:title must not take the place of a title.
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
	// The link, then a guid that may serve as one, then the page after FeedBurner.
	it.Link = cmp.Or(it.Link, it.permalink, r.webID(it.Original))
	// Atom's and RDF's id is often the page's URL; in RSS only the guid says so itself.
	if it.Link == "" && r.f.Format != typeRSS {
		it.Link = r.webID(it.ID)
	}
	// Said twice is said once.
	if it.Original == it.Link {
		it.Original = ""
	}
	return it.Item
}

// itemReader is an item while it is read. Item is promoted, so that the tables below set its fields by name.
type itemReader struct {
	*reader
	Item
	permalink string // what guid says
	typed     bool   // the link is to a page, surely
}

// itemFields are the elements that describe an item. Names are in lower case, as the tree has them. "set" keeps the
// first value of several. The functions are a table so that reading an item costs a lookup for each child, not a
// comparison with each name.
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

// itemFallbacks are those that count where the first are missing. They run in a second pass over all children, so the
// order in a feed does not matter.
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

// readLink reads one of an item's links. Of several pages, the first counts that is surely one: it is said to be HTML,
// or is in RSS's own element, beside which Atom's is used for this and that. Atom allows several links with
// rel=alternate, if their types differ.
func (it *itemReader) readLink(i int) {
	href := it.attr(i, "href")
	// RSS's <link> has no href: its text is the page.
	typed := href == "" || strings.Contains(it.attr(i, "type"), "html")
	href = cmp.Or(href, it.value(i))
	switch strings.ToLower(it.attr(i, "rel")) {
	case "", "alternate":
		// A link that is surely a page takes the place of one that is not.
		if it.Link == "" || typed && !it.typed && href != "" {
			it.Link, it.typed = it.reader.link(i, href), typed
		}
	case "enclosure":
		it.enclosure(i, href)
	}
}

// guid is a link too, unless it says that it is not. Section "guid" of RSS 2.0: isPermaLink is true by default.
func (it *itemReader) guid(i int) {
	id := it.id(i)
	set(&it.ID, id)
	if !strings.EqualFold(it.attr(i, "ispermalink"), "false") && it.permalink == "" {
		it.permalink = it.webID(id)
	}
}

// enclosure keeps a file once, however often it is named.
func (it *itemReader) enclosure(i int, href string) {
	e := Enclosure{URL: it.reader.link(i, href), Type: clean(it.attr(i, "type"), 256)}
	// Media RSS says fileSize.
	size := cmp.Or(it.attr(i, "length"), it.attr(i, "filesize"))
	if n, err := strconv.ParseInt(size, 10, 64); err == nil && n > 0 {
		e.Length = n
	}
	known := slices.ContainsFunc(it.Enclosures, func(o Enclosure) bool { return o.URL == e.URL })
	if e.URL != "" && !known && len(it.Enclosures) < maxEnclosures {
		it.Enclosures = append(it.Enclosures, e)
	}
}

// mediaGroup takes the files of a group, which are forms of one, and what is said of them. itemFallbacks serves for
// its other elements, as they are of the same vocabulary.
func (it *itemReader) mediaGroup(at int) {
	for i := range it.children(at) {
		if n := &it.nodes[i]; n.space == media && n.name == "content" {
			it.enclosure(i, it.attr(i, "url"))
		} else if read := itemFallbacks[element{n.space, n.name}]; read != nil {
			read(it, i)
		}
	}
}

// author adds the author at node i: Atom's name, email and uri, or one line of text. Others have one line with a
// name, an address, or both.
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
	// No element inside said anything: the text is all.
	if p == (Person{}) {
		p = person(r.line(i))
		// Atom's name may hold the address as well.
	} else if p.Email == "" {
		parsed := person(p.Name)
		p.Name, p.Email = parsed.Name, parsed.Email
	}
	if p != (Person{}) && len(*to) < maxAuthors && !slices.Contains(*to, p) {
		*to = append(*to, p)
	}
}

// firstAuthor takes an author only where none is known: itunes:author repeats the channel's on each
// item.
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
	// iTunes nests categories: each is one of its own.
	for c := range r.children(i) {
		if n := &r.nodes[c]; n.space == itunes && n.name == "category" {
			addCategory(to, clean(r.attr(c, "text"), r.o.MaxTextBytes))
		}
	}
}

// leafText is the text that an element begins with, before the elements in it. A category with elements inside begins
// with its own name.
func (r *reader) leafText(i int) string {
	if !r.hasElements(i) {
		return r.plainText(i)
	}
	s, _, _ := strings.Cut(r.inner(i), "<")
	return clean(r.entities.unescape(s), r.o.MaxTextBytes)
}

// keywords adds the words of a list with commas.
func (r *reader) keywords(to *[]string, i int) {
	for word := range strings.SplitSeq(r.line(i), ",") {
		addCategory(to, strings.TrimSpace(word))
	}
}

// addCategory keeps each category once, up to a bound.
func addCategory(to *[]string, c string) {
	if c != "" && len(*to) < maxCategories && !slices.Contains(*to, c) {
		*to = append(*to, c)
	}
}
