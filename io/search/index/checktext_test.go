package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/schemas"
)

// A check looks up terms that few texts have, whatever the language: frequent ones make it quadratic.
func TestChecker_rarest(t *testing.T) {
	for name, common := range map[string]string{
		"English": "the and of to a in is that for it with as was on",
		"Chinese": "的一是不了在人有我他这中大来上",
		"long":    "international responsibility understanding environmental administration",
	} {
		k := &checker{}
		late := 0
		for i := range 200 {
			own := fmt.Sprintf("x%d y%d z%d", i, i, i)
			terms := k.rarest(nil, common+" "+own+" "+common)
			if len(terms) != termsTried {
				t.Fatalf("%s: %d terms, want %d", name, len(terms), termsTried)
			}
			for _, term := range terms {
				if i > 0 && !strings.Contains(own, term) {
					late++
				}
			}
		}
		if late > 0 {
			t.Errorf("%s: %d frequent terms are looked up after the first text", name, late)
		}
	}
}

// The terms that a check remembers are bounded, and a text is added to those before it.
func TestChecker_rarest_bounded(t *testing.T) {
	k := &checker{}
	for i := range 3 * mostCounts / termsLooked {
		var text strings.Builder
		for n := range termsLooked {
			fmt.Fprintf(&text, "w%dq%d ", i, n)
		}
		k.rarest(nil, text.String())
		if len(k.counts) > mostCounts+termsLooked {
			t.Fatalf("%d terms are remembered", len(k.counts))
		}
	}
	if got := k.rarest([]string{"a"}, ""); !slices.Equal(got, []string{"a"}) {
		t.Errorf("rarest of no text = %q", got)
	}
}

// TestCheck_asksOnce: what a check has found of a term or a name is not asked again for the next capture.
func TestCheck_asksOnce(t *testing.T) {
	s := newShelf(t)
	s.put(t, 0, []*schemas.Document{{
		URL: "https://a.example/", SURT: "example,a)/", Timestamp: "2025-01-01T00:00:00Z", Language: "en",
		Text: "harbours opened again", Authors: []string{"Ada"},
	}})
	x, _ := s.open(t, Options{})
	snapshot, err := x.volumes[0].snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.close()
	k := &checker{c: &Checked{}, s: snapshot}
	ask := func(ctx context.Context) error {
		terms := []string{"harbours", "opened"}
		has, err := k.hasTerms(ctx, terms, 1)
		if err == nil && has {
			has, err = k.hasForms(ctx, "en", terms)
		}
		if err == nil && !has {
			err = errors.New("a term was not found")
		}
		_, _, failed := k.nameID(ctx, kindAuthor, "Ada")
		return errors.Join(err, failed)
	}
	if err := ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ask(ended); err != nil {
		t.Errorf("asked again: %v", err)
	}
	for _, other := range []uint32{2, 1 + rangeTexts} {
		if has, err := k.hasTerms(t.Context(), []string{"harbours"}, other); has || err != nil {
			t.Errorf("text %d has the term: %t, %v", other, has, err)
		}
	}
}

// TestFoundTerms_bounded: what a check remembers of terms is bounded by their texts.
func TestFoundTerms_bounded(t *testing.T) {
	var f foundTerms
	texts := roaring.New()
	texts.AddRange(0, 1)
	for i := range 2 * mostFound / termBytes {
		f.keep(termRange{strconv.Itoa(i), 0}, texts)
		if f.bytes > mostFound {
			t.Fatalf("%d bytes are remembered after %d terms, want at most %d", f.bytes, i, mostFound)
		}
	}
}

// BenchmarkChecker_rarest chooses the terms of texts with frequent and with rare terms.
func BenchmarkChecker_rarest(b *testing.B) {
	var texts []string
	for i := range 1000 {
		var text strings.Builder
		for n := range termsLooked {
			fmt.Fprintf(&text, "w%d q%d ", n, i*n)
		}
		texts = append(texts, text.String())
	}
	k := &checker{}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k.rarest(nil, texts[i%len(texts)])
	}
}
