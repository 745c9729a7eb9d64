package fileset

import (
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
)

// Bounds of a page's head; no single work has more authors and references.
const (
	maxNames      = 1000
	maxReferences = 1000
	maxValue      = 64 << 10 // bytes
)

// dialects are the <meta> names for each field, in order of trust. They are of Highwire (citation_*), EPrints, PRISM,
// bepress, OpenGraph, and Dublin Core in its new and old form.
var dialects = []struct {
	set   func(*schemas.Biblio, string)
	names []string
}{
	{func(b *schemas.Biblio, v string) { b.Title = v }, []string{
		"citation_title", "eprints.title", "prism.title", "bepress_citation_title", "og:title", "dcterms.title", "dc.title",
	}},
	{func(b *schemas.Biblio, v string) { b.Subtitle = v }, []string{"prism.subtitle"}},
	{func(b *schemas.Biblio, v string) { b.DOI = bareDOI(v) }, []string{
		"citation_doi", "doi", "eprints.doi", "prism.doi", "bepress_citation_doi", "dcterms.identifier", "dc.identifier.doi",
		"dc.identifier",
	}},
	{func(b *schemas.Biblio, v string) { b.PMID = v }, []string{"citation_pmid"}},
	{func(b *schemas.Biblio, v string) { b.PMCID = v }, []string{"citation_pmcid"}},
	{func(b *schemas.Biblio, v string) { b.ISBN13 = v }, []string{"citation_isbn", "bepress_citation_isbn"}},
	{func(b *schemas.Biblio, v string) { b.Abstract = v }, []string{
		"citation_abstract", "bepress_citation_abstract", "eprints.abstract", "dcterms.abstract", "dc.description.abstract",
		"dcterms.description", "dc.description", "og:description",
	}},
	{func(b *schemas.Biblio, v string) { b.Container = v }, []string{
		"citation_journal_title", "bepress_citation_journal_title", "citation_conference_title", "citation_inbook_title",
		"eprints.publication", "prism.publicationname", "og:site_name", "dc.source",
	}},
	{func(b *schemas.Biblio, v string) { b.ContainerAbbr = v }, []string{"citation_journal_abbrev"}},
	{func(b *schemas.Biblio, v string) { b.ContainerISSN = v }, []string{
		"citation_issn", "prism.issn", "prism.eissn", "eprints.issn", "bepress_citation_issn", "dc.issn",
	}},
	{func(b *schemas.Biblio, v string) { b.Volume = v }, []string{
		"citation_volume", "bepress_citation_volume", "prism.volume", "eprints.volume", "dc.citation.volume",
	}},
	{func(b *schemas.Biblio, v string) { b.Issue = v }, []string{
		"citation_issue", "bepress_citation_issue", "prism.issueidentifier", "dc.citation.issue",
	}},
	{func(b *schemas.Biblio, v string) { b.Number = v }, []string{
		"citation_technical_report_number", "bepress_citation_technical_report_number", "prism.number", "eprints.number",
	}},
	{func(b *schemas.Biblio, v string) { b.FirstPage = v }, []string{
		"citation_firstpage", "bepress_citation_firstpage", "prism.startingpage", "dc.citation.spage",
	}},
	{func(b *schemas.Biblio, v string) { b.LastPage = v }, []string{
		"citation_lastpage", "bepress_citation_lastpage", "prism.endingpage", "dc.citation.epage",
	}},
	{func(b *schemas.Biblio, v string) { b.Pages = v }, []string{"eprints.pagerange", "citation_pages"}},
	{func(b *schemas.Biblio, v string) { b.Publisher = v }, []string{
		"citation_publisher", "bepress_citation_publisher", "eprints.publisher", "dcterms.publisher", "dc.publisher",
	}},
	{func(b *schemas.Biblio, v string) { b.Language = v }, []string{
		"citation_language", "bepress_citation_language", "dcterms.language", "dc.language", "og:locale",
	}},
	{func(b *schemas.Biblio, v string) { b.License = v }, []string{"dcterms.license", "dc.rights.uri", "eprints.license"}},
	{func(b *schemas.Biblio, v string) { b.ReleaseType = v }, []string{"dcterms.type", "dc.type", "eprints.type"}},
	{func(b *schemas.Biblio, v string) { setDate(b, v) }, []string{
		"citation_publication_date", "bepress_citation_publication_date", "prism.publicationdate", "citation_date",
		"bepress_citation_date", "citation_online_date", "bepress_citation_online_date", "eprints.date", "dcterms.date",
		"dcterms.issued", "dc.date.issued", "dc.date", "article:published_time",
	}},
	{func(b *schemas.Biblio, v string) { b.PDF = v }, []string{"citation_pdf_url", "bepress_citation_pdf_url"}},
	{func(b *schemas.Biblio, v string) { b.HTML = v }, []string{"citation_fulltext_html_url", "citation_full_html_url"}},
	{func(b *schemas.Biblio, v string) { b.XML = v }, []string{"citation_xml_url"}},
}

// authors are <meta> names with a contributor each; the first dialect that the page has counts.
var authors = []string{
	"citation_author", "bepress_citation_author", "eprints.creators_name", "dcterms.creator", "article:author",
	"dc.creator", "dc.contributor",
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
		if v := strings.Join(strings.Fields(m.Content), " "); v != "" && len(said[m.Name]) < max(maxNames, maxReferences) {
			said[m.Name] = append(said[m.Name], shorten(v, maxValue))
		}
	}
	var b schemas.Biblio
	// Names are in order of trust, so the first value counts.
	for _, d := range dialects {
		for _, name := range d.names {
			if values := said[name]; len(values) > 0 {
				d.set(&b, values[0])
				break
			}
		}
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

// setDate keeps a date as a day or as a year alone.
func setDate(b *schemas.Biblio, v string) {
	if year, err := strconv.Atoi(v); err == nil && len(v) == len("2006") {
		b.ReleaseYear = year
		return
	}
	// "2021/08/20" is the form of Highwire's tags.
	d, ok := pagemeta.ParseDate(strings.ReplaceAll(v, "/", "-"))
	if !ok {
		return
	}
	if len(v) < len("2006-1-2") { // a month is not a day
		b.ReleaseYear = d.Time.Year()
		return
	}
	b.ReleaseDate = d.Day()
}

// bareDOI is a DOI without a prefix such as https://doi.org/, or "" if v is not a DOI.
func bareDOI(v string) string {
	// Compared in lower case and cut by length: the DOI itself keeps its case.
	lower := strings.ToLower(v)
	for _, start := range []string{
		"https://doi.org/", "http://doi.org/", "http://dx.doi.org/", "https://dx.doi.org/", "doi:",
	} {
		if strings.HasPrefix(lower, start) {
			v, lower = strings.TrimSpace(v[len(start):]), strings.TrimSpace(lower[len(start):])
		}
	}
	if !strings.HasPrefix(v, "10.") || !strings.Contains(v, "/") {
		return ""
	}
	return v
}
