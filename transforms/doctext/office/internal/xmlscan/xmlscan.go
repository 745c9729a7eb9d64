// Package xmlscan reads the XML of office files. It is fast, works in memory, and is lenient, so that it can read the
// beginning of a truncated document. It knows only local names and no namespaces. It knows only the entities that XML
// defines: declarations of a document type are neither expanded nor fetched. Missing end tags are added and stray ones
// skipped; Err reports them.
//
//	for s := xmlscan.New(src, 400); s.Next(); {
//		switch s.Kind {
//		case xmlscan.Start:
//			fmt.Println(s.Name, s.Attr("id"))
//		case xmlscan.Text:
//			fmt.Println(s.Parent(), string(s.Text))
//		}
//	}
//
// The grammar is that of XML 1.0 (https://www.w3.org/TR/xml/).
package xmlscan

import (
	"bytes"
	"errors"

	"github.com/gleaner-web/gleaner/transforms/charset"
)

// Errors that Err may return.
var (
	ErrSyntax = errors.New("not well-formed XML")
	ErrDepth  = errors.New("elements are nested too deeply")
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens. An empty element is a Start and an End.
const (
	Start Kind = iota
	End
	Text
)

// maxStray is the number of stray end tags after which only nearby elements are searched for a match. Without it, a
// million "</a>" inside 400 elements would need 400 million comparisons.
const maxStray = 10_000

// Scanner goes from token to token. Name, Prefix and Text belong to the current token. Only a Start sets Prefix. Field
// open holds the names of the open elements, the innermost last. Fields attrs and Text refer to the source, which is
// never written to.
type Scanner struct {
	Kind   Kind
	Name   string // local name of the element that starts or ends; "" of a Text
	Prefix string // the part of the name before its colon
	Text   []byte // references resolved; valid until the next call of Next

	src   []byte
	pos   int
	attrs []byte // source of the start tag's attributes
	open  []string
	max   int
	empty bool // the start tag closed itself, and its End is due
	close int  // elements that end before the next token is read
	stray int  // end tags that ended nothing
	names map[string]string
	err   error
}

// New returns a scanner of src, in any encoding. An element deeper than maxDepth ends the scan.
func New(src []byte, maxDepth int) *Scanner {
	// Text in an unknown encoding is read unchanged; ASCII names are found all the same.
	if text, _, err := charset.Decode(src, encoding(src)); err == nil {
		src = text
	}
	return &Scanner{src: src, max: maxDepth, names: map[string]string{}}
}

// encoding returns UTF-8 unless the first bytes declare another encoding. Office files hardly ever do.
func encoding(src []byte) string {
	// A declaration comes first and ends with "?>", so 200 bytes hold it.
	head := src[:min(len(src), 200)]
	if i := bytes.Index(head, []byte("?>")); i >= 0 {
		head = head[:i]
	}
	// UTF-16 has a mark or shows by its zeros. Without these and without a declaration the standard says UTF-8
	// (section 4.3.3).
	wide := bytes.HasPrefix(src, []byte{0xFE, 0xFF}) || bytes.HasPrefix(src, []byte{0xFF, 0xFE}) ||
		charset.UTF16(src, "") != ""
	if !wide && (!bytes.Contains(head, []byte("encoding")) || bytes.Contains(bytes.ToLower(head), []byte("utf-8"))) {
		return "utf-8"
	}
	return charset.Detect(src, "", charset.Options{}).Name
}

// Err returns the first error so far, or nil.
func (s *Scanner) Err() error { return s.err }

// Depth returns the number of open elements. It includes the element of a Start, but not that of an End.
func (s *Scanner) Depth() int { return len(s.open) }

// Parent returns the name of the element around the current token, or "" at the top.
func (s *Scanner) Parent() string {
	n := len(s.open)
	if s.Kind == Start {
		n--
	}
	if n < 1 {
		return ""
	}
	return s.open[n-1]
}

// Next goes to the next token and reports whether there is one. At the end of the source it ends open elements.
func (s *Scanner) Next() bool {
	// Tokens due from earlier markup come first: the End of an empty element, the Ends of elements that an outer end
	// tag closed.
	switch {
	case s.empty:
		s.empty = false
		return s.pop()
	case s.close > 0:
		s.close--
		return s.pop()
	}
	for s.pos < len(s.src) {
		if s.src[s.pos] != '<' {
			return s.text()
		}
		if s.markup() {
			return true
		}
	}
	// At the end of the source, open elements get their Ends one by one, so that readers close them.
	if len(s.open) > 0 {
		s.fail(ErrSyntax)
		return s.pop()
	}
	return false
}

// Skip goes to the End of the element whose Start was read last. A depth below that of the Start means that its End
// was read.
func (s *Scanner) Skip() {
	for depth := len(s.open); len(s.open) >= depth && s.Next(); {
	}
}

// All returns the text of the element whose Start was read last, at most limit bytes, and goes to its End. Text above
// the limit is skipped.
func (s *Scanner) All(limit int) string {
	var b []byte
	for depth := len(s.open); len(s.open) >= depth && s.Next(); {
		if s.Kind == Text && len(b) < limit {
			b = append(b, s.Text[:min(len(s.Text), limit-len(b))]...)
		}
	}
	return string(bytes.ToValidUTF8(b, nil))
}

// fail notes an error. The first error is kept: later ones mostly follow from it.
func (s *Scanner) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *Scanner) pop() bool {
	s.Kind = End
	s.Name = s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	return true
}

