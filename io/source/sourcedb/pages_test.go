package sourcedb

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

func emptyDB(t testing.TB) folder.Folder {
	t.Helper()
	f := folder.Open(context.Background(), t.TempDir(), nil)
	db, err := Open(f)
	must(t, err)
	must(t, db.Close())
	return f
}

func writeShards(t testing.TB, g *generation, kind string, records iter.Seq2[record, error]) []schemas.Shard {
	t.Helper()
	w := g.shards(kind)
	for r, err := range records {
		must(t, err)
		must(t, w.add(r.key, r.value))
	}
	list, err := w.close()
	must(t, err)
	return list
}

// pagesPart is a part of pages alone.
func pagesPart(t testing.TB, f folder.Folder, pages []source.Page) (p Part) {
	t.Helper()
	s := extsort.New(SortOptions{TempDir: t.TempDir()})
	for _, page := range pages {
		must(t, s.Add(linkKey(page.Link), source.EncodePage(nil, page)))
	}
	p.Key = fmt.Sprintf("%020x", rand.Uint64())
	must(t, p.writePages(f, s))
	return p
}

// manyPages are captures of some pages over years, most of them in one month, and some of them redirects.
func manyPages(r *rand.Rand) (pages []source.Page) {
	month := time.Date(2003+r.IntN(24), time.Month(1+r.IntN(12)), 1, 0, 0, 0, 0, time.UTC)
	for range 30 {
		when := month.Add(time.Duration(r.IntN(27*24)) * time.Hour)
		if r.IntN(4) == 0 {
			when = when.AddDate(-r.IntN(4), r.IntN(3), 0)
		}
		p := source.Page{Link: uint64(r.IntN(40)) << 58, Time: when.Unix(), Status: 200, Words: uint32(r.IntN(2))}
		if r.IntN(20) == 0 {
			p.Time = int64(r.IntN(3) - 1)
		}
		if r.IntN(3) == 0 {
			p.Redirect = uint64(1 + r.IntN(3))
		} else if r.IntN(3) == 0 {
			p.Marks = source.Bare
			p.Visits = []source.Fetch{{Time: p.Time, Status: 304}}
		}
		pages = append(pages, p)
	}
	return pages
}

// TestMergePages: the last capture of each page counts, also for redirects. The files are the same for any order of
// parts and any number of steps.
func TestMergePages(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 9))
		f := emptyDB(t)
		var parts []Part
		last := map[uint64]source.Page{}
		for range 7 {
			pages := manyPages(r)
			parts = append(parts, pagesPart(t, f, pages))
			for _, p := range pages {
				if was, ok := last[p.Link]; ok {
					p = source.JoinPages(was, p)
				}
				last[p.Link] = p
			}
		}
		var want Manifest
		for i, groups := range [][]int{{7}, {1, 1, 1, 1, 1, 1, 1}, {2, 0, 5}, {6, 1, 0}} {
			m, redirects := Manifest{}, redirects{}
			rest := parts
			for _, n := range groups {
				g := generation{ctx: t.Context(), f: f, before: m}
				must(t, g.mergePages(rest[:n]))
				m, rest, redirects = Manifest{Pages: g.next.Pages, Redirects: g.next.Redirects}, rest[n:], g.redirects
			}
			if i == 0 {
				want = m
			}
			if diff := cmp.Diff(want, m); diff != "" {
				t.Fatalf("seed %d, in groups of %d: -want +got\n%s", seed, groups, diff)
			}
			checkPages(t, generation{ctx: t.Context(), f: f, next: m}, last, redirects)
			r.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
		}
	}
}

func checkPages(t *testing.T, g generation, last map[uint64]source.Page, got redirects) {
	t.Helper()
	var want redirects
	n := 0
	for r, err := range g.lastPages() {
		must(t, err)
		link, err := linkOf(r.key)
		must(t, err)
		if string(r.value) != string(source.EncodePage(nil, last[link])) {
			t.Errorf("page %d is not %+v", link, last[link])
		}
		if to := last[link].Redirect; to != 0 {
			want.add(link, to)
		}
		n++
	}
	if n != len(last) {
		t.Errorf("%d pages, want %d", n, len(last))
	}
	if !slices.Equal(got.from, want.from) || !slices.Equal(got.to, want.to) {
		t.Errorf("redirects are %v, want %v", got, want)
	}
}

// countingFolder counts the files that are begun.
type countingFolder struct {
	folder.Folder
	n int
}

func (f *countingFolder) Create(name string) (folder.File, error) {
	f.n++
	return f.Folder.Create(name)
}

// TestMergePages_leavesOtherMonths: a crawl only writes the pages of its months, until a year ends. Files of an earlier
// version are divided by months once.
func TestMergePages_leavesOtherMonths(t *testing.T) {
	f := &countingFolder{Folder: emptyDB(t)}
	months := func(list []schemas.Shard) (names []string) {
		for _, s := range list {
			names = append(names, s.Name[:len("pages-202601")])
		}
		return names
	}
	var m Manifest
	add := func(when time.Time, files int, want ...string) {
		t.Helper()
		part := pagesPart(t, f, []source.Page{{Link: uint64(when.Unix()), Time: when.Unix()}, {Link: 1, Time: when.Unix()}})
		g := generation{ctx: t.Context(), f: f, before: m}
		f.n = 0
		must(t, g.mergePages([]Part{part}))
		if f.n != files {
			t.Errorf("%s: %d files were written, want %d", when, f.n, files)
		}
		if diff := cmp.Diff(want, months(g.next.Pages)); diff != "" {
			t.Errorf("%s: -want +got\n%s", when, diff)
		}
		m = Manifest{Pages: g.next.Pages, Redirects: g.next.Redirects}
	}
	date := func(year, month int) time.Time { return time.Date(year, time.Month(month), 9, 0, 0, 0, 0, time.UTC) }
	add(date(2026, 1), 1, "pages-202601")
	add(date(2026, 2), 1, "pages-202601", "pages-202602")
	add(date(2026, 2), 1, "pages-202601", "pages-202602")
	add(date(2019, 2), 1, "pages-201900", "pages-202601", "pages-202602")
	add(date(2027, 7), 2, "pages-201900", "pages-202600", "pages-202707")
	add(date(2030, 7), 3, "pages-000000", "pages-202600", "pages-202700", "pages-203007")
	add(date(2036, 7), 2, "pages-000000", "pages-202600", "pages-202700", "pages-203000", "pages-203607")

	g := generation{ctx: t.Context(), f: f}
	g.next.Pages = m.Pages
	older := writeShards(t, &g, "pages", g.lastPages())
	m = Manifest{Pages: older}
	add(date(2036, 8), 6, "pages-000000", "pages-202600", "pages-202700", "pages-203000", "pages-203607", "pages-203608")
}
