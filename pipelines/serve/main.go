// Serve shows collections in a browser. What it does is in package command/serve. See docs/serve.md.
package main

import "github.com/gleaner-web/gleaner/pipelines/command/serve"

func main() { serve.Main() }
