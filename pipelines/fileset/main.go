// Fileset finds the files of published datasets in archives and checks them. The code is in package command/fileset.
// See docs/fileset.md.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/command/fileset"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() { run.Main(fileset.Verb) }
