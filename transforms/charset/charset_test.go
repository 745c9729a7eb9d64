package charset_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/gleaner-web/gleaner/transforms/charset"
)

// encode writes text in an encoding.
func encode(tb testing.TB, name, text string) string {
	tb.Helper()
	e, err := htmlindex.Get(name)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := e.NewEncoder().String(text)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return s
}

const meta = `<meta http-equiv="Content-Type" content="text/html; charset=%s">`

func TestDetect(t *testing.T) {
	latin := "<p>caf\xE9 na\xEFve</p>"
	good := strings.Repeat("é", 1000)
	far := strings.Repeat("<!-- filler -->", 200) // 3,000 bytes
	tests := []struct {
		name, body, contentType string
		want                    charset.Result
	}{
		{"empty", "", "", charset.Result{Name: "utf-8", Basis: "default"}},
		{"ascii", "<p>x", "", charset.Result{Name: "utf-8", Basis: "default"}},
		{"ascii with header", "<p>x", "text/html; charset=Shift_JIS", charset.Result{Name: "shift_jis", Basis: "header"}},
		{"ascii with meta", "<meta charset=euc-kr>", "text/html", charset.Result{Name: "euc-kr", Basis: "meta"}},
		{"ascii with unknown header", "<p>x", "text/html; charset=none", charset.Result{Name: "utf-8", Basis: "default"}},

		{
			"mark of UTF-8 before header", "\xEF\xBB\xBFcaf\xC3\xA9", "text/html; charset=iso-8859-1",
			charset.Result{Name: "utf-8", Basis: "bom"},
		},
		{"mark of UTF-16LE", "\xFF\xFE<\x00p\x00", "", charset.Result{Name: "utf-16le", Basis: "bom"}},
		{
			"mark of UTF-16BE", "\xFE\xFF\x00<\x00p", "text/html; charset=utf-8",
			charset.Result{Name: "utf-16be", Basis: "bom"},
		},
		{"UTF-16LE without mark", "<\x00?\x00x\x00m\x00l\x00", "", charset.Result{Name: "utf-16le", Basis: "guess"}},
		{"UTF-16BE without mark", "\x00<\x00h\x00t\x00m\x00l", "", charset.Result{Name: "utf-16be", Basis: "guess"}},

		{
			"UTF-8 declared 8859-1 in header", "caf\xC3\xA9", "text/html; charset=ISO-8859-1",
			charset.Result{Name: "utf-8", Basis: "utf8"},
		},
		{"UTF-8 declared gb2312 in meta", "<meta charset=gb2312>中文", "", charset.Result{Name: "utf-8", Basis: "utf8"}},
		{
			"one bad byte in a thousand sequences", good + "\xE9 ", "text/html; charset=windows-1252",
			charset.Result{Name: "utf-8", Basis: "utf8"},
		},
		{
			"two bad bytes in a thousand sequences", good + "\xE9 \xE9 ", "text/html; charset=windows-1252",
			charset.Result{Name: "windows-1252", Basis: "header"},
		},
		{"UTF-8 cut inside of a rune", "caf\xC3\xA9 \xE2\x82", "", charset.Result{Name: "utf-8", Basis: "utf8"}},
		{
			"nothing but a cut rune", "na\xEF", "text/html; charset=iso-8859-1",
			charset.Result{Name: "windows-1252", Basis: "header"},
		},
		{
			"declared UTF-8 with few bad bytes", strings.Repeat("é", 20) + "\xE9 \xE9 ", "text/html; charset=utf-8",
			charset.Result{Name: "utf-8", Basis: "header"},
		},
		{
			"declared UTF-8 with many bad bytes", latin + "<meta charset=iso-8859-2>", "text/html; charset=utf-8",
			charset.Result{Name: "iso-8859-2", Basis: "meta"},
		},
		{
			"undeclared UTF-8 with few bad bytes", strings.Repeat("é", 20) + "\xE9 ", "",
			charset.Result{Name: "utf-8", Basis: "guess"},
		},

		{
			"8859-1 is windows-1252", latin, "text/html; charset=ISO-8859-1",
			charset.Result{Name: "windows-1252", Basis: "header"},
		},
		{
			"gb2312 is gb18030", "\xD6\xD0\xCE\xC4", "text/html;charset=GB2312",
			charset.Result{Name: "gb18030", Basis: "header"},
		},
		{"gbk is gb18030", "<meta charset=GBK>\xD6\xD0\xCE\xC4", "", charset.Result{Name: "gb18030", Basis: "meta"}},
		{
			"ks_c_5601-1987 is euc-kr", "\xB0\xA1", "text/html; charset=ks_c_5601-1987",
			charset.Result{Name: "euc-kr", Basis: "header"},
		},
		{
			"header before meta", latin + "<meta charset=iso-8859-2>", "text/html; charset=windows-1254",
			charset.Result{Name: "windows-1254", Basis: "header"},
		},
		{"header in quotes", latin, `text/html; charset="ISO-8859-2"`, charset.Result{Name: "iso-8859-2", Basis: "header"}},
		{
			"header in single quotes and capitals", latin, `TEXT/HTML; CHARSET = 'WINDOWS-1250'`,
			charset.Result{Name: "windows-1250", Basis: "header"},
		},
		{
			"header with escaped quotes", latin, `text/html; charset=\"koi8-r\"`,
			charset.Result{Name: "koi8-r", Basis: "header"},
		},
		{"header with colon", latin, `text/html; charset:koi8-r`, charset.Result{Name: "koi8-r", Basis: "header"}},
		{
			"several charsets, the first unknown", latin, "text/html; charset=foo; charset=iso-8859-7",
			charset.Result{Name: "iso-8859-7", Basis: "header"},
		},
		{
			"several charsets, the first impossible", latin, "text/html; charset=utf-8, text/html; charset=iso-8859-7",
			charset.Result{Name: "iso-8859-7", Basis: "header"},
		},
		{
			"two names in one", latin, "text/html; charset=iso-8859-9,utf-8",
			charset.Result{Name: "windows-1254", Basis: "header"},
		},
		{
			"code page of Windows in Japan", "\x82\xA0", "text/html; charset=CP932",
			charset.Result{Name: "shift_jis", Basis: "header"},
		},
		{
			"header UTF-16 on bytes that are not", "<meta charset=iso-8859-2>" + latin, "text/html; charset=utf-16",
			charset.Result{Name: "iso-8859-2", Basis: "meta"},
		},
		{
			"header UTF-16 on text without markup", "h\x00e\x00\x40\x26", "text/plain; charset=utf-16",
			charset.Result{Name: "utf-16le", Basis: "header"},
		},
		{
			"header names the replacement encoding", latin + "<meta charset=iso-8859-2>", "text/html; charset=iso-2022-kr",
			charset.Result{Name: "iso-8859-2", Basis: "meta"},
		},
		{
			"no value", latin + "<meta charset=iso-8859-2>", "text/html; charset=",
			charset.Result{Name: "iso-8859-2", Basis: "meta"},
		},

		{
			"meta after byte 1,024", far + "<meta charset=iso-8859-2>" + latin, "",
			charset.Result{Name: "iso-8859-2", Basis: "meta"},
		},
		{
			"meta in pragma", fmt.Sprintf(meta, "windows-1250") + latin, "",
			charset.Result{Name: "windows-1250", Basis: "meta"},
		},
		{
			"meta with content first", `<META content='text/html;charset=windows-1250' HTTP-EQUIV=content-type>` + latin, "",
			charset.Result{Name: "windows-1250", Basis: "meta"},
		},
		{
			"meta between slashes", "<meta/charset=windows-1250/>" + latin, "",
			charset.Result{Name: "windows-1250", Basis: "meta"},
		},
		{"content of another meta", `<meta name=description content="charset=koi8-r">` + fmt.Sprintf(meta, "windows-1250") +
			latin, "", charset.Result{Name: "windows-1250", Basis: "meta"}},
		{
			"commented out", "<!-- <meta charset=koi8-r> --><meta charset=windows-1250>" + latin, "",
			charset.Result{Name: "windows-1250", Basis: "meta"},
		},
		{
			"after the shortest comment", "<!--><meta charset=windows-1250>" + latin, "",
			charset.Result{Name: "windows-1250", Basis: "meta"},
		},
		{
			"in a script", "<script>'<meta charset=koi8-r>'</SCRIPT><meta charset=windows-1250>" + latin, "",
			charset.Result{Name: "windows-1250", Basis: "meta"},
		},
		{
			"after a script without end", "<script src=a><meta charset=windows-1250>" + latin, "",
			charset.Result{Name: "windows-1250", Basis: "meta"},
		},
		{
			"in an attribute", `<a title="<meta charset=koi8-r>"><meta charset=windows-1250>` + latin, "",
			charset.Result{Name: "windows-1250", Basis: "meta"},
		},
		{
			"unknown, then known", "<meta charset=foo><meta charset=windows-1250>" + latin, "",
			charset.Result{Name: "windows-1250", Basis: "meta"},
		},
		{
			"impossible, then possible", "<meta charset=utf-8><meta charset=windows-1250>" + latin, "",
			charset.Result{Name: "windows-1250", Basis: "meta"},
		},
		{"meta UTF-16 is UTF-8", "<meta charset=utf-16le>", "", charset.Result{Name: "utf-8", Basis: "meta"}},
		{
			"meta x-user-defined is windows-1252", "<meta charset=x-user-defined>" + latin, "",
			charset.Result{Name: "windows-1252", Basis: "meta"},
		},
		{
			"XML declaration", `<?xml version="1.0" encoding="iso-8859-2"?><a>` + latin, "text/xml",
			charset.Result{Name: "iso-8859-2", Basis: "meta"},
		},
		{
			"XML declaration in single quotes after space", "\n <?xml version='1.0' encoding = 'koi8-r' ?><a>" + latin, "",
			charset.Result{Name: "koi8-r", Basis: "meta"},
		},
		{
			"XML declaration without encoding", `<?xml version="1.0"?><meta charset=koi8-r>` + latin, "",
			charset.Result{Name: "koi8-r", Basis: "meta"},
		},
		{
			"beyond 64 KiB", strings.Repeat("x", 64<<10) + "<meta charset=koi8-r>" + latin, "",
			charset.Result{Name: "windows-1252", Basis: "guess"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := charset.Detect([]byte(tt.body), tt.contentType, charset.Options{}); got != tt.want {
				t.Errorf("Detect(%.60q, %q) = %v, want %v", tt.body, tt.contentType, got, tt.want)
			}
		})
	}
}

