package outlink_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/outlink"
	"github.com/gleaner-web/gleaner/transforms/page"
)

var source = outlink.Source{
	SURT: "example,e)/", URL: "https://e.example/", Host: "e.example", Domain: "e.example",
	Timestamp: "2026-11-24T00:00:00Z",
}

func TestOf(t *testing.T) {
	p := page.Parse([]byte("<p>See <a href='//www.other.co.uk/A?b=2&a=1#c' rel=nofollow>them</a> and <a "+
		"href='mailto:a@b.c'>me</a>,"+
		" or <a href='http://[x'>this</a>."), page.Options{URL: source.URL})
	links, left := outlink.Of(p, maintext.Result{}, source)
	from := schemas.Link{
		SURT: source.SURT, URL: source.URL, Host: source.Host, Domain: source.Domain, Timestamp: source.Timestamp,
		Place: schemas.PlaceOther,
	}
	want := []schemas.Link{from, from, from}
	want[0].Target, want[0].TargetSURT = "https://www.other.co.uk/A?b=2&a=1#c", "uk,co,other)/a?a=1&b=2"
	want[0].TargetHost, want[0].TargetDomain = "www.other.co.uk", "other.co.uk"
	want[0].Text, want[0].Rel = "them", "nofollow"
	want[1].Target, want[1].Text = "mailto:a@b.c", "me"
	want[2].Target, want[2].Text = "http://[x", "this"
	if diff := cmp.Diff(want, links); diff != "" || left != 0 {
		t.Errorf("Of (-want +got, %d left):\n%s", left, diff)
	}
}

// TestOf_places: the main text decides first, then the names of the parts of a page.
func TestOf_places(t *testing.T) {
	text := strings.Repeat("<p>A ship came into the harbour in the morning, with wool, and was <a href=main>"+
		"unloaded</a> by noon, "+
		"as people on the quay have told this newspaper.</p>", 8)
	src := "<title>Ships</title><header><a href=header>Home</a></header><nav><a href=nav>News</a></nav>" +
		"<article><header><a href=author>By Ann</a></header>" + text + "</article><div class=ad><a href=ad>Buy</a></div>" +
		"<div class=menu><a href=menu>More</a></div><footer><a href=footer>Imprint</a></footer>"
	p := page.Parse([]byte(src), page.Options{URL: source.URL})
	links, _ := outlink.Of(p, maintext.Extract(p, maintext.Options{}), source)
	var got []string
	for _, l := range links {
		got = append(got, strings.TrimPrefix(l.Target, source.URL)+" "+l.Place)
	}
	want := []string{"header navigation", "nav navigation", "author other"}
	want = append(want, slices.Repeat([]string{"main main"}, 8)...)
	want = append(want, "ad other", "menu navigation", "footer navigation")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

func FuzzOf(f *testing.F) {
	f.Add("<p>Some text, and <a href=//a.example/x>a link</a>.<nav><a href=b>c", "https://e.example/")
	f.Add("<a href='http://\xff/'>x", "")
	f.Fuzz(func(t *testing.T, src, url string) {
		p := page.Parse([]byte(src), page.Options{URL: url})
		links, _ := outlink.Of(p, maintext.Extract(p, maintext.Options{}), outlink.Source{URL: url})
		for _, l := range links {
			if l.Place == "" || l.URL != url || (l.TargetHost == "") != (l.TargetSURT == "") || len(l.TargetHost) > 253 {
				t.Errorf("%+v", l)
			}
		}
	})
}

func BenchmarkOf(b *testing.B) {
	var src strings.Builder
	for i := range 200 {
		fmt.Fprintf(&src, "<li><a href='https://www.example%d.com/story/%d'>Story number %d</a></li>", i%10, i, i)
	}
	p := page.Parse([]byte(src.String()), page.Options{URL: source.URL})
	b.SetBytes(int64(src.Len()))
	b.ReportAllocs()
	for b.Loop() {
		outlink.Of(p, maintext.Result{}, source)
	}
}
