// Sources finds out which feeds are alive and real, how often they publish and where their articles are. The code is
// in package command/sources. See docs/sources.md.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/command/sources"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() { run.Main(sources.Verb) }
