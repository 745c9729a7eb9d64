package source

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// worldOf returns one of several worlds.
func worldOf(n int) World {
	return World{
		Rarity:   func(name Name) float64 { return float64(1 + (len(name.Text)+int(Hash(name.Text))&7*n)%5) },
		Language: func(string) string { return []string{"", "fi", "nl"}[n%3] },
	}
}

// hostile is a state whose texts look like the parts of a row.
func hostile(r *rand.Rand) State {
	s := random(r)
	for i := range s.Pages {
		s.Pages[i].Entities = []Name{{"person", fmt.Sprint(`,"refresh":{`, r.IntN(30))}, {"place", `,"entities":[`}}
		s.Pages[i].Language = []string{"en", "fr", "en", ""}[r.IntN(4)]
	}
	s.Info.URL = []string{"https://a.example/feed", "not a URL", `https://b.example/","host":"x`}[r.IntN(3)]
	s.Info.Title, s.Info.Link = `,"evidence":{"x"}`, `,"health":{`
	s.Info.Language = []string{"", "en", "de-DE"}[r.IntN(3)]
	if r.IntN(3) == 0 {
		s.Info, s.Visits = Info{}, nil
	}
	return Of(s)
}

// TestRenew: a renewed row is the same as the one that Describe makes of everything.
func TestRenew(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 400 {
		s := hostile(r)
		known := s
		known.Pages = nil
		var fates []Fetch
		for range r.IntN(4) * r.IntN(6) {
			fates = joinFates(fates, []Fetch{{Time: int64(r.IntN(200)), Status: uint16(300 + r.IntN(300))}})
		}
		s = WithFate(s, Page{Visits: fates})
		key := Key(s.Info.URL)
		then, now := time.Unix(1e6, 0), time.Unix(int64(1e6+r.IntN(1e9)), 0)
		before, f := DescribeWhole(key, s, then, Policy{}, worldOf(i))
		f.Fates = fates
		f, err := DecodeFacts(EncodeFacts(nil, f))
		if err != nil {
			t.Fatal(err)
		}
		policy := Policy{Delay: time.Duration(i%2) * time.Hour}
		got, err := Renew(nil, appendJSON(nil, before), known, f, now, policy, i%2 == 0, worldOf(i+1))
		if err != nil {
			t.Fatal(err)
		}
		want := Describe(key, s, now, policy, worldOf(i+1))
		if line := appendJSON(nil, want); !bytes.Equal(got.Row, line) || got.Health != want.Health.State {
			t.Fatalf("renewed:\n%s\nwant\n%s", got.Row, line)
		}
	}
}

func TestRenew_notARow(t *testing.T) {
	for _, line := range []string{"", "{}", `{"a":1,"evidence":{`, `{"a":1,"evidence":{},"refresh":{}}`} {
		if _, err := Renew(nil, []byte(line), State{}, Facts{}, time.Time{}, Policy{}, false, World{}); !errors.Is(err,
			ErrRow) {
			t.Errorf("%q: %v, want ErrRow", line, err)
		}
	}
}

func FuzzRenew(f *testing.F) {
	row := Describe("k", State{}, time.Unix(0, 0), Policy{}, World{})
	f.Add(appendJSON(nil, row))
	f.Fuzz(func(t *testing.T, line []byte) {
		got, err := Renew(nil, line, State{}, Facts{}, time.Unix(5, 0), Policy{}, len(line)%2 == 0, World{})
		if err == nil && json.Valid(line) && len(got.Row) > 2*len(line)+1000 {
			t.Fatalf("%d bytes of %d", len(got.Row), len(line))
		}
	})
}

