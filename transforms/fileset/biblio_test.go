package fileset

import (
	"fmt"
	"testing"
)

// head returns a page with names and values of metadata, in turn.
func head(pairs ...string) []byte {
	html := "<title>t</title><meta name=citation_title content=T>"
	for i := 0; i < len(pairs); i += 2 {
		html += fmt.Sprintf(`<meta name="%s" content="%s">`, pairs[i], pairs[i+1])
	}
	return []byte(html)
}

// TestReadBiblio_doi: the DOI is found beside identifiers of other kinds.
func TestReadBiblio_doi(t *testing.T) {
	for want, pages := range map[string][][]byte{
		"10.1139/h11-076": {
			head("dc.Identifier", "h11-076", "dc.Identifier", "10.1139/h11-076"),
			head("DC.identifier", "1234-5678", "DC.identifier", "978-3", "DC.identifier", "https://doi.org/10.1139/h11-076"),
			head("DCTERMS.identifier", "http://hdl.handle.net/1/2", "DC.identifier", "doi:10.1139/h11-076"),
			head("citation_doi", "none", "DC:identifier", "info:doi/10.1139/h11-076"),
			head("citation_doi", "https://www.doi.org/10.1139/h11-076"),
			head("publication_doi", "10.1139/h11-076", "dc.identifier", "10.5/other"),
			head("citation_doi", "DOI: https://dx.doi.org/10.1139/h11-076"),
			head("citation_doi", "DOI 10.1139/h11-076"),
			head("citation_doi", "doi.org/10.1139/h11-076"),
			head("citation_doi", "urn:doi:10.1139/h11-076"),
		},
		"": {
			head("DC.identifier", "h11-076"), head("citation_doi", "10.1139"), head("citation_doi", "https://a.example/10.1/2"),
			head("citation_doi", "doing 10.1139/h11-076"),
		},
	} {
		for _, html := range pages {
			if b := ReadBiblio(html, "https://a.example/"); b == nil || b.DOI != want {
				t.Errorf("ReadBiblio(%s) = %+v, want the DOI %q", html, b, want)
			}
		}
	}
}

// TestReadBiblio_date: a date without a day gives its year, unless another name has a day of that year.
func TestReadBiblio_date(t *testing.T) {
	for _, tt := range []struct {
		day  string
		year int
		html []byte
	}{
		{"", 2010, head("citation_publication_date", "2010/05")},
		{"", 2010, head("citation_publication_date", "2010-05")},
		{"", 2010, head("citation_publication_date", "May 2010")},
		{"", 2010, head("citation_publication_date", "2010 May")},
		{"", 2011, head("citation_publication_date", "Summer 2011")},
		{"", 2010, head("citation_publication_date", "2010年5月")},
		{"", 2010, head("citation_publication_date", "05/12/2010")},
		{"", 2010, head("citation_publication_date", "2010-00-00")},
		{"", 2010, head("citation_publication_date", "2010")},
		{"", 0, head("citation_publication_date", "2009-2010")},
		{"", 0, head("citation_publication_date", "May 2553")},
		{"", 0, head("citation_publication_date", "2553/05/20")},
		{"", 0, head("dc.date", "9999-12-31")},
		{"", 0, head("dc.date", "2553-05-20T00:00:00Z")},
		{"2010-04-20", 0, head("citation_publication_date", "2553/05/20", "dc.date", "2010-04-20")},
		{"1985-05-02", 0, head("dc.date", "1985-05-02T00:00:00Z")},
		{"", 0, head("citation_publication_date", "12345")},
		{"", 2009, head("citation_publication_date", "no date", "citation_date", "2009")},
		{"2010-04-20", 0, head("citation_publication_date", "2010/05", "citation_online_date", "2010/04/20")},
		{"", 2010, head("citation_publication_date", "2010/05", "citation_online_date", "2009/12/20")},
		{"2010-04-20", 0, head("citation_date", "2010", "citation_online_date", "2009/12/20", "dc.date", "2010-04-20")},
		{"2010-04-20", 0, head("citation_publication_date", "2010/04/20", "citation_date", "2010/05")},
		{"1905-06-30", 0, head("citation_publication_date", "1905/06/30")},
		{"1985-05-02", 0, head("citation_date", "1985", "dc.date", "1985-5-2")},
		{"", 1985, head("citation_publication_date", "1985/02/30")},
		{"", 0, head("citation_publication_date", "0001-01-01")},
		{"2010-04-20", 0, head("citation_publication_date", "in press", "citation_date", "20 April 2010")},
	} {
		b := ReadBiblio(tt.html, "https://a.example/")
		if b == nil || b.ReleaseDate != tt.day || b.ReleaseYear != tt.year {
			t.Errorf("ReadBiblio(%s) = %+v, want %q and the year %d", tt.html, b, tt.day, tt.year)
		}
	}
}

func TestReadBiblio_isbn(t *testing.T) {
	for want, html := range map[string][]byte{
		"9780123456786":     head("citation_isbn", "012345678X", "citation_isbn", "9780123456786"),
		"978-0-1234-5678-6": head("citation_isbn", "978-0-1234-5678-6", "citation_isbn", "012345678X"),
		"012345678X":        head("citation_isbn", "012345678X", "bepress_citation_isbn", "0123456781"),
	} {
		if b := ReadBiblio(html, "https://a.example/"); b == nil || b.ISBN13 != want {
			t.Errorf("ReadBiblio(%s) = %+v, want the ISBN %q", html, b, want)
		}
	}
}
