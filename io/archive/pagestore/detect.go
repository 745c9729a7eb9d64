package pagestore

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/language"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/langid"
)

// Detector finds kind and language of pages from their content, with the engine of ingest, so that both agree.
type Detector struct{ enricher *enrich.Enricher }

// NewDetector returns a Detector.
func NewDetector() (*Detector, error) {
	e, err := enrich.New(enrich.Options{Extract: []string{"language"}})
	return &Detector{e}, err
}

// Detect returns the kind of page c, and its language, or "" if that is unknown.
func (d *Detector) Detect(c *schemas.Capture) (kind, language string) {
	kind = KindURL
	if isFeed(c) {
		kind, language = KindRSS, feedLanguage(c)
	} else {
		language = d.enricher.Document(c).Language
	}
	if !isColumn(language) || !schemas.IsLanguage(language) {
		return kind, ""
	}
	return kind, language
}

// feedLanguage returns the language that a feed declares or else the language of its titles and descriptions.
func feedLanguage(c *schemas.Capture) string {
	f, err := feed.Read(c.Body, c.MIMEDeclared, c.URL, feed.Options{})
	// It remains a feed without a language.
	if err != nil {
		return ""
	}
	// Feeds write en_US as well as en-US.
	if tag, err := language.Parse(strings.ReplaceAll(strings.TrimSpace(f.Language), "_", "-")); err == nil {
		// "und" is undetermined and "mul" several languages (ISO 639-2).
		if base, sure := tag.Base(); sure > language.Low && base.String() != "und" && base.String() != "mul" {
			return base.String()
		}
	}
	// Titles are judged together, because each alone is too short.
	var text strings.Builder
	addText(&text, f.Title)
	addText(&text, f.Description)
	for i := range f.Items {
		addText(&text, f.Items[i].Title)
		addText(&text, f.Items[i].Summary)
	}
	if found := langid.New(langid.Options{}).Detect(text.String()); len(found) > 0 {
		return found[0].Code
	}
	return ""
}

// addText appends the text of a piece of HTML as a paragraph.
func addText(to *strings.Builder, piece string) {
	for z := html.NewTokenizer(strings.NewReader(piece)); ; {
		switch z.Next() {
		case html.ErrorToken: // the end
			to.WriteByte('\n')
			return
		case html.TextToken:
			to.Write(z.Text())
			// A space separates words of neighbouring elements.
			to.WriteByte(' ')
		}
	}
}
