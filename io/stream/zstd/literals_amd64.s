//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// This is lanesGeneric of fast.go, step by step, with its bounds (in), (code) and (quarter). The registers of DST and its
// multiples of the quarter are such that the symbol, the second byte of a leaf, is stored as it is.

#define DST    DI
#define ONE    BX // a quarter
#define THREE  DX // of them
#define CODE   R8
#define SHIFT  BP
#define SRC0   SI
#define SRC1   R9
#define SRC2   R14
#define SRC3   R15
#define WORD0  R10
#define WORD1  R11
#define WORD2  R12
#define WORD3  R13

// TAKE uses a code.
#define TAKE(word, leaf, high, to) \
	SHRXQ   SHIFT, word, leaf; \
	MOVWLZX huffman_leaves(CODE)(leaf*2), leaf; \
	SHLXQ   leaf, word, word; \
	MOVB    high, to

#define TAKE4(i) \
	TAKE(WORD0, AX, AH, i(DST)); \
	TAKE(WORD1, CX, CH, i(DST)(ONE*1)); \
	TAKE(WORD2, AX, AH, i(DST)(ONE*2)); \
	TAKE(WORD3, CX, CH, i(DST)(THREE*1))

#define REFILL(word, src) \
	TZCNTQ  word, AX; \
	MOVL    AX, CX; \
	SHRL    $3, CX; \
	SUBQ    CX, src; \
	ANDL    $7, AX; \
	MOVQ    (src), word; \
	ORQ     $1, word; \
	SHLXQ   AX, word, word

// ENTER loads a lane, and keeps in limit where its loop ends.
#define ENTER(i, word, src, limit) \
	MOVQ    (i*lane__size+lane_src)(AX), src; \
	LEAQ    8(src), CX; \
	MOVQ    CX, limit; \
	ADDQ    (i*lane__size+lane_pos)(AX), src; \
	MOVQ    (i*lane__size+lane_word)(AX), word

#define LEAVE(i, word, src) \
	SUBQ    (i*lane__size+lane_src)(AX), src; \
	MOVQ    src, (i*lane__size+lane_pos)(AX); \
	MOVQ    word, (i*lane__size+lane_word)(AX)

// func literalsBMI2(h *huffman, dst unsafe.Pointer, quarter, last int, l *[4]lane) (done int)
TEXT ·literalsBMI2(SB), NOSPLIT, $40-48
	MOVQ    h+0(FP), CODE
	MOVQ    dst+8(FP), DST
	MOVQ    quarter+16(FP), ONE
	LEAQ    (ONE)(ONE*2), THREE
	MOVQ    last+24(FP), AX
	ADDQ    DST, AX
	MOVQ    AX, last-8(SP)
	MOVQ    l+32(FP), AX
	ENTER(0, WORD0, SRC0, src0-16(SP))
	ENTER(1, WORD1, SRC1, src1-24(SP))
	ENTER(2, WORD2, SRC2, src2-32(SP))
	ENTER(3, WORD3, SRC3, src3-40(SP))
	MOVL    $64, SHIFT
	SUBQ    huffman_log(CODE), SHIFT

	PCALIGN $32
round:
	CMPQ    DST, last-8(SP)
	JA      leave
	CMPQ    SRC0, src0-16(SP)
	JB      leave
	CMPQ    SRC1, src1-24(SP)
	JB      leave
	CMPQ    SRC2, src2-32(SP)
	JB      leave
	CMPQ    SRC3, src3-40(SP)
	JB      leave
	TAKE4(0)
	TAKE4(1)
	TAKE4(2)
	TAKE4(3)
	TAKE4(4)
	REFILL(WORD0, SRC0)
	REFILL(WORD1, SRC1)
	REFILL(WORD2, SRC2)
	REFILL(WORD3, SRC3)
	ADDQ    $const_inRound, DST
	JMP     round

leave:
	MOVQ    l+32(FP), AX
	LEAVE(0, WORD0, SRC0)
	LEAVE(1, WORD1, SRC1)
	LEAVE(2, WORD2, SRC2)
	LEAVE(3, WORD3, SRC3)
	SUBQ    dst+8(FP), DST
	MOVQ    DST, done+40(FP)
	RET
