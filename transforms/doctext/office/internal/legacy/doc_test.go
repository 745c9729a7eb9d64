package legacy_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// piece is a piece of text, in UTF-16 or in code page 1252.
type piece struct {
	text string
	wide bool
}

// word97 makes the streams of a document of Word 97. Numbers lengths are those of its parts; without them all is body.
func word97(pieces []piece, lengths ...int) []stream {
	fib := make([]byte, 1024)
	copy(fib, put16(0xA5EC, 193, 0, 0x409, 0, 0x0200))
	total, positions, places := 0, put32(0), []byte(nil)
	for _, p := range pieces {
		at, body := len(fib), []byte(p.text)
		if p.wide {
			body = officetest.Wide(p.text)
			total -= len(body) / 2
		} else {
			at = at*2 | 1<<30
			total -= len(body)
		}
		fib = append(fib, body...)
		positions = append(positions, put32(-total)...)
		places = append(places, slices.Concat(put16(0), put32(at), put16(0))...)
	}
	if lengths == nil {
		lengths = []int{-total}
	}
	copy(fib[0x4C:], put32(lengths...))
	table := slices.Concat(put32(len(positions)+len(places)), positions, places)
	clx := append([]byte{1, 3, 0, 9, 9, 9, 2}, table...)
	copy(fib[0x1A2:], put32(0, len(clx)))
	return []stream{{Name: "WordDocument", Body: fib}, {Name: "1Table", Body: clx}}
}

func TestRead_wordText(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"scripts", "高潮\rالمد\r😀", "高潮\n\nالمد\n\n😀"},
		{"breaks", "a\vb\fc\x0Ed", "a\nb\n\nc\n\nd"},
		{"a tab and a hyphen", "a\tb\x1Ec\x1Fd", "a\tb\u2011cd"},
		{"a table", "a\ab\a\ac\ad\a\a", "a\tb\nc\td"},
		{"a field", "see \x13 HYPERLINK \"x\" \x14the page\x15.", "see the page."},
		{"a field without a result", "a\x13 PAGE \x15b", "ab"},
		{"a field in the code of another", "a\x13 IF \x13 PAGE \x147\x15 = 7 \x14yes\x15b", "ayesb"},
		{"a field in the result of another", "\x13 A \x14x\x13 B \x14y\x15z\x15", "xyz"},
		{"a field that does not end", "a\x13 HYPERLINK", "a"},
		{"ends without a beginning", "a\x15b\x14c", "abc"},
		{"two separators", "\x13 A \x14x\x14y\x15z", "xyz"},
		{"breaks in a code", "a\x13 A\rB\a\a \x15b", "ab"},
		{"pictures and notes", "a\x01b\x02c\x05d\x08", "abcd"},
		{"half a character", "a\r", "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, doctext.Options{}, word97([]piece{{tt.text, true}})...)
			if d.Text != tt.want || d.Problems != nil {
				t.Errorf("Read(%q) = %q, problems %v; want %q", tt.text, d.Text, d.Problems, tt.want)
			}
		})
	}
}

func TestRead_wordParts(t *testing.T) {
	tests := []struct {
		name    string
		pieces  []piece
		lengths []int
		want    string
		kinds   []doctext.Kind
	}{
		{"pieces of both widths", []piece{{"caf\xE9 ", false}, {"潮", true}, {" end", false}}, nil, "café 潮 end", nil},
		{"a character across pieces", []piece{{"a", false}, {"\U0001F30A", true}}, nil, "a🌊", nil},
		{
			"all parts",
			[]piece{{"body\rnote\rhead\rmacro\rremark\rend\rbox\rbox above\r", false}},
			[]int{5, 5, 5, 6, 7, 4, 4, 10},
			"body\n\nnote\n\nhead\n\nremark\n\nend\n\nbox\n\nbox above", nil,
		},
		{
			"headers of sections",
			[]piece{{"body\rPort\rPort\rPage\rPort\r", false}},
			[]int{5, 0, 20},
			"body\n\nPort\n\nPage", nil,
		},
		{"lengths that are too large", []piece{{"body", false}}, []int{1 << 30, -1}, "body", nil},
		{
			"lengths that are too small",
			[]piece{{"b" + strings.Repeat("x", 100), false}},
			[]int{1},
			"b\n\n" + strings.Repeat("x", 100),
			[]doctext.Kind{doctext.KindDamaged},
		},
		{"no pieces", nil, nil, "", []doctext.Kind{doctext.KindDamaged}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, doctext.Options{}, word97(tt.pieces, tt.lengths...)...)
			if d.Text != tt.want || !slices.Equal(kinds(d), tt.kinds) {
				t.Errorf("Read = %q, problems %v; want %q, %v", d.Text, d.Problems, tt.want, tt.kinds)
			}
		})
	}
}

