// Corpus makes training corpora: filtered and without duplicates. The code is in package command/corpus. See
// docs/corpora.md.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/command/corpus"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() { run.Main(corpus.Verb) }
