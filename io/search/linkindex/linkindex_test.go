package linkindex_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// somePages returns the links of n captures. Some links lead to the page itself, to no host, or to names of other
// scripts.
func somePages(seed uint64, n int) (pages [][]schemas.Link) {
	r := rand.New(rand.NewPCG(seed, 1))
	places := []string{schemas.PlaceMain, schemas.PlaceNavigation, schemas.PlaceOther}
	targets := []schemas.Link{
		{Target: "javascript:alert(1)"},
		{Target: "data:text/html,x"},
		{Target: "mailto:a@b.example", TargetSURT: "", TargetHost: ""},
		{Target: "ftp://files.example/", TargetSURT: "example,files)/", TargetHost: "files.example"},
		{
			Target: "http://xn--mnchen-3ya.example/", TargetSURT: "example,xn--mnchen-3ya)/",
			TargetHost: "xn--mnchen-3ya.example",
		},
		{Target: "https://h1.example/p1", TargetSURT: "example,h1)/p1", TargetHost: "h1.example"},
		{Target: "https://only.example/", TargetSURT: "example,only)/", TargetHost: "only.example"},
	}
	for i := range n {
		host := fmt.Sprintf("h%d.example", r.IntN(4))
		page := schemas.Link{
			SURT: fmt.Sprintf("example,h%s)/p%d", host[1:2], r.IntN(5)), URL: fmt.Sprintf("https://%s/%d", host, i), Host: host,
			Domain: host, Timestamp: fmt.Sprintf("20%02d-01-02T03:04:05.%06dZ", r.IntN(30), i),
		}
		var links []schemas.Link
		for range 1 + r.IntN(20) {
			l := page
			t := targets[r.IntN(len(targets))]
			l.Target, l.TargetSURT, l.TargetHost = t.Target, t.TargetSURT, t.TargetHost
			l.Text, l.Place = []string{"", "a", "عربي"}[r.IntN(3)], places[r.IntN(3)]
			links = append(links, l)
		}
		pages = append(pages, links)
	}
	return pages
}

