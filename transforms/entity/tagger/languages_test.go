package tagger

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// least is the F1 that each language must reach on the sentences of testdata/languages. No model and no setting was
// chosen on them.
var least = map[string]float64{
	"de": 0.65, "fr": 0.65, "es": 0.65, "it": 0.65, "pt": 0.65, "nl": 0.65, "pl": 0.65, "ru": 0.65,
	"zh": 0.55, "ja": 0.55, "ar": 0.55,
}

// sentences returns the sentences of a language in NTREX-128's pages.
func sentences(tb testing.TB, language string) (lines []string) {
	tb.Helper()
	f, err := os.Open("../../../../shared/corpora/lang/ntrex_long_dev.tsv.gz")
	if err != nil {
		tb.Skip("no ../shared/corpora/lang beside the checkout: texts of others, which may not be copied into it")
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if code, page, _ := strings.Cut(s.Text(), "\t"); code == language {
			lines = append(lines, strings.Split(page, `\n`)...)
		}
	}
	if s.Err() != nil {
		tb.Fatal(s.Err())
	}
	return lines
}

// labelledDocument is a text with names, without confidences.
type labelledDocument struct {
	text  string
	names map[Mention]bool
}

// readLanguage reads testdata/languages. A line has the first sentence of a document and the one after its last.
// Or it has the sentence of a name, its bytes in that sentence, and its type.
func readLanguage(tb testing.TB, language string) (all []labelledDocument) {
	tb.Helper()
	lines := sentences(tb, language)
	data, err := os.ReadFile("testdata/languages/" + language + ".tsv")
	if err != nil {
		tb.Fatal(err)
	}
	var first int
	var starts []int
	for line := range strings.Lines(string(data)) {
		var i, start, end int
		var kind string
		if n, _ := fmt.Sscanf(line, "# %d %d", &start, &end); n == 2 {
			d := labelledDocument{names: map[Mention]bool{}}
			first, starts = start, nil
			for _, l := range lines[start:end] {
				starts = append(starts, len(d.text))
				d.text += l + "\n"
			}
			all = append(all, d)
			continue
		}
		if _, err := fmt.Sscanf(line, "%d\t%d\t%d\t%s", &i, &start, &end, &kind); err != nil {
			tb.Fatalf("%s: %q: %v", language, line, err)
		}
		at := starts[i-first]
		all[len(all)-1].names[Mention{Start: at + start, End: at + end, Type: kind}] = true
	}
	return all
}

// score counts names by type: right, found and labelled.
type score [3]int

func (s score) f1() float64 { return 2 * float64(s[0]) / max(1, float64(s[1]+s[2])) }

func (s score) String() string {
	return fmt.Sprintf("precision %.3f, recall %.3f, F1 %.3f (%d, %d, %d)",
		float64(s[0])/max(1, float64(s[1])), float64(s[0])/max(1, float64(s[2])), s.f1(), s[0], s[1], s[2])
}

// Run it with -v for the table in docs/names.md.
func TestTag_languages(t *testing.T) {
	files, err := filepath.Glob("testdata/languages/*.tsv")
	if err != nil || len(files) != len(languages) {
		t.Fatalf("%d files of labels, %d languages, %v", len(files), len(languages), err)
	}
	tagger := New(Options{})
	for language := range languages {
		t.Run(language, func(t *testing.T) {
			scores := map[string]score{}
			add := func(kind string, i int) {
				for _, k := range []string{kind, "all"} {
					s := scores[k]
					s[i]++
					scores[k] = s
				}
			}
			for _, d := range readLanguage(t, language) {
				for m := range d.names {
					add(m.Type, 2)
				}
				for _, m := range tagger.Tag(d.text, language, nil) {
					m.Confidence = 0
					add(m.Type, 1)
					if d.names[m] {
						add(m.Type, 0)
					}
				}
			}
			for _, kind := range []string{Person, Organization, Place, "all"} {
				t.Log(kind, scores[kind])
			}
			if f := scores["all"].f1(); f < least[language] {
				t.Errorf("F1 is %.3f, want %.2f", f, least[language])
			}
		})
	}
}

func TestTag_french(t *testing.T) {
	text := "Emmanuel Macron a visité le siège de l'UNESCO à Paris, puis la ville de Lyon."
	want := map[string]string{"Emmanuel Macron": Person, "UNESCO": Organization, "Paris": Place, "Lyon": Place}
	for _, m := range New(Options{}).Tag(text, "fr", nil) {
		if name := text[m.Start:m.End]; want[name] == m.Type {
			delete(want, name)
		} else {
			t.Errorf("found %s %q", m.Type, name)
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}

func TestCovers(t *testing.T) {
	for language, want := range map[string]bool{"en": true, "EN": true, "fr": true, "sw": false, "": false} {
		if got := Covers(language); got != want {
			t.Errorf("Covers(%q) = %v", language, got)
		}
	}
}
