//go:build race

package tagger

// Under the race detector sync.Pool drops things at random, and a tagger's memory is made again.
func init() { poolsLeak = true }
