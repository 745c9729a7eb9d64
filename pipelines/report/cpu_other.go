//go:build !unix

package report

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
