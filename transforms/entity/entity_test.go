package entity

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/google/go-cmp/cmp"
)

// spans returns the spans of pairs of offsets.
func spans(offsets ...int) []schemas.Span {
	var s []schemas.Span
	for i := 0; i < len(offsets); i += 2 {
		s = append(s, schemas.Span{Start: offsets[i], End: offsets[i+1]})
	}
	return s
}

func nodes(t *testing.T, text string) []jsonld.Node {
	t.Helper()
	n, err := jsonld.Parse(text, jsonld.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestExtract_jsonld(t *testing.T) {
	ld := nodes(t, `{"@type": "NewsArticle", "headline": "A story", "name": "A story",
		"author": [{"@type": "Person", "name": "Ada Byron", "url": "https://example.org/ada", "email": "mailto:Ada@Example.org"}],
		"publisher": {"@type": ["Thing", "NewsMediaOrganization"], "@id": "https://example.org/#us", "name": "The Post",
			"sameAs": ["https://example.com/post", "https://www.wikidata.org/wiki/Q1"], "telephone": "+49 30 901820"},
		"about": [{"@type": "Book", "name": "Notes", "isbn": "3-16-148410-X"}, {"@type": "Person", "name": ""}],
		"contentLocation": {"@type": "City", "name": "Ost"}}`)
	text := "By Ada Byron. Ostern at Ost; Ada Byron lives in Ost, ada@example.org."
	want := []schemas.Entity{
		{
			Type: "person", Text: "Ada Byron", Count: 2, Mentions: spans(3, 12, 29, 38), Source: "jsonld",
			ID: "https://example.org/ada", Confidence: 0.95,
		},
		{Type: "place", Text: "Ost", Count: 2, Mentions: spans(24, 27, 48, 51), Source: "jsonld", Confidence: 0.95},
		{
			Type: "email", Text: "ada@example.org", Count: 1, Mentions: spans(53, 68), Source: "jsonld", ID: "ada@example.org",
			Confidence: 0.95,
		},
		{Type: "isbn", Text: "3-16-148410-X", Source: "jsonld", ID: "9783161484100", Confidence: 0.95},
		{Type: "organization", Text: "The Post", Source: "jsonld", ID: "https://www.wikidata.org/wiki/Q1", Confidence: 0.95},
		{Type: "phone", Text: "+49 30 901820", Source: "jsonld", ID: "+4930901820", Confidence: 0.95},
		{Type: "work", Text: "Notes", Source: "jsonld", Confidence: 0.95},
	}
	if diff := cmp.Diff(want, Extract(Input{Text: text, LD: ld}, Options{})); diff != "" {
		t.Errorf("Extract (-want +got):\n%s", diff)
	}
}

func TestExtract_microdataAndLinks(t *testing.T) {
	p := page.Parse([]byte(`<div itemscope itemtype="https://schema.org/Event" itemid="urn:x"><meta itemprop=name content="Harbour Day">
<link itemprop=url href="https://example.org/day"><p itemprop=location itemscope itemtype="http://schema.org/Place">
<meta itemprop=name content="Old Pier"><meta itemprop=telephone content="030 901820"></p></div>
<p itemscope itemtype="https://example.org/vocabulary#Person"><meta itemprop=name content=Bo></p>
<p itemscope itemtype="https://schema.org/WebPage"><meta itemprop=name content=Home></p>
<a href="mailto:Info%40example.org?subject=x@y.com">1</a><a href="tel:+49-30-901820">2</a><a href="https://example.org/">3</a>
<a href="mailto:">4</a><a href="tel:12">5</a><a href="tel:030%20901821;ext=1">6</a>`), page.Options{})
	in := Input{Text: "Call +49 (30) 901820 for the Harbour Day.", Page: p, Language: "de"}
	want := []schemas.Entity{
		{
			Type: "phone", Text: "+49 (30) 901820", Count: 1, Mentions: spans(5, 20), Source: "microdata", ID: "+4930901820",
			Confidence: 0.95,
		},
		{
			Type: "event", Text: "Harbour Day", Count: 1, Mentions: spans(29, 40), Source: "microdata",
			ID: "https://example.org/day", Confidence: 0.9,
		},
		{Type: "email", Text: "Info@example.org", Source: "link", ID: "info@example.org", Confidence: 0.99},
		{Type: "person", Text: "Bo", Source: "microdata", Confidence: 0.9},
		{Type: "phone", Text: "030 901821", Source: "link", ID: "+4930901821", Confidence: 0.99},
		{Type: "place", Text: "Old Pier", Source: "microdata", Confidence: 0.9},
	}
	if diff := cmp.Diff(want, Extract(in, Options{})); diff != "" {
		t.Errorf("Extract (-want +got):\n%s", diff)
	}
}

func TestExtract_countsMentions(t *testing.T) {
	text := "a@example.org, A@Example.org, 2020-01-02, 2 January 2020, #x1y #X1Y"
	want := []schemas.Entity{
		{
			Type: "email", Text: "a@example.org", Count: 2, Mentions: spans(0, 13, 15, 28), Source: "pattern",
			ID: "a@example.org", Confidence: 0.95,
		},
		{
			Type: "date", Text: "2020-01-02", Count: 2, Mentions: spans(30, 40, 42, 56), Source: "pattern", ID: "2020-01-02",
			Confidence: 0.95,
		},
		{
			Type: "hashtag", Text: "#x1y", Count: 2, Mentions: spans(58, 62, 63, 67), Source: "pattern", ID: "#x1y",
			Confidence: 0.7,
		},
	}
	if diff := cmp.Diff(want, Extract(Input{Text: text}, Options{})); diff != "" {
		t.Errorf("Extract (-want +got):\n%s", diff)
	}
}

func TestExtract_limits(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "user%d@example.org ", i)
	}
	if n := len(Extract(Input{Text: b.String()}, Options{})); n != 500 {
		t.Errorf("%d entities, want 500", n)
	}
	if n := len(Extract(Input{Text: b.String()}, Options{MaxBytes: len("user0@example.org user1@exa")})); n != 1 {
		t.Errorf("%d entities, want the one that MaxBytes leaves whole", n)
	}
	phones := "+49 30 901820, +49 30 901821, +49 30 901822"
	if n := len(Extract(Input{Text: phones}, Options{MaxPhones: 2})); n != 2 {
		t.Errorf("%d phone numbers, want the two that were checked", n)
	}
	deep := strings.Repeat(`{"@type":"Person","name":"Ada","knows":`, 40) + "{}" + strings.Repeat("}", 40)
	Extract(Input{Text: "Ada", LD: nodes(t, deep)}, Options{})
	people := `[` + strings.TrimSuffix(strings.Repeat(`{"@type":"Person","name":"Ada"},{"@type":"Person","name":"Bo"},`,
		50), ",") + `]`
	if n := len(Extract(Input{LD: nodes(t, people)}, Options{MaxNodes: 1})); n != 1 {
		t.Errorf("%d people, want the one in MaxNodes", n)
	}
}

