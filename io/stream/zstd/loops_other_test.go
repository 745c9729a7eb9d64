//go:build !amd64 || purego

package zstd

// eachLoop calls f with the only loop that there is.
func eachLoop(f func()) { f() }
