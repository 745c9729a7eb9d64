// Command maintext trains package maintext on pages in which people marked the main text. It reads the labelled sets,
// and makes features and labels for train.py, which makes the model:
//
//	python3 -m venv venv && venv/bin/pip install -r requirements.txt
//	venv/bin/python train.py ../../../../shared/corpora/maintext work
//
// train.py writes model.bin and model.json, the model card, to transforms/maintext/score. The same data give the same
// model. It takes about ten minutes on two cores. The other commands evaluate models:
//
//	venv/bin/python train.py kinds CORPORA work         only the types of pages, with the rest from an earlier run
//	go run . predict CORPORA work >predictions.jsonl    texts, each by the model of a fold that has not seen its host
//	go run . evaluate CORPORA predictions.jsonl         the quality of predictions, by set and type of page
//	go run . wholes CORPORA work                        rows and lists that the text has in part
//	go run . show CORPORA work ID                       one page's blocks with labels and scores
//
// A separate program makes go-trafilatura's texts, which are compared with these. They also teach a little on pages
// where people marked only snippets:
//
//	go run . pages CORPORA all | go run ../../maintext -texts >predictions.jsonl
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// commands maps the first argument to its command, which gets the samples and the arguments after the corpora's
// folder.
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