func TestDetect_guess(t *testing.T) {
	tests := []struct{ encoding, text string }{
		{"windows-1252", "Où est passé l'été ? La forêt est déjà brûlée, à côté."},
		{"windows-1252", "“It’s not over,” she said — don’t panic"},
		{"windows-1252", "It’s £20 – “fine”, isn’t it? · © 4×4 ½"},
		{"windows-1252", "Español Français Deutsch Português"},
		{"iso-8859-15", "Le cœur de l'été, le bœuf à 20 €"},
		{"windows-1250", "Zażółć gęślą jaźń, proszę, że się śmieję"},
		{"windows-1251", "Съешь ещё этих мягких французских булок"},
		{"koi8-r", "Съешь ещё этих мягких французских булок"},
		{"windows-1253", "Η γρήγορη αλεπού πηδάει πάνω από το τεμπέλικο σκυλί"},
		{"windows-1254", "Şu köşe yaz köşesi, şu köşe kış köşesi, ağaç dışında"},
		{"windows-1255", "דג סקרן שט בים מאוכזב ולפתע מצא חברה"},
		{"windows-1256", "صف خلق خود كمثل الشمس إذ بزغت وقال الكتاب"},
		{"gb18030", "我们今天去公园看书,天气很好"},
		{"big5", "我們今天去公園看書,天氣很好"},
		{"big5", "這個問題在台灣已經討論了很久"},
		{"shift_jis", "今日は天気がいいので公園へ行きます"},
		{"shift_jis", "コンピュータの使い方"},
		{"euc-jp", "今日は天気がいいので公園へ行きます"},
		{"iso-2022-jp", "今日は天気がいいので公園へ行きます"},
		{"euc-kr", "오늘은 날씨가 좋아서 공원에 갑니다"},
	}
	for _, tt := range tests {
		t.Run(tt.encoding, func(t *testing.T) {
			body := "<html><head><style>a{}</style></head><p>" + encode(t, tt.encoding, tt.text) + "</p>"
			want := charset.Result{Name: tt.encoding, Basis: "guess"}
			if got := charset.Detect([]byte(body), "text/html", charset.Options{}); got != want {
				t.Errorf("Detect(%q in %s) = %v, want %v", tt.text, tt.encoding, got, want)
			}
		})
	}
}

