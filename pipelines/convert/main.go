// Convert reads web archives in any format that is read, and writes them in any that is written. What it does is in
// package command/convert. See docs/convert.md.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/command/convert"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() { run.Main(convert.Verb) }
