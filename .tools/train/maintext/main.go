// Command maintext makes what package maintext has learnt, from pages in which people marked the main text. It reads
// the labelled sets, and makes features and labels of them, of which train.py makes the model:
//
//	python3 -m venv venv && venv/bin/pip install -r requirements.txt
//	venv/bin/python train.py ../../../../shared/corpora/maintext work
//
// does it all and writes model.bin and model.json, the model card, to transforms/maintext/score. The same data give the
// same model. It takes some ten minutes of two cores. The other commands tell how good models are:
//
//	venv/bin/python train.py kinds CORPORA work         the types of pages alone, beside what an earlier run has learnt
//	go run . predict CORPORA work >predictions.jsonl    texts, each by the model of a fold that has not seen its host
//	go run . evaluate CORPORA predictions.jsonl         how good predictions are, by set and type of page
//	go run . wholes CORPORA work                        rows and lists of which the text has a part
//	go run . show CORPORA work ID                       one page's blocks with labels and scores
//
// go-trafilatura's texts, which are to be compared with these, and which teach a little where people marked snippets
// alone, are made by a program of their own:
//
//	go run . pages CORPORA all | go run ../../maintext -texts >predictions.jsonl
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// commands are what the first argument names. Each gets the samples and the arguments after the corpora's folder.
var commands = map[string]struct {
	args int
	run  func(samples []sample, args []string, w io.Writer) error
}{
	"first":    {1, exportFirst},
	"words":    {1, learnWords},
	"second":   {1, exportSecond},
	"kinds":    {1, exportKinds},
	"card":     {0, card},
	"predict":  {1, predict},
	"pages":    {1, pages},
	"evaluate": {1, evaluate},
	"show":     {2, show},
	"wholes":   {1, wholes},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("usage: train COMMAND CORPORA [ARGUMENTS]")
	}
	c, ok := commands[args[0]]
	if !ok || len(args)-2 != c.args {
		return fmt.Errorf("no command %q with %d arguments behind the corpora", args[0], len(args)-2)
	}
	samples, err := corpus(args[1])
	if err != nil {
		return err
	}
	w := bufio.NewWriter(os.Stdout)
	if err := c.run(samples, args[2:], w); err != nil {
		return err
	}
	return w.Flush()
}
