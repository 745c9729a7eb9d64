package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/page"
)

const corpora = "../../../../shared/corpora/maintext"

// TestCard_dataIsThatOfTheModel compares the labelled sets with those in the model card.
func TestCard_dataIsThatOfTheModel(t *testing.T) {
	if _, err := os.Stat(corpora); err != nil {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	samples, err := corpus(corpora)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := card(samples, nil, &b); err != nil {
		t.Fatal(err)
	}
	var got, want modelCard
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if err := readJSON("../../../transforms/maintext/score/model.json", &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the model was trained on other data; run train.py (-trained +here):\n%s", diff)
	}
}

func TestAlign(t *testing.T) {
	const sentence = "Bees live in colonies of many thousand members each summer."
	tests := []struct {
		name, src, text string
		want            []float32
	}{
		{"a sentence", "<p>Home<p>" + sentence + "<p>Contact", sentence, []float32{0, 1, 0}},
		{"a copy of it", "<p>" + sentence + "<p>Menu of the site<p>" + sentence, sentence, []float32{1, 0, 0}},
		{"a short line", "<p>" + sentence + "<p>Honey and wax<p>Other", sentence + "\nHoney and wax", []float32{1, 1, 0}},
		{"a word that comes next", "<p>" + sentence + "<p>Honey<p>Imprint", sentence + "\nHoney", []float32{1, 1, 0}},
		{"no text", "<p>" + sentence, "", []float32{0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := align(page.Parse([]byte(tt.src), page.Options{}), tt.text)
			for i := range got {
				if math.Round(float64(got[i])) != float64(tt.want[i]) {
					t.Errorf("labels of %q = %v, want about %v", tt.src, got, tt.want)
					break
				}
			}
		})
	}
}

func TestTokens(t *testing.T) {
	got := tokens("A_b c-d, é9 日本x")
	if want := []string{"a_b", "c", "d", "é9", "日", "本", "x"}; !slices.Equal(got, want) {
		t.Errorf("tokens = %q, want %q", got, want)
	}
}

func TestOverlap(t *testing.T) {
	tests := []struct {
		got, want string
		n         int
		f1        float64
	}{
		{"a b c", "a b c", 1, 1},
		{"a b", "a b c d", 1, 2.0 / 3},
		{"b a", "a b", 1, 1},
		{"a b c d e", "a b c d f", 4, 0.5},
		{"", "a", 1, 0},
		{"", "", 1, 1},
	}
	for _, tt := range tests {
		if f1 := overlap(strings.Fields(tt.got), strings.Fields(tt.want), tt.n); math.Abs(f1-tt.f1) > 1e-9 {
			t.Errorf("overlap(%q, %q, %d) = %v, want %v", tt.got, tt.want, tt.n, f1, tt.f1)
		}
	}
}

func TestSnippets(t *testing.T) {
	var c snippets
	c.add(&sample{With: []string{"a  b", "x"}, Without: []string{"c", "y"}}, "a b\nc")
	if want := (snippets{1, 1, 1}); c != want || c.f1() != 0.5 {
		t.Errorf("snippets = %+v, F1 %v, want %+v", c, c.f1(), want)
	}
}
