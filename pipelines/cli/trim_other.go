//go:build !linux

package cli

// trim does nothing: these systems have no list of a process's mappings as a file.
func trim() {}
