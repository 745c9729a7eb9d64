package page

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// CompileSelector reads a CSS selector, or several separated by commas. Its error, which users see, names the
// selector.
func CompileSelector(css string) (goquery.Matcher, error) {
	m, err := cascadia.ParseGroup(css)
	if err != nil {
		return nil, fmt.Errorf("page: selector %q: %w", css, err)
	}
	return selector{m}, nil
}

// selector makes a cascadia group a goquery.Matcher, which needs two more methods.
type selector struct{ cascadia.SelectorGroup }

func (s selector) MatchAll(n *html.Node) []*html.Node { return cascadia.QueryAll(n, s.SelectorGroup) }

func (s selector) Filter(nodes []*html.Node) []*html.Node {
	return cascadia.Filter(nodes, s.SelectorGroup)
}

// Select returns the values of the elements that m matches, in document order and without empty ones, at most limit. A
// value is the element's text with white space collapsed, or else its content, href or src attribute as written.
// Select builds Document, which costs memory for each node.
func (p *Page) Select(m goquery.Matcher, limit int) []string {
	var said []string
	for _, n := range p.Document().FindMatcher(m).Nodes {
		if len(said) >= limit {
			break
		}
		if s := says(n); s != "" {
			said = append(said, s)
		}
	}
	return said
}

// says is the text of n, or else one of its attributes.
func says(n *html.Node) string {
	var b strings.Builder
	// Twice the limit is read, as collapsing shortens the text.
	gather(&b, n)
	if text := collapse(b.String(), maxValue); text != "" {
		return text
	}
	for _, key := range [...]string{"content", "href", "src"} {
		for _, a := range n.Attr {
			if a.Key == key && a.Val != "" {
				return collapse(a.Val, maxValue)
			}
		}
	}
	return ""
}

// gather writes the text at and below n up to a limit; blocks and line breaks separate words. Options.MaxDepth bounds
// the recursion.
func gather(b *strings.Builder, n *html.Node) {
	if b.Len() > 2*maxValue {
		return
	}
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
		return
	}
	// The document node has no name; html replaces it.
	e := elements[tagOf([]byte(cmp.Or(n.Data, "html")))]
	// Scripts, styles and templates hold no text of the page.
	if e.traits&raw != 0 && n.Data != "title" && n.Data != "textarea" || n.Data == "template" {
		return
	}
	if e.traits&block != 0 || n.Data == "br" {
		b.WriteByte(' ')
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		gather(b, c)
	}
	if e.traits&block != 0 {
		b.WriteByte(' ')
	}
}
