// Ingest reads web archives, says of every capture what it is, and writes documents, rejects and an index. What it does
// is in packages command/ingest, the command line, and job. See docs/design.md.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/command/ingest"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() { run.Main(ingest.Verb) }
