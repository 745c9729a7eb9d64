// Package entity finds the entities of a page. In its structured data these are people, organisations, places, works,
// products and events. In its text these are URLs, mail addresses, numbers, identifiers, dates, amounts of money,
// countries and cities.
//
// The layers are the sources of entities:
//
//	jsonld, microdata  structured data with types of schema.org
//	metadata           authors and the publisher that the page declares
//	link               mailto: and tel: links
//	pattern            one scanner from left to right, which stops only at digits and signs
//	tagger             names of people, organisations and places in running text, from the caller: Input.Names
//	gazetteer          countries and cities by their names in all languages: see [gazetteer]
//
// Patterns:
//
//	type     what is found                                          ID
//	email    address with a real top-level domain, mailto: links    in lower case
//	phone    what libphonenumber takes for a valid number, tel:     E.164
//	url      http, https and ftp addresses, www. hosts              scheme and host in lower case
//	doi      10.…/…, doi.org links                                  in lower case
//	isbn     ISBN-13; ISBN-10 that is called so; check digit        ISBN-13
//	issn     ISSN that is called so; check digit                    1234-5678
//	orcid    ORCID iD, orcid.org links; check digit                 0000-0002-1825-0097
//	iban     country's length, check digits                         without spaces
//	hashtag  #tag with a letter in it                               in lower case
//	handle   @name                                                  in lower case
//	date     a day with its year, in numbers or with a month name   YYYY-MM-DD
//	money    amount with a currency sign, name or code              EUR 12.50
//
// The layers meet in one pass over the document. Of overlapping mentions, structured data wins over patterns, and
// patterns over names; tagger and gazetteer confirm each other. The same form has one type, and a surname belongs to
// the person with that full name on the page. Mentions of one entity are counted together.
//
// Precision comes before recall. A run of digits without a "+", a label or the country's usual grouping is not a phone
// number. The date 3/4/2020 needs a language or country that decides which number is the month.
//
//	found := entity.Extract(entity.Input{Text: text, Page: p, LD: nodes, Language: "de", URL: url}, entity.Options{})
//	for _, e := range found {
//		fmt.Println(e.Type, e.Text, e.ID, e.Count)
//	}
//
// Sources: schema.org; RFC 5321 and 3986 in what they allow, the Public Suffix List; ISO 2108 (ISBN), ISO 3297 (ISSN),
// ISO 7064 mod 11-2 (ORCID) and mod 97-10 (ISO 13616, IBAN), the DOI Handbook, ISO 4217;
// github.com/nyaruka/phonenumbers for numbering plans; Unicode's CLDR for the names of months.
package entity

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version is the version of the results, with that of the gazetteer after the dot.
const Version = "13." + gazetteer.Version

// Input is the document. Every part may be missing. Extract only reads it and keeps no part: texts of entities are
// copies.
type Input struct {
	Text     string        // main text; offsets are bytes of it
	Page     *page.Page    // for microdata and for mailto: and tel: links
	LD       []jsonld.Node // the page's JSON-LD
	Language string        // of the text, ISO 639-1
	Script   string        // of the text, ISO 15924, if its language has several
	URL      string        // of the page: its top-level domain shows the expected country of numbers and cities
	Declared []string      // languages that the page declares, as BCP 47; one with a country does the same
	Names    []Name        // names in Text from a tagger

	Authors   []string // that the page declares
	Publisher string
}

// Name is a name in running text from a tagger.
type Name struct {
	Start, End int     // byte offsets in Input.Text
	Type       string  // person, organization or place
	Confidence float64 // 0 to 1
}

// Options bound the work on one page; the zero value takes the defaults. Excess is dropped without a sign, as the most
// frequent names come early.
type Options struct {
	MaxEntities int // distinct ones returned; default 500
	MaxMentions int // returned per entity; default 100. All are counted
	MaxBytes    int // of text; default 1 MiB
	MaxPhones   int // distinct candidates checked for being phone numbers, 10 µs each; default 200
	MaxNodes    int // objects of structured data; default 5,000
}

// withDefaults takes negative bounds for unset.
func (o Options) withDefaults() Options {
	o.MaxEntities = cmp.Or(max(o.MaxEntities, 0), 500)
	o.MaxMentions = cmp.Or(max(o.MaxMentions, 0), 100)
	o.MaxBytes = cmp.Or(max(o.MaxBytes, 0), 1<<20)
	o.MaxPhones = cmp.Or(max(o.MaxPhones, 0), 200)
	o.MaxNodes = cmp.Or(max(o.MaxNodes, 0), 5_000)
	return o
}

// The types of entities; those of structured data are in kinds.
const (
	typeDate         = "date"
	typeDOI          = "doi"
	typeEmail        = "email"
	typeHandle       = "handle"
	typeHashtag      = "hashtag"
	typeIBAN         = "iban"
	typeISBN         = "isbn"
	typeISSN         = "issn"
	typeMoney        = "money"
	typeORCID        = "orcid"
	typeOrganization = "organization"
	typePerson       = "person"
	typePhone        = "phone"
	typePlace        = "place"
	typeURL          = "url"
)

