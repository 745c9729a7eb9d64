package query

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

func TestCommon(t *testing.T) {
	for _, c := range []struct {
		common Common
		want   string // the filter, or the beginning of the error
	}{
		{Common{}, ``},
		{Common{Lang: "fra"}, `language = fr`},
		{Common{Lang: "fr,de"}, `language = fr OR language = de`},
		{
			Common{Lang: "fr", MIME: "pdf", Where: "status = 200 OR x"},
			`language = fr AND mime_detected:pdf AND (status = 200 OR x)`,
		},
		{Common{MIME: "image/*"}, `mime_detected = "image/*"`},
		{Common{From: "2026-03", To: "2026-04"}, `timestamp >= 2026-03 AND timestamp <= 2026-04`},
		{Common{Host: "Example.org"}, `host = example.org OR host = "*.example.org"`},
		{Common{Host: "*.bücher.de"}, `host = "*.xn--bcher-kva.de"`},
		{Common{URL: "https://www.example.org/a?b"}, `surt = "org,example)/a?b"`},
		{
			Common{URL: "http://example.org/docs/*"},
			`surt = "org,example)/docs" OR surt = "org,example)/docs/*" OR surt = "org,example)/docs?*"`,
		},
		{Common{Lang: "no,cmn"}, `language = no OR language = nb OR language = nn OR language = zh`},
		{Common{Lang: "hbs"}, `language = sh OR language = bs OR language = hr OR language = sr`},
		{Common{Lang: "FIL"}, `language = tl`},
		{
			Common{URL: "https://www.example.org/a?z=1&p=*"},
			`(surt = "org,example)/a" OR surt = "org,example)/a?*") AND url:?z=1&p=`,
		},
		{Common{URL: "example.org*"}, `surt = "org,example)/*"`},
		{Common{URL: "example.org:8080"}, `surt = "org,example:8080)/"`},
		{Common{URL: "www.example.org:80/a?b"}, `surt = "org,example)/a?b"`},
		{Common{URL: "localhost:8080/a*"}, `surt = "localhost:8080)/a*"`},
		{Common{URL: "127.0.0.1:8080/"}, `surt = "1,0,0,127:8080)/"`},
		{Common{URL: "urn:12"}, `surt = urn:12`},
		{Common{URL: "a.b:12c"}, `surt = a.b:12c`},
		{Common{URL: "example.org/*"}, `surt = "org,example)/*"`},
		{Common{Text: `l'été "en ville" – 2026`}, `l'été AND "en ville" AND 2026`},
		{Common{Entity: "Pari*"}, `entities.text = "Pari*"`},
		{Common{Source: "a, b"}, `source_id = a OR source_id = b`},
		{Common{Status: "2xx,404"}, `(status >= 200 AND status <= 299) OR status = 404`},
		{Common{Lang: "french"}, `--lang: "french" is not a language`},
		{Common{Lang: "fr,"}, `--lang: a value is missing`},
		{Common{Status: "ok"}, `--status: status takes a whole number`},
		{Common{From: "yesterday"}, `--from: timestamp takes a date`},
		{Common{From: "2026-05", To: "2026-04"}, `--from=2026-05 is behind --to=2026-04`},
		{Common{Host: " "}, `--host: a value is missing`},
		{Common{Text: `"a`}, `--text: a quotation mark is not closed`},
		{Common{Text: `--`}, `--text: "--" has neither letters nor digits`},
		{Common{Where: `x = 1`}, `--where: column 1: unknown field "x"`},
		{Common{At: "2026", AllVersions: true}, `one moment has one version`},
		{Common{Where: strings.Repeat("a ", 40_000)}, `--where has 80000 bytes`},
	} {
		q, err := c.common.Query()
		if err != nil {
			if c.want == "" || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%+v: %v, want %s", c.common, err, c.want)
			}
			continue
		}
		got := ""
		if q.Where != nil {
			got = q.Where.String()
		}
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c.common, got, c.want)
		}
	}
}

func TestCommon_atIsTheLastMoment(t *testing.T) {
	q, err := Common{At: "2026-03"}.Query()
	if want := time.Date(2026, 4, 1, 0, 0, 0, -1, time.UTC); err != nil || !q.At.Equal(want) {
		t.Errorf("At = %v, %v; want %v", q.At, err, want)
	}
}

