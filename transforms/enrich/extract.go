package enrich

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/doctext/reader"
	"github.com/gleaner-web/gleaner/transforms/entity"
	"github.com/gleaner-web/gleaner/transforms/entity/tagger"
	"github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/licence"
	"github.com/gleaner-web/gleaner/transforms/link"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/neardup"
	"github.com/gleaner-web/gleaner/transforms/outlink"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
	"github.com/gleaner-web/gleaner/transforms/publisher"
	"github.com/gleaner-web/gleaner/transforms/rights"
	"github.com/gleaner-web/gleaner/transforms/sanitize"
)

// setMIME sets the type of the body, and whether that contradicts the declared type.
func (w *work) setMIME() {
	// The bytes of a revisit without a body are those of another record; "empty" would be wrong.
	if w.c.RecordType == schemas.TypeRevisit && len(w.c.Body) == 0 {
		return // its bytes are in another record
	}
	m := w.mimeType()
	w.d.MIMEDetected, w.d.MIMEBasis, w.d.MIMEInside = m.Type, m.Basis, m.Inside
	w.d.MIMEConflict = mimetype.Conflicts(w.c.MIMEDeclared, m.Type)
}

// setCharset sets the encoding, if the body is text.
func (w *work) setCharset() {
	if w.utf8(); w.charset != nil {
		w.d.Charset, w.d.CharsetBasis = w.charset.Name, w.charset.Basis
	}
}

// setText sets the main text in its two forms.
func (w *work) setText() {
	m := w.mainText()
	w.d.Text, w.d.TextSource = m.Text, m.Source
	w.setMarkdown(&m)
	if c := m.Comments; c.Count > 0 {
		w.d.Comments = &schemas.Comments{Text: c.Text, Count: c.Count}
	}
	w.setPosts()
	// Only a page has HTML; the ranges are those of its kept blocks.
	if m.Page != nil && !w.e.noHTML {
		var whole bool
		if w.d.MainHTML, whole = w.t.html.HTML(m.Page, m.Ranges, sanitize.Options{}); !whole {
			w.fail("text", schemas.KindLimit, fmt.Sprintf("the HTML is cut at %d bytes", len(w.d.MainHTML)))
		}
	}
	if m.Text != "" && m.TypeConfidence > 0 { // the type of a page without text is unknown, and plain text is not a page
		w.d.PageType = m.Type.String()
		w.d.TextPath = m.Path()
	}
}

// setMarkdown replaces the text by Markdown, if that is asked for.
func (w *work) setMarkdown(m *maintext.Result) {
	whole := true
	switch {
	case !w.e.markdown:
		return
	case m.Source == "pdf":
		text := w.doc.Markdown()
		w.d.Text, whole = cut(text, w.e.maxText), len(text) <= w.e.maxText
	default:
		w.d.Text, whole = maintext.Markdown(*m, w.e.maxText)
	}
	if !whole {
		w.fail("text", schemas.KindLimit, fmt.Sprintf("the Markdown is cut at %d bytes", w.e.maxText))
	}
}

// setPosts sets the posts of a thread.
func (w *work) setPosts() {
	posts, left := w.posts()
	for _, post := range posts {
		w.d.Posts = append(w.d.Posts, schemas.Post(post))
	}
	if left > 0 {
		message := fmt.Sprintf("%d posts are left out, beyond %d that are listed", left, len(posts))
		w.fail("text", schemas.KindLimit, message)
	}
}

// setLanguage sets the detected and the declared language.
func (w *work) setLanguage() {
	w.d.LanguageDeclared = w.declaredLanguage()
	w.d.Languages = w.languages()
	w.d.Language = w.language()
	w.d.LanguageConflict = langid.Conflicts(w.d.Languages, w.d.LanguageDeclared)
	w.setPageLanguages()
}

