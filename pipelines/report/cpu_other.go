//go:build !unix

package report

import "time"

// processTime is unknown on this system.
func processTime() time.Duration { return 0 }
