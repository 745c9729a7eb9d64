// Collection maintains collections: it compacts, checks, merges and takes pages down. The code is in package
// command/collection. See docs/collections.md.
package main

import "github.com/gleaner-web/gleaner/pipelines/command/collection"

func main() { collection.Verb.Main() }
