package source

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// random makes a part of the possible knowledge of a crawl. It draws from few keys, so that parts overlap.
func random(r *rand.Rand) State {
	n := func(most int) int { return r.IntN(most) }
	text := func() string { return fmt.Sprint("text ", n(4)) }
	s := State{First: int64(n(3)), Last: int64(n(9))}
	s.Info = Info{Time: int64(n(4)), URL: text(), Type: "rss", Title: text(), Link: text(), MaxAge: int64(n(2))}
	for range n(400) {
		s.Items = append(s.Items, Item{
			ID: uint64(n(300)), Link: uint64(n(9)), Time: int64(n(4)), First: int64(n(3)), Marks: ItemMarks(n(32)),
			Words: Signature(text()),
		})
	}
	for range n(50) {
		s.Entries = append(s.Entries, Entry{Time: int64(n(9)), ID: uint64(n(9)), URL: text(), Title: text()})
		s.Visits = append(s.Visits, Fetch{
			Time: int64(n(99)), Digest: uint64(n(2)), Items: uint32(n(2)),
			Status: uint16(n(2)),
		})
		s.Announces = append(s.Announces, Announce{Page: uint64(n(40)), Class: text(), Title: text()})
		s.Aliases = append(s.Aliases, Alias{URL: fmt.Sprint(n(40)), Evidence: text()})
	}
	for range n(100) {
		s.Pages = append(s.Pages, Page{
			Link: uint64(n(200)), Time: int64(n(2)), Marks: PageMarks(n(16)), Words: uint32(n(2)), Path: text(),
			Language: text(), Title: text(), Entities: []Name{{"person", text()}},
		})
	}
	return Of(s)
}

// mergeTree merges the parts in some order and by some tree, some of them twice.
func mergeTree(r *rand.Rand, parts []State) State {
	list := append([]State(nil), parts...)
	for range r.IntN(4) {
		list = append(list, parts[r.IntN(len(parts))])
	}
	for len(list) > 1 {
		i, j := r.IntN(len(list)), r.IntN(len(list)-1)
		if j >= i {
			j++
		}
		list[i] = Merge(list[i], list[j])
		list = append(list[:j], list[j+1:]...)
	}
	return list[0]
}

func TestMerge_anyOrderAnyTreeAnyRepeat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		parts := make([]State, 2+r.IntN(5))
		for i := range parts {
			parts[i] = random(r)
		}
		want := Encode(nil, mergeTree(r, parts))
		for range 6 {
			if got := Encode(nil, mergeTree(r, parts)); !bytes.Equal(got, want) {
				t.Fatal("another order of merging gives another state")
			}
		}
	}
}

func TestMerge_leavesItsParts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a, b := random(r), random(r)
	before := Encode(Encode(nil, a), b)
	Merge(a, b)
	if !bytes.Equal(before, Encode(Encode(nil, a), b)) {
		t.Error("Merge changed what it merged")
	}
}

func TestEncode_decodes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		s := random(r)
		got, err := Decode(Encode(nil, s))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, s) {
			t.Fatalf("decoded: %+v\nwant %+v", got, s)
		}
	}
	if got, err := Decode(Encode(nil, State{})); err != nil || !reflect.DeepEqual(got, State{}) {
		t.Errorf("the zero state: %+v, %v", got, err)
	}
}

// TestMerge_beforeTheEpoch: captures with times before the web existed are merged in any order to the same state.
func TestMerge_beforeTheEpoch(t *testing.T) {
	var list []State
	for _, when := range []string{"1950-01-01T00:00:00Z", "", "2026-03-01T00:00:00Z", "0001-01-01T00:00:00Z"} {
		list = append(list, FromFeed(&schemas.FeedCapture{Kind: "feed", URL: "https://a.example/feed", Timestamp: when}))
	}
	for _, a := range list {
		for _, b := range list {
			for _, c := range list {
				if !isEqual(Merge(Merge(a, b), c), Merge(a, Merge(b, c))) {
					t.Fatalf("Merge is not associative: %+v, %+v, %+v", a, b, c)
				}
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	f.Add(Encode(nil, State{}))
	for range 5 {
		f.Add(Encode(nil, random(r)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Decode(Encode(nil, s))
		if err != nil || !isEqual(s, again) {
			t.Fatalf("what was decoded and encoded is another state: %v", err)
		}
		checkShort(t, b, s)
		if !isEqual(Merge(s, s), s) || !isEqual(Merge(s, State{}), s) {
			t.Fatal("a state merged with itself or with nothing is another one")
		}
	})
}

func FuzzMerge(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, x, y uint64) {
		a, b := random(rand.New(rand.NewPCG(x, y))), random(rand.New(rand.NewPCG(y, x)))
		if ab := Merge(a, b); !isEqual(ab, Merge(b, a)) || !isEqual(Merge(ab, b), ab) {
			t.Fatal("Merge is not commutative or not idempotent")
		}
		c := random(rand.New(rand.NewPCG(x, x)))
		if !isEqual(Merge(Merge(a, b), c), Merge(a, Merge(b, c))) {
			t.Fatal("Merge is not associative")
		}
	})
}

func BenchmarkMerge(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	x, y := Encode(nil, random(r)), Encode(nil, random(r))
	b.SetBytes(int64(len(x) + len(y)))
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		one, _ := Decode(x)
		two, _ := Decode(y)
		out = Encode(out[:0], Merge(one, two))
	}
}

// isEqual compares states, each of which has only one encoding.
func isEqual(a, b State) bool { return bytes.Equal(Encode(nil, a), Encode(nil, b)) }
