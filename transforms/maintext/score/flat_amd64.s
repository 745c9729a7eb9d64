//go:build !purego

#include "go_asm.h"
#include "textflag.h"

#define COUNT  AX // of splits of the current tree
#define SPLIT  BX
#define LEAF   CX // the first leaf of the current tree
#define SUMS   DX
#define TREES  SI // number of remaining ones
#define ROWS   DI
#define HEADS  R8
#define COLUMN R9
#define LEAVE  R10 // by tree, the leaves that some row may reach

#define SUM0   Y0 // of rows 0 to 7
#define SUM1   Y1 // of rows 8 to 15
#define LEFT0  Y2 // the remaining leaves of each row, one bit each
#define LEFT1  Y3
#define THRESHOLD Y4
#define LEAVES Y5 // on the left of a split
#define A      Y6
#define B      Y7
#define ONES   Y8
#define ZERO   Y9

// EXCLUDE removes the leaves on the left of the split from those rows, of eight, whose feature is greater than the
// threshold. NaN is never greater, as in Go.
#define EXCLUDE(features, leaves, x) \
	VCMPPS $0x11, features, THRESHOLD, x; \
	VPAND  LEAVES, x, x; \
	VPANDN leaves, x, leaves

// ADD adds the value of the first leaf to the sum of eight rows. The lowest bit alone is converted to float32. Its
// number is then the exponent, which follows the sign and is 127 too high.
#define ADD(leaves, sum, x, mask) \
	VPSUBD     leaves, ZERO, x; \
	VPAND      leaves, x, x; \
	VCVTDQ2PS  x, x; \
	VPSLLD     $1, x, x; \
	VPSRLD     $24, x, x; \
	VMOVDQA    ONES, mask; \
	VGATHERDPS mask, (-127*4)(LEAF)(x*4), leaves; \
	VADDPS     leaves, sum, sum

// func addAVX2(f *flat, left *uint32, b *rowBatch, sums *[batch]float32)
TEXT ·addAVX2(SB), NOSPLIT, $0-32
	MOVQ     f+0(FP), AX
	MOVQ     flat_heads(AX), HEADS
	MOVQ     (flat_heads+8)(AX), TREES
	MOVQ     flat_splits(AX), SPLIT
	MOVQ     flat_leaves(AX), LEAF
	MOVQ     left+8(FP), LEAVE
	MOVQ     b+16(FP), ROWS
	MOVQ     sums+24(FP), SUMS
	VMOVUPS  (SUMS), SUM0
	VMOVUPS  32(SUMS), SUM1
	VPCMPEQD ONES, ONES, ONES
	VPXOR    ZERO, ZERO, ZERO
	TESTQ    TREES, TREES
	JZ       done

tree:
	// Moving a 32-bit count sets the upper bits to zero.
	MOVL         head_splits(HEADS), COUNT
	VPBROADCASTD (LEAVE), LEFT0
	VMOVDQA      LEFT0, LEFT1
	TESTQ        COUNT, COUNT
	JZ           leaf

split:
	MOVL         split_column(SPLIT), COLUMN
	VBROADCASTSS split_threshold(SPLIT), THRESHOLD
	VPBROADCASTD split_left(SPLIT), LEAVES
	EXCLUDE((ROWS)(COLUMN*1), LEFT0, A)
	EXCLUDE((const_columnSize/2)(ROWS)(COLUMN*1), LEFT1, B)
	ADDQ         $split__size, SPLIT
	DECQ         COUNT
	JNZ          split

leaf:
	ADD(LEFT0, SUM0, A, THRESHOLD)
	ADD(LEFT1, SUM1, B, LEAVES)
	MOVL head_leaves(HEADS), COUNT
	LEAQ (LEAF)(COUNT*4), LEAF
	ADDQ $head__size, HEADS
	ADDQ $4, LEAVE
	DECQ TREES
	JNZ  tree

done:
	VMOVUPS SUM0, (SUMS)
	VMOVUPS SUM1, 32(SUMS)
	VZEROUPPER
	RET
