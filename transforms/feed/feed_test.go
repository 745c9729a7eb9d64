package feed

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/gleaner-web/gleaner/schemas"
)

const rss = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Example News</title><link>http://news.example/</link>
<item><title>Bridge</title><pubDate>Mon, 10 Mar 2014 08:00:00 GMT</pubDate></item>
<item><title>Museum</title><pubDate>Tue, 11 Mar 2014 09:00:00 +0100</pubDate></item></channel></rss>`

var rssInfo = &schemas.FeedInfo{
	Type: "rss", Title: "Example News", Link: "http://news.example/", Items: 2,
	Newest: "2014-03-11T08:00:00Z",
}

func TestParse_formats(t *testing.T) {
	tests := []struct {
		name, body string
		want       *schemas.FeedInfo
	}{
		{"RSS 2.0", rss, rssInfo},
		{
			"RSS 0.91 with Dublin Core dates", `<!DOCTYPE rss SYSTEM "rss-0.91.dtd"><rss version="0.91"><channel><title>A</title><item><dc:date xmlns:dc="http://purl.org/dc/elements/1.1/">2014-03-11T08:00Z</dc:date></item></channel></rss>`,
			&schemas.FeedInfo{Type: "rss", Title: "A", Items: 1, Newest: "2014-03-11T08:00:00Z"},
		},
		{
			"RSS 1.0", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>R</title><link>http://r.example/</link></channel><item><title>x</title></item></rdf:RDF>`,
			&schemas.FeedInfo{Type: "rdf", Title: "R", Link: "http://r.example/", Items: 1},
		},
		{
			"Atom 1.0", `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A &amp;lt;b&gt;c&lt;/b&gt; &amp;amp; d</title><link href="http://a.example/"/><updated>2014-01-01T00:00:00Z</updated><entry><updated>2014-03-10T08:00:00-05:00</updated></entry></feed>`,
			&schemas.FeedInfo{
				Type: "atom", Title: "A <b>c & d", Link: "http://a.example/", Items: 1,
				Newest: "2014-03-10T13:00:00Z",
			},
		},
		{
			"Atom 0.3", `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title><modified>2004-01-01T19:48:21Z</modified></feed>`,
			&schemas.FeedInfo{Type: "atom", Title: "Old", Newest: "2004-01-01T19:48:21Z"},
		},
		{
			"JSON Feed", `{"version":"https://jsonfeed.org/version/1.1","title":"J","home_page_url":"https://j.example/","items":[{"id":"1","date_published":"2020-05-01T10:00:00+02:00"},{"id":"2"}]}`,
			&schemas.FeedInfo{Type: "json", Title: "J", Link: "https://j.example/", Items: 2, Newest: "2020-05-01T08:00:00Z"},
		},
		{
			"JSON Feed cut", `{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1"},{"id":"2","ti`,
			&schemas.FeedInfo{Type: "json", Title: "J", Items: 2},
		},
		{
			"CDF", `<CHANNEL HREF="http://c.example/"><TITLE>C</TITLE><ITEM><TITLE>x</TITLE></ITEM></CHANNEL>`,
			&schemas.FeedInfo{Type: "cdf", Title: "C", Link: "http://c.example/", Items: 1},
		},
		{
			"date out of range", `<rss><channel><item><pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate></item></channel></rss>`,
			&schemas.FeedInfo{Type: "rss", Items: 1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { parses(t, []byte(tt.body), "", tt.want) })
	}
}

func parses(t *testing.T, body []byte, mime string, want *schemas.FeedInfo) {
	t.Helper()
	got, err := Parse(body, mime, "", Options{})
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Parse (-want +got):\n%s", diff)
	}
}

