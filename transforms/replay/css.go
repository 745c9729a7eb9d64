package replay

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// CSS rewrites a style sheet.
func CSS(text string, o Options) string {
	w := newCSS(newURLs(o))
	w.write(text)
	return w.out.String()
}

// cssWriter writes tokens of a style sheet or of a style attribute. It writes each token in a form that all parsers
// read alike. No escape hides a name, and each URL is replaced.
type cssWriter struct {
	u     *urls
	out   strings.Builder
	lexer *css.Lexer
	open  []block
	// inline is set for attributes: these have no rules with "@".
	inline bool
	// rule is the at-rule whose prelude is read; "" outside of it.
	rule string
}

// block is an open bracket or function.
type block struct {
	end  css.TokenType
	urls bool // its strings are URLs
	font bool // it is the block of @font-face
}

func newCSS(u *urls) *cssWriter { return &cssWriter{u: u} }

// maxOpen limits the depth of brackets. Browsers limit it too.
const maxOpen = 500

// newLines makes the input as section 3.3 of css-syntax-3 wants it.
var newLines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n", "\x00", "\ufffd")

func (w *cssWriter) write(text string) {
	w.lexer = css.NewLexer(parse.NewInputString(newLines.Replace(strings.ToValidUTF8(text, "\ufffd"))))
	for {
		kind, data := w.lexer.Next()
		if kind == css.ErrorToken || len(w.open) > maxOpen {
			break
		}
		w.token(kind, string(data))
	}
	w.closeAll()
}

// closeAll closes all brackets, so that text after an attribute or a style element is not drawn in.
func (w *cssWriter) closeAll() {
	for i := len(w.open) - 1; i >= 0; i-- {
		w.out.WriteByte(closings[w.open[i].end])
	}
	w.open = nil
}

var closings = map[css.TokenType]byte{
	css.RightParenthesisToken: ')', css.RightBracketToken: ']', css.RightBraceToken: '}',
}

func (w *cssWriter) token(kind css.TokenType, data string) {
	switch kind {
	case css.AtKeywordToken:
		w.atRule(strings.ToLower(unescaped(data[1:])))
	case css.FunctionToken:
		w.function(unescaped(strings.TrimSuffix(data, "(")))
	case css.URLToken:
		w.url(urlValue(data))
	case css.StringToken:
		w.string(unquoted(data))
	case css.IdentToken, css.CustomPropertyNameToken:
		w.out.WriteString(ident(unescaped(data)))
	case css.HashToken:
		w.hash(unescaped(data[1:]))
	case css.DimensionToken:
		w.dimension(data)
	case css.LeftBraceToken, css.LeftParenthesisToken, css.LeftBracketToken:
		w.begin(kind, data)
	case css.RightBraceToken, css.RightParenthesisToken, css.RightBracketToken:
		w.end(kind, data)
	case css.SemicolonToken:
		w.out.WriteByte(';')
		if len(w.open) == 0 {
			w.rule = ""
		}
	case css.CommentToken:
		// It still separates the tokens around it.
		w.out.WriteString("/**/")
	case css.BadStringToken, css.BadURLToken, css.CDOToken, css.CDCToken:
		w.out.WriteByte(' ')
	default:
		w.plain(data)
	}
}

// plain writes a token of signs or digits.
func (w *cssWriter) plain(data string) {
	// A backslash alone escapes nothing here, but could with the next token.
	if strings.ContainsRune(data, '\\') {
		data = " "
	}
	w.out.WriteString(data)
}

// hash writes a colour or an id, which may begin with a digit.
func (w *cssWriter) hash(name string) {
	w.out.WriteByte('#')
	// The letter in front makes leading digits plain.
	w.out.WriteString(strings.TrimPrefix(ident("x"+name), "x"))
}

// dimension writes a number with its unit.
func (w *cssWriter) dimension(data string) {
	i := 0
	for i < len(data) && (strings.IndexByte("+-.", data[i]) >= 0 && (i == 0 || data[i] == '.') ||
		data[i] >= '0' && data[i] <= '9') {
		i++
	}
	w.out.WriteString(data[:i])
	w.out.WriteString(ident(unescaped(data[i:])))
}

// urlFunctions are the functions whose strings are URLs.
var urlFunctions = map[string]bool{
	"image-set": true, "-webkit-image-set": true, "image": true, "cross-fade": true, "-webkit-cross-fade": true,
}

func (w *cssWriter) function(name string) {
	lower := strings.ToLower(name)
	switch lower {
	// Here the name had escapes, so that the lexer has not seen a URL, but a browser would. Newer forms have
	// modifiers, which no page needs.
	case "url", "url-prefix", "domain", "src", "expression", "element", "-moz-element", "paint", "regexp":
		w.skipBlock(css.RightParenthesisToken)
		w.out.WriteByte(' ')
		return
	}
	w.out.WriteString(ident(name))
	w.out.WriteByte('(')
	w.open = append(w.open, block{end: css.RightParenthesisToken, urls: urlFunctions[lower], font: w.inFont()})
}

func (w *cssWriter) inFont() bool {
	return len(w.open) > 0 && w.open[len(w.open)-1].font
}

