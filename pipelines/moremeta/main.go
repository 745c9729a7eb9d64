// Moremeta migrates old META files of PageStores. The code is in package command/moremeta. See docs/moremeta.md.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/command/moremeta"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() { run.Main(moremeta.Verb) }