func FuzzDecodeFacts(f *testing.F) {
	s := hostile(rand.New(rand.NewPCG(13, 14)))
	_, facts := DescribeWhole("k", s, time.Unix(0, 0), Policy{}, World{})
	f.Add(EncodeFacts(nil, facts))
	f.Fuzz(func(t *testing.T, b []byte) {
		facts, err := DecodeFacts(b)
		if err != nil {
			return
		}
		again, err := DecodeFacts(EncodeFacts(nil, facts))
		if err != nil || !reflect.DeepEqual(facts, again) {
			t.Fatalf("decoded again: %+v, %v, want %+v", again, err, facts)
		}
		checkWalk(t, b, facts)
	})
}

// TestDecode_before: data of the previous version is read, and written like in this version.
func TestDecode_before(t *testing.T) {
	p := Page{Link: 7, Time: 9, Status: 301, Title: "A page", URL: "https://a.example/1", Redirect: 5, Author: 3}
	now := EncodePage(nil, p)
	// It had neither signs nor visits: zero bytes before and after that of no entities.
	before := append([]byte{2}, now[1:len(now)-2]...)
	got, err := DecodePage(before)
	if err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("a page of version 2: %+v, %v", got, err)
	}
	third := append([]byte{3}, now[1:len(now)-1]...)
	if got, err := DecodePage(third); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("a page of version 3: %+v, %v", got, err)
	}
	fourth := append([]byte{4}, now[1:]...)
	for _, b := range [][]byte{now, fourth, third, before} {
		if to, known, err := RedirectOf(b); to != 5 || !known || err != nil {
			t.Errorf("RedirectOf: %d, %v, %v, want 5", to, known, err)
		}
		if moved, err := IsFormMove(b); moved || err != nil {
			t.Errorf("IsFormMove: %v, %v, want false", moved, err)
		}
	}
	for n := range before[:len(before)-12] {
		if _, _, err := RedirectOf(before[:n]); !errors.Is(err, ErrState) {
			t.Errorf("RedirectOf %d bytes of it: %v, want ErrState", n, err)
		}
	}
	for n := range 13 {
		if _, err := IsFormMove(before[:n]); !errors.Is(err, ErrState) {
			t.Errorf("IsFormMove of %d bytes of it: %v, want ErrState", n, err)
		}
	}
	if _, err := DecodePage(append([]byte{1}, now[1:]...)); !errors.Is(err, ErrState) {
		t.Errorf("a page of version 1: %v, want ErrState", err)
	}
}

// TestDecode_marks: all marks are read, also those that version 4 wrote as one byte.
func TestDecode_marks(t *testing.T) {
	for _, marks := range []PageMarks{Root, Bare, Bare | Root, Asset, Asset | Bare | Article} {
		p := Page{Link: 7, Time: 9, Status: 304, Marks: marks}
		b := EncodePage(nil, p)
		if got, err := DecodePage(b); err != nil || got.Marks != marks {
			t.Errorf("marks %b: %b, %v", marks, got.Marks, err)
		}
		if marks <= Bare {
			// The marks follow version, link and time. Below Bare a varint is the byte itself.
			old := append([]byte{4}, b[1:10]...)
			old = append(append(old, byte(marks)), b[10+len(binary.AppendUvarint(nil, uint64(marks))):]...)
			if got, err := DecodePage(old); err != nil || !reflect.DeepEqual(got, p) {
				t.Errorf("marks %b of version 4: %+v, %v, want %+v", marks, got, err, p)
			}
		}
		if _, known, err := RedirectOf(b); err != nil || known != (marks&Bare == 0) {
			t.Errorf("RedirectOf with marks %b: known %v, %v", marks, known, err)
		}
		moved, err := AppendPageAt(nil, b, 8)
		if want := EncodePage(nil, p.At(8)); err != nil || string(moved) != string(want) {
			t.Errorf("AppendPageAt with marks %b: %x, %v, want %x", marks, moved, err, want)
		}
	}
}

