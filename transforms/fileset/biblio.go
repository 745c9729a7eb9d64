package fileset

import (
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Bounds of a page's head; no single work has more authors and references.
const (
	maxNames      = 1000
	maxReferences = 1000
	maxValue      = 64 << 10 // bytes
)

// dialects are the <meta> names for each field, in order of trust. They are of Highwire (citation_*), EPrints, PRISM,
// bepress, OpenGraph, and Dublin Core in its new and old form. Function set reports whether a value fits: identifiers
// of other kinds and dates of another form may have the same name.
var dialects = []struct {
	set   func(*schemas.Biblio, string) bool
	names []string
}{
	{text(func(b *schemas.Biblio) *string { return &b.Title }), []string{
		"citation_title", "eprints.title", "prism.title", "bepress_citation_title", "og:title", "dcterms.title", "dc.title",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.Subtitle }), []string{"prism.subtitle"}},
	{setDOI, []string{
		"citation_doi", "doi", "eprints.doi", "prism.doi", "bepress_citation_doi", "publication_doi", "dcterms.identifier",
		"dc.identifier.doi", "dc.identifier", "dc.identifier.uri",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.PMID }), []string{"citation_pmid"}},
	{text(func(b *schemas.Biblio) *string { return &b.PMCID }), []string{"citation_pmcid"}},
	{setISBN, []string{"citation_isbn", "bepress_citation_isbn"}},
	{text(func(b *schemas.Biblio) *string { return &b.Abstract }), []string{
		"citation_abstract", "bepress_citation_abstract", "eprints.abstract", "dcterms.abstract", "dc.description.abstract",
		"dcterms.description", "dc.description", "og:description",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.Container }), []string{
		"citation_journal_title", "bepress_citation_journal_title", "citation_conference_title", "citation_inbook_title",
		"eprints.publication", "prism.publicationname", "og:site_name", "dc.source",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.ContainerAbbr }), []string{"citation_journal_abbrev"}},
	{text(func(b *schemas.Biblio) *string { return &b.ContainerISSN }), []string{
		"citation_issn", "prism.issn", "prism.eissn", "eprints.issn", "bepress_citation_issn", "dc.issn",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.Volume }), []string{
		"citation_volume", "bepress_citation_volume", "prism.volume", "eprints.volume", "dc.citation.volume",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.Issue }), []string{
		"citation_issue", "bepress_citation_issue", "prism.issueidentifier", "dc.citation.issue",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.Number }), []string{
		"citation_technical_report_number", "bepress_citation_technical_report_number", "prism.number", "eprints.number",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.FirstPage }), []string{
		"citation_firstpage", "bepress_citation_firstpage", "prism.startingpage", "dc.citation.spage",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.LastPage }), []string{
		"citation_lastpage", "bepress_citation_lastpage", "prism.endingpage", "dc.citation.epage",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.Pages }), []string{"eprints.pagerange", "citation_pages"}},
	{text(func(b *schemas.Biblio) *string { return &b.Publisher }), []string{
		"citation_publisher", "bepress_citation_publisher", "eprints.publisher", "dcterms.publisher", "dc.publisher",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.Language }), []string{
		"citation_language", "bepress_citation_language", "dcterms.language", "dc.language", "og:locale",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.License }), []string{
		"dcterms.license", "dc.rights.uri", "eprints.license",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.ReleaseType }), []string{"dcterms.type", "dc.type", "eprints.type"}},
	{setDate, []string{
		"citation_publication_date", "bepress_citation_publication_date", "prism.publicationdate", "citation_date",
		"bepress_citation_date", "citation_online_date", "bepress_citation_online_date", "eprints.date", "dcterms.date",
		"dcterms.issued", "dc.date.issued", "dc.date", "article:published_time",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.PDF }), []string{"citation_pdf_url", "bepress_citation_pdf_url"}},
	{text(func(b *schemas.Biblio) *string { return &b.HTML }), []string{
		"citation_fulltext_html_url", "citation_full_html_url",
	}},
	{text(func(b *schemas.Biblio) *string { return &b.XML }), []string{"citation_xml_url"}},
}

// authors are <meta> names with a contributor each; the first dialect that the page has counts.
var authors = []string{
	"citation_author", "bepress_citation_author", "eprints.creators_name", "dcterms.creator", "article:author",
	"dc.creator", "dc.contributor",
}

// text sets a field to any value.
func text(field func(*schemas.Biblio) *string) func(*schemas.Biblio, string) bool {
	return func(b *schemas.Biblio, v string) bool {
		*field(b) = v
		return true
	}
}

