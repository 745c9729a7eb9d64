package rtf

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

func TestRead_info(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      doctext.Document
	}{
		{"title and authors", `{\info{\title  High   tide}{\author Ada;Ben; Ada}}`, doctext.Document{
			Title: "High tide", Authors: []string{"Ada", "Ben"},
		}},
		{"code page", `\ansicpg1251{\info{\title \'cf\'f0\'e8\'eb\'e8\'e2}}`, doctext.Document{Title: "Прилив"}},
		{
			"not the font's code page", `{\fonttbl{\f0\fcharset204 A;}}\f0{\info{\title caf\'e9}}`,
			doctext.Document{Title: "café"},
		},
		{"unicode", `{\info{\title \uc0\u28526 \u-10179\u-8704}}`, doctext.Document{Title: "潮😀"}},
		{"signs", `{\info{\title a\emdash b\~c\{d\}}}`, doctext.Document{Title: "a—b c{d}"}},
		{"comment before subject", `{\info{\subject Sea}{\doccomm Water}}`, doctext.Document{Description: "Water"}},
		{"subject", `{\info{\subject Sea}}`, doctext.Document{Description: "Sea"}},
		{"tags", `{\info{\keywords tide, moon}{\category port}{\company Quay Ltd}}`, doctext.Document{
			Tags: []string{"tide", "moon", "port"}, Publisher: "Quay Ltd",
		}},
		{"company of Word", `{\info{\title a}{\*\company Quay Ltd}}`, doctext.Document{Title: "a", Publisher: "Quay Ltd"}},
		{"other properties of Word", `{\info{\*\title a}{\*\keywords b}{\*\hlinkbase c}}`, doctext.Document{
			Title: "a", Tags: []string{"b"},
		}},
		{"a date of Word", `{\info{\*\creatim\yr2021\mo3\dy4}}`, doctext.Document{Created: "2021-03-04"}},
		{"a property outside", `{\*\company Quay Ltd}{\*\title a}`, doctext.Document{}},
		{"program", `{\*\generator Quaywriter 5.41;}`, doctext.Document{Generator: "Quaywriter 5.41"}},
		{"dates", `{\info{\creatim\yr2021\mo3\dy4\hr5\min6}{\revtim\yr2022\mo12\dy31}}`, doctext.Document{
			Created: "2021-03-04", Modified: "2022-12-31",
		}},
		{"a leap day", `{\info{\creatim\yr2020\mo2\dy29}}`, doctext.Document{Created: "2020-02-29"}},
		{"days that are not", `{\info{\creatim\yr2021\mo2\dy29}{\revtim\yr2021\mo4\dy31}}`, doctext.Document{}},
		{"months that are not", `{\info{\creatim\yr2021\mo13\dy1}{\revtim\yr2021\mo0\dy0}}`, doctext.Document{}},
		{"years that are not", `{\info{\creatim\yr1601\mo1\dy1}{\revtim\yr99999\mo1\dy1}}`, doctext.Document{}},
		{
			"unknown properties", `{\info{\title a}{\hlinkbase b}{\vern5}{\*\userprops{\propname c}}}`,
			doctext.Document{Title: "a"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got doctext.Document
			if err := Read([]byte(`{\rtf1`+tt.src+` body}`), &got, doctext.Options{}); err != nil {
				t.Fatal(err)
			}
			tt.want.Text = "body"
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Read(%s) (-want +got):\n%s", tt.src, diff)
			}
		})
	}
}

// TestRead_charsets: the fonts of Windows decode their languages.
func TestRead_charsets(t *testing.T) {
	for charset, tt := range map[string]struct{ src, want string }{
		"128": {`\'92\'aa`, "潮"}, "129": {`\'c1\'b6`, "조"}, "134": {`\'b3\'b1`, "潮"}, "136": {`\'bc\'e9`, "潮"},
		"161": {`\'e1`, "α"}, "162": {`\'fe`, "ş"}, "163": {`\'d0`, "Đ"}, "177": {`\'e2`, "ג"}, "178": {`\'e3`, "م"},
		"186": {`\'f0`, "š"}, "204": {`\'ef`, "п"}, "222": {`\'a1`, "ก"}, "238": {`\'b3`, "ł"}, "0": {`\'e9`, "é"},
	} {
		var d doctext.Document
		src := `{\rtf1{\fonttbl{\f7\fcharset` + charset + ` Quay;}}\f7 ` + tt.src + `}`
		if err := Read([]byte(src), &d, doctext.Options{}); err != nil || d.Text != tt.want {
			t.Errorf("character set %s: %q, %v, want %q", charset, d.Text, err, tt.want)
		}
	}
}

func TestRead_groups(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"a link", `a {\field{\*\fldinst HYPERLINK "x"}{\fldrslt the page}} b`, "a the page b"},
		{"both forms of a text", `{\upr{old}{\*\ud{new \u28526?}}}`, "new 潮"},
		{"a text box", `a{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt box}}}b`, "a\n\nboxb"},
		{"a note in a header", `{\header h{\footnote n}}a`, "h\n\na\n\nn"},
		{"notes of a header and the text", `{\header h{\footnote n}}a{\footnote m}{\footer f{\footnote o}}`, "h\n\na\n\nn\n\nm\n\no\n\nf"},
		{"quotes and dashes", `\ldblquote a\rdblquote \endash\bullet`, "“a”–•"},
		{"a list's number", `{\listtext 1.\tab}item`, "1.\titem"},
		{"lines in a cell", `\trowd\intbl a\line b\cell c\par d\cell\row`, "a b\tc d"},
		{"raised", `10{\super 6} x{\sub 1} y\super0 2`, "10^6 x_1 y2"},
		{"a page break", `a\page b\sect c`, "a\n\nb\n\nc"},
	} {
		var d doctext.Document
		if err := Read([]byte(`{\rtf1 `+tt.src+`}`), &d, doctext.Options{}); err != nil || d.Text != tt.want {
			t.Errorf("%s: Read(%s) = %q, %v, want %q", tt.name, tt.src, d.Text, err, tt.want)
		}
	}
}

func TestRead_limits(t *testing.T) {
	limit := []doctext.Kind{doctext.KindLimit}
	for _, tt := range []struct {
		name, src string
		o         doctext.Options
		want      string
		kinds     []doctext.Kind
	}{
		{"as much text as allowed", `{\rtf1 12345}`, doctext.Options{MaxText: 5}, "12345", nil},
		{"too much text", `{\rtf1 123456\par b}`, doctext.Options{MaxText: 5}, "12345", limit},
		{"half a character", `{\rtf1 ab\u28526?}`, doctext.Options{MaxText: 4}, "ab", limit},
		{"too deep", `{\rtf1 a` + strings.Repeat("{b", 50), doctext.Options{MaxDepth: 3}, "abb", limit},
	} {
		var d doctext.Document
		err := Read([]byte(tt.src), &d, tt.o)
		var kinds []doctext.Kind
		for _, p := range d.Problems {
			kinds = append(kinds, p.Kind)
		}
		if err != nil || d.Text != tt.want || !slices.Equal(kinds, tt.kinds) {
			t.Errorf("%s: Read = %q, %v, problems %v; want %q, %v", tt.name, d.Text, err, d.Problems, tt.want, tt.kinds)
		}
	}
}
