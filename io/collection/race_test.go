//go:build race

package collection

// Under the race detector runs take some ten times as long, and the detector sees in some of them what it sees in all.
func init() { raced = true }
