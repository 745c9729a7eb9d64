// Package maintext finds the main text of a page: what a person came for, without navigation, advertisements and
// other pages' teasers. It does not tell the language of the text, nor titles, authors and dates, and it leaves out
// readers' comments where it recognises them.
//
//	p := page.Parse(src, page.Options{URL: url})
//	r := maintext.Extract(p, maintext.Options{})
//	fmt.Println(r.Source, r.Text)
//	fmt.Println(sanitize.HTML(r.Node, sanitize.Options{Base: p.Base()}))
//
// The choice is made by github.com/markusmobius/go-trafilatura, a Go version of Adrien Barbaresi's trafilatura
// (ACL 2021, "Trafilatura: A Web Scraping Library and Command-Line Tool for Text Discovery and Extraction"), with
// its fallback extractors on and its comments, date search and logging off.
//
// Of four ways to run it, measured on every fifteenth page of WCXB's development split (100 pages, 295 kB on average;
// word F1 against the labelled text; CPU time a page without parsing, one core):
//
//	extractor alone                .740  11.9 ms
//	with its fallbacks             .800  23.8 ms
//	and links                      .798  23.6 ms
//	and images (what is used)      .798  25.2 ms
//
// The fallbacks are worth their time, most of all on forums, listings and service pages. Links and images cost next to
// nothing, and without them Result.Node would not be worth showing. Over the whole split (1,497 pages, 278 kB on
// average) the figures are .805 and 24.1 ms. The cost grows faster than the page where elements are nested deeply,
// which Options.MaxWork bounds: the slowest of some thirty hostile pages below the limits took 1.2 s.
//
// What it finds nothing in, and what is too large for it, is answered otherwise; Result.Source tells which:
//
//   - the articleBody of the page's JSON-LD, where HTML has little or no text, as on pages that scripts fill;
//   - all visible text, where the extractor finds nothing, breaks, or the page has more than Options.MaxNodes nodes or
//     than Options.MaxWork work.
package maintext

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes whenever the same page may get another text.
const Version = "1"

// The values of Result.Source.
const (
	SourceHTML     = "html"     // chosen by the extractor
	SourceJSONLD   = "jsonld"   // articleBody of the page's JSON-LD
	SourcePlain    = "plain"    // the body is plain text
	SourceFallback = "fallback" // all visible text
)

// Result is the main text of one page.
type Result struct {
	Text   string     // paragraphs, list items and table rows end in newlines, a row's cells in tabs
	Node   *html.Node // what Text stands in, to be sanitised before it is shown; nil where there is none
	Source string     // one of the Source constants, "" when there is no text
}

// Options bound the work on one page; the zero value takes the defaults.
type Options struct {
	MaxNodes int // of a page that the extractor is given; 30,000
	MaxWork  int // the same, bytes of text times their depth in the tree; 64 MiB
	MaxBytes int // of Text; 2 MiB
}

func (o Options) withDefaults() Options {
	o.MaxNodes = cmp.Or(o.MaxNodes, 30_000)
	o.MaxWork = cmp.Or(o.MaxWork, 64<<20)
	o.MaxBytes = cmp.Or(o.MaxBytes, 2<<20)
	return o
}

// scarce is below how many bytes an extracted text is mistrusted when the page's JSON-LD has a longer one: it is
// then a notice to turn scripts on, or a teaser.
const scarce = 250

// Extract returns the main text of p, which it does not change.
func Extract(p *page.Page, o Options) Result {
	o = o.withDefaults()
	var r Result
	var c cloner
	if root := c.clone(p.Root()); c.nodes <= o.MaxNodes && c.work <= o.MaxWork {
		r = extract(root, p, o)
	}
	if len(r.Text) < scarce {
		if body := articleBody(p.Scripts(), o.MaxBytes); len(body) > len(r.Text) {
			return Result{Text: body, Source: SourceJSONLD}
		}
	}
	if r.Text == "" {
		r = fallback(p.Root(), o)
	}
	return r
}

// extract returns what the extractor makes of root, which it owns.
func extract(root *html.Node, p *page.Page, o Options) Result {
	n := mainContent(root, p.URL)
	if n == nil {
		return Result{}
	}
	text := renderExtracted(n, o.MaxBytes)
	if text == "" {
		return Result{}
	}
	return Result{Text: text, Node: n, Source: SourceHTML}
}

func fallback(root *html.Node, o Options) Result {
	text := render(root, o.MaxBytes)
	if text == "" {
		return Result{}
	}
	return Result{Text: text, Source: SourceFallback}
}

// Plain returns a body of plain text, which is UTF-8, as its own main text: lines end in a newline whatever they
// ended in, spaces at their ends and control characters are left out.
func Plain(text []byte) Result {
	s := strings.ToValidUTF8(string(text), "\uFFFD")
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n", "\v", "\n", "\u2028", "\n", "\u2029", "\n\n").Replace(s)
	var b strings.Builder
	b.Grow(len(s))
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteString(strings.TrimRight(strings.Map(printable, line), " \t"))
		b.WriteByte('\n')
	}
	s = strings.Trim(b.String(), "\n")
	if s == "" {
		return Result{}
	}
	return Result{Text: s, Source: SourcePlain}
}

// printable drops control characters and the byte order mark.
func printable(r rune) rune {
	if r < ' ' && r != '\t' || r >= 0x7F && r < 0xA0 || r == '\uFEFF' {
		return -1
	}
	return r
}
