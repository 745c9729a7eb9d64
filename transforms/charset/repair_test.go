package charset_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"github.com/gleaner-web/gleaner/transforms/charset"
)

// TestDetect_declaredUTF8 tests pages that declare UTF-8. Single bytes of another encoding are repaired one by one,
// and a text completely in another encoding is not decoded as UTF-8.
func TestDetect_declaredUTF8(t *testing.T) {
	const page, header = "<p>Attorney: Zoë Müller — Robert</p>", "text/html; charset=utf-8"
	tests := []struct{ name, body, contentType, want string }{
		{"an apostrophe", page + "the appellant\x92s case", header, page + "the appellant’s case"},
		{"a no-break space", page + "a\xA0b", header, page + "a\u00a0b"},
		{"quotes and an ellipsis", page + "\x93wait\x85\x94 he said", header, page + "“wait…” he said"},
		{"a letter", page + "caf\xE9 au lait, d\xE9j\xE0 vu", header, page + "café au lait, déjà vu"},
		{"two letters in a word", page + "cr\xE9\xE9e", header, page + "créée"},
		{"signs alone", page + "\xA9 2024, 20\xB0", header, page + "© 2024, 20°"},
		{"an emoji in CESU-8", page + "well done \xED\xA0\xBD\xED\xB8\x80!", header, page + "well done 😀!"},
		{"a page of emoji in CESU-8", strings.Repeat("x \xED\xA0\xBC\xED\xBC\x8D", 5), header, strings.Repeat("x 🌍", 5)},
		{"a quote that is cut", page + "the end\xE2\x80 and more", header, page + "the end\uFFFD and more"},
		{"what is left of one", page + "the end\x80\x9D and more", header, page + "the end\uFFFD\uFFFD and more"},
		{"a letter that is cut", page + "Universit\xC3 di Roma", header, page + "Universit\uFFFD di Roma"},
		{"declared in the page", "<meta charset=utf-8><p>naïve it\x92s", "", "<meta charset=utf-8><p>naïve it’s"},
		{
			"declared by XML", `<?xml version="1.0" encoding="UTF-8"?><a>Žluťoučký kůň` + "\x96</a>", "",
			`<?xml version="1.0" encoding="UTF-8"?><a>Žluťoučký kůň–</a>`,
		},
		{"nothing else beyond ASCII", "it\x92s all \x93here\x94", header, "it’s all “here”"},
		{"Russian", "<p>Привет, мир\x97 и всё", header, "<p>Привет, мир— и всё"},
		{"a byte in Chinese", "<p>我们今天去公园看书\xFF天气很好", header, "<p>我们今天去公园看书\uFFFD天气很好"},
		{"Chinese pasted in", "<p>我们今天去公园看书,天气很好。\xD6\xD0\xCE\xC4", header, "<p>我们今天去公园看书,天气很好。\uFFFD\uFFFD\uFFFD\uFFFD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := charset.Detect([]byte(tt.body), tt.contentType, charset.Options{})
			got, _, err := charset.Decode([]byte(tt.body), r.Name)
			if err != nil || r.Name != "utf-8" || string(got) != tt.want {
				t.Errorf("%q is %q in %v (%v), want %q in UTF-8", tt.body, got, r, err, tt.want)
			}
		})
	}
	for name, text := range map[string]string{
		"windows-1251": "Съешь ещё этих мягких французских булок", "euc-jp": "あなたの今日はとてもいい天気ですねこのへんでは",
		"gb18030": "我们今天去公园看书,天气很好", "euc-kr": "오늘은 날씨가 좋아서 공원에 갑니다", "windows-1252": "Où est passé l'été ? La forêt",
		"shift_jis": "今日は天気がいいので公園へ行きます", "big5": "我們今天去公園看書,天氣很好", "windows-1253": "Η γρήγορη αλεπού πηδάει",
	} {
		if r := charset.Detect([]byte(encode(t, name, text)), header, charset.Options{}); r.Name != name {
			t.Errorf("text in %s that is declared as UTF-8 is taken for %v", name, r)
		}
	}
}

// TestDetect_wide tests that UTF-16 without a byte order mark is recognised by its declaration or its markup, in both
// byte orders.
func TestDetect_wide(t *testing.T) {
	tests := []struct {
		name, text, contentType string
		basis                   string // "" if it is unknown
	}{
		{"a page", "<html><p>Hello world here", "text/html; charset=utf-16", "header"},
		{"a page, nothing declared", "<html><p>Hello world here", "text/html", "guess"},
		{"a page that says UTF-8", "<html><meta charset=utf-8><p>Привет", "text/html; charset=utf-8", "guess"},
		{"a page after blank lines", "\r\n\r\n  <html><p>Привет", "", "guess"},
		{"an XML declaration", `<?xml version="1.0" encoding="UTF-16"?><a>我们</a>`, "text/xml", "guess"},
		{"text", "Straße nach Köln", "text/plain; charset=utf-16", "header"},
		{"text, nothing declared", "Just a text of some words, and a line.\n", "", "guess"},
		{"text in Russian", "Съешь ещё этих мягких булок", "text/plain; charset=UTF-16LE", "header"},
		{"text in Chinese", "我们今天去公园看书，天气很好。\n我们", "text/plain; charset=utf-16be", "header"},
		{"text in Japanese", "今日は天気がいいので公園へ行きます。コーヒーを飲みます。", "text/plain; charset=unicode", "header"},
		{"text in Arabic and emoji", "صف خلق خود كمثل الشمس 😀 إذ بزغت", "text/plain; charset=utf-16", "header"},
		{"a short word", "Grüße", "text/plain; charset=utf-16", "header"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, order := range map[string]unicode.Endianness{
				"utf-16le": unicode.LittleEndian,
				"utf-16be": unicode.BigEndian,
			} {
				body, err := unicode.UTF16(order, unicode.IgnoreBOM).NewEncoder().Bytes([]byte(tt.text))
				if err != nil {
					t.Fatal(err)
				}
				want := charset.Result{Name: name, Basis: tt.basis}
				if got := charset.Detect(body, tt.contentType, charset.Options{}); got != want {
					t.Errorf("Detect(%q in %s, %q) = %v, want %v", tt.text, name, tt.contentType, got, want)
				}
				// An incomplete last unit changes nothing.
				odd := append(body, 'x')
				if got := charset.Detect(odd, tt.contentType, charset.Options{}); got != want {
					t.Errorf("Detect(%q in %s and a byte, %q) = %v, want %v", tt.text, name, tt.contentType, got, want)
				}
			}
		})
	}
}

