package main

import (
	"crypto/sha256"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/langid/ngram"
	"github.com/google/go-cmp/cmp"
)

// The table in the repository is up to date with the models of the module in use. The test takes half a minute:
//
//	GENERATE=1 go test ./.tools/gen/ngrams
func TestBuild_isTheTableInTheRepository(t *testing.T) {
	if os.Getenv("GENERATE") == "" {
		t.Skip("set GENERATE=1 to make the table again, which takes half a minute")
	}
	want, err := os.ReadFile(filepath.FromSlash("../../../transforms/langid/ngrams.bin"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "ngrams.bin")
	if err := run("", out); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if sha256.Sum256(got) != sha256.Sum256(want) {
		t.Error("ngrams.bin is not what the generator makes: run go generate ./transforms/langid")
	}
}

func TestAppendPostings(t *testing.T) {
	m := model{language: 3, logs: map[string]float64{
		"a": -2, "ab": -1, "abc": -9, "bca": -1, "abca": -0.5, "bcab": -3, "cab": -3, "q": -1,
		"c": -8, "cb": -5, "cba": -5, "bac": -5, "cbac": -1, // cbac is too rare: exp(-19) times 5
	}}
	got := map[ngram.Key]int8{}
	for _, p := range m.appendPostings(nil, "abc") {
		got[p.Key] = p.Weight
	}
	want := map[ngram.Key]int8{
		0x01: 60, 0x0102: 70, 0x010203: -10, 0x020301: 70, 0x030102: 50, // above the -8 of an unseen letter
		0x01020301: 15, // -0.5 - -1 + 1
		0x02030102: 10, // -3 - -3 + 1
		0x0302:     30, 0x030201: 30, 0x020103: 30,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("appendPostings (-want +got):\n%s", diff)
	}
}

func TestAlphabets_keepsTheLikeliestLetters(t *testing.T) {
	rare := model{logs: map[string]float64{"ж": -1, "b": -3, "a": -2, "ab": -1}}
	if got := alphabets([]model{rare})[0]; got != "ab" {
		t.Errorf("alphabets = %q, want ab: letters of the script, in order", got)
	}
}

func TestInLatin(t *testing.T) {
	m := model{logs: map[string]float64{}}
	for letters, p := range map[string]float64{
		"ж": 0.2, "же": 0.5, "љ": 0.1, "л": 0.3, "љу": 0.25, "љуба": 0.125,
		"уба": 0.75,
	} {
		m.logs[letters] = math.Log(p)
	}
	got := map[string]float64{}
	for letters, log := range m.inLatin().logs {
		got[letters] = math.Round(math.Exp(log)*1e6) / 1e6
	}
	want := map[string]float64{
		"ž": 0.2, "že": 0.5,
		"l": 0.4, "lj": 0.25, "lju": 0.25, // l is both letters' first, and j follows it in a quarter
		"uba": 0.75, "juba": 0.125, // ljuba is too long
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("inLatin (-want +got):\n%s", diff)
	}
}
