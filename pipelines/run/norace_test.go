//go:build !race

package run

// raced reports whether the race detector is on.
const raced = false
