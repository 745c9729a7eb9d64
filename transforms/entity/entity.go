// Package entity finds what a page names: people, organisations, places, works, products and events in its structured
// data, and addresses, numbers, identifiers, dates and amounts of money in its text.
//
// Structured data is JSON-LD and microdata with types of schema.org (source "jsonld" and "microdata"). In the text one
// scanner goes from left to right and looks closer only where a digit or one of a few signs stands (source "pattern"):
//
//	type     what is found                                          ID
//	email    address with a real top-level domain, mailto: links    in lower case
//	phone    what libphonenumber takes for a valid number, tel:     E.164
//	url      http, https and ftp addresses, www. hosts              scheme and host in lower case
//	doi      10.…/…, doi.org links                                  in lower case
//	isbn     ISBN-13; ISBN-10 that is called so; check digit        ISBN-13
//	issn     ISSN that is called so; check digit                    1234-5678
//	orcid    ORCID iD, orcid.org links; check digit                 0000-0002-1825-0097
//	hashtag  #tag with a letter in it                               in lower case
//	handle   @name                                                  in lower case
//	date     a day with its year, in numbers or with a month name   YYYY-MM-DD
//	money    amount with a currency sign, name or code              EUR 12.50
//
// Precision goes before recall: a run of digits without a "+", a label or the country's usual grouping is no phone
// number, and 3/4/2020 is no date unless language or country say which number is the month. Names of people and places
// in running text are not looked for.
//
//	found := entity.Extract(entity.Input{Text: text, Page: p, LD: nodes, Language: "de", URL: url}, entity.Options{})
//	for _, e := range found {
//		fmt.Println(e.Type, e.Text, e.ID, e.Count)
//	}
//
// Sources: schema.org; RFC 5321 and 3986 in what they allow, the Public Suffix List; ISO 2108 (ISBN), ISO 3297 (ISSN),
// ISO 7064 mod 11-2 (ORCID), the DOI Handbook, ISO 4217; github.com/nyaruka/phonenumbers for numbering plans.
package entity

import (
	"cmp"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version is the version of the answers.
const Version = "1"

// Input is what entities are looked for in. Every part may be missing.
type Input struct {
	Text     string        // the main text; offsets are bytes of it
	Page     *page.Page    // for microdata and for mailto: and tel: links
	LD       []jsonld.Node // the page's JSON-LD
	Language string        // of the text, ISO 639-1
	URL      string        // of the page: its top-level domain says which country's numbers to expect
}

// Options bound the work; the zero value takes the defaults.
type Options struct {
	MaxEntities int // different ones returned; 500
	MaxBytes    int // of text looked at; 1 MiB
	MaxPhones   int // different candidates that are checked for being phone numbers, 10 µs each; 200
	MaxNodes    int // objects of structured data; 5,000
}

func (o Options) withDefaults() Options {
	o.MaxEntities = cmp.Or(max(o.MaxEntities, 0), 500)
	o.MaxBytes = cmp.Or(max(o.MaxBytes, 0), 1<<20)
	o.MaxPhones = cmp.Or(max(o.MaxPhones, 0), 200)
	o.MaxNodes = cmp.Or(max(o.MaxNodes, 0), 5_000)
	return o
}

// The types of entities.
const (
	typeDate    = "date"
	typeDOI     = "doi"
	typeEmail   = "email"
	typeHandle  = "handle"
	typeHashtag = "hashtag"
	typeISBN    = "isbn"
	typeISSN    = "issn"
	typeMoney   = "money"
	typeORCID   = "orcid"
	typePhone   = "phone"
	typeURL     = "url"
)

// The sources of entities.
const (
	sourceJSONLD    = "jsonld"
	sourceMicrodata = "microdata"
	sourcePattern   = "pattern"
)

// Extract returns the entities of in, each once: those in the text by their first mention, then the others, each part
// by type and text. Count says how often an entity is mentioned in the text and Start where first; both are absent for
// one that is only in the structured data or in a link. Mentions that the scanner finds do not overlap.
func Extract(in Input, o Options) []schemas.Entity {
	o = o.withDefaults()
	if len(in.Text) > o.MaxBytes {
		in.Text = cutWord(in.Text, o.MaxBytes)
	}
	c := newCollector(o.MaxEntities)
	l := newLocale(in.Language, in.URL)
	phones := newPhones(l.region, o.MaxPhones)
	addJSONLD(c, in.LD, phones, o.MaxNodes)
	if in.Page != nil {
		addMicrodata(c, in.Page.Items(), phones, o.MaxNodes)
		addAnchors(c, in.Page.Anchors(), phones)
	}
	c.locate(in.Text)
	s := scanner{text: in.Text, locale: l, phones: phones}
	for m, ok := s.next(); ok; m, ok = s.next() {
		c.mention(m)
	}
	return c.sorted()
}

// cutWord returns the first n bytes of text, or fewer so as not to cut a word.
func cutWord(text string, n int) string {
	if i := strings.LastIndexAny(text[max(0, n-4096):n], " \n\t"); i >= 0 {
		return text[:max(0, n-4096)+i]
	}
	return strings.ToValidUTF8(text[:n], "")
}
