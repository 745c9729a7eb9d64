// Package cputime measures processor time, of user and system together.
package cputime

import "time"

// Self returns the processor time of this process so far, or 0 if the system does not say.
func Self() time.Duration { return self() }

// Children returns the processor time of the ended children of this process, or 0 if the system does not say.
func Children() time.Duration { return children() }

// Of returns the processor time of this process during f.
func Of(f func()) time.Duration {
	start := self()
	f()
	return self() - start
}