// setMetadata sets the metadata of the page, or of a document that is not a page.
func (w *work) setMetadata() {
	defer w.setPublishedByFeed()
	p := w.html()
	if p == nil {
		w.setDocumentMetadata()
		return
	}
	// The day of the capture bounds dates: a page cannot be newer.
	m := pagemeta.Extract(p, w.jsonLD(), pagemeta.Options{Captured: w.c.Timestamp})
	w.d.Title, w.d.Description, w.d.Canonical, w.d.Shortlink = m.Title, m.Description, m.Canonical, m.Shortlink
	w.d.Authors, w.d.Publisher, w.d.Section, w.d.Tags = m.Authors, m.Publisher, m.Section, m.Tags
	w.d.Published, w.d.Modified, w.d.MetaSources = m.Published, m.Modified, m.Sources
	w.d.MetaConfidence = m.Confidence
	w.setByThread()
	w.d.SiteSignals = publisher.NewsSignals(p, w.jsonLD())
}

// setPublishedByFeed sets the date from the feed that led to the page, if the page has none.
func (w *work) setPublishedByFeed() {
	if date := w.c.Crawl[schemas.CrawlPublished]; w.d.Published == "" && date != "" {
		w.d.Published = date
		w.setSource("published", "feed")
	}
}

// setSource notes the source of a field of metadata.
func (w *work) setSource(field, source string) {
	w.d.MetaSources = maps.Clone(w.d.MetaSources)
	if w.d.MetaSources == nil {
		w.d.MetaSources = map[string]string{}
	}
	w.d.MetaSources[field] = source
}

// setDocumentMetadata sets the metadata of a document that is not a page. Plain text and pictures have none.
func (w *work) setDocumentMetadata() {
	d := w.document()
	if d == nil {
		return
	}
	w.d.Title, w.d.Description, w.d.Publisher = cmp.Or(d.Title, d.Shown), d.Description, d.Publisher
	w.d.Authors, w.d.Tags, w.d.Pages = d.Authors, d.Tags, d.Pages
	w.setNeedsOCR()
	// The creation date is the nearest equivalent of a publication date.
	w.d.Published, w.d.Modified = d.Created, d.Modified
	sources, format := map[string]string{}, reader.Format(w.mimeType().Type)
	// The order of the map does not matter, as the result is a map, too.
	for field, there := range map[string]bool{
		"title": d.Title != "", "description": d.Description != "", "publisher": d.Publisher != "",
		"authors": len(d.Authors) > 0, "tags": len(d.Tags) > 0, "published": d.Created != "", "modified": d.Modified != "",
	} {
		if there {
			sources[field] = format
		}
	}
	if d.Title == "" && d.Shown != "" {
		sources["title"] = "heading"
	}
	if len(sources) > 0 {
		w.d.MetaSources = sources
	}
}

// leastOrganization is the confidence from which the tagger's organisations are reported. Below, two in three are
// abbreviations, products and software.
const leastOrganization = 0.5

// setEntities sets the entities in the text and in the page's structured data.
func (w *work) setEntities() {
	// A page without text may still have structured data.
	text := w.mainText().Text
	if text == "" && w.html() == nil {
		return
	}
	if w.html() == nil && !isTable(w.textType()) || isPreformatted(w.mainText()) {
		text = entity.Unwrap(text)
	}
	// The tagger's memory is reused for the next capture; package entity copies what it keeps.
	w.t.mentions = w.tag()(text, w.language(), w.t.mentions[:0])
	w.d.NamesReason = namesReason(text, w.language())
	w.t.names = w.t.names[:0]
	for _, m := range w.t.mentions {
		if m.Type == tagger.Organization && m.Confidence < leastOrganization {
			continue
		}
		w.t.names = append(w.t.names, entity.Name(m))
	}
	in := entity.Input{
		Text: text, Page: w.html(), LD: w.jsonLD(), Language: w.language(), URL: w.c.URL, Names: w.t.names,
		Declared: w.declaredLanguages(), Authors: w.d.Authors, Publisher: w.d.Publisher,
	}
	if l := w.languages(); len(l) > 0 {
		in.Script = l[0].Script
	}
	w.d.Entities = entity.Extract(in, entity.Options{})
}

// isTable reports whether the lines of a text are rows.
func isTable(mime string) bool { return mime == "text/csv" || mime == "text/tab-separated-values" }

