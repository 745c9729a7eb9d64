package datastreamer

import (
	"cmp"
	"html"
	"reflect"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// undetermined is the value for an unknown language in records.
const undetermined = "U"

// FromDocument makes a record of the extracted content of a page.
func FromDocument(d *schemas.Document, p schemas.Page) *Content {
	r := &Content{
		Title: d.Title, Description: html.EscapeString(d.Description), Publisher: d.Publisher, Section: d.Section,
		Tags: d.Tags, Canonical: d.Canonical, Shortlink: d.Shortlink, Links: p.Links,
	}
	// The address before setFound: the sequence is made of it.
	requested := cmp.Or(d.Crawl[schemas.CrawlRequested], d.URL)
	final := d.URL
	if requested == final && d.Status >= 300 && d.Status < 400 && d.RedirectURL != "" {
		final = d.RedirectURL // the redirect itself was captured
	}
	setAddress(r, requested, final)
	main := d.MainHTML
	// Only fetched bodies are html. The body of a conversion is main, or the extract.
	switch {
	case d.RecordType != schemas.TypeConversion:
		setHTML(r, p.Text)
	case main == "" && d.Crawl[CrawlPrefix+"extract"] == "" && mimetype.IsHTML(d.MIMEDeclared):
		main = p.Text
	}
	setMain(r, main)
	// A document without a time makes a record without sequence and bucket.
	if t, err := time.Parse(time.RFC3339Nano, d.Timestamp); err == nil {
		setFound(r, t)
	}
	// Said with main alone: without it the format would be of nothing.
	if r.Main != "" {
		r.MainFormat = "HTML"
	}
	if d.Text != "" {
		r.Extract, r.ExtractLength, r.ExtractChecksum = d.Text, size(d.Text), Checksum(d.Text)
	}
	r.Published, r.PublishedPartial = moment(d.Published)
	r.Modified, r.ModifiedPartial = moment(d.Modified)
	if len(d.Authors) > 0 {
		r.AuthorName = strings.Join(d.Authors, ", ")
	}
	for _, e := range d.Entities {
		if e.Type == "handle" {
			r.Mentions = append(r.Mentions, strings.TrimPrefix(cmp.Or(e.ID, e.Text), "@"))
		}
	}
	if r.Lang = language(d.Language); r.Lang == "" && p.Examined {
		r.Lang = undetermined
	}
	setSource(r, d, p)
	restoreUnknown(r, d.Crawl)
	return r
}

// restoreUnknown restores fields of a record that was read, where the page says nothing of them. Extracted values stay.
func restoreUnknown(r *Content, crawl map[string]string) {
	v := reflect.ValueOf(r).Elem()
	for key, value := range crawl {
		name, isField := strings.CutPrefix(key, CrawlPrefix)
		i, known := fields[name]
		if isField && known && (v.Field(i).IsZero() || isUnknown(r, name)) {
			restore(v.Field(i), value)
		}
	}
}

// isUnknown reports whether the value of a field says that nothing is known, or is a name of the record alone.
func isUnknown(r *Content, field string) bool {
	switch field {
	case "sequence", "sequence_range", "bucket":
		return true
	case "lang":
		return r.Lang == undetermined
	case "source_publisher_type":
		return r.SourcePublisherType == schemas.PublisherUnknown
	case "source_spam_probability":
		return r.SourceSpamProbability != nil && *r.SourceSpamProbability == unclassified
	}
	return false
}

// moment returns a time in the form of records: as full if it is known to the second, and as partial for a date alone.
func moment(text string) (full, partial string) {
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t.UTC().Format(TimeLayout), ""
	}
	// What fits neither form is left out: a time that is guessed would be taken for known.
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return "", t.Format(TimeLayout)
	}
	return "", ""
}

// language is a code of ISO 639-1, or U for none.
func language(code string) string {
	switch {
	case code == "":
		return "" // nobody asked
	case len(code) == 2:
		return code
	}
	return undetermined
}

