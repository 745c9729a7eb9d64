package sheet

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

var update = flag.Bool("update", false, "rewrite the golden page")

// small returns a run with something in each part of the page.
func small() Run {
	units := []schemas.UnitResult{{Unit: schemas.Unit{Inputs: []schemas.Range{
		{File: "/home/ada/shelf/2024/a.warc.gz", End: 9, Next: 9, Format: "warc+gzip"},
		{File: "/home/ada/shelf/notes.txt"},
	}}}}
	return Run{
		SHA256: strings.Repeat("ab", 32),
		Manifest: schemas.Manifest{
			Options: map[string]any{"formats": []string{"jsonl"}, "base": "/home/ada/shelf/2024"},
			Units:   units,
			Unread:  schemas.UnreadOf(units),
			Hosts:   &schemas.Hosts{Distinct: 3, Top: []schemas.HostCount{{Host: "a.example", Documents: 6}}},
			Totals: schemas.Counts{
				Records: 20, Captures: 10, Documents: 10, Texts: 6, Rejects: 2, Feeds: 1, BytesRead: 4096, BytesLost: 3,
				BodyBytes: 1 << 20, Damaged: 1,
				ByType: map[string]int64{"response": 20}, ByMIME: map[string]int64{"text/html": 9, "<b>x</b>": 1},
				ByLang: map[string]int64{"fr": 4, "qqq": 2}, ByYear: map[string]int64{"2021": 1, "2024": 8, schemas.None: 1},
				ByStatus:   map[string]int64{"200": 9, schemas.None: 1},
				ByPageType: map[string]int64{"article": 5, schemas.None: 4},
				ByReject:   map[string]int64{"garbage": 1, "unsupported": 1}, ByFlag: map[string]int64{"partial": 1, "new_flag": 1},
			},
		},
		Report: &report.Report{
			Run:     report.Run{Started: time.Date(2026, 11, 23, 22, 4, 0, 0, time.UTC)},
			Seconds: 4.6, CPUSeconds: 3.7, PeakMemory: 1 << 28, Units: report.Units{Planned: 1, Done: 1},
			Counts:     schemas.Counts{Documents: 10},
			Extractors: []report.Extractor{{Name: "text", Seconds: 2, CPUSeconds: 1.5, Share: 1}},
			Slowest: []report.Slow{{
				File: "/home/ada/shelf/2024/a.warc.gz", Offset: 1234, URL: "https://a.example/%D7%A9?q=<script>",
				Bytes: 99, Seconds: 0.25, Extractor: "text",
			}},
		},
		Rejects: []schemas.Reject{{
			File: "/home/ada/shelf/2024/a.warc.gz", Offset: 7, Lost: 3, Stage: "read", Kind: schemas.KindGarbage,
			Message: "open /home/ada/shelf/2024/a.warc.gz: <img src=x onerror=alert(1)>",
		}},
	}
}

func written(t *testing.T, r Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWrite_golden(t *testing.T) {
	const name = "testdata/golden/small.html"
	got := written(t, small())
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the page (-want +got; go test -update makes it anew):\n%s", diff)
	}
}

// TestWrite_tellsNobody: the page has no private data, because it is mailed to others.
func TestWrite_tellsNobody(t *testing.T) {
	page := written(t, small())
	for _, secret := range []string{"/home", "ada/", "shelf"} {
		if strings.Contains(page, secret) {
			t.Errorf("the page has %q", secret)
		}
	}
	if !strings.Contains(page, "2024/a.warc.gz") {
		t.Error("the page does not name the archive below the folder that all have in common")
	}
}

// TestLanguages: texts of an unknown language are not a language, as on the dashboard.
func TestLanguages(t *testing.T) {
	for _, tt := range []struct {
		by   map[string]int64
		want int
	}{
		{nil, 0},
		{map[string]int64{"und": 3, "zxx": 1}, 0},
		{map[string]int64{"und": 3, "en": 1, "fr": 2}, 2},
		{map[string]int64{"en": 1, "fr": 2}, 2},
	} {
		if got := (view{Totals: schemas.Counts{ByLang: tt.by}}).Languages(); got != tt.want {
			t.Errorf("%v: %d languages, want %d", tt.by, got, tt.want)
		}
	}
}

// TestWrite_isBounded exceeds the limit of every part of the page, with very long names.
func TestWrite_isBounded(t *testing.T) {
	r := small()
	long := strings.Repeat("<&\"ש", 5000)
	many := map[string]int64{}
	for i := range 1000 {
		many[fmt.Sprintf("%s%d", long, i)] = 1 << 40
	}
	c := &r.Manifest.Totals
	c.ByMIME, c.ByLang, c.ByStatus, c.ByPageType, c.ByType = many, many, many, many, many
	c.ByYear = map[string]int64{}
	for i := range 5000 {
		c.ByYear[fmt.Sprintf("%04d", i)] = 1 << 40
	}
	for i := range 500 {
		r.Manifest.Hosts.Top = append(r.Manifest.Hosts.Top, schemas.HostCount{Host: long + fmt.Sprint(i), Documents: 5})
		r.Report.Slowest = append(r.Report.Slowest, report.Slow{URL: long, File: long})
		r.Manifest.Units[0].Inputs = append(r.Manifest.Units[0].Inputs, schemas.Range{File: long + fmt.Sprint(i)})
	}
	for range MaxRejects {
		r.Rejects = append(r.Rejects, schemas.Reject{File: long, Message: long})
	}
	r.Rejects = r.Rejects[:MaxRejects]
	r.Manifest.Unread = schemas.UnreadOf(r.Manifest.Units)
	r.Manifest.Options["select"] = many
	page := written(t, r)
	t.Logf("%d bytes", len(page))
	if len(page) > 150_000 {
		t.Errorf("%d bytes, want 150,000 at most", len(page))
	}
}

