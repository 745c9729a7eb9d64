package boilerpipe_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/boilerpipe"
)

func text(html string) string { return boilerpipe.Text([]byte(html)) }

// These are the texts that ACHE's own classes extracted from pages: some of ours, one of them an image, and eight real
// ones.
const (
	ofOurs = "../../testdata/seeds/ache/ELASTIC.jsonl"
	ofReal = "../../../shared/corpora/seeds/ache/generated/ELASTIC-realpages.jsonl"
)

func TestText_seeds(t *testing.T) { checkTexts(t, ofOurs, 4) }

func TestText_realPages(t *testing.T) {
	if _, err := os.Stat(ofReal); errors.Is(err, fs.ErrNotExist) {
		t.Skip("no ../shared/corpora/seeds beside the checkout: pages of others, which may not be copied into it")
	}
	checkTexts(t, ofReal, 8)
}

// checkTexts compares the texts of pages with those that ACHE extracted.
func checkTexts(t *testing.T, file string, pages int) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for d := json.NewDecoder(f); d.More(); n++ {
		var doc struct{ URL, HTML, Text string }
		if err := d.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(doc.Text, text(doc.HTML)); diff != "" {
			t.Errorf("%s (-ACHE +ours):\n%s", doc.URL, diff)
		}
	}
	if n != pages {
		t.Errorf("%d documents, want %d", n, pages)
	}
}

// The rules decide by these: a paragraph of more than a full line, one of ten words, and a link.
const (
	long  = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen 15"
	short = "one two three four five six seven eight nine ten"
	link  = "<a href=x>" + long + "</a>"
)

func p(paragraphs ...string) string {
	return "<body><p>" + strings.Join(paragraphs, "</p><p>") + "</p></body>"
}

func TestText(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"empty", "", ""},
		{"the last long paragraph is lost", p(short, long), short + "\n"},
		{"a link is left out", p(short, link, short), short + "\n"},
		{"behind a link, only before a dense block", p(short, link, short, long, short), short + "\n" + short + "\n" + long +
			"\n"},
		{"neighbours of one density are one block", p("<h1>a b</h1>", "c d", long, "x"), "a b\nc d\n" + long + "\nx\n"},
		{"inline elements do not divide", p("o<b>n</b>e<i> two</i> three", long, "x y z"), "one two three\n" + long +
			"\nx y z\n"},
		{"abbr has white space around it", p("one<abbr>two</abbr>three", long), "one two three\n"},
		{"what is no text is left out", p(short+"<script>var a</script><style>b</style><noscript>c</noscript><select>"+
			"<option>d</select>", long), short + "\n"},
		{"outside the body there is nothing", "<title>" + short + "</title>" + p(short, long), short + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, text(test.html)); diff != "" {
				t.Errorf("Text(%q) (-want +got):\n%s", test.html, diff)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte(p(short, link, long)))
	f.Add([]byte("<a><div><a>x<body></a></a>y\u0301_z</noscript><abbr>"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if got := text(strings.ToValidUTF8(string(src), "\uFFFD")); got != "" && !strings.HasSuffix(got, "\n") {
			t.Errorf("Text(%q) = %q, which does not end with a line end", src, got)
		}
	})
}

func BenchmarkText(b *testing.B) {
	src := []byte(p(strings.Repeat(long+"</p><p>"+short+link, 500)))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		boilerpipe.Text(src)
	}
}
