package view

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// originTexts say where values of metadata came from: see docs/documents.md.
var originTexts = map[string]string{
	"jsonld": "JSON-LD", "opengraph": "Open Graph", "meta": "meta element", "microdata": "microdata",
	"link": "link element", "title": "title element", "h1": "heading", "text": "around the title", "url": "its URL",
	"pattern": "pattern", "tagger": "tagger", "gazetteer": "list of names",
}

// metadataOf are the values of a document, with where they came from. What disagrees is said.
func metadataOf(collection string, d *schemas.Document) (list []Meta) {
	// What a document has no value of is not a row: a page of dashes says less.
	add := func(field, label string, values ...string) {
		var there []string
		for _, v := range values {
			if v != "" {
				there = append(there, v)
			}
		}
		if len(there) == 0 {
			return
		}
		from := d.MetaSources[field]
		list = append(list, Meta{
			// A source that has no words here is shown by its name.
			Field: field, Label: label, Values: there, From: cmp.Or(originTexts[from], from),
			// The page's own words run as its language does, and are marked as not ours.
			Confidence: float64(d.MetaConfidence[field]), Archived: true, Dir: dirOf(d.Language),
		})
	}
	// In the order in which a reader looks for them.
	add("title", "Title", d.Title)
	add("authors", "Authors", d.Authors...)
	add("published", "Published", d.Published)
	add("modified", "Modified", d.Modified)
	add("publisher", "Publisher", d.Publisher)
	add("section", "Section", d.Section)
	add("tags", "Tags", d.Tags...)
	add("description", "Description", d.Description)
	add("canonical", "Canonical URL", d.Canonical)
	add("shortlink", "Short URL", d.Shortlink)
	// Names of custom fields are the user's, from the options of the run.
	for _, name := range d.CustomColumns() {
		add("custom."+name, name, d.CustomTexts(name)...)
	}
	return append(list, foundOut(collection, d)...)
}

// foundOut are the values that are our own findings.
func foundOut(collection string, d *schemas.Document) (list []Meta) {
	every := SearchRequest{Collection: collection, Fold: "none"}
	add := func(field, label, value, from, link string, confidence float64) {
		if value != "" {
			list = append(list, Meta{
				Field: field, Label: label, Values: []string{value}, From: from, Link: link, Confidence: confidence, Dir: "ltr",
			})
		}
	}
	// The first of the languages is the main one, and has the confidence that is shown.
	sure := 0.0
	if len(d.Languages) > 0 {
		sure = float64(d.Languages[0].Confidence)
	}
	add("language", "Language", Tongue(d.Language), declared("detected", d.LanguageDeclared, d.LanguageConflict),
		every.with("lang", d.Language).link(), sure)
	// A document without languages has no first one to leave out.
	for _, l := range d.Languages[min(1, len(d.Languages)):] {
		add("languages", "Also", fmt.Sprintf("%s, %.0f%% of the text", Tongue(l.Code), 100*float64(l.Share)), "detected", "",
			float64(l.Confidence))
	}
	add("page_type", "Page type", d.PageType, "page classifier", every.with("page_type", d.PageType).link(), 0)
	add("mime_detected", "Media type", d.MIMEDetected, declared(d.MIMEBasis, d.MIMEDeclared, d.MIMEConflict),
		every.with("mime", d.MIMEDetected).link(), 0)
	add("mime_inside", "Inside", d.MIMEInside, "of the gzip body", "", 0)
	add("charset", "Charset", d.Charset, d.CharsetBasis, "", 0)
	// 0 is no status, but a capture that is not an HTTP response.
	if d.Status > 0 {
		value := fmt.Sprint(d.Status)
		add("status", "HTTP status", statusLabel(value), "as archived", every.with("status", value).link(), 0)
	}
	// The link leads to the target's page here, which may be there or not.
	add("redirect_url", "Redirects to", d.RedirectURL, "as archived", linkTo(collection, d.RedirectURL, "", "").There, 0)
	add("text_source", "Text from", d.TextSource, "", "", 0)
	if q := d.Quality; q != nil {
		// The rules of the Gopher corpus (Rae et al. 2021): repetition, length, share of words.
		passes := "does not pass Gopher's rules"
		if q.GopherPass {
			passes = "passes Gopher's rules"
		}
		add("quality", "Words", fmt.Sprint(q.Words), passes, "", 0)
	}
	if c := d.Comments; c != nil {
		add("comments", "Comments", fmt.Sprint(c.Count), "readers', below the text", "", 0)
	}
	if d.Pages > 0 {
		add("pages", "Pages", fmt.Sprint(d.Pages), "of the document", "", 0)
	}
	if d.Simhash != "" {
		// Exactly the same fingerprint; near ones differ in some bits, which the language cannot ask
		// for.
		near := SearchRequest{Collection: collection, Query: "simhash = " + d.Simhash, Fold: "none"}
		add("simhash", "Same fingerprint", d.Simhash, "simhash of the text", near.link(), 0)
	}
	add("truncated", "Truncated", d.Truncated, "as archived", "", 0)
	for name, value := range sorted(d.Crawl) {
		add("crawl."+name, "Crawler: "+name, value, "as archived", "", 0)
	}
	// Extractors that failed are part of what is known of a page.
	for _, e := range d.Errors {
		add("errors", "Error", e.Stage+": "+e.Message, string(e.Kind), "", 0)
	}
	return list
}

// declared says what a value rests on, and whether what was declared is another.
func declared(basis, said string, conflict bool) string {
	// Without a declaration there is nothing to agree with.
	switch {
	case said == "":
		return basis
	case conflict:
		return basis + "; the page or server says " + strings.TrimSpace(said)
	}
	return basis + "; the page or server says the same"
}

// maxNamed is how many entities of a page are listed.
const maxNamed = 200

// entitiesOf lists what a page names.
func entitiesOf(collection string, d *schemas.Document) []Named {
	list := []Named{}
	// In the order in which the document has them.
	for _, e := range d.Entities[:min(maxNamed, len(d.Entities))] {
		list = append(list, Named{
			Text: e.Text, Type: e.Type, ID: e.ID, Count: e.Count, Confidence: float64(e.Confidence), Source: e.Source,
			Link: SearchRequest{Collection: collection, Entity: e.Text, Fold: "none"}.link(),
		})
	}
	return list
}
