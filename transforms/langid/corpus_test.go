package langid

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/serbian"
	"github.com/gleaner-web/gleaner/schemas"
)

// With -all the whole corpus is used, both halves of it, and the figures are printed (with -v):
//
//	go test ./transforms/langid -run corpus -v -all
//
// Constants were chosen on the even documents of each label. The odd ones are for reporting.
var all = flag.Bool("all", false, "measure on all of the language corpus")

// corpus calls visit with the lines of a file of NTREX-128 (a label, a tab, the text), up to perLabel for each label.
// The argument i is the line's number within its label.
func corpus(t testing.TB, name string, perLabel int, visit func(i int, label, text string)) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "corpora", "lang", name))
	if err != nil {
		t.Skip("no ../shared/corpora/lang beside the checkout: texts of others, which may not be copied into it")
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
		if seen[label]++; *all || seen[label] <= perLabel {
			visit(seen[label]-1, label, strings.ReplaceAll(text, `\n`, "\n"))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(seen) == 0 {
		t.Fatalf("%s is empty", name)
	}
}

// A macro is the mean of the languages' accuracies.
type macro map[string][2]float64 // right and all

func (m macro) add(label string, right bool) {
	n := m[label]
	if n[1]++; right {
		n[0]++
	}
	m[label] = n
}

func (m macro) mean() float64 {
	sum := 0.0
	for _, n := range m {
		sum += n[0] / n[1]
	}
	return sum / float64(len(m))
}

func TestDetect_corpus(t *testing.T) {
	for _, tt := range []struct {
		file     string
		accuracy Accuracy
		perLabel int
		floor    float64 // for the first texts of each language
		ofAll    float64 // with -all
	}{
		{"ntrex_tweet_dev.tsv.gz", Default, 10, 0.945, 0.960},
		{"ntrex_short_dev.tsv.gz", Default, 10, 0.955, 0.960},
		{"ntrex_medium_dev.tsv.gz", Default, 8, 0.985, 0.985},
		{"ntrex_long_dev.tsv.gz", Default, 4, 0.985, 0.985},
		{"ntrex_tweet_dev.tsv.gz", High, 10, 0.955, 0.955},
		{"ntrex_short_dev.tsv.gz", High, 10, 0.954, 0.954},
	} {
		if *all {
			tt.floor = tt.ofAll
		}
		d := New(Options{Accuracy: tt.accuracy})
		d.Detect(paragraphs["en"])
		halves, wrong := [2]macro{{}, {}}, map[string]int{}
		var took time.Duration
		n := 0
		corpus(t, tt.file, tt.perLabel, func(i int, label, text string) {
			start := time.Now()
			got := d.Detect(text)
			took += time.Since(start)
			n++
			right := len(got) > 0 && got[0].Code == label
			if halves[i%2].add(label, right); !right && len(got) > 0 {
				wrong[label+" as "+got[0].Code]++
			} else if !right {
				wrong[label+" unknown"]++
			}
		})
		t.Logf("%s, %s: even %.4f, odd %.4f, %v a text; %v",
			tt.file, tt.accuracy, halves[0].mean(), halves[1].mean(), took/time.Duration(n), wrong)
		if got := (halves[0].mean() + halves[1].mean()) / 2; got < tt.floor {
			t.Errorf("%s, %s: %.4f right, want %v", tt.file, tt.accuracy, got, tt.floor)
		}
	}
}

// Short texts in Serbian, rewritten in Latin letters, are distinguished from Bosnian and Croatian.
func TestDetect_corpusSerbianInLatin(t *testing.T) {
	for _, accuracy := range []Accuracy{Default, High} {
		d := New(Options{Accuracy: accuracy})
		right, n := [2]int{}, [2]int{}
		for _, file := range []string{"ntrex_tweet_dev.tsv.gz", "ntrex_short_dev.tsv.gz"} {
			corpus(t, file, math.MaxInt, func(i int, label, text string) {
				if label != "sr" {
					return
				}
				got := d.Detect(serbian.InLatin(text))
				if n[i%2]++; len(got) > 0 && got[0].Code == "sr" {
					right[i%2]++
				}
			})
		}
		t.Logf("%s: even %d of %d, odd %d of %d", accuracy, right[0], n[0], right[1], n[1])
		if float64(right[0]+right[1]) < 0.6*float64(n[0]+n[1]) {
			t.Errorf("%s: %d of %d are Serbian", accuracy, right[0]+right[1], n[0]+n[1])
		}
	}
}

func TestDetect_corpusMixed(t *testing.T) {
	d := New(Options{})
	exact, n, wrong := 0, 0, 0.0
	var took time.Duration
	corpus(t, "mixed_dev.tsv.gz", 2, func(_ int, label, text string) {
		var want map[string]float64
		if err := json.Unmarshal([]byte(label), &want); err != nil {
			t.Fatal(err)
		}
		if n++; n%2 != 0 && !*all {
			return
		}
		start := time.Now()
		got := d.Detect(text)
		took += time.Since(start)
		exactly, off := compareShares(got, want)
		if exactly {
			exact++
		} else if *all {
			t.Logf("%s: %v", label, got)
		}
		wrong += off
	})
	if !*all {
		n /= 2
	}
	share, missed := float64(exact)/float64(n), wrong/float64(n)
	t.Logf("exact set in %.4f, share error %.4f, %v a text", share, missed, took/time.Duration(n))
	if share < 0.96 || missed > 0.01 {
		t.Errorf("exact set in %.3f of %d, want 0.96; share error %.4f, want at most 0.01", share, n, missed)
	}
}

// compareShares reports whether got has exactly those languages of want that have 5 %. It also returns half the sum of
// the differences between shares.
func compareShares(got []schemas.Language, want map[string]float64) (exactly bool, off float64) {
	found, due := 0, 0
	for _, share := range want {
		if share >= minShare {
			due++
		}
	}
	for _, l := range got {
		if want[l.Code] >= minShare {
			found++
		}
		want[l.Code] -= float64(l.Share)
	}
	for _, rest := range want {
		off += math.Abs(rest) / 2
	}
	return found == len(got) && found == due, off
}
