package font

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

const (
	// maxMappings bounds the entries of a CMap, maxOperands the operands of one operator. There are 65,536 codes of
	// two bytes. Operators may have 100 entries, but writers put more.
	maxMappings = 1 << 18
	maxOperands = 3 * maxMappings
	// maxMapped bounds the text of one code, in bytes of UTF-16 (512 in section 9.10.3).
	maxMapped = 512
)

// cmap maps codes to text (a ToUnicode CMap, section 9.10.3) or to CIDs (section 9.7.5.3). Codes are compared as
// numbers; the codespaces give their lengths.
type cmap struct {
	spaces   []codespace
	texts    map[uint32]string
	ranges   []mapping // of codes to texts, by lo
	cids     []mapping // of codes to CIDs, by lo
	vertical bool
	use      string      // the CMap that this one adds to
	room     func() bool // counts an entry, and reports whether it may be added
}

// codespace is a range of codes of n bytes. Each byte has its own range: 8140 to 9FFC does not contain 8200.
type codespace struct {
	n      int
	lo, hi uint32
}

// mapping maps the codes from lo to hi to consecutive targets. Only the last unit of the text grows with the code, as
// the standard says for bfrange. Field cid grows by the distance from lo.
type mapping struct {
	lo, hi uint32
	text   []uint16 // the last unit grows
	cid    uint32
}

// loadCMap reads as much of a CMap as possible. Each entry counts twice: towards the bound of one CMap, and towards
// that of the file, which may have thousands.
func loadCMap(f *object.File, stream *object.Stream) *cmap {
	c := &cmap{texts: map[uint32]string{}}
	count := 0
	c.room = func() bool {
		count++
		return count <= maxMappings && f.Spend(1)
	}
	c.parse(f.Decode(stream))
	// The dictionary usually repeats the program, but may also be the only source.
	if use := f.Name(stream.Dict["UseCMap"]); use != "" {
		c.use = string(use)
	}
	// The sort is stable, so that of ranges with one beginning the later stays last, where lookup finds it.
	slices.SortStableFunc(c.ranges, byLow)
	slices.SortStableFunc(c.cids, byLow)
	return c
}

func byLow(a, b mapping) int { return cmp.Compare(a.lo, b.lo) }

// parse executes a CMap. A CMap is a PostScript program. But all embedded ones are lists of operands and operators,
// which the scanner of content streams can read.
func (c *cmap) parse(b []byte) {
	s := object.NewScanner(b)
	var operands []object.Token
	for {
		t := s.Next()
		switch {
		case t.Kind == object.EOF:
			return
		case t.Kind != object.Keyword:
			if len(operands) < maxOperands {
				operands = append(operands, t)
			}
			continue
		}
		c.operator(string(t.Bytes), operands)
		operands = operands[:0]
		s.Release()
	}
}

// empty reports whether the CMap maps nothing.
func (c *cmap) empty() bool {
	return len(c.texts)+len(c.ranges)+len(c.cids) == 0 && !strings.HasPrefix(c.use, "Identity")
}

// operator executes an operator.
func (c *cmap) operator(op string, args []object.Token) {
	// Entries are between "begin…" and "end…"; at the end all operands of the block are known.
	switch op {
	case "endcodespacerange":
		for ; len(args) >= 2; args = args[2:] {
			// At most 100 codespaces are kept, since next searches all of them for each code.
			if n := len(args[0].Bytes); n >= 1 && n <= 4 && len(c.spaces) < 100 {
				c.spaces = append(c.spaces, codespace{n, number(args[0]), number(args[1])})
			}
		}
	case "endbfchar":
		for ; len(args) >= 2; args = args[2:] {
			c.addText(number(args[0]), target(args[1]))
		}
	case "endbfrange":
		c.bfRange(args)
	case "endcidchar":
		for ; len(args) >= 2 && c.room(); args = args[2:] {
			code := number(args[0])
			c.cids = append(c.cids, mapping{lo: code, hi: code, cid: number(args[1])})
		}
	case "endcidrange":
		for ; len(args) >= 3 && c.room(); args = args[3:] {
			c.cids = append(c.cids, mapping{lo: number(args[0]), hi: number(args[1]), cid: number(args[2])})
		}
	// "/WMode 1 def" means vertical writing. Other definitions do not concern codes.
	case "def":
		if len(args) >= 2 && string(args[len(args)-2].Bytes) == "WMode" {
			c.vertical = args[len(args)-1].Num == 1
		}
	case "usecmap":
		if len(args) > 0 {
			c.use = string(args[len(args)-1].Bytes)
		}
	}
}

