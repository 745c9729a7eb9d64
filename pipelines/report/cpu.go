package report

import (
	"time"

	"github.com/gleaner-web/gleaner/internal/cputime"
)

// CPU returns the CPU time of this process and its ended children, or 0 if the system does not say.
func CPU() time.Duration { return cputime.Self() + cputime.Children() }
