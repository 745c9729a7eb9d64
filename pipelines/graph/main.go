// Graph makes graphs of hosts and domains of a collection's links. What it does is in package command/graph. See
// docs/links.md.
package main

import "github.com/gleaner-web/gleaner/pipelines/command/graph"

func main() { graph.Verb.Main() }