// isPreformatted reports whether most of a page's text has its lines from its author, as in archives of mail.
func isPreformatted(main maintext.Result) bool {
	all, lines := int32(0), int32(0)
	for _, i := range main.Blocks {
		b := &main.Page.Blocks[i]
		all += b.End - b.Start
		if b.Flags&page.InPre != 0 && b.Flags&page.InCode == 0 {
			lines += b.End - b.Start
		}
	}
	return 2*lines > all
}

// namesReason returns why the tagger did not read a text, or "" if it did or there is no text.
func namesReason(text, language string) string {
	switch {
	case strings.TrimSpace(text) == "" || tagger.Covers(language):
		return ""
	case language == "" || language == "und":
		return "unknown_language"
	}
	return "language"
}

// tag returns the function that finds names in the text. Products, and the subjects of lists and forums, have names
// like those of people and places. On pages about software and goods, most of the less likely names are theirs.
func (w *work) tag() func(text, language string, dst []tagger.Mention) []tagger.Mention {
	if w.html() != nil {
		switch w.mainText().Type {
		case maintext.Product, maintext.Listing, maintext.Forum:
			return w.e.names.TagItems
		// Pages of firms and shops that cannot be distinguished from pages about goods name these, too.
		case maintext.Documentation, maintext.Collection, maintext.Service:
			return w.e.likely.Tag
		}
	}
	return w.e.names.Tag
}

// setFeeds sets the feeds that the page announces or, if the capture is a feed, its content.
func (w *work) setFeeds() {
	if p := w.html(); p != nil {
		w.d.Feeds = feed.Announced(p, w.c.Header)
		w.feeds = feed.AnnouncedRows(w.c, w.d.Feeds)
		return
	}
	// A detected feed must be readable. Other XML may be a feed (CDF has no kind), and is tried.
	m := w.mimeType()
	declared := slices.Contains(feedKinds, m.Kind)
	mayBe := m.Type
	if m.Type == typeGzip { // sitemaps are mostly gzip files
		if mayBe = m.Inside; mayBe == "application/json" {
			mayBe = "application/feed+json"
		}
	}
	if !declared && (m.Kind != "" || !slices.Contains(feedTypes, mayBe)) {
		return
	}
	f, err := feed.Read(w.c.Body, w.c.MIMEDeclared, w.c.URL, feed.Options{Captured: w.c.Timestamp})
	if err != nil {
		if declared { // other XML that is not a feed is not an error
			w.fail("feeds", schemas.KindDecode, err.Error())
		}
		return
	}
	w.d.Feed, w.feeds = f.Info(), feed.Rows(w.c, f)
	// A feed has no other title.
	if w.d.Title == "" {
		w.d.Title = f.Title
	}
}

// feedKinds are the kinds that must be readable as feeds.
var feedKinds = []string{"rss", "atom", "rdf", "jsonfeed", "opml", "sitemap"}

// feedTypes are the types that may be feeds, directly or in gzip.
var feedTypes = []string{
	"application/xml", "application/x-cdf", "application/rss+xml", "application/atom+xml", "application/rdf+xml",
	"application/feed+json", "text/x-opml",
}

// setLinks counts links. Nil pointers distinguish "not a page" from "no links".
func (w *work) setLinks() {
	if p := w.html(); p != nil {
		internal, external := link.Count(p.URL, p.Anchors())
		w.d.LinksInternal, w.d.LinksExternal = &internal, &external
		if left := p.AnchorsLeft(); left > 0 {
			w.fail("links", schemas.KindLimit, fmt.Sprintf("%d links are not counted, beyond %d", left, len(p.Anchors())))
		}
		if w.e.links {
			w.setLinkRows(p)
		}
	}
}

// setLinkRows lists the links. Links beyond the limits of a page become an error of the document, so that they are
// noticed.
func (w *work) setLinkRows(p *page.Page) {
	from := outlink.Source{
		SURT: w.d.SURT, URL: w.d.URL, Host: w.d.Host, Domain: w.d.Domain, Timestamp: w.d.Timestamp,
	}
	links, left := outlink.Of(p, w.mainText(), from)
	w.links = links
	if left > 0 {
		w.fail("links", schemas.KindLimit, fmt.Sprintf("%d links are left out, beyond %d that are listed", left, len(links)))
	}
}

