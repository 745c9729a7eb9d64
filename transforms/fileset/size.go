package fileset

import "math"

// AddSize adds two sizes, which are not negative. The sum of what hostile lists say stays the greatest number there is.
func AddSize(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
