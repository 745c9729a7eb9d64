package font

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// be writes numbers of two bytes, the most significant first; of a text it writes the bytes.
func be(values ...any) []byte {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case int:
			b = binary.BigEndian.AppendUint16(b, uint16(v))
		case uint32:
			b = binary.BigEndian.AppendUint32(b, v)
		case string:
			b = append(b, v...)
		case []byte:
			b = append(b, v...)
		}
	}
	return b
}

// sfnt is a program of tables by their tags.
func sfnt(tables ...any) []byte {
	n := len(tables) / 2
	head, body := be("\x00\x01\x00\x00", n, "\x00\x00\x00\x00\x00\x00"), []byte(nil)
	for i := range n {
		data := tables[2*i+1].([]byte)
		head = append(head, be(tables[2*i].(string), "\x00\x00\x00\x00", uint32(12+16*n+len(body)), uint32(len(data)))...)
		body = append(body, data...)
	}
	return append(head, body...)
}

// cmapTable has one subtable.
func cmapTable(platform, encoding int, subtable []byte) []byte {
	return be(0, 1, platform, encoding, uint32(12), subtable)
}

// TestParseTrueType: the subtables of all formats give texts of glyphs and glyphs of codes.
func TestParseTrueType(t *testing.T) {
	format4 := be(4, 0, 0, 4, 0, 0, 0, 0x42, 0xffff, 0, 0x41, 0xffff, -0x40&0xffff, 1, 0, 0)
	offsets4 := be(4, 0, 0, 4, 0, 0, 0, 0x42, 0xffff, 0, 0x41, 0xffff, 0, 1, 4, 0, 7, 0)
	format6 := be(6, 0, 0, 0x61, 2, 3, 4)
	format12 := be(12, 0, uint32(0), uint32(0), uint32(1), uint32(0x1f600), uint32(0x1f601), uint32(9))
	format0 := append(be(0, 0, 0), append(make([]byte, 65), 5)...)
	for _, tt := range []struct {
		name string
		cmap []byte
		want string // texts of glyphs
	}{
		{"segments", cmapTable(3, 1, format4), "1A 2B"},
		{"segments with offsets", cmapTable(0, 3, offsets4), "7A"},
		{"a range", cmapTable(3, 10, format6), "3a 4b"},
		{"groups", cmapTable(3, 10, format12), "9😀 10😁"},
		{"bytes", cmapTable(0, 0, format0), "5A"},
		{"two codes of a glyph", cmapTable(3, 1, be(6, 0, 0, 0x20, 3, 1, 1, 1)), "1 "},
		{"control characters", cmapTable(3, 1, be(6, 0, 0, 0, 3, 1, 2, 3)), ""},
		{"another platform", cmapTable(2, 1, format6), ""},
		{"an unknown format", cmapTable(3, 1, be(14, 0, 0, 0x61, 2, 3, 4)), ""},
		{"cut in its head", cmapTable(3, 1, format4)[:14], ""},
		{"a subtable outside", be(0, 1, 3, 1, uint32(1<<31)), ""},
		{"nothing", nil, ""},
	} {
		p := parseTrueType(sfnt("cmap", tt.cmap))
		var gids []int
		for gid, text := range p.texts {
			if gid != 0 && text != "" {
				gids = append(gids, gid)
			}
		}
		slices.Sort(gids)
		var got []string
		for _, gid := range gids {
			got = append(got, fmt.Sprint(gid, p.texts[gid]))
		}
		if text := strings.ReplaceAll(strings.Join(got, "|"), "|", " "); strings.ReplaceAll(text, " ",
			"") != strings.ReplaceAll(tt.want, " ", "") {
			t.Errorf("%s: %q, want %q", tt.name, text, tt.want)
		}
	}
}

