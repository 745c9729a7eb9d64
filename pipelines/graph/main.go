// Graph makes host and domain graphs from a collection's links. The code is in package command/graph. See
// docs/links.md.
package main

import "github.com/gleaner-web/gleaner/pipelines/command/graph"

func main() { graph.Verb.Main() }
