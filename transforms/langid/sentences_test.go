package langid

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Lingua is tested on sentences, pairs of words and words, which are in its models' crates (Apache-2.0). There are a
// thousand of each in each of 75 languages.
//
//	cargo fetch                       # of a package that needs lingua 1.8.0
//	go test ./transforms/langid -run linguaTestdata -v -crates ~/.cargo/registry/src/*
var crates = flag.String("crates", "", "folder of the crates of lingua's models")

// firstWords is how many words of each text are used.
var firstWords = flag.Int("words", 0, "the first words of each text are taken alone; 0 takes all")

// part selects one of every three lines: 0 for choices, 1 for inspection, 2 for reports.
var part = flag.Int("part", -1, "the third of the lines, or all if below 0")

func TestDetect_linguaTestdata(t *testing.T) {
	folders, _ := filepath.Glob(filepath.Join(*crates, "*", "testdata"))
	if *crates == "" || len(folders) == 0 {
		t.Skip("no -crates: texts of others")
	}
	codes := codesByName()
	d := New(Options{})
	for _, file := range []string{"sentences.txt", "word-pairs.txt", "single-words.txt"} {
		of, wrong := macro{}, map[string]int{}
		for _, folder := range folders {
			name, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(filepath.Dir(folder)), "lingua-"), "-")
			code := codes[name]
			if code == "" {
				t.Fatalf("no language is called %s", name)
			}
			for i, text := range linesOf(t, filepath.Join(folder, file)) {
				if *part >= 0 && i%3 != *part {
					continue
				}
				if w := strings.Fields(text); *firstWords > 0 && len(w) > *firstWords {
					text = strings.Join(w[:*firstWords], " ")
				}
				got := "-"
				if l := d.Detect(text); len(l) > 0 {
					got = l[0].Code
				}
				of.add(code, got == code)
				if got != code {
					wrong[code+"-"+got]++
				}
			}
		}
		var list, pairs []string
		for code, n := range of {
			list = append(list, fmt.Sprintf("%.3f %s", n[0]/n[1], code))
		}
		for k, n := range wrong {
			pairs = append(pairs, fmt.Sprintf("%04d %s", n, k))
		}
		slices.Sort(list)
		slices.Sort(pairs)
		slices.Reverse(pairs)
		t.Logf("%s: %.4f; %v\n%v", file, of.mean(), list, pairs[:min(len(pairs), 60)])
	}
}

func codesByName() map[string]string {
	codes := map[string]string{
		"bengali": "bn", "bokmal": "nb", "nynorsk": "nn", "slovene": "sl", "ganda": "lg", "maori": "mi", "sotho": "st",
		"tagalog": "tl", "persian": "fa",
	}
	for code := range strings.FieldsSeq("af sq ar hy az eu be bn bs bg ca zh hr cs da nl en eo et fi fr ka de el gu he " +
		"hi hu is id " +
		"ga it ja kk ko la lv lt mk ms mr mn pl pt pa ro ru sr sn sk so es sw sv ta te th ts tn tr uk ur vi cy xh yo zu") {
		codes[strings.ToLower(display.English.Languages().Name(language.MustParse(code)))] = code
	}
	return codes
}

func linesOf(t *testing.T, name string) (lines []string) {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	return lines
}
