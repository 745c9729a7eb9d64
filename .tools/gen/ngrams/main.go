// Command ngrams makes the table of n-grams that transforms/langid embeds, from the language models in lingua-go's
// module (Apache-2.0):
//
//	go generate ./transforms/langid
//
// For each language and each n-gram of up to five letters, the models have the likelihood of its last letter after
// the others. The table uses up to four letters. It predicts each letter of a word from the three before it, or from
// two, or at a word's start from those that exist.
//
// The weight of an n-gram of up to three letters is the log of that likelihood, relative to that of an unseen letter.
// The weight of four letters is relative to the log of the last three and the cost of doing without the fourth. So
// the weights of a text's n-grams sum up to the log of its likelihood plus a constant. N-grams that a language lacks
// add nothing, so the table omits them.
//
// The output depends only on the models and this program.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/langid/ngram"
)

const module = "github.com/pemistahl/lingua-go"

func main() {
	log.SetFlags(0)
	out := flag.String("out", "ngrams.bin", "file to write")
	models := flag.String("models", "", "folder of the models; that of the module in use by default")
	flag.Parse()
	if err := run(*models, *out); err != nil {
		log.Fatal("ngrams: ", err)
	}
}

func run(models, out string) error {
	version, err := goList("{{.Version}}")
	if err != nil {
		return err
	}
	if models == "" {
		dir, err := goList("{{.Dir}}")
		if err != nil {
			return err
		}
		models = filepath.Join(dir, "language-models")
	}
	table, err := build(models, version)
	if err != nil {
		return err
	}
	return os.WriteFile(out, table, 0o644)
}

// goList asks the go command about the module.
func goList(format string) (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", format, module).Output()
	if err != nil {
		return "", fmt.Errorf("go list %s: %w", module, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// build returns the table of the models in a folder.
func build(models, version string) ([]byte, error) {
	h := ngram.Header{
		Source: fmt.Sprintf("%s %s, orders 1 to %d, unseen %v, back-off %v, pruned below %v and %v", module, version,
			ngram.MaxOrder, unseen, backOff, prune, rare),
		Step: step, Languages: languages(),
	}
	var known []model
	for i, l := range h.Languages {
		m, err := readModel(models, l.Code)
		if err != nil {
			return nil, err
		}
		m.language, m.script = uint8(i), l.Script
		known = append(known, m)
	}
	h.Alphabets = alphabets(known)
	var postings []ngram.Posting
	for _, m := range known {
		postings = m.appendPostings(postings, h.Alphabets[m.script])
	}
	log.Printf("%d languages, %d weights", len(known), len(postings))
	return ngram.Encode(h, postings)
}