// linked makes a collection of two units with these links, and returns it.
func linked(t *testing.T, one, other [][]schemas.Link) (holdings.Part, string) {
	t.Helper()
	f := folder.Open(t.Context(), t.TempDir(), nil)
	collectiontest.Link(t, f, schemas.Range{File: "a.warc.gz", End: 1, Format: "warc+gzip"}, nil, one...)
	p := part(t, f)
	if other != nil {
		g := folder.Open(t.Context(), t.TempDir(), nil)
		collectiontest.Link(t, g, schemas.Range{File: "b.warc.gz", End: 1, Format: "warc+gzip"}, nil, other...)
		for _, s := range part(t, g).Of(holdings.KindLinks) {
			data, err := os.ReadFile(g.Path(s.Name))
			if err == nil {
				err = os.WriteFile(f.Path(s.Name), data, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			p.Shards = append(p.Shards, s)
		}
	}
	return p, filepath.Join(f.Path(".gleaner"), "index", "links")
}

func part(t *testing.T, f folder.Folder) holdings.Part {
	t.Helper()
	p, _, err := holdings.Whole(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func update(t *testing.T, dir string, p holdings.Part) linkindex.Report {
	t.Helper()
	r, err := linkindex.Update(t.Context(), dir, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func open(t *testing.T, dir string, p holdings.Part) *linkindex.Index {
	t.Helper()
	x, err := linkindex.Open(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func read(t *testing.T, x *linkindex.Index, refs []linkindex.Ref) (list []schemas.Link) {
	t.Helper()
	for l, err := range x.Links(t.Context(), refs) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, l.Link)
	}
	return list
}

// TestIndex_asShards: links by target and by page, and the hosts of pages, are those that all rows have.
func TestIndex_asShards(t *testing.T) {
	p, dir := linked(t, somePages(1, 60), somePages(2, 40))
	if r := update(t, dir, p); r.Made != 2 || r.Bytes == 0 {
		t.Errorf("made %+v", r)
	}
	x := open(t, dir, p)
	into, from := map[string][]schemas.Link{}, map[string][]schemas.Link{}
	hosts, got := map[string]int64{}, map[string]int64{}
	for l, err := range p.Links(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		plain := schemas.Link{
			URL: l.URL, Timestamp: l.Timestamp, Target: l.Target, Text: l.Text, Rel: l.Rel, Place: l.Place,
		}
		from[l.SURT] = append(from[l.SURT], plain)
		if l.TargetSURT != "" {
			into[l.TargetSURT] = append(into[l.TargetSURT], plain)
		}
		if l.TargetHost != "" && l.Target[:4] == "http" {
			hosts[l.Host+" "+l.Timestamp[:4]+" "+l.TargetHost+" "+l.Place]++
		}
	}
	for surt, want := range into {
		refs, _, err := x.Into(t.Context(), surt, math.MaxInt)
		if diff := gocmp.Diff(want, read(t, x, refs)); diff != "" || err != nil {
			t.Errorf("into %s: %v (-want +got):\n%s", surt, err, diff)
		}
	}
	for surt, want := range from {
		refs, err := x.From(surt)
		if diff := gocmp.Diff(want, read(t, x, refs)); diff != "" || err != nil {
			t.Errorf("from %s: %v (-want +got):\n%s", surt, err, diff)
		}
	}
	for page, err := range x.Pages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for host, n := range page.Hosts() {
			for _, place := range []string{schemas.PlaceMain, schemas.PlaceNavigation, schemas.PlaceOther} {
				if k := n.Of(place); k > 0 {
					got[fmt.Sprintf("%s %d %s %s", page.Host, page.Year, host, place)] += k
				}
			}
		}
	}
	if diff := gocmp.Diff(hosts, got); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
	for surt := range into {
		bounded(t, x, surt)
	}
	if refs, _, err := x.Into(t.Context(), "example,absent)/", math.MaxInt); len(refs) > 0 || err != nil {
		t.Errorf("links to an absent page: %v, %v", refs, err)
	}
}

// bounded checks that Into returns as many links as it may, and reports if there are more.
func bounded(t *testing.T, x *linkindex.Index, surt string) {
	t.Helper()
	all, _, err := x.Into(t.Context(), surt, math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	for most := range len(all) + 2 {
		if refs, more, err := x.Into(t.Context(), surt, most); err != nil || len(refs) != min(most, len(all)) ||
			more != (most < len(all)) {
			t.Errorf("%d of %d links: %d, more %v, %v", most, len(all), len(refs), more, err)
		}
	}
}

// TestUpdate_onlyWhatChanged: an update makes the files of new shards, and removes those of shards that are gone.
func TestUpdate_onlyWhatChanged(t *testing.T) {
	p, dir := linked(t, somePages(1, 10), somePages(2, 10))
	whole := p.Shards
	one := p
	one.Shards = whole[:len(whole)-1]
	if r := update(t, dir, one); r.Made != 1 {
		t.Errorf("the first shard: %+v", r)
	}
	if _, err := linkindex.Open(dir, p); !errors.Is(err, linkindex.ErrStale) {
		t.Errorf("an incomplete index was opened: %v", err)
	}
	if r := update(t, dir, p); r.Made != 1 || r.Removed != 0 {
		t.Errorf("a new shard: %+v", r)
	}
	if r := update(t, dir, p); r.Made != 0 || r.Removed != 0 {
		t.Errorf("nothing new: %+v", r)
	}
	if r := update(t, dir, one); r.Made != 0 || r.Removed != 1 {
		t.Errorf("a removed shard: %+v", r)
	}
	// A shard of the same name with other bytes, as a takedown writes it.
	changed := one
	changed.Shards = slices.Clone(one.Shards)
	for i := range changed.Shards {
		changed.Shards[i].SHA256 = fmt.Sprintf("%064d", i)
	}
	if _, err := linkindex.Open(dir, changed); !errors.Is(err, linkindex.ErrStale) {
		t.Errorf("the file of an older shard was opened: %v", err)
	}
	if r := update(t, dir, changed); r.Made != 1 {
		t.Errorf("a changed shard: %+v", r)
	}
}

// TestCheck_damage: whatever byte changes is found, and an update or a repeated check does not fail on it.
func TestCheck_damage(t *testing.T) {
	p, dir := linked(t, somePages(3, 8), nil)
	update(t, dir, p)
	if problems, err := linkindex.Check(t.Context(), dir, p); len(problems) > 0 || err != nil {
		t.Fatalf("a new index: %v, %v", problems, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.links"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 7 {
		data := slices.Clone(whole)
		data[at] ^= 0x55
		problems := damaged(t, files[0], data, dir, p)
		// The shard's hash and size are at the beginning: another one is an outdated file.
		if len(problems) == 0 && (at < 8 || at >= 80) {
			t.Errorf("byte %d of %d changed, and nothing was found", at, len(whole))
		}
	}
	for _, n := range []int{0, 10, 200, len(whole) - 1} {
		if len(damaged(t, files[0], whole[:n], dir, p)) == 0 {
			t.Errorf("%d bytes of %d, and nothing was found", n, len(whole))
		}
	}
}

// damaged writes an index file, reads everything that it can, and returns the problems that Check finds.
func damaged(t *testing.T, name string, data []byte, dir string, p holdings.Part) []string {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if x, err := linkindex.Open(dir, p); err == nil {
		refs, _, errInto := x.Into(t.Context(), "example,only)/", math.MaxInt)
		more, errFrom := x.From("example,h1)/p1")
		for _, err := range x.Links(t.Context(), append(refs, more...)) {
			if err != nil {
				break
			}
		}
		for page, err := range x.Pages(t.Context()) {
			if err != nil {
				break
			}
			for range page.Hosts() {
				continue
			}
		}
		_ = cmp.Or(errInto, errFrom, x.Close())
	}
	problems, err := linkindex.Check(t.Context(), dir, p)
	if err != nil {
		t.Fatal(err)
	}
	return problems
}
