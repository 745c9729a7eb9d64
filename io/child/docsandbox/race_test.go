//go:build race

package docsandbox

// The race detector's notes on 65 MiB are more than a child's memory may be.
func init() { noHuge = true }