// ISO-2022-JP has seven bits. Old pages with that declaration were converted, and browsers detected it.
func TestDetect_notISO2022JP(t *testing.T) {
	const text = "今日は天気がいいので公園へ行きます"
	for _, tt := range []struct{ encoding, contentType, meta, want, basis string }{
		{"shift_jis", "", "<meta charset=iso-2022-jp>", "shift_jis", "guess"},
		{"euc-jp", "", `<meta http-equiv=content-type content="text/html; charset=ISO-2022-JP">`, "euc-jp", "guess"},
		{"shift_jis", "text/html; charset=csiso2022jp", "", "shift_jis", "guess"},
		{"euc-jp", "text/html; charset=iso-2022-jp", "<meta charset=euc-jp>", "euc-jp", "meta"},
		{"iso-2022-jp", "text/html; charset=iso-2022-jp", "", "iso-2022-jp", "header"},
		{"iso-2022-jp", "text/html; charset=iso-2022-jp", "\xA9", "iso-2022-jp", "header"},
	} {
		body := tt.meta + "<p>" + encode(t, tt.encoding, text)
		want := charset.Result{Name: tt.want, Basis: tt.basis}
		if got := charset.Detect([]byte(body), tt.contentType, charset.Options{}); got != want {
			t.Errorf("Detect(%s, %q, %q) = %v, want %v", tt.encoding, tt.contentType, tt.meta, got, want)
		}
	}
	body := "<meta charset=iso-2022-jp><p>words"
	if got := charset.Detect([]byte(body), "", charset.Options{}); got.Name != "iso-2022-jp" {
		t.Errorf("Detect of ASCII = %v", got)
	}
}