// TestAppendPageAt: a page that is encoded at a link is encoded like the page there.
func TestAppendPageAt(t *testing.T) {
	for _, p := range []Page{
		{Link: 7, Time: 1 << 40, Title: "A page", URL: "https://a.example/1"},
		{Link: 7, Marks: Root, Time: -1, Entities: []Name{{"place", "Paris"}}},
		{Link: 7, Marks: Root | MovedToRoot},
	} {
		for _, link := range []uint64{7, 8, 1<<64 - 1} {
			b := EncodePage(nil, p)
			got, err := AppendPageAt([]byte("x"), b, link)
			if want := EncodePage([]byte("x"), p.At(link)); err != nil || string(got) != string(want) {
				t.Errorf("%+v at %d: %x, %v; want %x", p, link, got, err, want)
			}
			if string(b) != string(EncodePage(nil, p)) {
				t.Error("the page itself was changed")
			}
			for n := range 10 {
				if _, err := AppendPageAt(nil, b[:n], link); !errors.Is(err, ErrState) {
					t.Errorf("%d bytes of it: %v, want ErrState", n, err)
				}
			}
		}
	}
}

// TestDecodePage_renewed: what an earlier version kept of a page that showed nothing does not hide a capture of it.
func TestDecodePage_renewed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before Page
		bare   bool
		visit  uint16
	}{
		{"a page", Page{Status: 200, Title: "A page"}, false, 0},
		{"a redirect to itself", Page{Status: 301, Redirect: 7}, true, 0},
		{"a temporary redirect to itself", Page{Status: 302, Redirect: 7, Title: "Moved", Filename: "a.warc"}, true, 0},
		{"a redirect elsewhere", Page{Status: 301, Redirect: 8}, false, 0},
		{"a redirect without a target", Page{Status: 301}, false, 0},
		{"a page that leads to itself", Page{Status: 200, Redirect: 7}, true, 304},
		{"not modified", Page{Status: 304}, true, 304},
		{"a failure", Page{Status: 410}, false, 410},
		{"a failure without a time", Page{Status: 410, Time: -1}, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := tt.before
			p.Link, p.URL = 7, "http://a.example/1"
			if p.Time++; p.Time > 0 {
				p.Time = 20
			}
			now := EncodePage(nil, p)
			shown := EncodePage(nil, Page{Link: 7, Time: 10, Status: 200, Title: "Shown", URL: "http://a.example/1"})
			third, second := append([]byte{3}, now[1:len(now)-1]...), append([]byte{2}, now[1:len(now)-2]...)
			for _, old := range [][]byte{third, second} {
				got, err := DecodePage(old)
				if err != nil || got.Marks&Bare != 0 != tt.bare || len(got.Visits) != min(1, int(tt.visit)) {
					t.Fatalf("%+v, %v; want bare %v, a visit %d", got, err, tt.bare, tt.visit)
				}
				if tt.visit > 0 && got.Visits[0] != (Fetch{Time: 20, Status: tt.visit}) {
					t.Errorf("the visit %+v", got.Visits[0])
				}
				if to, known, err := RedirectOf(old); to != got.Redirect || known == tt.bare || err != nil {
					t.Errorf("RedirectOf: %d, %v, %v, want %d, %v", to, known, err, got.Redirect, !tt.bare)
				}
				want := tt.bare && p.Status/100 == 3 && p.Status != 304
				for _, b := range [][]byte{old, EncodePage(nil, got)} {
					if moved, err := IsFormMove(b); moved != want || err != nil {
						t.Errorf("IsFormMove: %v, %v, want %v", moved, err, want)
					}
				}
				if want {
					for n := range len(old) - 12 {
						if _, err := IsFormMove(old[:n]); !errors.Is(err, ErrState) {
							t.Errorf("IsFormMove of %d bytes: %v, want ErrState", n, err)
						}
					}
				}
				for _, pair := range [][2][]byte{{old, shown}, {shown, old}} {
					joined, err := JoinEncodedPages(pair[0], pair[1])
					if err != nil {
						t.Fatal(err)
					}
					p, err := DecodePage(joined)
					if err != nil || (p.Title == "Shown") != (tt.bare || got.Time < 10) {
						t.Errorf("joined with an earlier page: %+v, %v", p, err)
					}
				}
			}
		})
	}
}