// bfRange reads ranges of codes, whose target is a text or an array of texts. An array gives each code a text of its
// own.
func (c *cmap) bfRange(args []object.Token) {
	for len(args) >= 3 {
		lo, hi := number(args[0]), number(args[1])
		if args[2].Kind != object.ArrayOpen {
			if c.room() {
				c.ranges = append(c.ranges, mapping{lo: lo, hi: hi, text: target(args[2])})
			}
			args = args[3:]
			continue
		}
		args = args[3:]
		// Entries of the array after hi are ignored.
		for len(args) > 0 && args[0].Kind != object.ArrayClose {
			if lo <= hi {
				c.addText(lo, target(args[0]))
			}
			lo++
			args = args[1:]
		}
		// This removes the closing bracket, if there is one.
		args = args[min(1, len(args)):]
	}
}

func (c *cmap) addText(code uint32, units []uint16) {
	if c.room() {
		c.texts[code] = decodeUTF16(units)
	}
}

// text returns the text of a code, and whether there is one.
func (c *cmap) text(code uint32) (string, bool) {
	// An entry without text hides a range with text: the writer declared that there is none.
	if text, ok := c.texts[code]; ok {
		return text, text != ""
	}
	m, ok := lookup(c.ranges, code)
	if !ok {
		return c.character(code)
	}
	if len(m.text) == 0 {
		return "", false
	}
	// The units are copied, since the range is used again for other codes. Overflow wraps, as in other readers.
	units := slices.Clone(m.text)
	units[len(units)-1] += uint16(code - m.lo)
	text := decodeUTF16(units)
	return text, text != ""
}

// character returns the character whose number is the code's CID. Some writers use operators for CIDs in ToUnicode, or
// only refer to an identity.
func (c *cmap) character(code uint32) (string, bool) {
	cid, ok := c.cid(code)
	if !ok && strings.HasPrefix(c.use, "Identity") {
		cid, ok = int(code), true
	}
	if !ok || cid < ' ' || cid > unicode.MaxRune {
		return "", false
	}
	text := strings.Trim(string(rune(cid)), "\ufffd")
	return text, text != ""
}

// cid returns the CID of a code.
func (c *cmap) cid(code uint32) (int, bool) {
	m, ok := lookup(c.cids, code)
	return int(m.cid + code - m.lo), ok
}

// maxOverlap limits how many ranges are tried for a code. Ranges rarely overlap.
const maxOverlap = 64

// lookup finds the mapping of a code in a sorted list: of the ranges that contain it, the one that begins last. By
// binary search it finds the last range that begins at or before the code; i is the number of such ranges.
func lookup(list []mapping, code uint32) (mapping, bool) {
	i, _ := slices.BinarySearchFunc(list, code, func(m mapping, code uint32) int {
		if m.lo <= code {
			return -1
		}
		return 1
	})
	// A range that ends before the code may be within a longer one.
	for _, m := range slices.Backward(list[max(0, i-maxOverlap):i]) {
		if m.hi >= code {
			return m, true
		}
	}
	return mapping{}, false
}

// next returns the first code of s and its length in bytes. Of the matching codespaces, the shortest counts. A code in
// none of them takes the length of the shortest codespace (section 9.7.6.3).
func (c *cmap) next(s string) (code uint32, n int) {
	for n := 1; n <= min(4, len(s)); n++ {
		code = code<<8 | uint32(s[n-1])
		for _, space := range c.spaces {
			if space.n == n && space.has(code) {
				return code, n
			}
		}
	}
	n = 2
	for i, space := range c.spaces {
		if i == 0 || space.n < n {
			n = space.n
		}
	}
	n = min(n, len(s))
	return big(s[:n]), n
}

// has reports whether each byte of code is in the codespace's range for that byte.
func (s codespace) has(code uint32) bool {
	for shift := 0; shift < 8*s.n; shift += 8 {
		if b := byte(code >> shift); b < byte(s.lo>>shift) || b > byte(s.hi>>shift) {
			return false
		}
	}
	return true
}

// number returns the number of a token: its value, or the bytes of a string with the most significant first. A code
// never has more than four bytes.
func number(t object.Token) uint32 {
	switch t.Kind {
	case object.Text:
		return big(string(t.Bytes[max(0, len(t.Bytes)-4):]))
	case object.Integer:
		return uint32(min(max(t.Num, 0), 1<<31))
	}
	return 0
}

func big(s string) uint32 {
	var v uint32
	for i := range len(s) {
		v = v<<8 | uint32(s[i])
	}
	return v
}

// target returns the UTF-16 text of a token. A single byte is that character, a name becomes its text. Strings of odd
// length lose their last byte.
func target(t object.Token) []uint16 {
	if t.Kind == object.NameToken {
		return utf16.Encode([]rune(nameText(string(t.Bytes))))
	}
	b := t.Bytes[:min(len(t.Bytes), maxMapped)]
	if len(b) == 1 {
		return []uint16{uint16(b[0])}
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
	}
	return units
}

// decodeUTF16 returns the text of units, without NUL and replacement characters at its ends.
func decodeUTF16(units []uint16) string {
	return strings.TrimFunc(string(utf16.Decode(units)), func(r rune) bool { return r == 0 || r == '\ufffd' })
}
