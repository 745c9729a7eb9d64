// Command names makes the models of names in languages other than English, which package tagger embeds: one language
// in each call. It reads the lists that lists.py writes, and sentences of NTREX-128 with labels. See docs/names.md.
//
//	go run ./.tools/train/names --language fr --lists fr.tsv --out transforms/entity/tagger/languages/fr.bin
//	go run ./.tools/pack transforms/entity/tagger/languages/fr.bin
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

type options struct {
	language, lists, corpus, labels, out string
	develop                              bool
	rows, epochs, vote, voteCap          int
	drop                                 float64
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.language, "language", "", "ISO 639-1")
	flag.StringVar(&o.lists, "lists", "", "names: a number for their kinds, a tab, a name, in each line")
	flag.StringVar(&o.corpus, "corpus", "../shared/corpora/lang/ntrex_long_dev.tsv.gz", "sentences")
	flag.StringVar(&o.labels, "labels", ".tools/train/names/labels", "folder of labels")
	flag.StringVar(&o.out, "out", "", "the file to write")
	flag.BoolVar(&o.develop, "develop", false, "learn without the development part, and measure on it")
	flag.IntVar(&o.rows, "rows", 16, "binary logarithm of the number of rows of weights")
	flag.IntVar(&o.epochs, "epochs", 12, "passes over the texts")
	flag.IntVar(&o.vote, "vote", 16, "weight of a vote")
	flag.IntVar(&o.voteCap, "votecap", 256, "largest sum of votes")
	flag.Float64Var(&o.drop, "drop", 0.1, "share of the features left out in training")
	english := flag.String("english", "", "print the names in English pages in this folder, and do nothing else")
	flag.Parse()
	run := func() error { return run(o) }
	if *english != "" {
		run = func() error { return printEnglish(*english) }
	}
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

// developPart are the documents, by their order, on which settings are chosen.
var developPart = map[int]bool{4: true, 9: true}

func run(o options) error {
	lines, err := readLines(o.corpus, o.language)
	if err != nil {
		return err
	}
	texts, err := readLabels(filepath.Join(o.labels, o.language+".tsv"), lines)
	if err != nil {
		return err
	}
	m := &model.Linear{Elides: o.language == "fr" || o.language == "it", Weights: make([]byte, model.Row<<o.rows)}
	switch o.language {
	case "ar":
		m.Script = model.Uncased
	case "zh", "ja":
		m.Script = model.Unspaced
	}
	if err := readLists(m, o.lists); err != nil {
		return err
	}
	if o.develop {
		var train, test []text
		for i, t := range texts {
			if developPart[i] {
				test = append(test, t)
			} else {
				train = append(train, t)
			}
		}
		learn(m, o, train)
		evaluate(m, test)
		return nil
	}
	calibrate(m, o, texts)
	learn(m, o, texts)
	return os.WriteFile(o.out, m.Encode(), 0o666)
}
