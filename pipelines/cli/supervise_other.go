//go:build !linux

package cli

// supervise does nothing where processes cannot be made to end with each other.
func supervise() {}
