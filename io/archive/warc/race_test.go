//go:build race

package warc

// Under the race detector sync.Pool drops things at random, and the zstd decoder then makes them again.
func init() { poolsLeak = true }
