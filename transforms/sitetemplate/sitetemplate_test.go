package sitetemplate

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/page"
)

func parse(src string) *page.Page { return page.Parse([]byte(src), page.Options{}) }

func TestSketchOf_whichBlocksCount(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       int
	}{
		{"a paragraph", "<p>five words are enough here", 1},
		{"too short", "<p>four are not enough", 0},
		{"twice", "<p>five words are enough here<p>Five words are enough here", 1},
		{"other words", "<p>five words are enough here<p>five other words are enough", 2},
		{"other numbers", "<p>the paper has been printed here since 1998<p>the paper has been printed here since 2024", 1},
		{"other elements", "<p>five words are enough here<div>five words are enough here", 2},
		{"other classes", "<p>five words are enough here<p class=teaser>five words are enough here", 2},
		{"mostly numbers", "<p>12,345 sold 99 left 4.5 of 5 stars", 0},
		{"a heading", "<h2>five words are not enough here", 0},
		{"a cell", "<table><tr><td>five words are not enough here", 0},
		{"code", "<pre>five words are not enough here</pre>", 0},
		{"an item", "<ul><li>five words are enough here", 1},
		{"Han", "<p>我們在這個網頁上使用小型文字檔案", 1},
	} {
		if got := len(SketchOf(parse(tt.body)).Blocks); got != tt.want {
			t.Errorf("%s: %d blocks, want %d", tt.name, got, tt.want)
		}
	}
}