func TestParse_repairs(t *testing.T) {
	tests := []struct{ name, old, new string }{
		{"blank lines first", "<?xml", "\r\n\n\t<?xml"},
		{"UTF-8 BOM twice", "<?xml", "\ufeff\ufeff<?xml"},
		{"PHP warning first", "<?xml", "<br />\n<b>Warning</b>: mysql_connect() in <b>/db.php</b> on line <b>3</b><br />\n" +
			"<?xml"},
		{"long comment first", "<rss", "<!--" + strings.Repeat(" long", 2000) + "--><rss"},
		{"entity declarations", "<rss", `<!DOCTYPE rss [<!ENTITY x "y>">]><rss`},
		{"undefined entity", "</item>", "<description>&nbsp;&foo; &eacute;</description></item>"},
		{"stray ampersands", "<link>", "<description>a & b &c d&</description><link>"},
		{"stray less than", "<link>", "<description>1 < 2 <3 </description><link>"},
		{"control characters", "</item>", "<description>\x01\x0b&#1;&#0;\ufffe</description></item>"},
		{"tag left open", "<link>", "<description><p>one<br>two</description><link>"},
		{"tag that closes nothing", "<link>", "</b></description><link>"},
		{"item left open", "</item>\n<item>", "<item>"},
		{"undeclared namespace", "</item>", `<media:content url="x"><itunes:author>y</itunes:author></media:content></item>`},
		{"bad attributes", "<item>", `<item a=1 b="x & <y>" "c" =d e e='"'>`},
		{"quote never closed", "<link>", `<x y="><link>`},
		{"CDATA never closed", "</channel></rss>", "<description><![CDATA[ more"},
		{"cut in a tag", "</channel></rss>", "<descr"},
		{"cut in an attribute", "</channel></rss>", `<a b="c`},
		{"case of end tags", "</item>", "</ITEM>"},
		{"doctype inside", "<link>", "<!DOCTYPE html><link>"},
		{"text behind the root", "</rss>", "</rss><!-- 0.2 s --><script>x</script> & "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := strings.Replace(rss, tt.old, tt.new, 1)
			if body == rss {
				t.Fatalf("%q is not in the feed", tt.old)
			}
			want := *rssInfo
			if tt.name == "quote never closed" { // it swallows the link's tag, and nothing more
				want.Link = ""
			}
			parses(t, []byte(body), "", &want)
		})
	}
}

func TestParse_encodings(t *testing.T) {
	const text = `<?xml version="1.0"%s?><rss><channel><title>%s</title></channel></rss>`
	tests := []struct {
		name, declared, mime, title string
		enc                         encoding.Encoding
	}{
		{"windows-1252", "windows-1252", "", "café “quoted”", charmap.Windows1252},
		{"latin 1 that is windows-1252", "ISO-8859-1", "", "“quoted”", charmap.Windows1252},
		{"declaration before media type", "koi8-r", "text/xml; charset=iso-8859-1", "новости", charmap.KOI8R},
		{"media type before declaration", "iso-8859-5", "text/xml; charset=koi8-r", "новости", charmap.KOI8R},
		{
			"UTF-8 declared as a one-byte encoding", "iso-8859-1", "text/xml; charset=windows-1251", "новости дня",
			unicode.UTF8,
		},
		{"UTF-8 of a server for GB2312", "utf-8", "text/xml; charset=gb2312", "最新新闻报道", unicode.UTF8},
		{"UTF-8 declared as GBK", "GBK", "", "最新新闻报道", unicode.UTF8},
		{"UTF-8 declared as Big5 twice", "big5", "text/xml; charset=Big5", "最新新聞報導", unicode.UTF8},
		{"UTF-8 declared as Shift_JIS", "Shift_JIS", "", "日本語ニュース", unicode.UTF8},
		{"UTF-8 declared as EUC-KR", "euc-kr", "", "새 소식", unicode.UTF8},
		{"UTF-8 declared as ISO-2022-JP", "iso-2022-jp", "", "日本語ニュース", unicode.UTF8},
		{"GB2312 of a server for UTF-8", "gb2312", "text/xml; charset=utf-8", "最新新闻报道", simplifiedchinese.GBK},
		{"ISO-2022-JP", "iso-2022-jp", "", "日本語ニュース", japanese.ISO2022JP},
		{"nothing declared, letters of Russian", "", "", "Последние новости нашего города и области", charmap.KOI8R},
		{"name with an underscore", "EUC_JP", "", "日本語ニュース", japanese.EUCJP},
		{"media type alone", "", `application/rss+xml; charset="koi8-r"`, "новости", charmap.KOI8R},
		{"nothing declared", "", "", "café", charmap.Windows1252},
		{"UTF-8 declared, windows-1252", "utf-8", "", "café “quoted”", charmap.Windows1252},
		{"unknown name", "x-no-such", "", "café", charmap.Windows1252},
		{"DOS", "cp437", "", "café", charmap.CodePage437},
		{"EBCDIC", "cp037", "", "café", charmap.CodePage037},
		{"Shift_JIS", "shift_jis", "", "日本語ニュース", japanese.ShiftJIS},
		{"UTF-16LE with mark", "utf-16", "", "日本", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)},
		{"UTF-16BE without mark", "utf-16", "", "日本", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
		{"UTF-32BE with mark", "utf-32", "", "日本", utf32.UTF32(utf32.BigEndian, utf32.UseBOM)},
		{"UTF-32LE without mark", "ucs-4", "", "日本", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
		{"UTF-16 declared, UTF-8", "utf-16", "", "日本", unicode.UTF8},
		{"UTF-8 mark, latin 1 declared", "iso-8859-1", "", "日本", unicode.UTF8BOM},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			decl := ""
			if tt.declared != "" {
				decl = fmt.Sprintf(" encoding='%s'", tt.declared)
			}
			body, err := tt.enc.NewEncoder().Bytes(fmt.Appendf(nil, text, decl, tt.title))
			if err != nil {
				t.Fatal(err)
			}
			parses(t, body, tt.mime, &schemas.FeedInfo{Type: "rss", Title: tt.title})
		})
	}
}