const (
	sourceGazetteer = "gazetteer"
	sourceJSONLD    = "jsonld"
	sourceLink      = "link"
	sourceMetadata  = "metadata"
	sourceMicrodata = "microdata"
	sourcePattern   = "pattern"
	sourceTagger    = "tagger"
)

// Extract returns the distinct entities of in: those in the text by their first mention, then the others, each part by
// type and text. Count is the number of mentions in the text and Mentions their places; both are empty for an entity
// only in structured data or links. Mentions do not overlap or cross a line end: see
// [Unwrap] for texts with wrapped lines.
func Extract(in Input, o Options) []schemas.Entity {
	o = o.withDefaults()
	if len(in.Text) > o.MaxBytes {
		// Cut between words, so that no half name is found.
		in.Text = cutWord(in.Text, o.MaxBytes)
	}
	c := newCollector(o.MaxEntities, o.MaxMentions)
	l := newLocale(in.Language, in.URL, in.Declared...)
	l.traditional = in.Script == "Hant"
	phones := newPhones(l.region, o.MaxPhones)
	// Structured data first: its names are then known when the text is read, and take the first of MaxEntities.
	addJSONLD(c, in.LD, phones, o.MaxNodes)
	if in.Page != nil {
		addMicrodata(c, in.Page.Items(), phones, o.MaxNodes)
		addAnchors(c, in.Page.Anchors(), phones)
		addProtected(c, in.Page)
		addCurrencies(c, in.Page)
	}
	addDeclared(c, in.Authors, in.Publisher)
	l.priced(c.currencies)
	for _, m := range mentions(c, in, l, phones) {
		c.mention(m)
	}
	found := c.sorted()
	for i := range found {
		// Logistic functions differ in the last digits between machines; rounding keeps results equal.
		found[i].Confidence = schemas.Float(math.Round(float64(found[i].Confidence)*1e4) / 1e4) // more digits mean nothing
	}
	return found
}

// mentions returns the findings of all layers in the text.
func mentions(c *collector, in Input, l locale, p *phones) []mention {
	// Before the layers meet, so that places get identifiers even if structured data wins.
	places := findPlaces(in.Text, l)
	structured := c.locate(in.Text)
	known := newPlaceIDs(in.Text, places, l)
	c.identifyPlaces(known)
	r := reader{text: in.Text, mentions: resolve(structured, scan(in.Text, l, p), tagged(in), places)}
	// oneType before surnames: a name that is a person everywhere else must be one for the look-up.
	r.oneType()
	r.surnames(c.entities)
	r.identifyPlaces(known)
	return r.mentions
}

// scan returns the patterns in text.
func scan(text string, l locale, p *phones) []mention {
	var found []mention
	plain, shifts := plainDigits(text)
	s := scanner{text: plain, shifts: shifts, locale: l, phones: p}
	for m, ok := s.next(); ok; m, ok = s.next() {
		m.source, m.start, m.end = sourcePattern, back(shifts, m.start), back(shifts, m.end)
		found = append(found, m)
	}
	return found
}

// findPlaces returns the gazetteer's places in text.
func findPlaces(text string, l locale) []mention {
	places := gazetteer.Find(text, gazetteer.Context{Language: l.language, Country: l.home}, nil)
	found := make([]mention, 0, len(places))
	for _, p := range places {
		found = append(found, mention{
			start: p.Start, end: p.End, kind: typePlace, id: p.Place.URL(), confidence: p.Confidence, source: sourceGazetteer,
		})
	}
	return found
}

// tagged returns the tagger's names that fit the text.
func tagged(in Input) []mention {
	found := make([]mention, 0, len(in.Names))
	for _, n := range in.Names {
		// Check the tagger's offsets, since they index the text.
		known := slices.Contains([]string{typePerson, typeOrganization, typePlace}, n.Type)
		if !known || n.Start < 0 || n.Start >= n.End || n.End > len(in.Text) ||
			strings.Contains(in.Text[n.Start:n.End], "\n") {
			continue
		}
		if n.Type == typePerson {
			start, end := personName(in.Text[n.Start:n.End])
			n.Start, n.End = n.Start+start, n.Start+end
		}
		found = append(found, mention{
			start: n.Start, end: n.End, kind: n.Type, confidence: n.Confidence,
			source: sourceTagger,
		})
	}
	return found
}

// cutWord returns the first n bytes of text, or fewer so as not to cut a word.
func cutWord(text string, n int) string {
	// No word has more than 4 KiB; a longer search would cost a pass over the text.
	if i := strings.LastIndexAny(text[max(0, n-4096):n], " \n\t"); i >= 0 {
		return text[:max(0, n-4096)+i]
	}
	// No space at all: a cut character is dropped.
	return strings.ToValidUTF8(text[:n], "")
}
