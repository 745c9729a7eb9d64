//go:build !purego

#include "go_asm.h"
#include "textflag.h"

#define TREES  AX // how many are left
#define TREE   SI
#define ROWS   DI
#define SUMS   DX
#define SPLITS CX // how many are left
#define SPLIT  R8
#define COLUMN R9

#define SUM0   Y0 // of rows 0 to 7
#define SUM1   Y1 // of rows 8 to 15
#define LEFT0  Y2 // the leaves that are left to each of the rows, a bit each
#define LEFT1  Y3
#define THRESHOLD Y4
#define LEAVES Y5 // on the left of a split
#define A      Y6
#define B      Y7
#define ONES   Y8
#define ZERO   Y9

// EXCLUDE takes from the leaves of eight rows those on the left of the split where the threshold is less than the
// feature. It is not where the feature is NaN, as in Go.
#define EXCLUDE(features, leaves, x) \
	VCMPPS $0x11, features, THRESHOLD, x; \
	VPAND  LEAVES, x, x; \
	VPANDN leaves, x, leaves

// ADD adds the value of the first leaf to the sum of eight rows. As a float32, the lowest bit alone has its number for an
// exponent, which stands behind the sign and is 127 too high.
#define ADD(leaves, sum, x, mask) \
	VPSUBD     leaves, ZERO, x; \
	VPAND      leaves, x, x; \
	VCVTDQ2PS  x, x; \
	VPSLLD     $1, x, x; \
	VPSRLD     $24, x, x; \
	VMOVDQA    ONES, mask; \
	VGATHERDPS mask, (tree_flat+flat_leaves-127*4)(TREE)(x*4), leaves; \
	VADDPS     leaves, sum, sum

// func addAVX2(trees []tree, b *rowBatch, sums *[batch]float32)
TEXT ·addAVX2(SB), NOSPLIT, $0-40
	MOVQ trees_base+0(FP), TREE
	MOVQ trees_len+8(FP), TREES
	MOVQ b+24(FP), ROWS
	MOVQ sums+32(FP), SUMS
	VMOVUPS (SUMS), SUM0
	VMOVUPS 32(SUMS), SUM1
	VPCMPEQD ONES, ONES, ONES
	VPXOR ZERO, ZERO, ZERO
	TESTQ TREES, TREES
	JZ done

tree:
	VMOVDQA ONES, LEFT0
	VMOVDQA ONES, LEFT1
	MOVQ (tree_flat+flat_count)(TREE), SPLITS
	LEAQ (tree_flat+flat_splits)(TREE), SPLIT
	TESTQ SPLITS, SPLITS
	JZ leaf

split:
	MOVL split_column(SPLIT), COLUMN
	VBROADCASTSS split_threshold(SPLIT), THRESHOLD
	VPBROADCASTD split_left(SPLIT), LEAVES
	EXCLUDE((ROWS)(COLUMN*1), LEFT0, A)
	EXCLUDE((const_rowSize*const_lanes*4)(ROWS)(COLUMN*1), LEFT1, B)
	ADDQ $split__size, SPLIT
	DECQ SPLITS
	JNZ split

leaf:
	ADD(LEFT0, SUM0, A, THRESHOLD)
	ADD(LEFT1, SUM1, B, LEAVES)
	ADDQ $tree__size, TREE
	DECQ TREES
	JNZ tree

done:
	VMOVUPS SUM0, (SUMS)
	VMOVUPS SUM1, 32(SUMS)
	VZEROUPPER
	RET
