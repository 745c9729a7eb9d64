package unseen

import (
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"
)

// declaration is a property and its value, in lower case.
type declaration struct {
	property, value string
	important       bool
}

// declarations are the values of an element by property.
type declarations map[string]string

// weight decides which of two declarations holds (CSS Cascading and Inheritance, section 6.1).
type weight struct {
	important   bool
	inline      bool
	specificity [3]int
	order       int
}

// less reports whether another declaration wins.
func (a weight) less(b weight) bool {
	switch {
	case a.important != b.important:
		return b.important
	case a.inline != b.inline:
		return b.inline
	}
	if c := slices.Compare(a.specificity[:], b.specificity[:]); c != 0 {
		return c < 0
	}
	return a.order < b.order
}

// properties are those that can hide text.
var properties = map[string]bool{
	"display": true, "visibility": true, "opacity": true, "font-size": true, "font": true, "color": true,
	"background": true, "background-color": true, "background-image": true, "position": true, "left": true,
	"right": true, "top": true, "bottom": true, "margin-left": true, "margin-top": true, "text-indent": true, "clip": true,
	"clip-path": true, "transform": true, "width": true, "height": true, "max-width": true, "max-height": true,
	"overflow": true, "overflow-x": true, "overflow-y": true, "content-visibility": true, "filter": true,
	"-webkit-text-fill-color": true, "background-clip": true, "-webkit-background-clip": true, "padding": true,
	"padding-top": true, "padding-bottom": true, "padding-left": true, "padding-right": true, "translate": true,
	"scale": true,
}

// rule is the part of a rule of a style sheet that can hide text.
type rule struct {
	fits cascadia.Sel
	cost cost
	list []declaration
}

// sheet is the style sheets of a page.
type sheet struct {
	rules  []rule
	others bool // there are style sheets in other files
	partly bool
}

// sheetOf reads the style sheets of a page.
func sheetOf(root *html.Node) *sheet {
	s := &sheet{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "link":
			s.others = s.others || strings.Contains(strings.ToLower(attribute(n, "rel")), "stylesheet")
		case "style":
			if n.FirstChild != nil && onScreen(attribute(n, "media")) {
				s.read(n.FirstChild.Data)
			}
		}
	}
	return s
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// onScreen reports whether a list of media queries holds on any screen. It does if one of them does.
func onScreen(list string) bool {
	for media := range strings.SplitSeq(strings.ToLower(list), ",") {
		switch strings.Join(strings.Fields(media), " ") {
		case "all", "screen", "only screen", "only all":
			return true
		}
	}
	return strings.TrimSpace(list) == ""
}

// read reads a style sheet. Rules for some screens only are left out.
func (s *sheet) read(text string) {
	p := css.NewParser(parse.NewInputString(text), false)
	var selectors []string
	var list []declaration
	off := 0 // at-rules around that do not hold on any screen
	var open []bool
	for {
		kind, _, data := p.Next()
		switch kind {
		case css.ErrorGrammar:
			if p.HasParseError() {
				continue
			}
			return
		case css.AtRuleGrammar:
			s.others = s.others || strings.EqualFold(string(data), "@import")
		case css.BeginAtRuleGrammar:
			holds := holdsAlways(string(data), tokens(p.Values()))
			if open = append(open, holds); !holds {
				off++
			}
		case css.EndAtRuleGrammar:
			if n := len(open); n > 0 {
				if !open[n-1] {
					off--
				}
				open = open[:n-1]
			}
		case css.BeginRulesetGrammar:
			selectors, list = selectorsOf(p.Values()), nil
		case css.DeclarationGrammar:
			list = appendDeclaration(list, string(data), tokens(p.Values()))
		case css.EndRulesetGrammar:
			if off == 0 {
				s.add(selectors, list)
			}
		}
	}
}

// selectorsOf returns the selectors of a list with commas.
func selectorsOf(list []css.Token) (selectors []string) {
	from, level := 0, 0
	for i, t := range list {
		switch t.TokenType {
		case css.LeftParenthesisToken, css.FunctionToken, css.LeftBracketToken:
			level++
		case css.RightParenthesisToken, css.RightBracketToken:
			level--
		case css.CommaToken:
			if level == 0 {
				selectors = append(selectors, tokens(list[from:i]))
				from = i + 1
			}
		}
	}
	return append(selectors, tokens(list[from:]))
}

// holdsAlways reports whether the rules in an at-rule hold on any screen.
func holdsAlways(name, condition string) bool {
	switch strings.ToLower(name) {
	case "@media":
		return onScreen(condition)
	// A browser of today supports what a page asks for.
	case "@supports", "@layer":
		return true
	}
	return false
}

// add adds rules for selectors.
func (s *sheet) add(selectors []string, list []declaration) {
	if len(list) == 0 {
		return
	}
	for _, text := range selectors {
		fits, err := cascadia.Parse(text)
		if err != nil {
			continue // a pseudo-element, or a state such as :hover
		}
		if len(s.rules) >= maxRules {
			s.partly = true
			return
		}
		s.rules = append(s.rules, rule{fits, costOf(text), list})
	}
}

// tokens returns the text of tokens.
func tokens(list []css.Token) string {
	var b strings.Builder
	for _, t := range list {
		b.Write(t.Data)
	}
	return strings.TrimSpace(b.String())
}

// maxStyle bounds the part of a style attribute that is read, in bytes.
const maxStyle = 4 << 10

// parseStyle reads the declarations of a style attribute. If whole is false, a limit ended that.
func parseStyle(text string) (list []declaration, whole bool) {
	whole = len(text) <= maxStyle
	if !whole {
		text = text[:maxStyle]
	}
	p := css.NewParser(parse.NewInputString(text), true)
	for {
		kind, _, data := p.Next()
		switch kind {
		case css.ErrorGrammar:
			if p.HasParseError() {
				continue
			}
			return list, whole
		case css.DeclarationGrammar:
			list = appendDeclaration(list, string(data), tokens(p.Values()))
		}
	}
}

// appendDeclaration adds a declaration if it can hide text.
func appendDeclaration(list []declaration, property, value string) []declaration {
	property, value = strings.ToLower(property), strings.ToLower(strings.TrimSpace(value))
	if !properties[property] {
		return list
	}
	d := declaration{property: property, value: value}
	if before, is := strings.CutSuffix(strings.ReplaceAll(value, " ", ""), "!important"); is {
		d.important = true
		d.value = before
		if i := strings.LastIndexByte(value, '!'); i >= 0 {
			d.value = strings.TrimSpace(value[:i])
		}
	}
	switch property {
	case "-webkit-text-fill-color":
		d.property = "color"
	case "-webkit-background-clip":
		d.property = "background-clip"
	case "font":
		// The size is the value with a unit, before the family.
		for _, word := range strings.Fields(d.value) {
			size, _, _ := strings.Cut(word, "/")
			if _, unit, ok := number(size); ok && unit != "" {
				return append(list, declaration{"font-size", size, d.important})
			}
		}
		return list
	}
	return append(list, d)
}
