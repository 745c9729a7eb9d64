package page

import (
	"fmt"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// CompileSelector reads a CSS selector, or several with commas between; its error names the selector.
func CompileSelector(css string) (goquery.Matcher, error) {
	m, err := cascadia.ParseGroup(css)
	if err != nil {
		return nil, fmt.Errorf("page: selector %q: %w", css, err)
	}
	return selector{m}, nil
}

// selector makes a cascadia group a goquery.Matcher.
type selector struct{ cascadia.SelectorGroup }

func (s selector) MatchAll(n *html.Node) []*html.Node { return cascadia.QueryAll(n, s.SelectorGroup) }

func (s selector) Filter(nodes []*html.Node) []*html.Node {
	return cascadia.Filter(nodes, s.SelectorGroup)
}

// Select returns what elements that m matches say, in document order, at most limit of those that say something: an
// element's text with its white space collapsed or, when it has none, its content, href or src attribute as
// written.
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

func says(n *html.Node) string {
	if text, _ := textOf(n, maxValue, maxSelectNodes); text != "" {
		return text
	}
	for _, key := range [...]string{"content", "href", "src"} {
		if v := collapse(attr(n, key), maxValue); v != "" {
			return v
		}
	}
	return ""
}
