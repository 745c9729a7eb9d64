package rtf

import (
	"errors"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

func TestRead(t *testing.T) {
	const fonts = `{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}{\f2\fcharset128 C;}{\f3\fcharset2 Symbol;}{\f4\fcharset2 Wingdings;}{\f5\cpg1253 D;}}`
	for _, test := range []struct{ name, src, want string }{
		{"plain", `{\rtf1 one\par two}`, "one\n\ntwo"},
		{"lines of the source", "{\\rtf1 o\r\nn\ne}", "one"},
		{"escaped line", "{\\rtf1 one\\\ntwo\\\r\nthree}", "one\n\ntwo\n\nthree"},
		{"braces", `{\rtf1 \{a\}\\}`, `{a}\`},
		{"space ends a word", `{\rtf1 a\b  b\b0 c}`, "a bc"},
		{"code page of the document", `{\rtf1\ansi\ansicpg1251 \'cf\'f0}`, "Пр"},
		{"Macintosh", `{\rtf1\mac \'8e}`, "é"},
		{"code page of the font", `{\rtf1` + fonts + `\f1 \'cf{\f0 \'e9}\'f0\f5\'e1\plain\'e9}`, "Пéрαé"},
		{"ANSI", `{\rtf1\ansi\ansicpg1251` + fonts + `\f0\'e9\f1\'cf{\f9\'cf}}`, "éПП"},
		{"ANSI beside two bytes a character", `{\rtf1\ansi\ansicpg932` + fonts + `\f0 caf\'e9\f2 \'93\'fa}`, "café日"},
		{"ANSI of Macintosh", `{\rtf1\mac` + fonts + `\f0 \'8e}`, "é"},
		{"ANSI of MS-DOS", `{\rtf1\pca` + fonts + `\f0 \'82}`, "é"},
		{"default charset", `{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset1 A;}}\f0 \'cf}`, "П"},
		{"default font", `{\rtf1\deff1` + fonts + `\'cf}`, "П"},
		{"two bytes a character", `{\rtf1` + fonts + `\f2 \'93\'fa\'83A}`, "日ア"},
		{"symbols", `{\rtf1` + fonts + `\f3 a\'b3\u-3999?{\f4 \'fc}\f0 z}`, "α≥α✓z"},
		{"unicode", `{\rtf1 \u8364?\u-10179?\u-8704?x}`, "€😀x"},
		{"unicode, more characters left out", `{\rtf1\uc2 \u8364\'a4?x{\uc0\u8364 y}\u8364 ab\uc1 z}`, "€x€y€z"},
		{"unicode ends at the group", `{\rtf1 {\u8364}abc}`, "€abc"},
		{"halves of pairs", `{\rtf1 a\u-10179?b\u-8704?c}`, "ab\uFFFDc"},
		{"unknown destination", `{\rtf1 a{\*\new b{c}}d{\new e}}`, "ade"},
		{"star in the middle", `{\rtf1 {a\*\cs1 b}}`, "ab"},
		{"pictures", `{\rtf1 a{\pict 0102{\x y}}b{\*\shppict{\pict 01}}{\nonshppict{\pict 01}}c}`, "abc"},
		{"binary", "{\\rtf1 a\\bin5 {}{}}b}", "ab"},
		{"binary beyond the end", "{\\rtf1 a\\bin99 b}", "a"},
		{"objects", `{\rtf1 {\object{\*\objclass X}{\*\objdata 0102}{\result shown}}}`, "shown"},
		{"index entries", `{\rtf1 a{\xe b}{\tc c}}`, "a"},
		{"notes", `{\rtf1 a{\footnote b}c{\*\annotation d}}`, "ac\n\nb\n\nd"},
		{"headers once", `{\rtf1 {\header h}{\footer f}a{\header h}{\headerf other}}`, "h\n\nother\n\na\n\nf"},
		{"deleted", `{\rtf1 a{\deleted b}\deleted c\deleted0 d}`, "ad"},
		{"hidden", `{\rtf1 a{\v b}\v c\v0 d\v e\plain f\v{\par}}`, "adf"},
		{
			"table", `{\rtf1 a\par\trowd\intbl b\cell\cell c\par d\cell\row\intbl e\cell f\cell\row\pard g}`,
			"a\n\nb\t\tc d\ne\tf\n\ng",
		},
		{"nested table", `{\rtf1\trowd\intbl{\itap2 a\nestcell b\nestcell{\*\nesttableprops\nestrow}{\nonesttables\par}}c\cell d\cell\row}`, "a b c\td"},
		{"moMath", `{\rtf1 {\mmath{\*\moMath{\mr a+b}{\mctrlPr x}}}}`, "a+b"},
		{"stray end", `{\rtf1 a}}b`, "a"},
		{"hex that is none", `{\rtf1 a\'zzb\'4}`, "azzb4"},
		{"mark before", "\xEF\xBB\xBF\n{\\rtf1 a}", "a"},
		{"cut", `{\rtf1 a{\b b`, "ab"},
		{"cut in a word", `{\rtf1 a\`, "a"},
		{"cut in hex", `{\rtf1 a\'4`, "a"},
		{"number too large", `{\rtf1 a\u99999999999999999999?b\fs-99999999999999999999 c}`, "a\uFFFDbc"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var d doctext.Document
			if err := Read([]byte(test.src), &d, doctext.Options{}); err != nil {
				t.Fatal(err)
			}
			if d.Text != test.want {
				t.Errorf("text %q, want %q", d.Text, test.want)
			}
			damaged := strings.HasPrefix(test.name, "cut") || strings.HasPrefix(test.name, "binary beyond")
			if damaged != (len(d.Problems) == 1) {
				t.Errorf("problems %v", d.Problems)
			}
		})
	}
}

func TestRead_notRTF(t *testing.T) {
	for _, src := range []string{"", "rtf", "{\\r", "x{\\rtf1 a}"} {
		if err := Read([]byte(src), &doctext.Document{}, doctext.Options{}); !errors.Is(err, ErrFormat) {
			t.Errorf("Read(%q): %v, want ErrFormat", src, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{\rtf1\ansi\uc2{\fonttbl{\f0\fcharset128 a;}}\f0\'83A\u-10179??\u-8704??{\*\generator x;}{\info{\title t\u8364?}{\creatim\yr1\mo99}}`)
	f.Add(`{\rtf1{\upr{a}{\*\ud{b}}}{\header h}\trowd\intbl a\cell\row{\shp{\*\shpinst{\shptxt x}}}\bin3 {}}}`)
	f.Fuzz(func(t *testing.T, src string) {
		var d doctext.Document
		if err := Read([]byte(src), &d, doctext.Options{MaxText: 1 << 16}); err == nil && len(d.Text) > 1<<16 {
			t.Errorf("%d bytes of text", len(d.Text))
		}
	})
}
