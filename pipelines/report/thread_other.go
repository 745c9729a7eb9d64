//go:build !linux

package report

import "time"

// threadTime is not known here.
func threadTime() time.Duration { return 0 }
