package report

import "time"

// CPU is the processor time of this process and of its children that have ended; 0 where the system does not say.
func CPU() time.Duration { return processTime() }