func (s *Scanner) text() bool {
	rest := s.src[s.pos:]
	if i := bytes.IndexByte(rest, '<'); i >= 0 {
		rest = rest[:i]
	}
	s.pos += len(rest)
	// Function resolve copies only if there is a reference; otherwise Text is a part of the source.
	s.found(resolve(rest))
	return true
}

func (s *Scanner) found(text []byte) { s.Kind, s.Name, s.Text = Text, "", text }

// markup reads markup that begins with "<" and reports whether it is a token.
func (s *Scanner) markup() bool {
	rest := s.src[s.pos:]
	switch {
	// A name comes right after "<"; "< " is text that was not escaped.
	case len(rest) > 1 && startsName(rest[1]):
		return s.startTag()
	case bytes.HasPrefix(rest, []byte("</")):
		return s.endTag()
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		s.found(s.until(len("<![CDATA["), "]]>"))
		return true
	case bytes.HasPrefix(rest, []byte("<!--")):
		// Comments, instructions and document types are skipped.
		s.until(len("<!--"), "-->")
	case bytes.HasPrefix(rest, []byte("<?")):
		s.until(len("<?"), "?>")
	case bytes.HasPrefix(rest, []byte("<!")):
		s.declaration()
	// A "<" that begins nothing is text, and reading continues after it.
	default:
		s.found(rest[:1])
		s.pos++
		s.fail(ErrSyntax)
		return true
	}
	return false
}

// startsName reports whether a name may begin with a byte. Any byte outside ASCII counts: the exact classes of section
// 2.3 would only cause more errors.
func startsName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == ':' || c >= 0x80
}

// until skips n bytes and returns the text up to the mark. It moves after the mark.
func (s *Scanner) until(n int, mark string) []byte {
	rest := s.src[s.pos+n:]
	i := bytes.Index(rest, []byte(mark))
	// An unclosed comment or CDATA section takes the rest.
	if i < 0 {
		s.fail(ErrSyntax)
		s.pos = len(s.src)
		return rest
	}
	s.pos += n + i + len(mark)
	return rest[:i]
}

// declaration skips a document type. The first ">" may be inside its internal subset.
func (s *Scanner) declaration() {
	// Entities are declared in the internal subset, between brackets. It is skipped.
	if head := s.until(len("<!"), ">"); bytes.IndexByte(head, '[') >= 0 {
		s.until(0, "]")
		s.until(0, ">")
	}
}

// endTag ends the nearest open element of that name, and those inside it. Method until moves to the ">", so the tag's
// name may contain anything else.
func (s *Scanner) endTag() bool {
	_, name := s.name(s.until(len("</"), ">"))
	lowest := 0
	if s.stray > maxStray { // each one searches all open elements
		lowest = max(len(s.open)-8, 0)
	}
	for i := len(s.open) - 1; i >= lowest; i-- {
		if s.open[i] != name {
			continue
		}
		// The next calls end the unclosed elements inside it.
		if s.close = len(s.open) - 1 - i; s.close > 0 {
			s.fail(ErrSyntax)
		}
		return s.pop()
	}
	s.stray++
	s.fail(ErrSyntax)
	return false
}

func (s *Scanner) startTag() bool {
	// A ">" inside the value of an attribute does not end the tag.
	end := tagEnd(s.src[s.pos:])
	if end < 0 {
		s.fail(ErrSyntax)
		s.pos = len(s.src)
		return false
	}
	tag := s.src[s.pos+1 : s.pos+end]
	s.pos += end + 1
	if s.empty = bytes.HasSuffix(tag, []byte("/")); s.empty {
		tag = tag[:len(tag)-1]
	}
	// White space ends the name; the attributes follow.
	s.attrs = nil
	if i := bytes.IndexAny(tag, " \t\r\n"); i >= 0 {
		tag, s.attrs = tag[:i], tag[i:]
	}
	s.Prefix, s.Name = s.name(tag)
	// A Start without its place on the stack would break Depth and Skip, so the scan ends.
	if len(s.open) >= s.max {
		s.fail(ErrDepth)
		s.pos, s.empty = len(s.src), false
		return false
	}
	s.Kind = Start
	s.open = append(s.open, s.Name)
	return true
}

// tagEnd returns the position of the ">" that ends a tag, ignoring those in quotes. An unclosed quote is searched to
// the end of src. That happens once for each of the two quotes, since no later tag can have another.
func tagEnd(src []byte) int {
	// A usual tag has no ">" in its quotes. An even number of quotes before the first ">" shows that without a loop.
	end := bytes.IndexByte(src, '>')
	if end < 0 || bytes.Count(src[:end], []byte{'"'})%2 == 0 && bytes.IndexByte(src[:end], '\'') < 0 {
		return end
	}
	var quote byte
	for i, c := range src {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		}
	}
	return end // an unclosed quote
}
