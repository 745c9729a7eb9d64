// Moremeta brings old META files of PageStores to their new form. What it does is in package command/moremeta. See
// docs/moremeta.md.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/command/moremeta"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() { run.Main(moremeta.Verb) }