// kind returns how a URL at this place is used.
func (w *cssWriter) kind() Kind {
	switch {
	case w.rule == "import" && len(w.open) == 0:
		return Style
	case w.inFont():
		return Font
	}
	return Image
}

func (w *cssWriter) url(ref string) {
	to := w.u.address(w.kind(), ref)
	// An invalid URL makes the declaration load nothing. An empty one would be the style sheet itself.
	if to == "" {
		to = "data:,"
	}
	w.out.WriteString("url(")
	w.out.WriteString(quoted(to))
	w.out.WriteByte(')')
}

func (w *cssWriter) string(value string) {
	switch {
	case w.rule == "import" && len(w.open) == 0, len(w.open) > 0 && w.open[len(w.open)-1].urls:
		w.url(value)
	default:
		w.out.WriteString(quoted(value))
	}
}

// rules are the at-rules that are kept.
var rules = map[string]bool{
	"import": true, "media": true, "supports": true, "font-face": true, "keyframes": true, "-webkit-keyframes": true,
	"-moz-keyframes": true, "-o-keyframes": true, "page": true, "layer": true, "container": true, "counter-style": true,
	"property": true, "font-feature-values": true, "font-palette-values": true, "scope": true, "starting-style": true,
	"position-try": true, "-ms-viewport": true, "viewport": true,
}

// atRule begins a rule, or skips it if it is not known to be harmless.
func (w *cssWriter) atRule(name string) {
	if !w.takesRules() {
		// In a bracket it is a word of a value.
		w.out.WriteByte(' ')
		return
	}
	if !rules[name] || w.inline || name == "import" && len(w.open) > 0 {
		w.out.WriteByte(' ')
		w.skipRule()
		return
	}
	w.out.WriteByte('@')
	w.out.WriteString(ident(name))
	w.rule = name
}

// takesRules reports whether only braces are open: rules may be in blocks, but not in values.
func (w *cssWriter) takesRules() bool {
	return !slices.ContainsFunc(w.open, func(b block) bool { return b.end != css.RightBraceToken })
}

// skipRule skips to the end of a statement: a semicolon, a block, or the end of the block around it (section 5.4.2 of
// css-syntax-3).
func (w *cssWriter) skipRule() {
	for {
		switch kind, data := w.lexer.Next(); kind {
		case css.ErrorToken, css.SemicolonToken:
			return
		case css.LeftBraceToken:
			w.skipBlock(css.RightBraceToken)
			return
		case css.LeftBracketToken:
			w.skipBlock(css.RightBracketToken)
		case css.LeftParenthesisToken, css.FunctionToken:
			w.skipBlock(css.RightParenthesisToken)
		case css.RightBraceToken:
			if len(w.open) > 0 {
				w.end(kind, string(data))
				return
			}
		}
	}
}

// skipBlock skips to the end of a bracket.
func (w *cssWriter) skipBlock(end css.TokenType) {
	ends := []css.TokenType{end}
	for len(ends) > 0 {
		kind, _ := w.lexer.Next()
		switch kind {
		case css.ErrorToken:
			return
		case css.LeftBraceToken:
			ends = append(ends, css.RightBraceToken)
		case css.LeftBracketToken:
			ends = append(ends, css.RightBracketToken)
		case css.LeftParenthesisToken, css.FunctionToken:
			ends = append(ends, css.RightParenthesisToken)
		case ends[len(ends)-1]:
			ends = ends[:len(ends)-1]
		}
	}
}

var ends = map[css.TokenType]css.TokenType{
	css.LeftBraceToken: css.RightBraceToken, css.LeftParenthesisToken: css.RightParenthesisToken,
	css.LeftBracketToken: css.RightBracketToken,
}

func (w *cssWriter) begin(kind css.TokenType, data string) {
	b := block{end: ends[kind], font: w.inFont()}
	if kind == css.LeftBraceToken {
		b.font = w.rule == "font-face"
		w.rule = ""
	}
	w.out.WriteString(data)
	w.open = append(w.open, b)
}

// end closes a bracket. One that does not fit is left out, except for a brace of a style sheet: it ends the blocks
// inside of its own.
func (w *cssWriter) end(kind css.TokenType, data string) {
	if n := len(w.open); n > 0 && w.open[n-1].end == kind {
		w.open = w.open[:n-1]
		w.out.WriteString(data)
		return
	}
	if kind == css.RightBraceToken && !w.inline {
		// A brace ends open brackets inside of its block.
		for i := len(w.open) - 1; i >= 0; i-- {
			if w.open[i].end == kind {
				for j := len(w.open) - 1; j >= i; j-- {
					w.out.WriteByte(closings[w.open[j].end])
				}
				w.open = w.open[:i]
				return
			}
		}
	}
	w.out.WriteByte(' ')
}

// attribute rewrites a style attribute, or the value of an attribute of SVG with functions.
func (u *urls) attribute(text string) string {
	w := newCSS(u)
	w.inline = true
	w.write(text)
	return w.out.String()
}

// element rewrites the text of a style element. It has nothing that begins a tag: strings have no "<", and the sign for
// "less" has a blank after it.
func (u *urls) element(text string) string {
	w := newCSS(u)
	w.write(text)
	return less().ReplaceAllString(w.out.String(), "< $1")
}

var less = pattern.Lazy(`<([^= ])`)