// setRights sets the statements about the use of the page.
func (w *work) setRights() {
	// utf8 returns nil unless the body is text; files about a host are.
	in := rights.Input{
		URL: w.c.URL, Status: w.c.Status, Header: w.c.Header, Type: w.mimeType().Type, Page: w.html(), Text: w.utf8(),
		Body: w.c.Body,
	}
	if d := w.document(); d != nil {
		in.Reservation, in.Policy = d.Reservation, d.Policy
	}
	list, cut := rights.Extract(in)
	if w.d.Rights = list; cut {
		w.fail("rights", schemas.KindLimit, fmt.Sprintf("statements are left out, beyond %d or 500 KiB", len(list)))
	}
}

// setLicenses sets the licences that a page or document states.
func (w *work) setLicenses() {
	if p := w.html(); p != nil {
		w.d.Licenses = licence.Extract(licence.Input{Header: w.c.Header, Page: p, LD: w.jsonLD()})
		return
	}
	in := licence.Document{Header: w.c.Header, Text: w.mainText().Text}
	if d := w.document(); d != nil {
		in.Rights = d.Rights
	}
	w.d.Licenses = licence.ExtractDocument(in)
}

// setSentiment sets the sentiment of the text, and of the names that were found in it.
func (w *work) setSentiment() {
	w.d.Sentiment = w.t.moods.Extract(w.mainText().Text, w.language())
	if w.d.Sentiment == nil {
		return
	}
	for i := range w.d.Entities {
		w.d.Entities[i].Sentiment = w.t.moods.Near(w.d.Entities[i].Mentions)
	}
}

// setSimhash sets the fingerprint, if there is enough text for one.
func (w *work) setSimhash() {
	if h, ok := neardup.Simhash(w.mainText().Text); ok {
		w.d.Simhash = neardup.Hex(h)
	}
}

// setQuality sets the measures of the text.
func (w *work) setQuality() {
	if text := w.mainText().Text; text != "" {
		q := w.t.quality.Of(text, w.likelyLanguage())
		w.d.Quality = &q
	}
}

// pageOf returns data that the document does not have, for formats that hold the page itself and its links.
func (w *work) pageOf() schemas.Page {
	p := schemas.Page{Text: string(w.utf8())}
	p.Examined = w.langed && p.Text != ""
	if h := w.html(); h != nil {
		p.Site = publisher.Of(h, w.jsonLD())
		p.Links = w.mainLinks()
	}
	return p
}

// maxLinks bounds the links of a record.
const maxLinks = 1000

// mainLinks returns the distinct URLs to which the main content links, in order. Anchors and ranges are both in
// document order, so one pass is enough.
func (w *work) mainLinks() (list []string) {
	m := w.mainText()
	if m.Page == nil {
		return nil
	}
	seen, next := map[string]bool{}, 0
	for _, a := range m.Page.Anchors() {
		// These are ranges that end before the anchor.
		for next < len(m.Ranges) && int(m.Ranges[next].End) <= a.Node {
			next++
		}
		if next == len(m.Ranges) || len(list) == maxLinks {
			break
		}
		if a.Node >= int(m.Ranges[next].Start) && !seen[a.Href] && strings.HasPrefix(a.Href, "http") {
			seen[a.Href] = true
			list = append(list, a.Href)
		}
	}
	return list
}

// maxValues bounds the values of a custom field.
const maxValues = 1000

// setCustom sets the fields whose selectors match anything.
func (w *work) setCustom() {
	p := w.html()
	if p == nil {
		return
	}
	for _, f := range w.e.fields {
		if values := p.Select(f.m, maxValues); len(values) > 0 {
			if w.d.Custom == nil {
				w.d.Custom = map[string][]string{}
			}
			w.d.Custom[f.name] = values
		}
	}
}
