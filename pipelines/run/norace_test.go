//go:build !race

package run

// raced reports whether the race detector watches.
const raced = false