func TestDetect_guessPrefersTextToTags(t *testing.T) {
	body := `<img alt="` + strings.Repeat("\xE9\xE8\xE0", 30) + `"><script>"` + strings.Repeat("\xFC\xF6", 50) +
		`"</script><p>` +
		encode(t, "windows-1251", "Съешь ещё этих мягких французских булок")
	want := charset.Result{Name: "windows-1251", Basis: "guess"}
	if got := charset.Detect([]byte(body), "", charset.Options{}); got != want {
		t.Errorf("Detect = %v, want %v", got, want)
	}
	onlyTag := `<meta name=description content="` + encode(t, "windows-1251", "мягких французских булок") + `">`
	if got := charset.Detect([]byte(onlyTag), "", charset.Options{}); got != want {
		t.Errorf("Detect of a page with text in a tag only = %v, want %v", got, want)
	}
}

func TestDetect_noTextIsDefault(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	body := make([]byte, 4096)
	if _, err := random.Read(body); err != nil {
		t.Fatal(err)
	}
	want := charset.Result{Name: "windows-1252", Basis: "default"}
	if got := charset.Detect(body, "", charset.Options{}); got != want {
		t.Errorf("Detect(random bytes) = %v, want %v", got, want)
	}
}

func TestDetect_smallestLimits(t *testing.T) {
	o := charset.Options{MaxPrescan: 1, MaxSample: 1}
	want := charset.Result{Name: "windows-1252", Basis: "guess"}
	if got := charset.Detect([]byte("<meta charset=koi8-r><p>\xE9t\xE9"), "", o); got != want {
		t.Errorf("Detect(…, %+v) = %v, want %v", o, got, want)
	}
}

func TestDecode(t *testing.T) {
	tests := []struct {
		name, body, encoding, want string
		replaced                   bool
	}{
		{"windows-1252", "caf\xE9 \x80 \x93", "windows-1252", "café € “", false},
		{"label of 8859-1", "\x80", "ISO-8859-1", "€", false},
		{"gb18030 with four bytes", "\xD6\xD0\x81\x30\x84\x36", "gb18030", "中¥", false},
		{"gbk's euro", "\x80", "gbk", "€", false},
		{"shift_jis", "\x93\xFA\x96\x7B", "shift_jis", "日本", false},
		{"iso-2022-jp, whose bytes are ASCII", "\x1B$BF|K\\\x1B(B", "iso-2022-jp", "日本", false},
		{"UTF-16LE with mark", "\xFF\xFEa\x00\xE9\x00", "utf-16le", "aé", false},
		{"UTF-16BE, cut", "\x00a\x00", "utf-16be", "a\uFFFD", true},
		{"UTF-8 with mark", "\xEF\xBB\xBFé", "utf-8", "é", false},
		{"UTF-8 that holds the replacement character", "\uFFFD", "utf-8", "\uFFFD", false},
		{"UTF-8 with a byte of windows-1252", "a\xE9b", "utf-8", "aéb", true},
		{"UTF-8 with half a rune", "a\xE2\x82b", "utf-8", "a\uFFFDb", true},
		{"UTF-8 with half a rune before another", "\xE2\x82\xE2\x82\xAC", "utf-8", "\uFFFD€", true},
		{"UTF-8 with an overlong form", "\xC0\xAF", "utf-8", "\uFFFD\uFFFD", true},
		{"UTF-8 with a surrogate", "\xED\xA0\x80", "utf-8", "\uFFFD\uFFFD\uFFFD", true},
		{"euc-kr with a bad byte", "\xB0\xA1\xFF", "euc-kr", "가\uFFFD", true},
		{"ascii in a legacy encoding", "plain", "big5", "plain", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, replaced, err := charset.Decode([]byte(tt.body), tt.encoding)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want || replaced != tt.replaced {
				t.Errorf("Decode(%q, %q) = %q, %t, want %q, %t", tt.body, tt.encoding, got, replaced, tt.want, tt.replaced)
			}
		})
	}
}