// TestRead_visualHebrew: feeds in visual order are turned around like pages, and the tags in their texts stay whole.
func TestRead_visualHebrew(t *testing.T) {
	for _, tt := range []struct{ name, declared, mime, text, title, description string }{
		{"a title", " encoding='iso-8859-8'", "", "<title>םולש</title>", "שלום", ""},
		{"an alias", ` encoding="ISO_8859-8:1988"`, "", "<title>םולש</title>", "שלום", ""},
		{"a media type", "", "text/xml; charset=visual", "<title>םולש</title>", "שלום", ""},
		{
			"nothing declared", "", "", "<title>הרבח אצמ עתפלו בזכואמ םיב טש ןרקס גד</title>",
			"דג סקרן שט בים מאוכזב ולפתע מצא חברה", "",
		},
		{"logical order", " encoding='iso-8859-8'", "", "<title>שלום</title>", "שלום", ""},
		{"declared logical order", " encoding='iso-8859-8-i'", "", "<title>םולש</title>", "םולש", ""},
		{"signs of Windows", " encoding='iso-8859-8'", "", "<title>ןתנ \u2013 םולש</title>", "שלום \u2013 נתן", ""},
		{"signs in logical order", " encoding='iso-8859-8-i'", "", "<title>₪ \u2013 שלום</title>", "₪ \u2013 שלום", ""},
		{"CDATA", " encoding='iso-8859-8'", "", "<title><![CDATA[.םולע םולש]]></title>", "שלום עלום.", ""},
		{
			"tags in CDATA", " encoding='iso-8859-8'", "",
			"<description><![CDATA[<p class=a>.םולש</p>]]></description>", "", "<p class=a>שלום.</p>",
		},
		{
			"escaped tags", " encoding='iso-8859-8'", "",
			"<description>&lt;p class=a&gt;.םולש&lt;/p&gt;</description>", "", "<p class=a>שלום.</p>",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			feed := "<?xml version='1.0'" + tt.declared + "?><rss><channel>" + tt.text + "</channel></rss>"
			body, err := charmap.Windows1255.NewEncoder().Bytes([]byte(feed))
			if err != nil {
				t.Fatal(err)
			}
			f, err := Read(body, tt.mime, "", Options{})
			if err != nil || f.Title != tt.title || f.Description != tt.description {
				t.Errorf("%+v, %v, want the title %q and the description %q", f, err, tt.title, tt.description)
			}
		})
	}
}

