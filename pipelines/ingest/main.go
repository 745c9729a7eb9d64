// Ingest reads web archives and writes documents, rejects and an index. The code is in packages command/ingest and
// job. See docs/design.md.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/command/ingest"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() { run.Main(ingest.Verb) }