func TestDecode_unknownName(t *testing.T) {
	for _, name := range []string{"", "utf-7", "replacement", "x-user-defined", "nonsense"} {
		if _, _, err := charset.Decode([]byte("x"), name); !errors.Is(err, charset.ErrName) {
			t.Errorf("Decode(…, %q) error = %v, want %v", name, err, charset.ErrName)
		}
	}
}

func TestDecode_doesNotCopyWhatIsUTF8(t *testing.T) {
	body := []byte("\xEF\xBB\xBFdéjà vu")
	text, _, err := charset.Decode(body, "utf-8")
	if err != nil {
		t.Fatal(err)
	}
	if &text[0] != &body[3] {
		t.Error("the text is a copy, want the body's own memory")
	}
}

func TestDecode_ofUTF8DoesNotAllocate(t *testing.T) {
	body := []byte(strings.Repeat("<p class=x>déjà vu, 中文</p>\n", 1000))
	allocs := testing.AllocsPerRun(10, func() {
		r := charset.Detect(body, "text/html", charset.Options{})
		if _, _, err := charset.Decode(body, r.Name); err != nil {
			t.Error(err)
		}
	})
	if allocs != 0 {
		t.Errorf("Detect and Decode allocate %v times, want 0", allocs)
	}
}

func TestDetect_textFarAfterDecides(t *testing.T) {
	text := strings.Repeat("café ", 2000) + strings.Repeat("cœur ", 2000) // this reads the same in windows-1252 for 4 KiB of words
	body := encode(t, "iso-8859-15", text)
	if got := charset.Detect([]byte(body), "", charset.Options{MaxSample: 1 << 20}); got.Name != "iso-8859-15" {
		t.Errorf("Detect = %v, want iso-8859-15", got)
	}
}

func ExampleDetect() {
	body := []byte("<meta charset=gb2312><p>\xC4\xE3\xBA\xC3")
	r := charset.Detect(body, "text/html", charset.Options{})
	text, replaced, err := charset.Decode(body, r.Name)
	fmt.Printf("%s %s %s %t %v\n", r.Name, r.Basis, text[len(text)-6:], replaced, err)
	// Output: gb18030 meta 你好 false <nil>
}

