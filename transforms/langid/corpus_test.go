package langid

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus calls visit with the lines of a file of NTREX-128 (a label, a tab, the text), up to perLabel of each label.
func corpus(t *testing.T, name string, perLabel int, visit func(label, text string)) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "corpora", "lang", name))
	if err != nil {
		t.Skipf("the language corpus is not beside the checkout: %v", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		label, text, _ := strings.Cut(lines.Text(), "\t")
		if seen[label]++; seen[label] <= perLabel {
			visit(label, strings.ReplaceAll(text, `\n`, "\n"))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(seen) == 0 {
		t.Fatalf("%s is empty", name)
	}
}

// All pages of the corpus: .988 (70 languages, the mean of theirs); floors leave room for the small sample.
func TestDetect_corpusPages(t *testing.T) {
	d := New(Options{})
	for _, tt := range []struct {
		file     string
		perLabel int
		floor    float64
	}{{"ntrex_long_dev.tsv.gz", 3, 0.975}, {"ntrex_medium_dev.tsv.gz", 4, 0.965}} {
		right, all := 0, 0
		corpus(t, tt.file, tt.perLabel, func(label, text string) {
			all++
			if got := d.Detect(text); len(got) > 0 && got[0].Code == label {
				right++
			}
		})
		if share := float64(right) / float64(all); share < tt.floor {
			t.Errorf("%s: %.4f of %d right, want %v", tt.file, share, all, tt.floor)
		}
	}
}

// All 600 mixed documents: the exact set in .976, mean share error .011.
func TestDetect_corpusMixed(t *testing.T) {
	d := New(Options{})
	exact, all, wrong := 0, 0, 0.0
	corpus(t, "mixed_dev.tsv.gz", 2, func(label, text string) {
		var want map[string]float64
		if err := json.Unmarshal([]byte(label), &want); err != nil {
			t.Fatal(err)
		}
		if all++; all%3 != 0 {
			return
		}
		got := d.Detect(text)
		found := 0
		for _, l := range got {
			if _, ok := want[l.Code]; ok {
				found++
			}
			want[l.Code] -= l.Share
		}
		for _, rest := range want {
			wrong += math.Abs(rest) / 2
		}
		if found == len(got) && found == len(want) {
			exact++
		}
	})
	all /= 3
	if share, missed := float64(exact)/float64(all), wrong/float64(all); share < 0.94 || missed > 0.03 {
		t.Errorf("exact set in %.3f of %d, want 0.94; share error %.4f, want at most 0.03", share, all, missed)
	}
}
