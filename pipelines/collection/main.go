// Collection looks after collections: compacts, checks, merges, takes down. What it does is in package
// command/collection. See docs/collections.md.
package main

import "github.com/gleaner-web/gleaner/pipelines/command/collection"

func main() { collection.Verb.Main() }