func TestPeriod(t *testing.T) {
	for _, c := range []struct{ text, from, to string }{
		{"2026", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		{"2024-02", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"},
		{"20240229", "2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"},
		{"2026030410", "2026-03-04T10:00:00Z", "2026-03-04T11:00:00Z"},
		{"20260304103000", "2026-03-04T10:30:00Z", "2026-03-04T10:30:01Z"},
		{"2026-03-04T10:30", "2026-03-04T10:30:00Z", "2026-03-04T10:31:00Z"},
		{"2026-03-04T10:30:00+02:00", "2026-03-04T08:30:00Z", "2026-03-04T08:30:01Z"},
		{"2026-03-04T10:30:00.5Z", "2026-03-04T10:30:00.5Z", "2026-03-04T10:30:00.501Z"},
		{"2026-13", "", ""},
		{"2026-02-30", "", ""},
		{"1600", "", ""},
		{"March", "", ""},
	} {
		from, to, err := Period(c.text)
		if c.from == "" {
			if err == nil {
				t.Errorf("Period(%q) = %v, %v, want an error", c.text, from, to)
			}
			continue
		}
		if err != nil || from.Format(time.RFC3339Nano) != c.from || to.Format(time.RFC3339Nano) != c.to {
			t.Errorf("Period(%q) = %v, %v, %v; want %s, %s", c.text, from, to, err, c.from, c.to)
		}
	}
}

// TestSURTs_holdWhatMatches: everything that matches a filter is in its ranges.
func TestSURTs_holdWhatMatches(t *testing.T) {
	urls := []string{
		"http://example.org/", "https://www.example.org/a", "http://www2.example.org:8080/a?b", "http://sub.example.org/",
		"http://example.org:81/", "http://example.org-shop.com/", "http://example-shop.org/", "http://a.www.example.org/",
		"http://192.0.2.1/x", "http://[2001:db8::1]:81/x", "dns:example.org", "ftp://example.org/docs/",
		"http://example.org/docs/a", "http://example.org/docs?x", "http://example.org/docs2", "http://www.org/",
	}
	filters := []Common{
		{Host: "example.org"},
		{Host: "*.example.org"},
		{Host: "www.example.org"},
		{Host: "192.0.2.1"},
		{Host: "[2001:db8::1]"},
		{Host: "org"},
		{URL: "example.org/docs/*"},
		{URL: "http://example.org*"},
		{URL: "http://example.org/docs/?*"},
		{URL: "dns:example.org"},
		{Host: "example.org,192.0.2.1", Where: `surt >= "org,example)/d"`},
		{Where: "url = http://www.example.org:80/a"},
		{Where: "host = example.org surt != x"},
		{Where: "(host = example.org OR status = 200) url:a"},
		{Host: "www.org"},
	}
	for _, c := range filters {
		q, err := c.Query()
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		ranges, ok := SURTs(q.Where)
		matched := 0
		for _, u := range urls {
			d := &schemas.Document{URL: u, SURT: urlkey.SURT(u)}
			d.Host, d.Domain = urlkey.Site(u)
			in := !ok
			for _, r := range ranges {
				in = in || r.From <= d.SURT && (r.To == "" || d.SURT < r.To)
			}
			if Match(q.Where, d) {
				matched++
				if !in {
					t.Errorf("%s takes %s, whose SURT %s is not in %q", q.Where, u, d.SURT, ranges)
				}
			}
		}
		t.Logf("%s: %d of %d, %q", q.Where, matched, len(urls), ranges)
	}
}

// TestCommon_urlBegins: a star after a query means the URLs that begin so, whatever their SURT sorts and leaves out.
func TestCommon_urlBegins(t *testing.T) {
	for _, c := range []struct {
		asked    string
		yes, not []string
	}{
		{"http://e.example/view?id=1&*", []string{"https://www.e.example/view?id=1&a=2"}, []string{
			"http://e.example/view?id=1", "http://e.example/view?a=2&id=1&b=3", "http://e.example/view2?id=1&a=2",
		}},
		{
			"http://e.example/list?id=1*",
			[]string{"http://e.example/list?id=12&a=1", "http://e.example/list?ID=1", "http://e.example/list/?id=1"},
			[]string{"http://e.example/list?id=2", "http://f.example/list?id=1"},
		},
		{"e.example/p?z=1&p=*", []string{"http://e.example/p?z=1&p=3"}, []string{"http://e.example/p?p=3&z=1"}},
		{
			"http://e.example/a?*",
			[]string{"http://e.example/a?b", "http://e.example/a?"},
			[]string{"http://e.example/about", "http://e.example/a", "http://e.example/archive/?b"},
		},
		{"http://e.example/?*", []string{"http://e.example/?b"}, []string{"http://e.example/", "http://e.example/a?b"}},
		{"http://e.example/a?q=*b*", []string{"http://e.example/a?q=*b2"}, []string{"http://e.example/a?q=ab"}},
		{"e.example/a?PHPSESSID=12*", []string{"http://e.example/a?PHPSESSID=1234567890abcdef1234567890abcdef"}, nil},
	} {
		q, err := Common{URL: c.asked}.Query()
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range append(c.yes, c.not...) {
			want := slices.Contains(c.yes, u)
			if Match(q.Where, &schemas.Document{URL: u, SURT: urlkey.SURT(u)}) != want {
				t.Errorf("%s: %s by %s, want %v", c.asked, u, q.Where, want)
			}
		}
	}
}
