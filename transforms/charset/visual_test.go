package charset_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/charset"
)

// Hebrew pages of the 1990s are drawn from left to right, and some that say so are not.
func TestDecode_visualHebrew(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"a word", "םולש", "שלום"},
		{"a sentence", "<p>.םלוע םולש</p>", "<p>שלום עולם.</p>"},
		{"lines", "<p align=right>\r\nםולש<br>\r\n םיבוט םימי \r\n", "<p align=right>\r\nשלום<br>\r\n ימים טובים \r\n"},
		{"a number", "<b>1998 תנשב םיפוליח</b>", "<b>חילופים בשנת 1998</b>"},
		{"English", "Netscape Navigator 3.0 םע ןכדעל", "לעדכן עם Netscape Navigator 3.0"},
		{"brackets", "[א] (Java תפש) םיפד", "דפים (שפת Java) [א]"},
		{"references", "&quot;םולש&quot;&nbsp;רמא ןתנ", "נתן אמר&nbsp;&quot;שלום&quot;"},
		{"an attribute", `<img alt="םולש רעש" src="םולש.gif">`, `<img alt="שער שלום" src="םולש.gif">`},
		{"a bare attribute", `<img src=a.gif title=םולש>`, `<img src=a.gif title=שלום>`},
		{
			"a description", `<meta name="description" content='םיפוליח'><title>ףוס</title>`,
			`<meta name="description" content='חילופים'><title>סוף</title>`,
		},
		{"comments and scripts", "<!-- םולש --><script>a='םולש'</script>ףוס", "<!-- םולש --><script>a='םולש'</script>סוף"},
		{"CDATA", "<?xml?><a><![CDATA[םולש <b>.ףוס]]></a>", "<?xml?><a><![CDATA[שלום <b>סוף.]]></a>"},
		{"escaped tags", "<rss>&lt;p class=a&gt;.ףוס &lt;br/&gt;םולש", "<rss>&lt;p class=a&gt;סוף. &lt;br/&gt;שלום"},
		{"an escaped tag that does not end", "<feed>&lt;p ףוס<b>םולש", "<feed>&lt;סוף p<b>שלום"},
		{"names of feeds", `<opml><outline text="םולש"/>`, `<opml><outline text="שלום"/>`},
		{"a tag that does not end", "םולש<img alt=\"םולש", "שלום<img alt=\"שלום"},
		{"logical all the same", "<p>שלום עולם, ימים טובים</p>", "<p>שלום עולם, ימים טובים</p>"},
		{"not known", "<p>אבג</p>", "<p>אבג</p>"},
		{"no Hebrew", "<p>peace \u00A9</p>", "<p>peace \u00A9</p>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := encode(t, "iso-8859-8-i", tt.body)
			for _, label := range []string{"iso-8859-8", "visual", "hebrew", "csisolatinhebrew", "iso-8859-8-e"} {
				r := charset.Detect([]byte(body), "text/html; charset="+label, charset.Options{})
				got, replaced, err := charset.Decode([]byte(body), r.Name)
				if err != nil || string(got) != tt.want || replaced {
					t.Errorf("Decode(%q, %s) = %q, %t, %v, want %q", tt.body, label, got, replaced, err, tt.want)
				}
			}
			// Other encodings of Hebrew are in logical order.
			for _, label := range []string{"iso-8859-8-i", "logical"} {
				if got, _, _ := charset.Decode([]byte(body), label); string(got) != tt.body {
					t.Errorf("Decode(%q, %s) = %q, want it unchanged", tt.body, label, got)
				}
			}
		})
	}
}

// Pages without a declaration were read in any order.
func TestDetect_visualHebrew(t *testing.T) {
	for text, want := range map[string]string{
		"<p>.הרבח אצמ עתפלו בזכואמ םיב טש ןרקס גד":        "iso-8859-8",
		"<p>דג סקרן שט בים מאוכזב ולפתע מצא חברה":         "windows-1255",
		"<title>םיימואל םיגח</title><p>םירופ ,תוכוס ,חספ": "iso-8859-8",
		"<title>חגים לאומיים</title><p>פסח, סוכות, פורים": "windows-1255",
	} {
		if got := charset.Detect([]byte(encode(t, "windows-1255", text)), "text/html", charset.Options{}); got.Name != want {
			t.Errorf("Detect(%q) = %v, want %s", text, got, want)
		}
	}
}