func TestSketchOf_takesTheSmallestHashes(t *testing.T) {
	var src strings.Builder
	for i := range 500 {
		fmt.Fprintf(&src, "<p>%s is a paragraph of its own", strings.Repeat("x", i+1))
	}
	p := parse(src.String())
	var all []Hash
	for i := range p.Blocks {
		all = append(all, hashOf(p, i))
	}
	slices.Sort(all)
	if diff := cmp.Diff(all[:MaxBlocks], SketchOf(p).Blocks); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

func TestSketchOf_pagesByTitleAndHeading(t *testing.T) {
	id := func(src string) uint64 { return SketchOf(parse(src)).ID }
	one := id("<title>A</title><h1>One</h1><p>read by 12 people today")
	for _, tt := range []struct {
		name, src string
		same      bool
	}{
		{"captured again", "<title>A</title><p>a notice</p><h1>One</h1><p>read by 15 others", true},
		{"another heading", "<title>A</title><h1>Two</h1>", false},
		{"another title", "<title>B</title><h1>One</h1>", false},
		{"no heading", "<title>A</title>", false},
	} {
		if got := id(tt.src) == one; got != tt.same {
			t.Errorf("%s: the same page = %v, want %v", tt.name, got, tt.same)
		}
	}
}

// site makes a sample of n pages; page i has the blocks of has(i).
func site(n int, has func(i int) []Hash) *Sample {
	s := &Sample{}
	for i := range n {
		s.Add(Sketch{ID: mix(uint64(i + 1)), Blocks: has(i)})
	}
	return s
}

// full returns MaxBlocks hashes that other pages do not have; h replaces the first if it is smaller.
func full(page int, from Hash) []Hash {
	list := make([]Hash, MaxBlocks)
	for i := range list {
		list[i] = from + Hash(page*MaxBlocks+i)
	}
	return list
}

func TestTemplate_rule(t *testing.T) {
	on := func(n int) func(int) []Hash { // block 7 is on the first n pages
		return func(i int) []Hash {
			if i < n {
				return []Hash{7, Hash(100 + i)}
			}
			return []Hash{Hash(100 + i)}
		}
	}
	for _, tt := range []struct {
		name string
		s    *Sample
		want Template
	}{
		{"nothing", &Sample{}, nil},
		{"on all of four pages", site(4, on(4)), nil},
		{"on three of five pages", site(5, on(3)), Template{7}},
		{"on two of five pages", site(5, on(2)), nil},
		{"on a tenth of 100 pages", site(100, on(10)), Template{7}},
		{"on less than a tenth", site(100, on(9)), nil},
		{"on three of 100, and the others do not show it", site(100, func(i int) []Hash {
			if i < 3 {
				return []Hash{7_000_000}
			}
			return full(i, 10)
		}), Template{7_000_000}},
		{"on three of 100, and the others would show it", site(100, func(i int) []Hash {
			if i < 3 {
				return []Hash{7}
			}
			return full(i, 10)
		}), nil},
	} {
		if diff := cmp.Diff(tt.want, tt.s.Template()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// One article that is captured fifty times is not a template.
func TestTemplate_countsPagesNotCaptures(t *testing.T) {
	var s Sample
	for i := range 60 {
		title := min(i, 10)
		s.Add(SketchOf(parse(fmt.Sprintf("<title>Page %d</title><p>%s stands on this page alone.<p>This line stands on "+
			"every page of it.",
			title, strings.Repeat("x", title+1)))))
	}
	if n := len(s.Template()); n != 1 {
		t.Errorf("a template of %d blocks, want 1", n)
	}
}

// The sample is the same with any order of a host's pages, and with any repetitions.
func TestSample_orderAndRepetition(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 5))
	var pages []Sketch
	for i := range 300 {
		k := Sketch{ID: mix(uint64(i % 250))}
		for range r.IntN(MaxBlocks) {
			k.add(Hash(r.Uint32N(500)))
		}
		pages = append(pages, k)
	}
	var want Sample
	for _, k := range pages {
		want.Add(k)
	}
	if n := len(want.pages); n != MaxPages {
		t.Fatalf("%d pages, want %d", n, MaxPages)
	}
	for range 20 {
		r.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
		var parts [3]Sample
		for i, k := range pages {
			parts[i%3].Add(k)
		}
		parts[0].Merge(parts[2])
		parts[0].Merge(parts[1])
		parts[0].Merge(parts[2])
		if !bytes.Equal(parts[0].Encode(), want.Encode()) {
			t.Fatal("the sample depends on the order in which pages came")
		}
	}
}

func TestSample_encoding(t *testing.T) {
	s := site(9, func(i int) []Hash { return full(i, 3)[:i*8] })
	b := s.Encode()
	got, err := DecodeSample(b)
	if err != nil || !bytes.Equal(got.Encode(), b) || len(got.pages) != 9 {
		t.Errorf("%d pages, error %v; want the 9 that were encoded", len(got.pages), err)
	}
	for name, b := range malformed(t) {
		if s, err := DecodeSample(b); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %d pages, error %v; want ErrFormat", name, len(s.pages), err)
		}
	}
}

func malformed(t testing.TB) map[string][]byte {
	t.Helper()
	one := (&Sample{[]Sketch{{ID: 5, Blocks: []Hash{1, 2}}}}).Encode()
	many := &Sample{}
	for i := range MaxPages + 1 {
		many.pages = append(many.pages, Sketch{ID: uint64(i)})
	}
	return map[string][]byte{
		"cut in the head":       one[:5],
		"cut in the hashes":     one[:len(one)-1],
		"IDs do not ascend":     slices.Concat(one, one),
		"hashes do not ascend":  (&Sample{[]Sketch{{Blocks: []Hash{2, 2}}}}).Encode(),
		"too many hashes":       (&Sample{[]Sketch{{Blocks: append(full(0, 1), 1000)}}}).Encode(),
		"too many pages":        many.Encode(),
		"more than is promised": append(slices.Clone(one), 0),
	}
}

func TestMark_onlyCandidates(t *testing.T) {
	p := parse("<p>five words are enough here</p><p>and five of its own</p><h1>five words are enough here</h1>")
	tpl := Template{}
	for i := range p.Blocks {
		if i != 1 {
			tpl = append(tpl, hashOf(p, i))
		}
	}
	slices.Sort(tpl)
	marks, n := tpl.Boilerplate(p)
	if diff := cmp.Diff([]bool{true, false, false}, marks); diff != "" || n != 1 {
		t.Errorf("%d marks (-want +got):\n%s", n, diff)
	}
	if marks, n := (Template{1}).Boilerplate(p); marks != nil || n != 0 {
		t.Errorf("a template of other blocks: %v, %d; want none", marks, n)
	}
}

func FuzzDecodeSample(f *testing.F) {
	f.Add(site(6, func(i int) []Hash { return full(i, 9)[:i] }).Encode())
	for _, b := range malformed(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := DecodeSample(b)
		if err != nil {
			return
		}
		if !bytes.Equal(s.Encode(), b) {
			t.Error("what was decoded encodes to other bytes")
		}
		if n := len(s.Template()); n > maxTemplate {
			t.Errorf("a template of %d blocks", n)
		}
		again := s
		again.Merge(s)
		if !bytes.Equal(again.Encode(), b) {
			t.Error("merged with itself it is another sample")
		}
	})
}

func FuzzSketchOf(f *testing.F) {
	f.Add([]byte("<title>a</title><h1>b</h1><p>one two three four five<p>one two three four six"))
	f.Fuzz(func(t *testing.T, src []byte) {
		p := page.Parse(src, page.Options{})
		k := SketchOf(p)
		marks, n := Template(k.Blocks).Boilerplate(p)
		if len(k.Blocks) > MaxBlocks || n < len(k.Blocks) || marks != nil && len(marks) != len(p.Blocks) {
			t.Errorf("%d blocks in the sketch, %d marked of %d", len(k.Blocks), n, len(p.Blocks))
		}
	})
}

func BenchmarkSketchOf(b *testing.B) {
	src := strings.Repeat("<p>Some text that is as long as the paragraphs of articles are, give or take a clause.<li>"+
		"<a href=x>link</a>", 200)
	p := parse(src)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		SketchOf(p)
	}
}

func BenchmarkTemplate(b *testing.B) {
	s := site(MaxPages, func(i int) []Hash {
		k := Sketch{}
		for n := range MaxBlocks {
			k.add(Hash(mix(uint64(n + i*(n%2)))))
		}
		return k.Blocks
	})
	b.SetBytes(int64(len(s.Encode())))
	b.ReportAllocs()
	for b.Loop() {
		s.Template()
	}
}