// ReadBiblio reads the description of a work in the head of its landing page; nil without a title.
func ReadBiblio(html []byte, url string) *schemas.Biblio {
	if len(html) == 0 {
		return nil
	}
	// Detected from the bytes: the declared charset is unknown here.
	text, _, err := charset.Decode(html, charset.Detect(html, "", charset.Options{}).Name)
	if err != nil {
		return nil
	}
	p := page.Parse(text, page.Options{URL: url})
	said := map[string][]string{}
	for _, m := range p.Metas() {
		// Join white space: many templates wrap titles.
		name := dublin.Replace(m.Name)
		if v := strings.Join(strings.Fields(m.Content), " "); v != "" && len(said[name]) < max(maxNames, maxReferences) {
			said[name] = append(said[name], shorten(v, maxValue))
		}
	}
	var b schemas.Biblio
	for _, d := range dialects {
		setFirst(&b, said, d.names, d.set)
	}
	// Not merged: the dialects of a page repeat the same people.
	for _, name := range authors {
		if len(said[name]) > 0 {
			b.Contributors = said[name][:min(len(said[name]), maxNames)]
			break
		}
	}
	b.References = said["citation_reference"]
	// Relative to the page, or its base element.
	for _, to := range []*string{&b.PDF, &b.HTML, &b.XML} {
		if *to != "" {
			*to = p.Resolve(*to)
		}
	}
	if b.Title == "" {
		return nil
	}
	return &b
}

// dublin writes names of Dublin Core with a dot.
var dublin = strings.NewReplacer("dc:", "dc.", "dcterms:", "dcterms.")

// setFirst sets a field to the first value that fits. Names are in order of trust.
func setFirst(b *schemas.Biblio, said map[string][]string, names []string, set func(*schemas.Biblio, string) bool) {
	for _, name := range names {
		for _, v := range said[name] {
			if set(b, v) {
				return
			}
		}
	}
}

// The years of publications. Other numbers of four digits are of other calendars.
const (
	firstYear = 1500
	lastYear  = 2100
	webYear   = 1990 // the first that pagemeta.ParseDate reads
)

// setDate keeps a date as a day, or as a year alone until a day of that year follows. Many journals have issues without
// a day, and state when they were online.
func setDate(b *schemas.Biblio, v string) bool {
	// "2021/08/20" is the form of Highwire's tags.
	v = strings.ReplaceAll(v, "/", "-")
	d, ok := pagemeta.ParseDate(v)
	// Works may be older than the web.
	day, _, _ := strings.Cut(v, "T")
	if old, err := time.Parse("2006-1-2", day); err == nil && old.Year() >= firstYear && old.Year() < webYear {
		d, ok = pagemeta.Date{Time: old}, true
	}
	if ok && (b.ReleaseYear == 0 || b.ReleaseYear == d.Time.Year()) {
		b.ReleaseDate, b.ReleaseYear = d.Day(), 0
	} else if !ok && b.ReleaseYear == 0 {
		b.ReleaseYear = yearIn(v)
	}
	return b.ReleaseDate != ""
}

// yearIn returns the year of a date such as "May 2010" or "2010/05", or 0 if there is none or more than one.
func yearIn(v string) (year int) {
	for _, f := range strings.FieldsFunc(v, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.Atoi(f)
		if err != nil || len(f) != len("2006") || n < firstYear || n > lastYear {
			continue
		}
		if year != 0 && year != n {
			return 0
		}
		year = n
	}
	return year
}

// setISBN takes the first with 13 digits, or else the first: pages state older numbers too.
func setISBN(b *schemas.Biblio, v string) bool {
	digits := 0
	for i := range len(v) {
		if '0' <= v[i] && v[i] <= '9' {
			digits++
		}
	}
	if digits == 13 || b.ISBN13 == "" {
		b.ISBN13 = v
	}
	return digits == 13
}

func setDOI(b *schemas.Biblio, v string) bool {
	b.DOI = bareDOI(v)
	return b.DOI != ""
}

// reBeforeDOI are prefixes such as "https://doi.org/" and "info:doi/".
var reBeforeDOI = pattern.Lazy(`^(?i:https?://(?:dx\.|www\.)?doi\.org/|(?:info:|urn:)?doi[:/ ] ?|doi\.org/| )+`)

// bareDOI is a DOI without a prefix, or "" if v is not a DOI.
func bareDOI(v string) string {
	v = v[len(reBeforeDOI().FindString(v)):]
	if !strings.HasPrefix(v, "10.") || !strings.Contains(v, "/") {
		return ""
	}
	return v
}
