// Mcp answers assistants about collections. The code is in package command/mcp. See docs/mcp.md.
package main

import "github.com/gleaner-web/gleaner/pipelines/command/mcp"

func main() { mcp.Main() }
