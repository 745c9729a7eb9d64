// Package maintext finds the main text of a page: the text that readers came for, without navigation, advertisements
// and teasers of other pages. It also classifies the type of page. For language, titles, authors and dates see other
// packages.
//
//	var x maintext.Extractor
//	r := x.Extract(p, maintext.Options{})
//	fmt.Println(r.Source, r.Type, r.Text)
//	text, whole := maintext.Markdown(r, 8<<20)
//
// Each block gets a score from a model that was trained on annotated pages. Its quality is in docs/text.md. The
// threshold is the score with the highest expected F1 of the kept words. So a page with few certain blocks keeps less
// certain ones too.
//
// If the HTML has little or no text, other parts of the page may have it; Result.Source says which:
//
//   - <noscript>, the version without scripts of pages that scripts fill, as in Discourse's forums;
//   - the articleBody of the page's JSON-LD;
//   - application/json, the state of pages that scripts fill.
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

// Version changes whenever the text of the same page may change.
const Version = "17"

const (
	SourceHTML     = "html"     // blocks of the page
	SourceNoscript = "noscript" // blocks of the page's <noscript>
	SourceJSONLD   = "jsonld"   // articleBody of the page's JSON-LD
	SourceJSON     = "json"     // the state of a page that scripts fill
	SourcePlain    = "plain"    // the payload is plain text
)

type PageType uint8

// The types of pages in WCXB.
const (
	Article PageType = iota
	Forum
	Product
	Collection
	Listing
	Documentation
	Service
)

// typeNames are in the order of the constants and of the model's outputs.
var typeNames = [score.Kinds]string{"article", "forum", "product", "collection", "listing", "documentation", "service"}

func (t PageType) String() string { return typeNames[t] }

// Profile says which mistakes are worse. It only shifts the threshold; the model is the same.
type Profile uint8

const (
	Balanced  Profile = iota // precision and recall count the same
	Precision                // only text that is certain
	Recall                   // all text that is possible
)

var profileNames = [...]string{Balanced: "balanced", Precision: "precision", Recall: "recall"}

func (p Profile) String() string { return profileNames[p] }

// ParseProfile returns the profile of a name; "" is Balanced.
func ParseProfile(name string) (Profile, error) {
	if i := slices.Index(profileNames[:], cmp.Or(name, profileNames[Balanced])); i >= 0 {
		return Profile(i), nil
	}
	return 0, fmt.Errorf("unknown profile %q; there are %s", name, strings.Join(profileNames[:], ", "))
}

// Result is the main text of one page. Its slices, except Scores, belong to the caller.
type Result struct {
	Text           string
	Page           *page.Page // of Blocks and Ranges: the page, or the page in its <noscript>; nil if there are none
	Source         string     // one of the Source constants, "" without text
	Type           PageType
	TypeConfidence float32
	Blocks         []int32 // kept blocks of Page, ascending
	// Scores has a score from 0 to 1 for each block of Page: 0 for hidden blocks and dropped comments. It is valid
	// until the Extractor reads the next page.
	Scores []float32
	Ranges []page.Range // kept nodes of Page, ascending, as sanitize.HTML takes them
	// Comments are readers' comments below the text, if Options.Comments separates them. They are in neither Text nor
	// Blocks.
	Comments Comments
	Cut      bool // Text or Comments lacks something beyond Options.MaxBytes
}

// Options bound the work on one page; the zero value takes the defaults.
type Options struct {
	Profile     Profile
	Boilerplate []bool       // by block: whether many pages of the site repeat it; see without
	MaxBytes    int          // of Text and of Comments; default 2 MiB
	Comments    CommentMode  // what becomes of readers' comments
	Model       *score.Model // nil for the built-in one; others are for training
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 2<<20)
	if o.Model == nil {
		o.Model = score.Default()
	}
	return o
}

// Extractor finds the main text of one page after another. It reuses its memory: several arrays as long as the blocks
// and nodes of a page. The zero value is ready. It is not safe for concurrent use.
type Extractor struct {
	scorer  score.Scorer
	chooser chooser
}

// Extract returns the main text of p. The caller owns Text; Page is p or a new page.
func (x *Extractor) Extract(p *page.Page, o Options) Result {
	o = o.withDefaults()
	source := SourceHTML
	// A page that scripts fill has little text outside its <noscript>, which replaces it.
	if inner := score.Noscript(p); inner != nil {
		p, source, o.Boilerplate = inner, SourceNoscript, nil // the marks are for the blocks of the outer page
	}
	scores, kinds := x.scorer.Score(o.Model, p)
	r := Result{Page: p, Source: source, Scores: scores}
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
	var whole bool
	r.Text, whole = join(p, r.Blocks, o.MaxBytes)
	r.Cut = r.Cut || !whole
	r.Ranges = ranges(p, r.Blocks)
	// With little text, the text may be in a script.
	if len(r.Text) < scarce {
		if text, source, whole := fromScripts(p.Scripts(), o.MaxBytes); len(text) > len(r.Text) {
			r = Result{
				Text: text, Source: source, Type: r.Type, TypeConfidence: r.TypeConfidence, Scores: r.Scores,
				Comments: r.Comments, Cut: r.Cut || !whole,
			}
		}
	}
	// Without text there is no page, so nobody looks for its blocks.
	if r.Text == "" {
		r.Source, r.Page = "", nil
	}
	return r
}

// Extract returns the main text of p. Callers with many pages reuse an Extractor.
func Extract(p *page.Page, o Options) Result { return new(Extractor).Extract(p, o) }