// TestRead_visualOutline: lists of feeds have their names in attributes.
func TestRead_visualOutline(t *testing.T) {
	list := "<?xml version='1.0' encoding='iso-8859-8'?><opml><head><title>םולש</title></head><body>" +
		"<outline text='םיבוט םימי' xmlUrl='http://a.example/'/></body></opml>"
	body, err := charmap.Windows1255.NewEncoder().Bytes([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(body, "", "", Options{})
	if err != nil || f.Title != "שלום" || len(f.Announced) != 1 || f.Announced[0].Title != "ימים טובים" {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestParse_cutUTF8: a body that ends within a character, or has a wrong byte, is UTF-8 all the same.
func TestParse_cutUTF8(t *testing.T) {
	const head = `<?xml version="1.0" encoding="gb2312"?><rss><channel><title>最新</title><description>新闻`
	whole := "</description></channel></rss>" + strings.Repeat("报道", 1000)
	for _, body := range []string{head + "\xe6\x8a", head + "\xff" + whole} {
		f, err := Read([]byte(body), "text/xml; charset=gb2312", "", Options{})
		if err != nil || f.Title != "最新" {
			t.Errorf("title of a feed of %d bytes: %+v, %v", len(body), f, err)
		}
	}
}

// TestParse_wrongBytes: a feed in UTF-8 with some wrong bytes is read as such, declared or not.
func TestParse_wrongBytes(t *testing.T) {
	for _, head := range []string{`<?xml version="1.0" encoding="utf-8"?>`, `<?xml version="1.0"?>`, ""} {
		for body, want := range map[string]string{
			"Caf\xe9 déjà vu – “new”":      "Café déjà vu – “new”",
			"Robert Harris\x92s naïve Zoë": "Robert Harris’s naïve Zoë",
			"Мост закрыт\x97 до конца":     "Мост закрыт— до конца",
			"橋は閉鎖\xe3\x81 されます":            "橋は閉鎖\uFFFD されます",
		} {
			f, err := Read([]byte(head+"<rss><channel><title>"+body+"</title></channel></rss>"), "text/xml", "", Options{})
			if err != nil || f.Title != want {
				t.Errorf("title of %q: %q, %v, want %q", head+body, f.Title, err, want)
			}
		}
	}
	const body = "<rss><channel><title>caf\xe9 d\xe9j\xe0 vu \xe0 l'\xe9t\xe9</title></channel></rss>"
	f, err := Read([]byte(body), "text/xml", "", Options{})
	if err != nil || f.Title != "café déjà vu à l'été" {
		t.Errorf("title of Latin-1: %q, %v", f.Title, err)
	}
}

func TestParse_notFeeds(t *testing.T) {
	for _, body := range []string{
		"", "   ", "text", "{", "{}", `{"version":"2.0","items":[]}`, "[1]", "<", "<>", "<rss", "<!--", "<?xml",
		`<!DOCTYPE html><html><body><rss></rss></body></html>`, `<svg><feed/></svg>`,
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:foaf="http://xmlns.com/foaf/0.1/"><foaf:Person/></rdf:RDF>`,
		`<feed xmlns="http://example.com/cattle"><name>hay</name></feed>`,
	} {
		if info, err := Parse([]byte(body), "application/rss+xml", "", Options{}); !errors.Is(err, ErrFormat) {
			t.Errorf("Parse(%q) = %+v, %v, want ErrFormat", body, info, err)
		}
	}
}

func TestParse_limits(t *testing.T) {
	items := strings.Repeat("<item><title>x</title></item>", 10)
	cut := "<rss><channel><title>T</title>" + items
	info, err := Parse([]byte(cut+"</channel></rss>"), "", "", Options{MaxBytes: len(cut) - len("</title></item>")})
	if err != nil || info.Items != 10 {
		t.Errorf("cut at MaxBytes: %+v, %v, want 10 items", info, err)
	}
	deep := "<rss><channel><title>T</title><description>" + strings.Repeat("<b>", 100_000) + "</description>" + items +
		"</channel></rss>"
	if info, err := Parse([]byte(deep), "", "", Options{}); err != nil || info.Items != 10 {
		t.Errorf("deep: %+v, %v, want 10 items", info, err)
	}
	if info, err := Parse([]byte(cut+"</channel></rss>"), "", "", Options{MaxElements: 9}); err != nil || info.Items != 3 {
		t.Errorf("9 elements: %+v, %v, want 3 items", info, err)
	}
	many := `{"version":"https://jsonfeed.org/version/1","items":[{},{},{},{}]}`
	if info, err := Parse([]byte(many), "", "", Options{MaxElements: 3}); err != nil || info.Items != 2 {
		t.Errorf("3 objects: %+v, %v, want 2 items", info, err)
	}
	long := "<rss><channel><title>" + strings.Repeat("é", 3000) + "</title></channel></rss>"
	if info, err := Parse([]byte(long), "", "", Options{MaxTextBytes: 101}); err != nil ||
		info.Title != strings.Repeat("é", 50) {
		t.Errorf("long title: %+v, %v, want 50 letters", info, err)
	}
}

// Each of these made some parser quadratic. If one made ours quadratic, the test would take a minute.
func TestParse_hostile(t *testing.T) {
	const size = 1 << 20
	for _, unit := range []string{
		"<a>", "<a ", `<a "`, `<a "<b'`, "</a>", "<!--", "<![CDATA[", "<?", "<!a", "<!a [", "&", "&amp", "&#x", "<a b='", "<",
		"</",
		"<item>", "<item", `<a xmlns:a="b">`, `<a xmlns:a="b"/>`, "<title>x</title>", "\x00", "\xff", "]]>",
	} {
		body := repeat("<rss><channel>", unit, size)
		if info, err := Parse(body, "", "", Options{}); err == nil && info.Type != "rss" {
			t.Errorf("repeated %q: type %q", unit, info.Type)
		}
		if _, err := Parse(repeat("", unit, size), "", "", Options{}); err == nil {
			t.Errorf("repeated %q is a feed", unit)
		}
	}
	bindings := "<rss " + strings.Repeat(`xmlns:a="b" `, 40_000) + ">" + strings.Repeat(`<a xmlns:b="c"/>`, 20_000)
	if _, err := Parse([]byte(bindings), "", "", Options{}); err != nil {
		t.Errorf("many namespaces: %v", err)
	}
	arrays := repeat(`{"version":"https://jsonfeed.org/version/1","items":`, "[", size)
	if info, err := Parse(arrays, "", "", Options{}); err == nil && info.Items > 0 {
		t.Error("arrays in arrays are a JSON Feed's items")
	}
}

func repeat(head, unit string, size int) []byte {
	return []byte(head + strings.Repeat(unit, size/len(unit)))
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(rss), "text/xml; charset=utf-8")
	f.Add([]byte("<br><rss><channel><item a=1 <b>&nbsp;&x & <![CDATA[x"), "")
	f.Add([]byte(`{"version":"https://jsonfeed.org/version/1","items":[{"id":1,"tags":[2]}],}`), "")
	f.Add([]byte("\xff\xfe<\x00r\x00s\x00s\x00>\x00"), "")
	f.Add([]byte(`<a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:base="/x" xml:lang="de"><a:entry/><a:title type="xhtml"><div>x`), "")
	f.Add([]byte(`<!DOCTYPE opml [<!ENTITY a "b">]><opml><outline xmlUrl="http://&a;/"/><outline xmlUrl='feed:http://b/`),
		"")
	f.Add([]byte(`<urlset><url><loc>https://a.example/</loc><news:news><news:publication><news:name>x</news:name>`), "")
	f.Add([]byte(`<CHANNEL HREF="http://a/" LASTMOD="1999-02-01"><ITEM HREF="b"/><ITEM>`), "text/xml; charset=koi8-r")
	f.Fuzz(func(t *testing.T, body []byte, mime string) {
		o := Options{}.withDefaults()
		got, err := Read(body, mime, captureURL, Options{})
		again, _ := Read(body, mime, captureURL, Options{})
		if diff := cmp.Diff(got, again); diff != "" {
			t.Fatalf("not deterministic: %s", diff)
		}
		if err != nil {
			return
		}
		if got.Format == "" || len(got.Title) > o.MaxTextBytes || len(got.Items) > o.MaxItems {
			t.Fatalf("Read = %+v", got)
		}
		for _, r := range Rows(captureOf(), got) {
			if len(r.Items) > maxRowItems || r.Count < len(r.Items) || r.URL == "" {
				t.Fatalf("row %+v", r)
			}
			for _, it := range r.Items {
				if !utf8.ValidString(it.Title + it.URL + it.ID) {
					t.Fatalf("item that is not UTF-8: %+q", it)
				}
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	item := `<item><title>The bridge &amp; the ferry</title><link>https://news.example/2014/03/bridge</link><guid isPermaLink="false">n-17</guid>
<pubDate>Mon, 10 Mar 2014 08:00:00 +0100</pubDate><dc:creator>Ada Gull</dc:creator><category>Bridges</category>
<description><![CDATA[<p>` + strings.Repeat("The bridge opens at noon. ", 40) + `</p>]]></description></item>`
	sound := []byte(strings.Replace(rss, "<item>", strings.Repeat(item, 50)+"<item>", 1))
	cases := []struct {
		name string
		body []byte
	}{{"sound", sound}, {"broken", bytes.ReplaceAll(sound, []byte("</title>"), nil)}}
	for _, bb := range cases {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(bb.body, "", captureURL, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
