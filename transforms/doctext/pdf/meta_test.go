package pdf

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

func TestDate(t *testing.T) {
	for in, want := range map[string]string{
		"D:20200102030405+01'30'":   "2020-01-02T03:04:05+01:30",
		"D:20200102030405-08'00":    "2020-01-02T03:04:05-08:00",
		"D:20200102030405+02":       "2020-01-02T03:04:05+02:00",
		"D:20200102030405Z":         "2020-01-02T03:04:05Z",
		"D:20200102030405Z00'00'":   "2020-01-02T03:04:05Z",
		"D:20200102030405-00'00'":   "2020-01-02T03:04:05Z",
		"D:20200102030405":          "2020-01-02",
		"20200102":                  "2020-01-02",
		"D:2020":                    "2020-01-01",
		"2020-01-02T03:04:05+01:00": "2020-01-02T03:04:05+01:00",
		"2020-01-02T03:04Z":         "2020-01-02T03:04:00Z",
		"2020-01-02":                "2020-01-02",
		"2020-01-02T03:04:05":       "2020-01-02",
		"D:20201302030405Z":         "",
		"D:20200102030405+99'00'":   "2020-01-02",
		"D:202":                     "",
		"last Monday":               "",
		"":                          "",
	} {
		if got := date(in); got != want {
			t.Errorf("date(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTextString(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                               "plain",
		"\x80 \x93fi\xe9":                     "• ﬁfié",
		"\xfe\xff\x00A\x26\x03":               "A☃",
		"\xff\xfeA\x00\x03\x26":               "A☃",
		"\xfe\xff\x00\x1be\x00\x00\x1b\x00A":  "A",
		"\xef\xbb\xbf\xe2\x98\x83":            "☃",
		"\xef\xbb\xbf\xff":                    "\ufffd",
		"Br\xc3\xbccke \xe2\x80\x93 \xc5\x81": "Brücke – Ł", // UTF-8 without a mark
		"\xd1\xf2\xe0\xf0\xfb\xe9 \xec\xee\xf1\xf2 \xf7\xe5\xf0\xe5\xe7 \xf0\xe5\xea\xf3": "Старый мост через реку",
		"\x8c\xc3\x82\xa2\x8b\xb4\x82\xf0\x8fC\x97\x9d\x82\xb7\x82\xe9\x8cv\x89\xe6":      "古い橋を修理する計画",
		"\xba\xd3\xc9\xcf\xb5\xc4\xc0\xcf\xc7\xc5\xbd\xab\xb9\xd8\xb1\xd5":                "河上的老桥将关闭",
		"\xf9\xec\xe5\xed \xf2\xe5\xec\xed 2019":                                          "שלום עולם 2019",
		"\x80\x80\x80\x80 a":                                                              "•••• a",
		"\xe9t\xe9 \xe0 la mer":                                                           "été à la mer",
		"":                                                                                "",
	} {
		if got := textString(object.String(in)); got != want {
			t.Errorf("textString(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestParseXMP(t *testing.T) {
	const head = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"
		xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><rdf:Description pdf:Producer="P">`
	tests := []struct {
		name, in string
		want     *doctext.Document
	}{
		{"element", head + "<dc:title>T</dc:title>", &doctext.Document{Title: "T", Generator: "P"}},
		{"keywords", head + "<pdf:Keywords>a; b</pdf:Keywords>", &doctext.Document{Tags: []string{"a", "b"}, Generator: "P"}},
		{"cut", head + "<dc:creator><rdf:Seq><rdf:li>A</rdf:li><rdf:li>B", &doctext.Document{
			Authors:   []string{"A", "B"},
			Generator: "P",
		}},
		{"within another property", head + "<dc:x><dc:title>no</dc:title></dc:x>", &doctext.Document{Generator: "P"}},
		{"reserved", head + `<tdm:reservation xmlns:tdm="http://www.w3.org/ns/tdmrep/">1</tdm:reservation>
			<tdm:policy xmlns:tdm="http://www.w3.org/ns/tdmrep/">https://a.example/p</tdm:policy>`, &doctext.Document{
			Generator: "P", Reservation: "1", Policy: "https://a.example/p",
		}},
		{
			"reserved by an attribute",
			`<rdf:RDF xmlns:rdf="` + nsRDF + `"><rdf:Description xmlns:m="` + nsTDM + `#" m:reservation="0"/>`,
			&doctext.Document{Reservation: "0"},
		},
		{"a licence", head + `<cc:license xmlns:cc="http://creativecommons.org/ns#"
			rdf:resource="https://creativecommons.org/licenses/by/4.0/"/>
			<r:WebStatement xmlns:r="http://ns.adobe.com/xap/1.0/rights/">https://a.example/l</r:WebStatement>`, &doctext.Document{
			Generator: "P",
			Rights:    []string{"https://creativecommons.org/licenses/by/4.0/", "https://a.example/l"},
		}},
		{
			"another vocabulary", head + `<tdm:reservation xmlns:tdm="http://www.w3.org/ns/other/">1</tdm:reservation>`,
			&doctext.Document{Generator: "P"},
		},
		{"not XML", "\x00\x01", &doctext.Document{}},
		{"deep", head + strings.Repeat("<dc:title>", 1000) + "T", &doctext.Document{Generator: "P"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, parseXMP([]byte(tt.in))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLanguage(t *testing.T) {
	for in, want := range map[string]string{
		"en": "en", "en_GB": "en-GB", " de-DE ": "de-DE", "x-default": "",
		"English": "", "e": "", "en-\x00": "",
	} {
		if got := language(in); got != want {
			t.Errorf("language(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzParseXMP(f *testing.F) {
	f.Add([]byte(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description/></rdf:RDF>`))
	f.Fuzz(func(t *testing.T, b []byte) { parseXMP(b) })
}
