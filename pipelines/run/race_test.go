//go:build race

package run

// raced tells whether the race detector watches.
const raced = true
