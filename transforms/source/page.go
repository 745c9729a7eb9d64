package source

import (
	"cmp"
	"slices"
	"strings"
)

// Page is what the capture of an item's page says: the evidence that the source is real, and what it is about.
type Page struct {
	Link  uint64 // hash of its key: that of the item's link, whatever the page was redirected to
	Time  int64
	Marks PageMarks
	// Status is the HTTP status, of the last page when redirects were followed.
	Status    uint16
	Words     uint32 // of the main text
	Simhash   uint64 // of the main text; 0 for none
	Signature [8]uint16
	Path      string    // the tag path that the main text is in, 200 bytes at most; "" where it is not known
	Language  string    // of the text, ISO 639; 8 bytes at most
	Publisher string    // kind of site, in Datastreamer's words
	Signs     SiteSigns // what it tells of its site: see publisher.NewsSignals
	Author    uint64    // hash of its first author's name, squeezed; 0 for none
	Title     string    // 300 bytes at most
	URL       string    // of the capture, 2,048 bytes at most
	Filename  string    // of the archive, with Offset
	Offset    int64
	Redirect  uint64 // hash of the key of where it is redirected to; 0 for a page that is not
	Entities  []Name // what it names most, MaxNames at most, sorted
}

// JoinPages is the one of two captures of a page that counts.
func JoinPages(a, b Page) Page { return greater(a, b, comparePages) }

// At is the page as what a link of another URL led to, by redirects.
func (p Page) At(link uint64) Page {
	// A link to the front page itself is no such move.
	if p.Link != link && p.Marks&Root != 0 {
		// A link to a front page of its own is not a move.
		p.Marks |= MovedToRoot
	}
	p.Link = link
	return p
}

// MaxNames is how many entities a Page keeps.
const MaxNames = 12

// Name is an entity.
type Name struct {
	Type, Text string // Text has 80 bytes at most
}

// PageMarks are what is told of a page from all of its document.
type PageMarks uint8

// The marks of a page.
const (
	// The numbers are in encoded states: a mark that is added goes to the end.
	MovedToRoot PageMarks = 1 << iota // the link leads to the site's front page by now
	Article                           // the page's type is article or forum
	Filler                            // its text is lorem ipsum or what a program puts into a new site
	NotFound                          // it says that there is no such page, whatever its status
	Goods                             // the page's type is product, listing, collection or service
	Root                              // it is a site's front page
	Manual                            // the page's type is documentation, as that of blogs with code often is
)

func orderPages(a, b Page) int { return cmp.Compare(a.Link, b.Link) }

// comparePages tells which capture of a page counts: the last one; of two of one second the greater by what they say.
func comparePages(a, b Page) int {
	return cmp.Or(
		// All fields but the key, so that two that differ are never equal: else the sequence of merging would decide.
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
	// The texts are looked at only where the types are the same.
	if d := strings.Compare(a.Type, b.Type); d != 0 {
		return d
	}
	return strings.Compare(a.Text, b.Text)
}
