package charset_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"github.com/gleaner-web/gleaner/transforms/charset"
)

// twice encodes a text again after reading it in an encoding. Bytes without a character become controls.
func twice(text string, set *charmap.Charmap) string {
	var b strings.Builder
	for i := range len(text) {
		r := set.DecodeByte(text[i])
		if r == '\uFFFD' {
			r = rune(text[i])
		}
		b.WriteRune(r)
	}
	return b.String()
}

func TestDecode_twice(t *testing.T) {
	const (
		french  = "<p>Le café d’été était fermé à Noël, « dommage » — déjà."
		russian = "<p>Привет, как дела? Всё хорошо — правда."
		polish  = "<p>Zażółć gęślą jaźń, „proszę” bardzo…"
		mixed   = "<p>日本語のページ、한국어, ελληνικά, עברית, العربية"
	)
	tests := []struct{ name, body, want string }{
		{"French", twice(french, charmap.Windows1252), french},
		{"Russian", twice(russian, charmap.Windows1252), russian},
		{"Russian, read as Cyrillic", twice(russian, charmap.Windows1251), russian},
		{"Polish, read as Polish", twice(polish, charmap.Windows1250), polish},
		{"French, of a Mac", twice(french, charmap.Macintosh), french},
		{"other scripts", twice(mixed, charmap.Windows1252), mixed},
		{"three times", twice(twice(french, charmap.Windows1252), charmap.Windows1252), french},
		{"once", french, french},
		{"once, Russian", russian, russian},
		{"once, Polish", polish, polish},
		{"once, other scripts", mixed, mixed},
		{"a page about it", french + " Il est écrit « Ã© » ou « Ã¨ » à la place, « Ã  » aussi, « Ã´ » et « Ã® ».", ""},
		{"a word alone", "<p>cafÃ©", ""},
		{"Portuguese capitals", "<p>NÃO É SÃO JOÃO, AÇÃO: À MÃE, PÃO, VOCÊ, ATENÇÃO", ""},
		{"Vietnamese", "<p>Tôi là người Việt, bạn là ai? Ở đâu đó Ã và Â.", ""},
		{"signs", "<p>© 2020 «a» · ½ – € 5 … “b” ™ ° § ±", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == "" {
				tt.want = tt.body
			}
			got, _, err := charset.Decode([]byte(tt.body), "utf-8")
			if err != nil || string(got) != tt.want {
				t.Errorf("Decode(%q) = %q, %v, want %q", tt.body, got, err, tt.want)
			}
		})
	}
}

func wide32(text string, order binary.AppendByteOrder) string {
	var b []byte
	for _, r := range text {
		b = order.AppendUint32(b, uint32(r))
	}
	return string(b)
}

func TestDetect_utf32(t *testing.T) {
	const page = "<!DOCTYPE html><title>Ä page</title><p>日本語 😀"
	tests := []struct{ name, body, want, basis string }{
		{"little, mark", wide32("\uFEFF"+page, binary.LittleEndian), "utf-32le", "bom"},
		{"big, mark", wide32("\uFEFF"+page, binary.BigEndian), "utf-32be", "bom"},
		{"little", wide32(page, binary.LittleEndian), "utf-32le", "guess"},
		{"big", wide32(page, binary.BigEndian), "utf-32be", "guess"},
		{"plain text", wide32("Ein Text über alles", binary.BigEndian), "utf-32be", "guess"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := charset.Detect([]byte(tt.body), "text/html", charset.Options{})
			text, replaced, err := charset.Decode([]byte(tt.body), r.Name)
			if r.Name != tt.want || r.Basis != tt.basis || err != nil || replaced {
				t.Errorf("Detect = %v, Decode %v %v, want %s by %s", r, replaced, err, tt.want, tt.basis)
			}
			if want := "über"; !strings.Contains(string(text), "Ä page") && !strings.Contains(string(text), want) {
				t.Errorf("text %q", text)
			}
		})
	}
	for name, body := range map[string]string{
		"UTF-16, mark":   "\xFF\xFEa\x00b\x00",
		"small numbers":  strings.Repeat("\x01\x00\x00\x00\x02\x00\x00\x00", 20),
		"zeros":          strings.Repeat("\x00", 80),
		"a few":          wide32("abc", binary.LittleEndian),
		"UTF-8":          "plain text is not that",
		"a mark and NUL": "\xFF\xFE\x00\x00\x01\x00\x00\x00",
	} {
		if got := charset.UTF32([]byte(body)); got != "" {
			t.Errorf("%s: UTF32(%q) = %q", name, body, got)
		}
	}
}