// TestTrueType_code: a code finds its glyph in the symbols, in the private area or as it is, then in the Macintosh
// table. The names then give the text of the glyph.
func TestTrueType_code(t *testing.T) {
	post := be(uint32(0x20000), make([]byte, 28), 3, 258, 259, 5, "\x05alpha\x04uni0")
	for _, tt := range []struct {
		name string
		cmap []byte
		code int
		want string
	}{
		{"private", cmapTable(3, 0, be(6, 0, 0, 0xf041, 1, 0)), 0x41, ""},
		{"private, with a glyph", cmapTable(3, 0, be(6, 0, 0, 0xf040, 2, 1, 0)), 0x40, ""},
		{"Macintosh", cmapTable(1, 0, be(6, 0, 0, 0x40, 2, 2, 0)), 0x40, ""},
		{"no such code", cmapTable(1, 0, be(6, 0, 0, 0x40, 1, 1)), 0x50, ""},
	} {
		if got := parseTrueType(sfnt("post", post, "cmap", tt.cmap)).code(tt.code); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := parseTrueType(sfnt("post", post)).texts; len(got) != 1 || got[0] != "α" {
		t.Errorf("names give %v, want the first glyph alone", got)
	}
	names := sfnt("post", be(uint32(0x20000), make([]byte, 28), 2, 0, 258, "\x05alpha"), "cmap",
		cmapTable(1, 0, be(6, 0, 0, 0x40, 1, 1)))
	if got := parseTrueType(names).code(0x40); got != "α" {
		t.Errorf("by the name: %q", got)
	}
}

// TestSubtable_hostile: overlapping segments and groups cost no more than separate ones, also if they are named 64
// times.
func TestSubtable_hostile(t *testing.T) {
	segments, groups := be(4, 0, 0, 2*20_000), be(12, 0, uint32(0), uint32(0), uint32(40_000))
	segments = append(segments, make([]byte, 6)...)
	for _, value := range []int{0xfffe, 0, 0, 0} { // ends, starts, deltas, offsets
		for range 20_000 {
			segments = append(segments, be(value)...)
		}
		if value == 0xfffe {
			segments = append(segments, 0, 0)
		}
	}
	for range 40_000 {
		groups = append(groups, be(uint32(0), uint32(maxCIDs-2), uint32(1))...)
	}
	for name, b := range map[string][]byte{"segments": segments, "groups": groups} {
		begin := time.Now()
		cmap := be(0, 64)
		for range 64 {
			cmap = append(cmap, be(3, 1, uint32(4+64*8))...)
		}
		parseTrueType(sfnt("cmap", append(cmap, b...)))
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
	wide := be(12, 0, uint32(0), uint32(0), uint32(1<<31), uint32(0), uint32(0xffffffff), uint32(1))
	if got := subtable(wide, new(maxCodes)); len(got) > maxCIDs {
		t.Errorf("one group has %d codes", len(got))
	}
}

// cff is a program with a Top DICT; the offsets in it count from the program's start.
func cff(top []byte, strs []string, tail []byte) []byte {
	index := func(list ...string) []byte {
		b, at := be(len(list), "\x01"), 1
		for _, s := range append([]string{""}, list...) {
			at += len(s)
			b = append(b, byte(at))
		}
		return append(b, strings.Join(list, "")...)
	}
	return slices.Concat([]byte{1, 0, 4, 1}, index("Font"), index(string(top)), index(strs...), be(0), tail)
}

// TestCFFEncoding: codes have the names of their glyphs, from damaged programs as far as they are there.
func TestCFFEncoding(t *testing.T) {
	// Offsets are two bytes, so that they do not depend on their values.
	top := func(charset, encoding, chars int) []byte {
		return be("\x1c", charset, "\x0f\x1c", encoding, "\x10\x1c", chars, "\x11")
	}
	const at = 47 // of the tail: see cff
	tail := slices.Concat(
		be("\x00", 1, 391, 392),                            // charset of three glyphs: A-like, own strings
		[]byte{0, 3, 65, 66, 67},                           // encoding: a code each
		[]byte{1, 1, 70, 1},                                // encoding by ranges
		[]byte{0, 4, 1, 1, 2, 3, 4, 5, 'a', 'b', 'c', 'd'}, // char strings of four glyphs
	)
	charset, encoding, ranges, chars := at, at+7, at+12, at+16
	whole := cff(top(charset, encoding, chars), []string{"alpha", "beta"}, tail)
	if n := len(whole) - len(tail); n != at {
		t.Fatalf("the tables begin at %d", n)
	}
	got := cffEncoding(whole)
	if got[65] != "space" || got[66] != "alpha" || got[67] != "beta" || len(got) != 3 {
		t.Errorf("a code each: %q", got)
	}
	got = cffEncoding(cff(top(charset, ranges, chars), []string{"alpha", "beta"}, tail))
	if got[70] != "space" || got[71] != "alpha" || len(got) != 2 {
		t.Errorf("by ranges: %q", got)
	}
	if got := cffEncoding(cff(top(0, 0, chars), nil, tail)); got['A'] != "A" || got[0xe9] != standardName(0xe9) {
		t.Errorf("predefined: %q", got)
	}
	if got := cffEncoding(cff(append(top(0, 0, chars), 12, 30), nil, tail)); got != nil {
		t.Errorf("a CID-keyed program: %q", got)
	}
	for n := range whole {
		cffEncoding(whole[:n]) // no panic
		damaged := slices.Clone(whole)
		for _, c := range []byte{0, 0xff, damaged[n] ^ 0x80} {
			damaged[n] = c
			cffEncoding(damaged)
		}
	}
}

// TestCMap_overlapping: a range within another one hides it for its own codes alone.
func TestCMap_overlapping(t *testing.T) {
	c := &cmap{texts: map[uint32]string{}, room: func() bool { return true }}
	c.parse([]byte("3 beginbfrange <0020> <007e> <0041> <0030> <0031> <0391> <0032> <0032> <0410> endbfrange " +
		"2 begincidrange <0000> <00ff> 100 <0040> <0041> 7 endcidrange"))
	slices.SortStableFunc(c.ranges, byLow)
	slices.SortStableFunc(c.cids, byLow)
	for code, want := range map[uint32]string{
		0x20: "A", 0x2f: "P", 0x30: "Α", 0x31: "Β", 0x32: "А", 0x33: "T",
		0x7e: "\u009f",
	} {
		if got, ok := c.text(code); got != want || !ok {
			t.Errorf("the text of %x is %q, want %q", code, got, want)
		}
	}
	for code, want := range map[uint32]int{0: 100, 0x3f: 163, 0x40: 7, 0x41: 8, 0x42: 166, 0xff: 355} {
		if got, ok := c.cid(code); got != want || !ok {
			t.Errorf("the CID of %x is %d, %v, want %d", code, got, ok, want)
		}
	}
	if _, ok := c.text(0x1ff); ok {
		t.Error("a code after all ranges has a text")
	}
}
