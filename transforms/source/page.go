package source

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Page is the capture of an item's page: the evidence that the source is real, and its topics.
type Page struct {
	Link  uint64 // hash of its key: the item's link, even after redirects
	Time  int64
	Marks PageMarks
	// Status is the HTTP status, of the last page after redirects.
	Status    uint16
	Words     uint32 // of the main text
	Simhash   uint64 // of the main text; 0 without one
	Signature [8]uint16
	Path      string    // tag path of the main text, at most 200 bytes; "" if unknown
	Language  string    // of the text, ISO 639; at most 8 bytes
	Publisher string    // kind of site, in Datastreamer's terms
	Signs     SiteSigns // signs about its site: see publisher.NewsSignals
	Author    uint64    // hash of its first author's name, squeezed; 0 without one
	Title     string    // at most 300 bytes
	URL       string    // of the capture, at most 2,048 bytes
	Filename  string    // of the archive, with Offset
	Offset    int64
	Redirect  uint64 // hash of the key of its redirect target; 0 without one
	Entities  []Name // its most frequent names, at most MaxNames, sorted
	// Visits are the captures that failed or showed nothing new, as 304: the newest, at most MaxFates. They count if the
	// URL is a feed's: see WithFate.
	Visits []Fetch
}

// MaxFates is the most visits of a Page. So many failures that may clear in hours make a feed Gone.
const MaxFates = 16

// JoinPages returns the one of two captures of a page that counts, with the visits of both.
func JoinPages(a, b Page) Page {
	p := greater(a, b, comparePages)
	p.Visits = joinFates(a.Visits, b.Visits)
	return p
}

func joinFates(a, b []Fetch) []Fetch { return union(a, b, MaxFates, compareFetches, takeFirst[Fetch]) }

// At returns the page as the target of a link to another URL that redirects to it.
func (p Page) At(link uint64) Page {
	if p.Link != link && p.Marks&Root != 0 {
		// A link to a front page itself is not a move.
		p.Marks |= MovedToRoot
	}
	p.Link = link
	return p
}

// Own returns the link of the captured URL. It differs from Link if that is of the canonical URL, or of a redirect.
func (p Page) Own() uint64 {
	if len(p.URL) > maxURL-utf8.UTFMax { // cut
		return p.Link
	}
	return LinkKey(p.URL)
}

// MaxNames is the most entities of a Page.
const MaxNames = 12

type Name struct {
	Type, Text string // Text has at most 80 bytes
}

// PageMarks are properties of a page from its whole document.
type PageMarks uint16

const (
	// Encoded states hold the numbers: add new marks at the end.
	MovedToRoot PageMarks = 1 << iota // the link leads to the site's front page now
	Article                           // the page's type is article or forum
	Filler                            // its text is lorem ipsum or what a program puts into a new site
	NotFound                          // it reports a missing page, with any status
	Goods                             // the page's type is product, listing, collection or service
	Root                              // it is a site's front page
	Manual                            // the page's type is documentation, as often for blogs with code
	Bare                              // the capture shows nothing of its page: see isBare
	Asset                             // it is not read as a page: see isAsset
)

func orderPages(a, b Page) int { return cmp.Compare(a.Link, b.Link) }

// comparePages orders captures of a page by which counts: one that shows the page, then the last, or of one second the
// greater by content.
func comparePages(a, b Page) int {
	return cmp.Or(
		// All fields but the key and the visits, so that two that differ are never equal: otherwise the order of
		// merging would decide.
		cmp.Compare(b.Marks&Bare, a.Marks&Bare),
		cmp.Compare(a.Time, b.Time), cmp.Compare(a.URL, b.URL), cmp.Compare(a.Filename, b.Filename),
		cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Marks, b.Marks),
		cmp.Compare(a.Words, b.Words), cmp.Compare(a.Simhash, b.Simhash), cmp.Compare(a.Path, b.Path),
		slices.Compare(a.Signature[:], b.Signature[:]), cmp.Compare(a.Language, b.Language),
		cmp.Compare(a.Publisher, b.Publisher), cmp.Compare(a.Title, b.Title), cmp.Compare(a.Redirect, b.Redirect),
		cmp.Compare(a.Author, b.Author), cmp.Compare(a.Signs, b.Signs),
		slices.CompareFunc(a.Entities, b.Entities, compareNames),
	)
}

func compareNames(a, b Name) int {
	// Compare the texts only if the types are equal.
	if d := strings.Compare(a.Type, b.Type); d != 0 {
		return d
	}
	return strings.Compare(a.Text, b.Text)
}
