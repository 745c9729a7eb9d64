// Query searches a collection for captures. The code is in package command/query. See docs/collections.md.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/command/query"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() { run.Main(query.Verb) }