// Each of these made a scanner of this kind quadratic, or might do so.
func TestExtract_hostile(t *testing.T) {
	for _, unit := range []string{
		"a", "1", "@", "a@", "@a", "a.", "1.", "1-", "1 ", "+1", "(", "#", "#a", "$", "$1", "1$", "://", "http://",
		"http://a.org",
		"www.", "www.a.de/", "10.", "10.1000/", "1.1.", "1.1.2020", "1 may ", "may 1, ", "978", "ISBN ", "1,000", "€", "\xff",
		"\xe2\x82", "é@", "年", "2020年", "0 ", "00-", "tel: 030 ", "EUR ", "1 Mio. ", "mil.", "(030 1) ", "1/2/", "DE89 ",
		"DE89370400440532013000", "Phone: a: 0", "Paris, ", "@a\n",
	} {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		check(t, text, Extract(Input{Text: text, Language: "de"}, Options{}))
	}
}

// check reports incomplete entities, entities out of order, and mentions that are wrong or overlap.
func check(t *testing.T, text string, entities []schemas.Entity) {
	t.Helper()
	if !slices.IsSortedFunc(entities, func(a, b schemas.Entity) int { return place(&a) - place(&b) }) {
		t.Errorf("entities are not sorted: %v", entities)
	}
	var all []schemas.Span
	for _, e := range entities {
		if e.Text == "" || trust(e.Source) == 0 || e.Count < len(e.Mentions) || len(e.Mentions) == 0 || e.Confidence <= 0 ||
			e.Confidence > 1 {
			t.Errorf("%+v is not complete", e)
		}
		all = append(all, e.Mentions...)
	}
	slices.SortFunc(all, func(a, b schemas.Span) int { return a.Start - b.Start })
	end := 0
	for _, m := range all {
		if m.Start < end || m.End <= m.Start || m.End > len(text) || strings.Contains(text[m.Start:m.End], "\n") {
			t.Fatalf("the mention %v is wrong, or overlaps what ends at %d", m, end)
		}
		end = m.End
	}
}

func FuzzExtract(f *testing.F) {
	for _, text := range []string{
		"a@b.org https://example.org/x #tag @user 10.1000/1 ISBN 3-16-148410-X 0000-0002-1825-0097",
		"3 March 2020, March 3, 2020; 2020年3月5日 1.2.2020-3.4.2021 2020. március 15.",
		"€ 1.234,50 5 Mio. Euro US$5bn 12,50 € EUR 3 1 234 zł ¥5 100円",
		"IBAN DE89 3704 0044 0532 0130 00, ngày 5 tháng 9 năm 2023, 5 มีนาคม 2563, in Paris, Texas; Rp 25.000, €35,-",
		"Tel. (030) 901820 +1 212-736-5000 01\u00a040\u00a020\u00a053\u00a017", "www.a.de. \xff@\xffa.b ☎1234567",
	} {
		f.Add(text, "de", "https://example.de/")
	}
	f.Fuzz(func(t *testing.T, text, language, url string) {
		names := []Name{
			{Start: 0, End: len(language), Type: "person", Confidence: 0.5},
			{Start: 1, End: len(url), Type: "place", Confidence: 0.9},
		}
		check(t, text, Extract(Input{Text: text, Language: language, URL: url, Names: names}, Options{}))
	})
}

func BenchmarkExtract(b *testing.B) {
	prose := "The committee met again on 3 March 2020 to hear what the harbour had cost: about €12.50 a head in 2019, " +
		"and twice that since. Minutes are at https://example.org/minutes/2020, questions go to info@example.org or " +
		"+49 30 901820. It was the third meeting of 14 and nobody expected it to last until 11.30 in the evening. "
	text := strings.Repeat(prose, 50)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Extract(Input{Text: text, Language: "en"}, Options{})
	}
}
