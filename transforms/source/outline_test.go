package source

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// checkShort: reading a state without decoding it completely gives the same as Decode.
func checkShort(t *testing.T, b []byte, s State) {
	t.Helper()
	want := Outline{Last: s.Last, Links: []uint64{}}
	for _, i := range s.Items {
		if i.Marks&Unfollowed == 0 {
			want.Links = append(want.Links, i.Link)
		}
	}
	for _, a := range s.Aliases {
		want.Names = append(want.Names, a.URL)
	}
	got, err := OutlineOf(b, make([]uint64, 3))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("OutlineOf: %+v, %v, want %+v", got, err, want)
	}
	brief := State{First: s.First, Last: s.Last, Info: s.Info, Items: s.Items, Visits: s.Visits}
	if got, err := DecodeTimes(b); err != nil || !reflect.DeepEqual(got, brief) {
		t.Errorf("DecodeTimes: %+v, %v, want %+v", got, err, brief)
	}
}

func TestOutlineOf(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 200 {
		s := hostile(r)
		if r.IntN(2) == 0 {
			s.Pages = nil // as states are stored
		}
		b := Encode(nil, s)
		checkShort(t, b, s)
		cut := b[:r.IntN(len(b))]
		if _, err := OutlineOf(cut, nil); !errors.Is(err, ErrState) {
			t.Errorf("OutlineOf %d of %d bytes: %v, want ErrState", len(cut), len(b), err)
		}
		if _, err := DecodeTimes(cut); err != nil && !errors.Is(err, ErrState) {
			t.Errorf("DecodeTimes %d of %d bytes: %v, want ErrState", len(cut), len(b), err)
		}
	}
}

// TestJoinEncodedPages: encoded pages are joined in the same way as decoded ones.
func TestJoinEncodedPages(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 500 {
		var pages [2]Page
		for i := range pages {
			pages[i] = Page{Link: 7, Time: int64(r.IntN(3) - 1), Status: uint16(r.IntN(2)), Title: "A"[:r.IntN(2)]}
			pages[i].Marks = PageMarks(r.IntN(2)) * Bare
			for range r.IntN(3) * r.IntN(12) {
				visit := Fetch{Time: int64(r.IntN(20)), Status: uint16(304 + r.IntN(200))}
				pages[i].Visits = joinFates(pages[i].Visits, []Fetch{visit})
			}
		}
		a, b := EncodePage(nil, pages[0]), EncodePage(nil, pages[1])
		got, err := JoinEncodedPages(a, b)
		if want := EncodePage(nil, JoinPages(pages[0], pages[1])); err != nil || string(got) != string(want) {
			t.Fatalf("%+v and %+v: %x, %v, want %x", pages[0], pages[1], got, err, want)
		}
		if at, err := TimeOf(a); err != nil || at != max(0, pages[0].Time) {
			t.Errorf("TimeOf %+v: %d, %v", pages[0], at, err)
		}
		pages[0].Visits, pages[0].Marks = nil, 0 // which it did not have
		a = EncodePage(nil, pages[0])
		before := append([]byte{2}, a[1:len(a)-2]...) // as version 2 wrote it: see TestDecode_before
		if got, err := JoinEncodedPages(before, before); err != nil || string(got) != string(a) {
			t.Errorf("a page of version 2 with itself: %x, %v, want %x", got, err, a)
		}
		for n := range 10 {
			_, err := JoinEncodedPages(a[:n], b)
			_, bad := TimeOf(a[:n])
			if !errors.Is(err, ErrState) || n < 9 && !errors.Is(bad, ErrState) {
				t.Errorf("%d bytes: %v, %v, want ErrState", n, err, bad)
			}
		}
	}
}

// checkWalk: reading facts without decoding them completely gives the same as DecodeFacts.
func checkWalk(t *testing.T, b []byte, f Facts) {
	t.Helper()
	var tongues []Tongue
	var names []Name
	err := WalkFacts(b, func(language []byte, words int) {
		tongues = append(tongues, Tongue{string(language), words})
	}, func(kind, text []byte) { names = append(names, Name{string(kind), string(text)}) })
	var want []Name
	for _, n := range f.Names {
		want = append(want, n.Name)
	}
	if err != nil || !reflect.DeepEqual(tongues, f.Tongues) || !reflect.DeepEqual(names, want) {
		t.Errorf("WalkFacts: %v %v %v, want those of %+v", tongues, names, err, f)
	}
}

// TestWalkPage: reading a page without decoding it completely gives the same as DecodePage.
func TestWalkPage(t *testing.T) {
	none := func([]byte, int) {}
	for _, p := range []Page{
		{Link: 7},
		{
			Link: 1 << 63, Language: "de", Words: 300, Path: "p", Publisher: "b", Title: "t", URL: "u", Filename: "f",
			Signs:    300,
			Entities: []Name{{"person", "A"}, {"place", ""}},
		},
	} {
		b := EncodePage(nil, p)
		got := Page{}
		err := WalkPage(b, func(language []byte, words int) { got.Language, got.Words = string(language), uint32(words) },
			func(kind, text []byte) { got.Entities = append(got.Entities, Name{string(kind), string(text)}) })
		link, bad := LinkOf(b)
		want := Page{Language: p.Language, Words: p.Words, Entities: p.Entities}
		if err != nil || bad != nil || !reflect.DeepEqual(got, want) || link != p.Link {
			t.Errorf("%+v at %d, %v, %v; want %+v", got, link, err, bad, p)
		}
		for n := range b {
			if err := WalkPage(b[:n], none, func(_, _ []byte) {}); !errors.Is(err, ErrState) {
				t.Errorf("%d of %d bytes: %v, want ErrState", n, len(b), err)
			}
		}
	}
}

func TestWalkFacts(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	none := func([]byte, int) {}
	for range 100 {
		_, f := DescribeWhole("k", hostile(r), time.Unix(0, 0), Policy{}, World{})
		b := EncodeFacts(nil, f)
		checkWalk(t, b, f)
		cut := b[:r.IntN(len(b))]
		if err := WalkFacts(cut, none, func(_, _ []byte) {}); !errors.Is(err, ErrState) {
			t.Errorf("%d of %d bytes: %v, want ErrState", len(cut), len(b), err)
		}
	}
}