// TestUTF16_text tests texts in UTF-16 that are served as text, without a declaration.
func TestUTF16_text(t *testing.T) {
	for _, text := range []string{
		"Старый мост через реку будет закрыт.\n", "أعلن رئيس البلدية إغلاق الجسر القديم", "הגשר הישן מעל הנהר ייסגר לתיקונים",
		"नदी पर बना पुराना पुल बंद रहेगा साल", "오래된 다리는 연말까지 폐쇄됩니다.\n시장이", "橋は年末まで修理のため閉鎖されます。\r\n市長が発表した\r\n",
	} {
		for name, order := range map[string]unicode.Endianness{
			"utf-16le": unicode.LittleEndian, "utf-16be": unicode.BigEndian,
		} {
			body, err := unicode.UTF16(order, unicode.IgnoreBOM).NewEncoder().Bytes([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			for _, contentType := range []string{"text/plain", "Text/HTML; charset=utf-8"} {
				if got := charset.UTF16(body, contentType); got != name {
					t.Errorf("UTF16(%q in %s, %q) = %q", text, name, contentType, got)
				}
			}
			if got := charset.UTF16(body, "application/octet-stream"); got != "" {
				t.Errorf("UTF16(%q, a binary type) = %q", text, got)
			}
		}
	}
}

// TestUTF16_binary: numbers of two bytes are not text, even if a server says so.
func TestUTF16_binary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 2000 {
		body := make([]byte, 64+k)
		for i := range body {
			switch k % 4 {
			case 0:
				body[i] = byte(r.Uint32())
			case 1: // small numbers
				body[i] = byte(r.Uint32()) >> (i % 2 * 5)
			case 2: // samples of sound
				body[i] = byte(int16(r.NormFloat64()*300) >> (i % 2 * 8))
			default:
				body[i] = byte(r.Uint32N(0x60))
			}
		}
		if got := charset.UTF16(body, "text/plain"); got != "" {
			t.Errorf("UTF16(%q) = %q", body, got)
		}
	}
}

// TestUTF16_lies tests that declared UTF-16 is not accepted for single bytes, and neither are numbers of two bytes.
func TestUTF16_lies(t *testing.T) {
	for name, body := range map[string]string{
		"ASCII": "<html><p>Hello world", "UTF-8": "Съешь ещё этих мягких булок", "Latin": "caf\xE9 na\xEFve",
		"GBK":              "\xCE\xD2\xC3\xC7\xBD\xF1\xCC\xEC",
		"ASCII with a NUL": strings.Repeat("just a text ", 20) + "\x00", "empty": "", "a byte": "x",
		"samples of sound": "\x10\x00\xf3\xff\x07\x01\x33\xfe\x00\x00\x9a\x00\x12\xff",
	} {
		if got := charset.UTF16([]byte(body), "text/plain; charset=utf-16"); got != "" {
			t.Errorf("%s: UTF16 = %q", name, got)
		}
	}
	if got := charset.UTF16([]byte("a\x00b\x00"), "text/plain"); got != "" {
		t.Errorf("two letters that nobody declares: UTF16 = %q", got)
	}
}

// FuzzDecode_repair checks that repaired text is UTF-8 of limited length, and that correct parts stay the same.
func FuzzDecode_repair(f *testing.F) {
	for _, s := range []string{
		"caf\xE9", "\xED\xA0\xBD\xED\xB8\x80", "\xED\xA0\xBD\xED\xB8",
		"a\x92s\xE2\x80 \xF0\x9F\x98", "\x80\x80\x80\x80", "é\xC3",
	} {
		f.Add([]byte(s), "text/html; charset=utf-8")
		f.Add([]byte(s), "text/html; charset=utf-16")
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		r := charset.Detect(body, contentType, charset.Options{})
		text, _, err := charset.Decode(body, r.Name)
		if err != nil {
			t.Fatalf("Decode of %v: %v", r, err)
		}
		if !utf8.Valid(text) || len(text) > 3*len(body)+3 {
			t.Errorf("Decode(%q) = %q", body, text)
		}
		if mended, _, _ := charset.Decode(body, "utf-8"); utf8.Valid(body) &&
			string(mended) != strings.TrimPrefix(string(body), "\uFEFF") {
			t.Errorf("Decode(%q) = %q, want what it is", body, mended)
		}
	})
}