// unclassified is the spam probability of a source that was not looked at.
const unclassified schemas.Float = -1

// setSource fills in the values of the page's site: the root of its host, and the page's own values for it. Of the root
// itself more is known.
func setSource(r *Content, d *schemas.Document, p schemas.Page) {
	// By the permalink and not by where redirects led: resource and hashcode are made of it as well.
	start, end := authority(r.Permalink)
	if start == 0 || end == start {
		return // no URL of a host
	}
	r.SourceLink = r.Permalink[:end] + "/"
	r.SourceResource = Tokenize(r.SourceLink)
	r.SourceHashcode = Hashcode(r.SourceResource)
	r.SourcePublisherType = cmp.Or(p.Site.PublisherType, schemas.PublisherUnknown)
	r.SourceTitle, r.SourceDescription = p.Site.Title, p.Site.Description
	r.SourceFeedHref, r.SourceFeedTitle, r.SourceFeedFormat = p.Site.FeedURL, p.Site.FeedTitle, p.Site.FeedFormat
	r.SourceFaviconSrc, r.SourceProfiles = p.Site.Favicon, p.Site.Profiles
	r.SourceSpamProbability = new(unclassified)
	// Only of the root page is the page itself the source's.
	if r.Resource != r.SourceResource {
		return
	}
	r.SourceTitle = cmp.Or(r.SourceTitle, d.Title)
	r.SourceDescription = cmp.Or(r.SourceDescription, d.Description)
	r.SourceLastUpdated = r.DateFound
	r.SourceContentLength, r.SourceContentChecksum = r.HTMLLength, r.HTMLChecksum
	if d.Status != 0 {
		r.SourceHTTPStatus = new(int64(d.Status))
	}
}

// Document returns the content of a record as a document. Its Crawl has the fields without a place in a document, as in
// [Capture].
func Document(r *Content) *schemas.Document {
	d := &schemas.Document{
		URL: cmp.Or(r.PermalinkRedirect, r.Permalink, r.Link, r.Canonical), RecordType: schemas.TypeConversion,
		Title: r.Title, Description: html.UnescapeString(r.Description), Canonical: r.Canonical, Shortlink: r.Shortlink,
		Publisher: r.Publisher, Section: r.Section, Tags: r.Tags, MainHTML: r.Main, Text: cmp.Or(r.Extract, r.SummaryText),
	}
	// A capture only for its Crawl: keep writes there.
	c := &schemas.Capture{}
	// What remains in rest after these lines is what a document has no place for.
	rest := *r
	rest.Title, rest.Description, rest.Canonical, rest.Shortlink, rest.Publisher, rest.Section = "", "", "", "", "", ""
	rest.Tags, rest.Main, rest.Permalink, rest.PermalinkRedirect, rest.Extract = nil, "", "", "", ""
	// The summary has become the text only where there was no extract.
	if r.Extract == "" {
		rest.SummaryText = ""
	}
	if t, err := parseTime(r.DateFound); err == nil {
		d.Timestamp, rest.DateFound = t.Format(time.RFC3339), ""
	}
	if r.Permalink != "" && r.Permalink != d.URL {
		c.SetCrawl(schemas.CrawlRequested, r.Permalink)
	}
	d.Published, rest.Published = cmp.Or(r.Published, day(r.PublishedPartial)), ""
	d.Modified, rest.Modified = cmp.Or(r.Modified, day(r.ModifiedPartial)), ""
	if r.AuthorName != "" {
		d.Authors, rest.AuthorName = []string{r.AuthorName}, ""
	}
	if r.Lang != "" {
		d.Language, rest.Lang = r.Lang, ""
	}
	if d.Language == undetermined {
		d.Language = "und"
	}
	// Last: it keeps whatever the lines above have not emptied.
	keep(c, &rest)
	d.Crawl = c.Crawl
	return d
}

// day is the date of a time that is not known to the second.
func day(text string) string {
	t, err := parseTime(text)
	if err != nil {
		return ""
	}
	return t.Format(time.DateOnly)
}
