// Serve serves collections to browsers and programs. The code is in package command/serve. See docs/serve.md.
package main

import "github.com/gleaner-web/gleaner/pipelines/command/serve"

func main() { serve.Main() }
