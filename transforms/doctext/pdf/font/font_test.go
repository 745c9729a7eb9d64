package font_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/font"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// load returns the font with the dictionary dict, in which %d is replaced by the number of a stream with data.
func load(t testing.TB, dict, data string) *font.Font {
	t.Helper()
	b := pdftest.New()
	n := b.Stream("", data)
	if strings.Contains(dict, "%d") {
		dict = fmt.Sprintf(dict, n)
	}
	d := b.Add(dict)
	b.Page("")
	f := object.Open(b.Bytes(), object.Limits{})
	return font.Load(f, f.Dict(object.Ref{Num: d}))
}

func text(glyphs []font.Glyph) string {
	var s strings.Builder
	for _, g := range glyphs {
		s.WriteString(g.Text)
	}
	return s.String()
}

const toUnicode = `/CIDInit /ProcSet findresource begin begincmap
1 begincodespacerange <0000> <ffff> endcodespacerange
2 beginbfchar <0041> <00660069> <0042> <d83dde00> endbfchar
3 beginbfrange <0050> <0052> <0061> <0060> <0061> [<0078> <0079>] <0070> <006f> <0000> endbfrange
endcmap`

const encodingCMap = `begincmap 2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange
1 begincidchar <20> 1 endcidchar 1 begincidrange <8000> <80ff> 843 endcidrange endcmap`

