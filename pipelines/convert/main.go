// Convert converts web archives between formats. The code is in package command/convert. See docs/convert.md.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/command/convert"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() { run.Main(convert.Verb) }