func TestRead_wordDamaged(t *testing.T) {
	damaged := []doctext.Kind{doctext.KindDamaged}
	sound := word97([]piece{{"text", false}})
	change := func(at int, n uint32) []stream {
		b := slices.Clone(sound[0].Body)
		binary.LittleEndian.PutUint32(b[at:], n)
		return []stream{{Name: "WordDocument", Body: b}, sound[1]}
	}
	for name, streams := range map[string][]stream{
		"no table":            sound[:1],
		"table in the other":  {sound[0], {Name: "0Table", Body: sound[1].Body}},
		"table out of reach":  change(0x1A2, 0x7FFFFFF0),
		"table of no length":  change(0x1A6, 0),
		"another kind":        change(0, 0xA5ED),
		"short":               {{Name: "WordDocument", Body: sound[0].Body[:511]}, sound[1]},
		"a table cut in two":  {sound[0], {Name: "1Table", Body: sound[1].Body[:15]}},
		"old, text elsewhere": {{Name: "WordDocument", Body: append(put16(0xA5DC, 101), make([]byte, 700)...)}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := read(t, doctext.Options{}, streams...); d.Text != "" || !slices.Equal(kinds(d), damaged) {
				t.Errorf("Read = %q, problems %v; want %v", d.Text, d.Problems, damaged)
			}
		})
	}
	// A table that names the same megabyte many times must not multiply it.
	same := slices.Repeat([]piece{{strings.Repeat("x", 1000), false}}, 50)
	many := word97(same)
	table := many[1].Body
	first := len(table) - 8*len(same)
	for i := range same {
		copy(table[first+8*i:], table[first:first+8])
	}
	if d := read(t, doctext.Options{}, many...); len(d.Text) > 2*len(many[0].Body) {
		t.Errorf("%d bytes of a stream give %d bytes of text", len(many[0].Body), len(d.Text))
	}
}

// TestRead_word6 reads documents of Word 6 and 95, whose code page depends on the language.
func TestRead_word6(t *testing.T) {
	for _, tt := range []struct {
		name       string
		language   int
		text, want string
	}{
		{"English", 0x409, "caf\xE9\rx", "café\n\nx"},
		{"Russian", 0x419, "\xCF\xF0\xE8\xEB\xE8\xE2", "Прилив"},
		{"Polish", 0x415, "przyp\xB3yw", "przypływ"},
		{"Greek", 0x408, "\xF0\xEB\xDE\xEC\xEC\xE7", "πλήμμη"},
		{"Japanese", 0x411, "\x92\xAA", "潮"},
		{"Chinese", 0x804, "\xB3\xB1", "潮"},
		{"Korean", 0x412, "\xC1\xB6\xBC\xF6", "조수"},
		{"Thai", 0x41E, "\xB9\xE9\xD3\xA2\xD6\xE9\xB9", "น้ำขึ้น"},
		{"Lithuanian", 0x427, "potvynis, \xE0\xFEuolas", "potvynis, ąžuolas"},
		{"Latvian", 0x426, "pl\xFBdi, \xFEagata", "plūdi, žagata"},
		{"Estonian", 0x425, "t\xF5us, \xF0okk", "tõus, šokk"},
		{"Vietnamese", 0x42A, "thu\xD2y tri\xEA\xCCu\rn\xFD\xF5\xECc", "thủy triều\n\nnước"},
		{"Persian", 0x429, "\xC2\xC8", "آب"},
		{"Urdu", 0x420, "\x81\xC7\xE4\xED", "پاني"},
		{"Belarusian", 0x423, "\xEF\xF0\xFB\xEB\xB3\xFA", "прыліъ"},
		{"Albanian", 0x41C, "uj\xEB", "ujë"},
		{"Serbian, Cyrillic", 0xC1A, "\xEF\xEB\xE8\xEC\xE0", "плима"},
		{"Serbian, Latin", 0x81A, "\x9Ee\xE6i", "žeći"},
		{"Chinese of Hong Kong", 0xC04, "\xBC\xE9", "潮"},
		{"German of Austria", 0xC07, "\xDCber", "Über"},
		{"Arabic of Egypt", 0xC01, "\xE3\xCF", "مد"},
		{"Hebrew", 0x40D, "\xE2\xE0\xE5\xFA", "גאות"},
	} {
		for _, quick := range []bool{false, true} {
			b := make([]byte, 1024)
			copy(b, put16(0xA5DC, 104, 0, tt.language))
			copy(b[0x34:], put32(len(tt.text)))
			copy(b[0x18:], put32(len(b), len(b)+len(tt.text)))
			b = append(b, tt.text...)
			if quick { // the piece table follows the text
				b[10] = 0x04
				clx := slices.Concat([]byte{2}, put32(16), put32(0, len(tt.text)), put16(0), put32(1024), put16(0))
				copy(b[0x160:], put32(len(b), len(clx)))
				copy(b[0x18:], put32(0, 0))
				b = append(b, clx...)
			}
			d := read(t, doctext.Options{}, stream{Name: "WordDocument", Body: b})
			if d.Text != tt.want || d.Problems != nil {
				t.Errorf("%s, saved quickly %v: Read = %q, problems %v; want %q", tt.name, quick, d.Text, d.Problems, tt.want)
			}
		}
	}
}
