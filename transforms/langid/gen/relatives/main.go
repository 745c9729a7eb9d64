// Command relatives makes the list of words that tell near relatives apart, which transforms/langid embeds. It is made of
// the frequencies of words in Wikipedia that PyPI's package langidentify (Apache-2.0) has:
//
//	pip download --no-deps langidentify==1.0.2 && unzip langidentify-1.0.2-py3-none-any.whl
//	go run ./transforms/langid/gen/relatives -models langidentify/models/lite -out transforms/langid/relatives.tsv
//
// A line is a word, and the languages in which it is frequent with the logarithm, in nats, of how much more frequent
// than once in 163,000 words. A word is left out where it says little about which of a set of relatives it is in. The
// output depends on nothing but the frequencies and this program.
package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"flag"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/langid/gen/serbian"
)

// sets are the languages that are told apart by these words; langid has the same.
var sets = []string{"bs hr sr-Latn", "cs sk", "id ms", "nb nn da sv", "xh zu", "af nl"}

// files are the models' codes of languages, where they are not ours.
var files = map[string]string{"nb": "no", "sr-Latn": "sr"}

const (
	rare  = -12.0 // the logarithm of the share of words at and below which a word is not frequent
	tells = 0.5   // by how many nats a word has to differ between the languages of a set
)

func main() {
	log.SetFlags(0)
	models := flag.String("models", "", "`folder` of the frequencies")
	out := flag.String("out", "relatives.tsv", "file to write")
	flag.Parse()
	if err := run(*models, *out); err != nil {
		log.Fatal("relatives: ", err)
	}
}

func run(models, out string) error {
	lines := map[string][]string{}
	for _, set := range sets {
		codes := strings.Fields(set)
		var weights []map[string]float64
		for _, code := range codes {
			frequent, err := readWords(models, code)
			if err != nil {
				return err
			}
			weights = append(weights, frequent)
		}
		for word, fields := range telling(codes, weights) {
			lines[word] = append(lines[word], fields)
		}
	}
	var b strings.Builder
	for _, word := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&b, "%s\t%s\n", word, strings.Join(lines[word], " "))
	}
	return os.WriteFile(out, []byte(b.String()), 0o644)
}

// telling returns the words that tell the languages of a set apart, and the weights that they have, as a line has them.
func telling(codes []string, weights []map[string]float64) map[string]string {
	known := map[string]bool{}
	for _, of := range weights {
		for word := range of {
			known[word] = true
		}
	}
	words := map[string]string{}
	for word := range known {
		least, most, fields := math.Inf(1), 0.0, []string(nil)
		for i, of := range weights {
			least, most = min(least, of[word]), max(most, of[word])
			if of[word] > 0 {
				fields = append(fields, fmt.Sprintf("%s=%.1f", codes[i], of[word]))
			}
		}
		if most-least >= tells {
			words[word] = strings.Join(fields, " ")
		}
	}
	return words
}

// readWords returns the frequent words of a language, and how much more frequent than rare ones they are.
func readWords(models, code string) (weights map[string]float64, err error) {
	file := code
	if other, ok := files[code]; ok {
		file = other
	}
	name := filepath.Join(models, "topwords-"+file+".txt.gz")
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, f.Close()) }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	weights = map[string]float64{}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		word, field, _ := strings.Cut(lines.Text(), " ")
		if utf8.RuneCountInString(word) < 2 || strings.ContainsFunc(word, isNoLetter) {
			continue // words of one Latin letter were not counted, those of one Cyrillic letter were; and the heading
		}
		share, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if code == "sr-Latn" {
			word = serbian.InLatin(word)
		}
		if weight := math.Round((share-rare)*10) / 10; weight > 0 {
			weights[word] = max(weights[word], weight)
		}
	}
	return weights, lines.Err()
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
