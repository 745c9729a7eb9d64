//go:build race

package tagger

// Under the race detector, sync.Pool drops objects at random, and a tagger's memory is allocated again.
func init() { poolsLeak = true }
