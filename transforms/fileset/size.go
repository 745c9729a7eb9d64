package fileset

import "math"

// AddSize adds two sizes, which are not negative. Sums of hostile sizes saturate at math.MaxInt64.
func AddSize(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
