//go:build !linux

package cli

// supervise does nothing on systems where processes cannot be made to end together.
func supervise() {}