// TestWrite_nothingRuns: the page has no script, no style attribute and no external resource, for any names.
func TestWrite_nothingRuns(t *testing.T) {
	doc, err := html.Parse(strings.NewReader(written(t, small())))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for n := range doc.Descendants() {
		switch n.Data {
		case "script", "img", "iframe", "link", "object", "embed", "form":
			if n.Type == html.ElementNode {
				t.Errorf("there is a <%s>", n.Data)
			}
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") || a.Key == "src" {
				t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			}
			if a.Key == "id" && ids[a.Val] {
				t.Errorf("the id %q is there twice", a.Val)
			}
			ids[a.Val] = ids[a.Val] || a.Key == "id"
		}
	}
}

func TestWrite_emptyCollection(t *testing.T) {
	page := written(t, Run{})
	for _, want := range []string{"0 captures from 0 archives", "Every byte was read", "Nothing: every record was read"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of nothing lacks %q", want)
		}
	}
	if strings.Contains(page, "NaN") || strings.Contains(page, "&lt;nil&gt;") {
		t.Error("the page of nothing has a number that is none")
	}
}

func TestNames_clean(t *testing.T) {
	of := func(files ...string) names {
		var in []schemas.Range
		for _, f := range files {
			in = append(in, schemas.Range{File: f})
		}
		return namesOf(schemas.Manifest{Units: []schemas.UnitResult{{Unit: schemas.Unit{Inputs: in}}}})
	}
	for _, c := range []struct {
		name, text, want string
		files            []string
	}{
		{"below the common folder", "/d/x/1/a.warc", "1/a.warc", []string{"/d/x/1/a.warc", "/d/x/2/b.warc"}},
		{"one file", "/d/x/a.warc", "a.warc", []string{"/d/x/a.warc"}},
		{"nothing in common", "/d/x/a.warc", "a.warc", []string{"/d/x/a.warc", "/e/b.warc"}},
		{"Windows", "C:/Users/ada/a.warc", "a.warc", []string{"C:/Users/ada/a.warc"}},
		{"relative", "shelf/a.warc", "shelf/a.warc", []string{"shelf/a.warc"}},
		{"a bucket", "gs://b/x/a.warc", "gs://b/x/a.warc", []string{"gs://b/x/a.warc"}},
		{"elsewhere in a message", "open /root/.cache/x: denied", "open x: denied", []string{"/d/x/a.warc"}},
		{"JSON", `"base": "/srv/crawl/warcs"`, `"base": "warcs"`, nil},
		{"a URL's path", "https://a.example/b/c", "https://a.example/b/c", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := of(c.files...).clean(c.text, 1000); got != c.want {
				t.Errorf("clean(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// TestWrite_archives: archives are counted as by the server: without other files, each once, and pages one by one.
func TestWrite_archives(t *testing.T) {
	warc := func(name string) schemas.Range { return schemas.Range{File: name, Format: "warc"} }
	for _, tt := range []struct {
		name string
		in   []schemas.Range
		want string
	}{
		{"one in two ranges", []schemas.Range{warc("a"), warc("a")}, "1 archive<"},
		{"with files that are not archives", []schemas.Range{warc("a"), warc("b"), {File: "README.md"}}, "2 archives"},
		{"one that cannot be read", []schemas.Range{warc("a"), {File: "b", Unreadable: "no permission"}}, "1 archive<"},
		{"pages", []schemas.Range{
			{File: "d", Group: &schemas.Group{First: "a", Last: "b", Files: 900}},
			{File: "d", Group: &schemas.Group{First: "c", Last: "d", Files: 100}},
		}, "1,000 archives"},
		{"a topic", []schemas.Range{{File: "kafka://b/t/0", Format: schemas.FormatTopic, End: 5}}, "1 archive<"},
		{"an index", []schemas.Range{{File: "x.cdxj", Lookup: &schemas.Lookup{}}}, "1 archive<"},
	} {
		m := schemas.Manifest{Units: []schemas.UnitResult{{Unit: schemas.Unit{Inputs: tt.in}}}}
		if page := written(t, Run{Manifest: m}); !strings.Contains(page, "0 captures from "+tt.want) {
			t.Errorf("%s: the page lacks %q", tt.name, tt.want)
		}
	}
}
