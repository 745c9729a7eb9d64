// Extract reads pages from standard input and writes documents. The code is in package command/extract.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/command/extract"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() { run.Main(extract.Verb) }
