package term_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/term"
)

// These are the words that ACHE's own classes extracted from pages: from ours, and from real ones.
const (
	ofOurs = "../../testdata/seeds/ache/ELASTIC.jsonl"
	ofReal = "../../../shared/corpora/seeds/ache/generated/ELASTIC-realpages.jsonl"
)

func TestOf_asACHE(t *testing.T) {
	for name, file := range map[string]string{"seeds": ofOurs, "real pages": ofReal} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(file)
			if file == ofReal && errors.Is(err, fs.ErrNotExist) {
				t.Skip("no ../shared/corpora/seeds beside the checkout: pages of others, which may not be copied into it")
			}
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			checkTerms(t, f)
		})
	}
}

// checkTerms compares the words of pages with those that ACHE extracted.
func checkTerms(t *testing.T, documents io.Reader) {
	t.Helper()
	pages := 0
	for d := json.NewDecoder(documents); d.More(); {
		var doc struct {
			URL, HTML, Title string
			Words, WordsMeta []string
		}
		if err := d.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		if doc.HTML == "" {
			continue // an image
		}
		pages++
		got := term.Of([]byte(doc.HTML), doc.URL)
		if got.Title != doc.Title {
			t.Errorf("%s: title %q, want %q", doc.URL, got.Title, doc.Title)
		}
		if w, m := jaccard(got.Words, doc.Words), jaccard(got.Meta, doc.WordsMeta); w < .95 || m < 1 {
			t.Errorf("%s: Jaccard index of words %.3f, want .95; of words of <meta> %.3f, want 1", doc.URL, w, m)
		}
	}
	if pages < 3 {
		t.Errorf("%d pages, want 3 or more", pages)
	}
}

// jaccard returns the similarity of two sets, 0 to 1.
func jaccard(a, b []string) float64 {
	in := map[string]int{}
	for _, w := range a {
		in[w] |= 1
	}
	for _, w := range b {
		in[w] |= 2
	}
	if len(in) == 0 {
		return 1
	}
	both := 0
	for _, sets := range in {
		both += sets / 3
	}
	return float64(both) / float64(len(in))
}

func TestOf(t *testing.T) {
	for _, test := range []struct {
		name, url, src string
		want           term.Terms
	}{
		{
			"weights", "http://www.host.example.com/",
			`text <select><option>option</select> <img alt="image, (x)"><title>Title</title>`,
			term.Terms{Title: "Title", Words: []string{"title", "host", "example", "text", "option", "image", "x"}},
		},
		{"counted", "", "b a a", term.Terms{Words: []string{"a", "b"}}},
		{
			"white space behind other characters", "", "<title> A  B | C&mdash;D </title>",
			term.Terms{Title: "A B |C&mdash;D", Words: []string{"a", "b", "c&mdash;d"}},
		},
		{
			"references", "", "it&#8217;s caf&eacute; R&amp;D&nbsp;x &#x41; &lt;b",
			term.Terms{Words: []string{"it’s", "café", "cafe", "r&d", "x", "&#x41;", "b"}},
		},
		{
			"meta", "", `<meta content="alpha, Beta beta's"><meta content=c/>`,
			term.Terms{Meta: []string{"alpha,", "beta", "beta's", "c/"}},
		},
		{
			"scripts and styles", "", "<script>a</b></SCRIPT>x<style>b</style>y<script>c",
			term.Terms{Words: []string{"x", "y"}},
		},
		{
			"a comment ends at the first >", "", "<!-- a <b>b</b> -->c<!-- x -- y",
			term.Terms{Words: []string{"b", "--", "c", "y"}},
		},
		{"quotation marks", "", `<p a='>'>x<p b=c"> >z">y`, term.Terms{Words: []string{"x", "y"}}},
		{
			"an attribute without value takes the next one's", "", `<img ismap alt=a><img alt=b ismap>`,
			term.Terms{Words: []string{"b"}},
		},
		{"cut", "", `x<img alt="y`, term.Terms{Words: []string{"x", "y"}}},
		{
			"a quotation mark that is not closed", "", `<p a="` + strings.Repeat("x", 11_000) + `>y`,
			term.Terms{Words: []string{"y"}},
		},
		{"data", "", strings.Repeat("x", 1001) + " y", term.Terms{Words: []string{"y"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			want.Words, want.Meta = append([]string{}, want.Words...), append([]string{}, want.Meta...)
			if diff := cmp.Diff(want, term.Of([]byte(test.src), test.url)); diff != "" {
				t.Errorf("Of(%q, %q) (-want +got):\n%s", test.src, test.url, diff)
			}
		})
	}
}

func FuzzOf(f *testing.F) {
	for _, src := range []string{
		"", "a<b c='d' e>f</b>", "<!--", "<!-- --", "<script>", "<title>&#8217;&eacute;&",
		"<img alt='", "<p a", "<\x00=\x00>",
	} {
		f.Add(src, "http://example.org/")
	}
	f.Fuzz(func(t *testing.T, src, url string) {
		got := term.Of([]byte(src), url)
		if len(got.Title) > 4*len(src) || len(got.Words) > 2*len(src)+2*len(url) || len(got.Meta) > len(src) {
			t.Errorf("Of(%q, %q) = %q is longer than it may be", src, url, got)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	src := []byte("<title>A title</title>" +
		strings.Repeat(`<p class="a b">Some text &amp; caf&eacute; <img alt="An image"><!-- no --></p>`, 1000))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		term.Of(src, "http://example.org/")
	}
}
