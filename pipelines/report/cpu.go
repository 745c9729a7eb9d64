package report

import "time"

// CPU returns the CPU time of this process and its ended children, or 0 if the system does not say.
func CPU() time.Duration { return processTime() }
