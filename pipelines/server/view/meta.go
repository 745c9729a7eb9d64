package view

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// originTexts are names of the origins of metadata: see docs/documents.md.
var originTexts = map[string]string{
	"jsonld": "JSON-LD", "opengraph": "Open Graph", "meta": "meta element", "microdata": "microdata",
	"link": "link element", "title": "title element", "h1": "heading", "text": "around the title", "url": "its URL",
	"pattern": "pattern", "tagger": "tagger", "gazetteer": "list of names", "metadata": "declared",
}

// metadataOf returns the values of a document and their origins, including disagreements.
func metadataOf(collection string, d *schemas.Document) (list []Meta) {
	// A missing value gets no row: a page of dashes is less clear.
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
			// A source without a text here is shown by its name.
			Field: field, Label: label, Values: there, From: cmp.Or(originTexts[from], from),
			// The page's own words have the direction of its language, and are marked as archived.
			Confidence: float64(d.MetaConfidence[field]), Archived: true, Dir: dirOf(d.Language),
		})
	}
	// They are in the order in which readers look for them.
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
	// Names of custom fields come from the user's options of the run.
	for _, name := range d.CustomColumns() {
		add("custom."+name, name, d.CustomTexts(name)...)
	}
	return append(list, foundOut(collection, d)...)
}

// maxRights bounds the statements about use that a page shows. A robots.txt may have hundreds, which its text shows.
const maxRights = 20

// adder adds a value to the facts about a page; link and confidence may be zero.
type adder func(field, label, value, from, link string, confidence float64)

// addUses adds what the page says about its use: licences, opt-outs, reservations.
func addUses(add adder, collection string, d *schemas.Document) {
	for _, l := range d.Licenses {
		from := "of the " + l.Scope + ", by " + l.Basis
		add("licenses", "Licence", l.Name, from, licenceLink(collection, l), float64(l.Confidence))
	}
	for _, r := range d.Rights[:min(len(d.Rights), maxRights)] {
		add("rights", "Use", useOf(r), r.Basis, useLink(collection, r), 0)
	}
}

// useOf returns a statement about use in a line.
func useOf(r schemas.Right) string {
	return strings.Join(strings.Fields(r.Signal+" "+r.Value+" "+r.Agent+" "+r.Path), " ")
}

// licenceLink leads to all captures with the same licence.
func licenceLink(collection string, l schemas.License) string {
	return SearchRequest{Collection: collection, Query: `licenses.name = "` + l.Name + `"`, Fold: "none"}.link()
}

// useLink leads to all captures with the same signal.
func useLink(collection string, r schemas.Right) string {
	return SearchRequest{Collection: collection, Query: "rights.signal = " + r.Signal, Fold: "none"}.link()
}

// foundOut returns the values that are our own findings.
func foundOut(collection string, d *schemas.Document) (list []Meta) {
	every := SearchRequest{Collection: collection, Fold: "none"}
	add := func(field, label, value, from, link string, confidence float64) {
		if value != "" {
			list = append(list, Meta{
				Field: field, Label: label, Values: []string{value}, From: from, Link: link, Confidence: confidence, Dir: "ltr",
			})
		}
	}
	// The first of the languages is the main one, and its confidence is shown.
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
	// 0 is not a status: the capture is not an HTTP response.
	if d.Status > 0 {
		value := fmt.Sprint(d.Status)
		add("status", "HTTP status", statusLabel(value), "as archived", every.with("status", value).link(), 0)
	}
	// The link leads to the target's page here, which may not exist.
	add("redirect_url", "Redirects to", d.RedirectURL, "as archived", linkTo(collection, d.RedirectURL, "", "").There, 0)
	add("text_source", "Text from", d.TextSource, "", "", 0)
	addText(add, d)
	if d.Simhash != "" {
		// This finds exactly the same fingerprint. Similar ones differ in some bits, which the query language does not
		// support.
		near := SearchRequest{Collection: collection, Query: "simhash = " + d.Simhash, Fold: "none"}
		add("simhash", "Same fingerprint", d.Simhash, "simhash of the text", near.link(), 0)
	}
	addUses(add, collection, d)
	add("truncated", "Truncated", d.Truncated, "as archived", "", 0)
	for name, value := range sorted(d.Crawl) {
		add("crawl."+name, "Crawler: "+name, value, "as archived", "", 0)
	}
	// Failed extractors are part of a page's description.
	for _, e := range d.Errors {
		add("errors", "Error", e.Stage+": "+e.Message, string(e.Kind), "", 0)
	}
	return list
}

// addText adds facts about the text.
func addText(add adder, d *schemas.Document) {
	if q := d.Quality; q != nil {
		// These are the rules of the Gopher corpus (Rae et al. 2021): repetition, length, share of words.
		passes := "does not pass Gopher's rules"
		if q.GopherPass {
			passes = "passes Gopher's rules"
		}
		add("quality", "Words", fmt.Sprint(q.Words), passes, "", 0)
	}
	if s := d.Sentiment; s != nil {
		words := fmt.Sprintf("from -1 to 1, by %d words in favour and %d against", s.Positive, s.Negative)
		add("sentiment", "Sentiment", strconv.FormatFloat(float64(s.Score), 'f', -1, 64), words, "", 0)
	}
	if c := d.Comments; c != nil {
		add("comments", "Comments", fmt.Sprint(c.Count), "readers', below the text", "", 0)
	}
	if n := len(d.Posts); n > 0 {
		add("posts", "Posts", fmt.Sprint(n), "of the thread, with authors and dates", "", 0)
	}
	if d.Pages > 0 {
		add("pages", "Pages", fmt.Sprint(d.Pages), "of the document", "", 0)
	}
	for _, n := range d.NeedsOCR {
		add("needs_ocr", "Needs OCR", fmt.Sprintf("pages %d to %d", n.First, n.Last), n.Reason, "", 0)
	}
}

// declared describes the basis of a value, and whether the declared value differs.
func declared(basis, said string, conflict bool) string {
	// Without a declaration, there can be no disagreement.
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

// entitiesOf lists the entities that a page names.
func entitiesOf(collection string, d *schemas.Document) []Named {
	list := []Named{}
	// They are in the order of the document.
	for _, e := range d.Entities[:min(maxNamed, len(d.Entities))] {
		list = append(list, Named{
			Text: e.Text, Type: e.Type, ID: e.ID, Count: e.Count, Confidence: float64(e.Confidence), Source: e.Source,
			Link: SearchRequest{Collection: collection, Entity: e.Text, Fold: "none"}.link(),
		})
	}
	return list
}