// Editors of Windows wrote its signs and points also into pages in visual order, whatever their declaration.
func TestDecode_visualHebrewSigns(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"quotes and dash", "<p>\u201Cםולש םלוע\u201D \u2013 50 ןתנ", "<p>נתן 50 \u2013 \u201Dעולם שלום\u201C"},
		{"the shekel", "<p>₪ 50 קר םולש", "<p>שלום רק 50 ₪"},
		{"the euro", "<p>€ 50 קר םולש", "<p>שלום רק 50 €"},
		{"an ellipsis", "<p>\u2026םיבוט םימי", "<p>ימים טובים\u2026"},
		{"a bullet", "<p>םיבוט םימי \u2022", "<p>\u2022 ימים טובים"},
		{"an apostrophe", "<p>םידליה לש \u2019גרו\u2019ג", "<p>ג\u2019ורג\u2019 של הילדים"},
		{"two letters in one", "<p>הרבח אצמ עתפלו \u05F0 ןרקס גד", "<p>דג סקרן \u05F0 ולפתע מצא חברה"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := []byte(encode(t, "windows-1255", tt.body))
			for _, contentType := range []string{"text/html", "text/html; charset=iso-8859-8"} {
				r := charset.Detect(body, contentType, charset.Options{})
				got, replaced, err := charset.Decode(body, r.Name)
				if r.Name != "iso-8859-8" || err != nil || string(got) != tt.want || replaced {
					t.Errorf("%s: Decode = %q as %v, %t, %v, want %q", contentType, got, r, replaced, err, tt.want)
				}
			}
			if got := charset.InVisualOrder(body); string(got) != tt.body {
				t.Errorf("InVisualOrder = %q, want %q", got, tt.body)
			}
			if got, _, _ := charset.Decode(body, "iso-8859-8-i"); string(got) != tt.body {
				t.Errorf("Decode in logical order = %q, want %q", got, tt.body)
			}
		})
	}
}

func TestIsVisual(t *testing.T) {
	for _, tt := range []struct {
		text, name string
		want       bool
	}{
		{"םולש", "iso-8859-8", true},
		{"םולש", "visual", true},
		{"שלום", "iso-8859-8", false},
		{"םולש", "windows-1255", false},
		{"ם ן ף", "iso-8859-8", false},
	} {
		if got := charset.IsVisual([]byte(encode(t, "windows-1255", tt.text)), tt.name); got != tt.want {
			t.Errorf("IsVisual(%q, %s) = %t, want %t", tt.text, tt.name, got, tt.want)
		}
	}
	if got := charset.InVisualOrder([]byte(encode(t, "windows-1255", "<b>םולש"))); string(got) != "<b>םולש" {
		t.Errorf("InVisualOrder = %q", got)
	}
}

// Any bytes keep their number of characters, and long lines take linear time.
func FuzzDecode_visualHebrew(f *testing.F) {
	for _, s := range []string{
		"<a title=\xED\xE5\xEC\xF9>\xED\xE5\xEC\xF9 (a) 1&amp;", "\xED\xE0<", "\xED\xE0<!--", "\xED\xE0<a ='", "\xED\xE0&#12",
		"<?xml?>\xED\xE0&lt;b&gt;]]><![CDATA[\xED\xE0]]>&lt;a", strings.Repeat("<rss>&lt;a\xED\xE0", 10000),
		strings.Repeat("\xED\xE0 a1", 30000), strings.Repeat("<a \xED\xE0=", 10000), strings.Repeat("a \xED", 30000),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		text, _, err := charset.Decode(body, "iso-8859-8")
		if err != nil || len(body) > 0 && len(text) == 0 || len(text) > 3*len(body) {
			t.Errorf("Decode of %d bytes = %d bytes, %v", len(body), len(text), err)
		}
	})
}
