//go:build !purego

package score

import "testing"

// TestForest_addOfOlderProcessors is TestForest_addIsExact for the code that newer processors do not use.
func TestForest_addOfOlderProcessors(t *testing.T) {
	defer func(avx2, avx512 bool) { hasAVX2, hasAVX512 = avx2, avx512 }(hasAVX2, hasAVX512)
	hasAVX512 = false
	checkAdd(t)
	hasAVX2 = false
	checkAdd(t)
}