// TestRead compares with Detect and Decode.
func TestRead(t *testing.T) {
	twice := strings.Repeat("<p>cafÃ© sÃ£o ", 9)
	for _, body := range []string{
		"", "plain", "caf\xC3\xA9", "\xEF\xBB\xBFcaf\xC3\xA9", "\xEF\xBB\xBF\xEF\xBB\xBFa", "caf\xE9",
		"caf\xC3\xA9\xE2", twice,
		"\xEF\xBB\xBF" + twice, twice + "\xFF", "<meta charset=koi8-r>plain", "<meta charset=utf-7>plain",
		"\x1B$B\x1B(B", "\xFF\xFEa\x00",
		"<\x00?\x00x\x00m\x00", strings.Repeat("caf\xC3\xA9 ", 2000) + "\xE9", "\xFF\xFE\x00\x00a\x00\x00\x00", "a\x00b",
	} {
		for _, contentType := range []string{"", "text/html; charset=utf-8", "text/html; charset=gbk", "a; charset=utf-16"} {
			r := charset.Detect([]byte(body), contentType, charset.Options{})
			want, _, err := charset.Decode([]byte(body), r.Name)
			if err != nil {
				t.Fatal(err)
			}
			text, got, err := charset.Read([]byte(body), contentType, charset.Options{})
			if got != r || err != nil || !bytes.Equal(text, want) {
				t.Errorf("Read(%.20q, %q) = %.20q, %v, %v, want %.20q, %v", body, contentType, text, got, err, want, r)
			}
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, body := range []string{
		"", "\xEF\xBB\xBF", "\xFF\xFE", "<\x00?\x00x\x00m\x00", "caf\xC3\xA9\xE2", "caf\xE9", "<meta charset=",
		"<meta charset='a", "<!--",
		"<script><meta content=\"charset=x\" http-equiv=content-type>", "<?xml encoding=", "</", "<a =b = \"", "\x1B$B\x1B(B",
		"\x81\x30\x81",
		encode(f, "shift_jis", "今日は"), encode(f, "koi8-r", "Съешь ещё"), "<meta charset=utf-16><meta charset=gbk>\xD6\xD0",
	} {
		f.Add([]byte(body), "text/html; charset=x; charset=\"utf-8\"")
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		r := charset.Detect(body, contentType, charset.Options{})
		if again := charset.Detect(body, contentType, charset.Options{}); again != r {
			t.Errorf("Detect = %v, then %v", r, again)
		}
		text, replaced, err := charset.Decode(body, r.Name)
		if err != nil {
			t.Fatalf("Decode of what Detect returned, %v: %v", r, err)
		}
		if both, read, err := charset.Read(body, contentType, charset.Options{}); read != r || err != nil ||
			!bytes.Equal(both, text) {
			t.Errorf("Read = %q, %v, %v, want %q, %v", both, read, err, text, r)
		}
		if !utf8.Valid(text) {
			t.Errorf("Decode(…, %q) is not UTF-8", r.Name)
		}
		if len(text) > 3*len(body)+utf8.UTFMax {
			t.Errorf("Decode(…, %q) made %d bytes of %d", r.Name, len(text), len(body))
		}
		if replaced && !bytes.Contains(text, []byte("\uFFFD")) {
			t.Error("replaced without a replacement")
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	filler := strings.Repeat("<div class=\"row\"><a href=\"/about/us.html\">plain words stand here</a></div>\n", 1000)
	for _, bm := range []struct{ name, body string }{
		{"utf-8", strings.Repeat(filler[:2000]+"<p>déjà vu – 中文</p>", 40)},
		{"ascii without declaration", filler},
		{"meta", "<meta charset=gb2312>" + filler + encode(b, "gb18030", "我们今天去公园看书")},
		{"guess", filler + strings.Repeat("<p>"+encode(b, "windows-1251", "Съешь ещё этих мягких французских булок")+"</p>",
			300)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			body := []byte(bm.body)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				charset.Detect(body, "text/html", charset.Options{})
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	markup := strings.Repeat("<div class=\"row\"><a href=\"/about/us.html\">", 3)
	for _, bm := range []struct{ name, text string }{
		{"windows-1252", strings.Repeat("plain words and a café\n", 5000)},
		{"windows-1251", strings.Repeat(markup+"Съешь ещё этих мягких французских булок\n", 1000)},
		{"gb18030", strings.Repeat(markup+"我们今天去公园看书 plain words\n", 1000)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			body := []byte(encode(b, bm.name, bm.text))
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := charset.Decode(body, bm.name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPage measures everything that is done for a page: Detect and Decode.
func BenchmarkPage(b *testing.B) {
	markup := strings.Repeat("<div class=\"row\"><a href=\"/about/us.html\">plain words stand here</a></div>\n", 25)
	chinese := "<p>我们今天去公园看书,天气很好。我们今天去公园看书,天气很好。</p>\n"
	russian := encode(b, "windows-1251", "<p>Съешь ещё этих мягких французских булок, да выпей чаю</p>\n")
	for _, bm := range []struct{ name, body string }{
		{"ASCII", strings.Repeat(markup, 40)},
		{"UTF-8, mostly ASCII", strings.Repeat(markup+"<p>déjà vu – 中文</p>", 40)},
		{"UTF-8, Chinese with markup", strings.Repeat(markup[:500]+chinese, 100)},
		{"UTF-8, Chinese alone", strings.Repeat(chinese, 1000)},
		{"undeclared windows-1251", strings.Repeat(markup[:500]+russian, 150)},
		{"undeclared windows-1252", strings.Repeat(markup+"<p>d\xE9j\xE0 vu \x96</p>", 40)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			body := []byte(bm.body)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				r := charset.Detect(body, "text/html", charset.Options{})
				if _, _, err := charset.Decode(body, r.Name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