func TestFont_text(t *testing.T) {
	const composite = "<</Subtype/Type0/Encoding/%s/DescendantFonts[<</Subtype/CIDFontType0/CIDSystemInfo<</Ordering(%s)>>>>]>>"
	const trueTyped = "<</Subtype/TrueType/BaseFont/ArialMT%s>>"
	tests := []struct {
		name, dict, data, in, want string
	}{
		{"WinAnsi", "<</Subtype/Type1/Encoding/WinAnsiEncoding>>", "", "a\x80\x93\xe4", "a€“ä"},
		{"MacRoman", "<</Subtype/TrueType/Encoding/MacRomanEncoding>>", "", "a\x8a", "aä"},
		{"standard", "<</Subtype/Type1/BaseFont/Times-Roman>>", "", "a\xae'", "aﬁ’"},
		{"Symbol", "<</Subtype/Type1/BaseFont/Symbol>>", "", "ab", "αβ"},
		{"ZapfDingbats", "<</Subtype/Type1/BaseFont/ZapfDingbats>>", "", "4", "✔"},
		{
			"Differences", "<</Subtype/Type1/Encoding<</Differences[65/alpha/f_i/uni00E9 70/u1F600/a.alt/nonesuch]>>>>", "",
			"ABCFGZ", "αfié😀aZ",
		},
		{"numbered names", "<</Subtype/Type3/Encoding<</Differences[1/a72/a105]>>>>", "", "\x01\x02", "Hi"},
		{"numbers for names", "<</Subtype/Type3/Encoding<</Differences[1/72/105 65/66]>>>>", "", "\x01\x02A", "HiB"},
		{"numbers with g", "<</Subtype/Type3/Encoding<</Differences[65/g72/g105/.notdef]>>>>", "", "AB", "Hi"},
		{"hexadecimal numbers", "<</Subtype/Type3/Encoding<</Differences[1/48/69/6e]>>>>", "", "\x01\x02\x03", "Hin"},
		{"letters are no numbers", "<</Subtype/Type3/Encoding<</Differences[1/a/b/c]>>>>", "", "\x01\x02\x03", "abc"},
		{"numbers that are no codes", "<</Subtype/Type3/Encoding<</Differences[1/72/1105]>>>>", "", "\x01", ""},
		{"names of two letters", "<</Subtype/Type3/Encoding<</Differences[48/BC/BD 55/BJ]>>>>", "", "017", "017"},
		{"two of them, hexadecimal by their looks", "<</Subtype/Type3/Encoding<</Differences[49/BD/BE]>>>>", "", "12", "12"},
		{"letters by such names", "<</Subtype/Type3/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[72/DF 105/EM " +
			"233/IA]>>>>", "", "Hi\xe9", "Hié"},
		{
			"made-up names, codes from the first on", "<</Subtype/Type3/Encoding<</Differences[33/BC/BD/BE]>>>>", "", "!\"#",
			"",
		},
		{
			"made-up names, codes that are no letters", "<</Subtype/Type3/Encoding<</Differences[1/BC/BD 72/DF]>>>>", "",
			"\x01H", "",
		},
		{"made-up names beside a known one", "<</Subtype/Type3/Encoding<</Differences[72/DF/alpha]>>>>", "", "HI", "α"},
		{"names of Type 3 glyphs", "<</Subtype/Type3/Encoding<</Differences[65/alpha/xyz]>>>>", "", "AB", "α"},
		{"ToUnicode", "<</Subtype/Type1/ToUnicode %d 0 R>>", toUnicode, "ABPQR`apc", "fi😀abcxypc"},
		{
			"Identity", "<</Subtype/Type0/Encoding/Identity-H/ToUnicode %d 0 R/DescendantFonts[<<>>]>>", toUnicode,
			"\x00A\x00P\x00Z", "fia",
		},
		{"collection", fmt.Sprintf(composite, "Identity-H", "Japan1"), "", "\x03\x4b\x03\x4d", "あい"},
		{"Shift JIS", fmt.Sprintf(composite, "90ms-RKSJ-H", "Japan1"), "", "a\x82\xa0", "aあ"},
		{"JIS", fmt.Sprintf(composite, "H", "Japan1"), "", "\x24\x22", "あ"},
		{"GBK", fmt.Sprintf(composite, "GBK-EUC-H", "GB1"), "", "a\xc4\xe3", "a你"},
		{"Big5", fmt.Sprintf(composite, "ETen-B5-H", "CNS1"), "", "\xa7\x41", "你"},
		{"Korean", fmt.Sprintf(composite, "KSCms-UHC-H", "Korea1"), "", "\xb0\xa1", "가"},
		{"UTF-16", fmt.Sprintf(composite, "UniJIS-UTF16-H", "Japan1"), "", "\x30\x42\xd8\x3d\xde\x00", "あ😀"},
		{
			"embedded CMap", "<</Subtype/Type0/Encoding %d 0 R/DescendantFonts[<</CIDSystemInfo<</Ordering(Japan1)>>>>]>>",
			encodingCMap, " \x80\x00\x80\x02", " あい",
		},
		{
			"Type 1 program", "<</Subtype/Type1/FontDescriptor<</FontFile %d 0 R>>>>",
			"/Encoding 256 array dup 65 /backslash put dup 66/germandbls put readonly def", "AB", "\\ß",
		},
		{
			"TrueType, not symbolic", fmt.Sprintf(trueTyped, "/FontDescriptor<</Flags 32>>"), "", "ae\xf1\xf9 \xaa\xba",
			"aeæø “”",
		},
		{
			"the same with other flags", fmt.Sprintf(trueTyped, "/FontDescriptor<</Flags 98>>"), "", "\xe1\xe9\xf8\xfb'`",
			"ÆØłß’‘",
		},
		{"the same with names that differ", fmt.Sprintf(trueTyped,
			"/FontDescriptor<</Flags 34>>/Encoding<</Differences[65/alpha]>>"), "", "A\xae\xb1", "αﬁ–"},
		{"TrueType without a descriptor", fmt.Sprintf(trueTyped, ""), "", "\xe8\xf5", "Łı"},
		{"TrueType, symbolic", fmt.Sprintf(trueTyped, "/FontDescriptor<</Flags 4>>"), "", "\xf1\xf9", "ñù"},
		{"TrueType of both kinds", fmt.Sprintf(trueTyped, "/FontDescriptor<</Flags 36>>"), "", "\xf1", "ñ"},
		{
			"TrueType, not symbolic, of Windows",
			fmt.Sprintf(trueTyped, "/Encoding/WinAnsiEncoding/FontDescriptor<</Flags 32>>"), "", "\xf1", "ñ",
		},
		{"nothing known", "<<>>", "", "A", "A"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := load(t, tt.dict, tt.data)
			if got := text(f.Append(nil, []byte(tt.in))); got != tt.want {
				t.Errorf("text of %q = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// TestFont_toUnicodeOfCIDs tests ToUnicode CMaps that map characters by operators for CIDs.
func TestFont_toUnicodeOfCIDs(t *testing.T) {
	const composite = "<</Subtype/Type0/Encoding/Identity-H/ToUnicode %d 0 R/DescendantFonts[<<>>]>>"
	const spaces = "begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange "
	tests := []struct{ name, dict, data, in, want string }{
		{"a range", composite, spaces + "1 begincidrange <4e00> <9fff> 19968 endcidrange endcmap", "\x4e\x2d\x56\xfd", "中国"},
		{
			"a range elsewhere", composite, spaces + "1 begincidrange <0003> <0040> 32 endcidrange endcmap", "\x00\x04\x00\x24",
			"!A",
		},
		{
			"single codes", composite, spaces + "2 begincidchar <0001> 1055 <0002> 128512 endcidchar endcmap",
			"\x00\x01\x00\x02", "П😀",
		},
		{"one byte", "<</Subtype/Type1/ToUnicode %d 0 R>>", "1 begincidrange <41> <5a> 945 endcidrange", "AB", "αβ"},
		{
			"beside ranges of texts", composite,
			spaces + "1 beginbfrange <0001> <0002> <0061> endbfrange 1 begincidrange <0001> <0009> 200 endcidrange endcmap",
			"\x00\x01\x00\x05", "aÌ",
		},
		{"an identity that is used", composite, "/Identity-H usecmap begincmap endcmap", "\x04\x16", "Ж"},
		{
			"no characters", composite, spaces + "1 begincidrange <0000> <ffff> 1114100 endcidrange endcmap",
			"\x00\x0c\x01\x00\xff\xfd", "",
		},
		{
			"nothing at all", "<</Subtype/Type1/Encoding/WinAnsiEncoding/ToUnicode %d 0 R>>", "begincmap endcmap", "A\xe4",
			"Aä",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := text(load(t, tt.dict, tt.data).Append(nil, []byte(tt.in))); got != tt.want {
				t.Errorf("text of %q = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestFont_widths(t *testing.T) {
	tests := []struct {
		name, dict, in string
		want           []float64
	}{
		{
			"listed", "<</Subtype/Type1/FirstChar 65/Widths[500 600]/FontDescriptor<</MissingWidth 7>>>>", "ABC",
			[]float64{.5, .6, .007},
		},
		{"standard font", "<</Subtype/Type1/BaseFont/Courier>>", "A ", []float64{.6, .6}},
		{
			"one like it", "<</Subtype/TrueType/BaseFont/ABCDEF+Arial-BoldMT/Encoding/WinAnsiEncoding>>", "A\xe4",
			[]float64{.722, .556},
		},
		{"Type 3", "<</Subtype/Type3/FontMatrix[.01 0 0 .01 0 0]/FirstChar 65/Widths[50]>>", "A", []float64{.5}},
		{
			"CIDs", "<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</DW 300/W[1[400 500]5 6 700]>>]>>",
			"\x00\x01\x00\x02\x00\x06\x00\x07",
			[]float64{.4, .5, .7, .3},
		},
		{"vertical", "<</Subtype/Type0/Encoding/Identity-V/DescendantFonts[<</DW2[880 -900]>>]>>", "\x00\x01", []float64{.9}},
		{"absurd", "<</Subtype/Type1/FirstChar 65/Widths[99999999]>>", "A", []float64{0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			glyphs := load(t, tt.dict, "").Append(nil, []byte(tt.in))
			if len(glyphs) != len(tt.want) {
				t.Fatalf("%d glyphs, want %d", len(glyphs), len(tt.want))
			}
			for i, g := range glyphs {
				if math.Abs(g.Width-tt.want[i]) > 1e-9 {
					t.Errorf("width of glyph %d = %v, want %v", i, g.Width, tt.want[i])
				}
			}
		})
	}
}

func TestFont_space(t *testing.T) {
	simple := load(t, "<</Subtype/Type1>>", "").Append(nil, []byte(" "))
	composite := load(t, "<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<<>>]>>", "").Append(nil, []byte("\x00 "))
	if !simple[0].Space || composite[0].Space {
		t.Errorf("Space = %v and %v, want true for one byte and false for two", simple[0].Space, composite[0].Space)
	}
}

// trueType is a TrueType program with a glyph 1 for あ in a cmap of format 4.
const trueType = "\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00cmap\x00\x00\x00\x00\x00\x00\x00\x1c\x00\x00\x00\x2c" +
	"\x00\x00\x00\x01\x00\x03\x00\x01\x00\x00\x00\x0c" +
	"\x00\x04\x00\x20\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x30\x42\xff\xff\x00\x00\x30\x42\xff\xff\xcf\xbf\x00\x01\x00\x00\x00\x00"

func TestFont_trueTypeProgram(t *testing.T) {
	f := load(t, "<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</CIDToGIDMap/Identity/FontDescriptor<</FontFile2 %d 0 R>>>>]>>", trueType)
	if got := text(f.Append(nil, []byte("\x00\x01"))); got != "あ" {
		t.Errorf("text of glyph 1 = %q, want あ", got)
	}
}

// cff returns a CFF program with the glyphs .notdef, aacute (string 200) and odd, at the codes 65 and 66. The name of
// odd has no meaning except for its part before the period.
func cff() string {
	const top = "\xbc\x0f\xc4\x10\xca\x11" // charset at 49, encoding at 57, glyphs at 63
	return "\x01\x00\x04\x01" +
		"\x00\x01\x01\x01\x02F" + // names, from 4
		"\x00\x01\x01\x01\x07" + top + // dictionaries, from 10
		"\x00\x01\x01\x01\x07b.oddd" + // strings, from 21
		strings.Repeat("\x00", 49-32) +
		"\x00\x00\xc8\x01\x87\x00\x00\x00" + // charset of format 0: 200, 391
		"\x00\x02\x41\x42\x00\x00" + // encoding of format 0
		"\x00\x03\x01\x01\x02\x03\x04\x0e\x0e\x0e" // glyphs
}

func TestFont_cffProgram(t *testing.T) {
	f := load(t, "<</Subtype/Type1/FontDescriptor<</FontFile3 %d 0 R>>>>", cff())
	if got := text(f.Append(nil, []byte("AB"))); got != "áb" {
		t.Errorf("text of AB = %q, want áb", got)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("<</Subtype/Type1/ToUnicode 3 0 R>>", toUnicode, []byte("AB"))
	f.Add("<</Subtype/Type0/Encoding 3 0 R/DescendantFonts[<</W[1[2]3 4 5]/CIDSystemInfo<</Ordering(Japan1)>>>>]>>",
		encodingCMap, []byte("\x80\x00"))
	f.Add("<</Subtype/Type1/FontDescriptor<</FontFile 3 0 R>>>>", "/Encoding dup 65 /a put def", []byte("A"))
	f.Add("<</Subtype/Type1/FontDescriptor<</FontFile3 3 0 R>>>>", cff(), []byte("A"))
	f.Add("<</Subtype/TrueType/FontDescriptor<</FontFile2 3 0 R>>>>", trueType, []byte("A"))
	f.Add("<</Subtype/Type1/ToUnicode 3 0 R>>", "/Identity-H usecmap 1 begincidrange <00> <ff> 4294967295 endcidrange",
		[]byte("A"))
	f.Add("<</Subtype/TrueType/BaseFont/Arial/FontDescriptor<</Flags 32>>>>", "", []byte("\xf1"))
	f.Fuzz(func(t *testing.T, dict, data string, s []byte) {
		b := pdftest.New()
		b.Stream("", data)
		n := b.Add(dict)
		b.Page("")
		file := object.Open(b.Bytes(), object.Limits{})
		glyphs := font.Load(file, file.Dict(object.Ref{Num: n})).Append(nil, s)
		if len(glyphs) > len(s) {
			t.Errorf("%d glyphs of %d bytes", len(glyphs), len(s))
		}
		for _, g := range glyphs {
			if math.IsNaN(g.Width) || math.IsInf(g.Width, 0) {
				t.Errorf("width %v", g.Width)
			}
		}
	})
}

func ExampleFont_Append() {
	b := pdftest.New()
	n := b.Add(pdftest.Helvetica)
	b.Page("")
	file := object.Open(b.Bytes(), object.Limits{})
	f := font.Load(file, file.Dict(object.Ref{Num: n}))
	for _, g := range f.Append(nil, []byte("Hi\x85")) {
		fmt.Println(g.Text, g.Width)
	}
	// Output:
	// H 0.722
	// i 0.222
	// … 1
}
