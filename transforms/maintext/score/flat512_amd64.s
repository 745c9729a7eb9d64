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

#define SUM   Z0
#define LEFT  Z1 // the remaining leaves of each row, one bit each
#define X     Z2
#define TABLE Z3
#define ONES  Z4
#define ZERO  Z5

// func addAVX512(f *flat, left *uint32, b *rowBatch, sums *[batch]float32)
TEXT ·addAVX512(SB), NOSPLIT, $0-32
	MOVQ       f+0(FP), AX
	MOVQ       flat_heads(AX), HEADS
	MOVQ       (flat_heads+8)(AX), TREES
	MOVQ       flat_splits(AX), SPLIT
	MOVQ       flat_leaves(AX), LEAF
	MOVQ       left+8(FP), LEAVE
	MOVQ       b+16(FP), ROWS
	MOVQ       sums+24(FP), SUMS
	VMOVUPS    (SUMS), SUM
	VPTERNLOGD $0xFF, ONES, ONES, ONES
	VPXORD     ZERO, ZERO, ZERO
	TESTQ      TREES, TREES
	JZ         done

tree:
	// Moving a 32-bit count sets the upper bits to zero.
	MOVL         head_splits(HEADS), COUNT
	VPBROADCASTD (LEAVE), LEFT
	TESTQ        COUNT, COUNT
	JZ           leaf

	// Each split removes its leaves from the rows whose feature is greater than the threshold. NaN is never greater, as
	// in Go. 0x50 means "and not" of the first and the last operand.
split:
	MOVL            split_column(SPLIT), COLUMN
	VMOVUPS         (ROWS)(COLUMN*1), X
	VCMPPS.BCST     $0x1E, split_threshold(SPLIT), X, K1
	VPTERNLOGD.BCST $0x50, split_left(SPLIT), LEFT, K1, LEFT
	ADDQ            $split__size, SPLIT
	DECQ            COUNT
	JNZ             split

	// The first leaf is the lowest bit. Converted to float32, its exponent is 127 too high: one more is a multiple of
	// the 32 values that the permutation takes from memory.
leaf:
	VPSUBD    LEFT, ZERO, X
	VPANDD    LEFT, X, X
	VCVTDQ2PS X, X
	VPSLLD    $1, X, X
	VPSRLD    $24, X, X
	VPSUBD    ONES, X, X
	VMOVUPS   (LEAF), TABLE
	VPERMI2PS 64(LEAF), TABLE, X
	VADDPS    X, SUM, SUM
	MOVL      head_leaves(HEADS), COUNT
	LEAQ      (LEAF)(COUNT*4), LEAF
	ADDQ      $head__size, HEADS
	ADDQ      $4, LEAVE
	DECQ      TREES
	JNZ       tree

done:
	VMOVUPS SUM, (SUMS)
	VZEROUPPER
	RET
