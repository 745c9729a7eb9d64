// Package maintext finds the main text of a page: what a person came for, without navigation, advertisements and other
// pages' teasers. It also tells what kind of page it is. It does not tell the language of the text, nor titles, authors
// and dates of pages.
//
//	var x maintext.Extractor
//	r := x.Extract(p, maintext.Options{})
//	fmt.Println(r.Source, r.Type, r.Text)
//	fmt.Println(maintext.Markdown(r))
//
// Each block of the page gets a score from a model that was trained on pages in which people marked the text; see
// docs/text.md for how good that is, on which pages, and train for how to do it again. Blocks are kept from that score
// on from which on the F1 of the kept words is expected to be the highest. So a page on which little is certain keeps
// also what is less certain.
//
// What HTML has little or no text for is looked for elsewhere; Result.Source tells where:
//
//   - in <noscript>, where pages that scripts fill have a version without them, as Discourse's forums do;
//   - in the articleBody of the page's JSON-LD;
//   - in application/json, the state of pages that scripts fill.
//
// Time and memory are linear in the size of the page.
package maintext

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/maintext/score"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes whenever the same page may get another text.
const Version = "8"

// The values of Result.Source.
const (
	SourceHTML     = "html"     // blocks of the page
	SourceNoscript = "noscript" // blocks of what the page holds for those without scripts
	SourceJSONLD   = "jsonld"   // articleBody of the page's JSON-LD
	SourceJSON     = "json"     // the state of a page that scripts fill
	SourcePlain    = "plain"    // the body is plain text
)

// PageType is what a page is made for.
type PageType uint8

// The types of pages, as WCXB has them.
const (
	Article PageType = iota
	Forum
	Product
	Collection
	Listing
	Documentation
	Service
)

// typeNames are the names of types. Its order is that of the constants, and of the model's outputs.
var typeNames = [score.Kinds]string{"article", "forum", "product", "collection", "listing", "documentation", "service"}

func (t PageType) String() string { return typeNames[t] }

// Profile says which mistakes are worse. It shifts the threshold, and nothing else is trained for it.
type Profile uint8

// The profiles.
const (
	Balanced  Profile = iota // as much of the text as can be had without more of the rest
	Precision                // only what is surely main text
	Recall                   // all that may be main text
)

// profileNames are the names of profiles, as ParseProfile takes them.
var profileNames = [...]string{Balanced: "balanced", Precision: "precision", Recall: "recall"}

func (p Profile) String() string { return profileNames[p] }

// ParseProfile returns the profile of a name; "" is Balanced.
func ParseProfile(name string) (Profile, error) {
	if i := slices.Index(profileNames[:], cmp.Or(name, profileNames[Balanced])); i >= 0 {
		return Profile(i), nil
	}
	return 0, fmt.Errorf("unknown profile %q; there are %s", name, strings.Join(profileNames[:], ", "))
}

// Result is the main text of one page. Its slices but Scores are made for it.
type Result struct {
	Text           string
	Page           *page.Page // of Blocks and Ranges: the page, or that in its <noscript>; nil where there are none
	Source         string     // one of the Source constants, "" when there is no text
	Type           PageType
	TypeConfidence float32
	Blocks         []int32 // the blocks of Page that are kept, ascending
	// of all blocks of Page, from 0 to 1, 0 of hidden ones and of comments that are dropped; valid until the Extractor
	// reads the next page
	Scores []float32
	Ranges []page.Range // the nodes of Page that are kept, ascending, as sanitize.HTML takes them
	Parts  []Part       // the posts or comments of which the text consists, if it does
	// readers' comments below the text, if they are asked for; they are in neither Text nor Blocks
	Comments Comments
}

// Options bound the work on one page; the zero value takes the defaults.
type Options struct {
	Profile     Profile
	Boilerplate []bool       // by block: known to stand on many pages of the site; see without
	MaxBytes    int          // of Text, and of Comments; 2 MiB
	Comments    CommentMode  // what becomes of readers' comments
	Model       *score.Model // nil for the one that is built in; others are for training
}

// withDefaults takes the built-in model where none is given.
func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 2<<20)
	if o.Model == nil {
		o.Model = score.Default()
	}
	return o
}

// Extractor finds the main text of pages one after another, and uses its memory again. The zero value is ready. It must
// not be used by several goroutines at the same time. Scoring a page takes several arrays as long as its blocks and
// nodes, which are kept.
type Extractor struct {
	scorer  score.Scorer
	chooser chooser
}

// Extract returns the main text of p. Text and Parts are the caller's; Page is p, or is made for this result.
func (x *Extractor) Extract(p *page.Page, o Options) Result {
	o = o.withDefaults()
	source := SourceHTML
	// A page that scripts fill says little outside of its <noscript>: from here on that is the page.
	if inner := score.Noscript(p); inner != nil {
		p, source, o.Boilerplate = inner, SourceNoscript, nil // its blocks are others
	}
	scores, kinds := x.scorer.Score(o.Model, p)
	r := Result{Page: p, Source: source, Scores: scores}
	// The most likely type; its confidence is the model's probability.
	for i, k := range kinds {
		if k > r.TypeConfidence {
			r.Type, r.TypeConfidence = PageType(i), k
		}
	}
	comments := setComments(&r, kinds[Forum], o)
	r.Blocks = without(p, x.chooser.choose(p, scores, r.Type, o.Profile), o.Boilerplate, scores)
	if len(comments) > 0 {
		r.Blocks = slices.Compact(slices.Sorted(slices.Values(append(r.Blocks, comments...))))
	}
	var starts []int32
	r.Text, starts = join(p, r.Blocks, o.MaxBytes)
	r.Parts = parts(p, r.Blocks, starts, r.Type, len(r.Text))
	r.Ranges = ranges(p, r.Blocks)
	// Little text: maybe it is not in the HTML at all.
	if len(r.Text) < scarce {
		if text, source := fromScripts(p.Scripts(), o.MaxBytes); len(text) > len(r.Text) {
			r = Result{
				Text: text, Source: source, Type: r.Type, TypeConfidence: r.TypeConfidence, Scores: r.Scores,
				Comments: r.Comments,
			}
		}
	}
	// A result without text points to no page, so nobody looks for its blocks.
	if r.Text == "" {
		r.Source, r.Page = "", nil
	}
	return r
}

// Extract returns the main text of p.
func Extract(p *page.Page, o Options) Result { return new(Extractor).Extract(p, o) }
