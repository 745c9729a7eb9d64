//go:build !purego

#include "textflag.h"

// Two SHA-1 states, in the layout of Intel's SHA extensions, with the words of their current blocks. The names of the
// second begin with B.
#define AABCD X0
#define AE    X1
#define AF    X2 // as AE: rounds write one and read the other
#define A0    X3
#define A1    X4
#define A2    X5
#define A3    X6
#define BABCD X7
#define BE    X8
#define BF    X9
#define B0    X10
#define B1    X11
#define B2    X12
#define B3    X13
#define ORDER X14

#define AT    SI
#define BT    DI
#define STATE DX
#define COUNT CX

DATA order<>+0(SB)/8, $0x08090a0b0c0d0e0f
DATA order<>+8(SB)/8, $0x0001020304050607
GLOBL order<>(SB), RODATA|NOPTR, $16

// WORDS loads sixteen bytes of a block.
#define WORDS(at, w) \
	VMOVDQU at, w; \
	VPSHUFB ORDER, w, w

// FIRST does rounds 0 to 3.
#define FIRST(w0, abcd, e, f) \
	PADDD     w0, e; \
	VMOVDQA   abcd, f; \
	SHA1RNDS4 $0, e, abcd

// LAST does four rounds that need no later words.
#define LAST(k, w0, abcd, e, f) \
	SHA1NEXTE w0, e; \
	VMOVDQA   abcd, f; \
	SHA1RNDS4 $k, e, abcd

// FOUR does four rounds, and computes words of later ones from the current w0.
#define FOUR(k, w0, w1, w2, w3, abcd, e, f) \
	SHA1NEXTE w0, e; \
	VMOVDQA   abcd, f; \
	SHA1MSG2  w0, w1; \
	SHA1RNDS4 $k, e, abcd; \
	SHA1MSG1  w0, w3; \
	PXOR      w0, w2

// EVEN and ODD do FOUR for both states; e and f change places.
#define EVEN(k, a0, a1, a2, a3, b0, b1, b2, b3) \
	FOUR(k, a0, a1, a2, a3, AABCD, AE, AF); \
	FOUR(k, b0, b1, b2, b3, BABCD, BE, BF)
#define ODD(k, a0, a1, a2, a3, b0, b1, b2, b3) \
	FOUR(k, a0, a1, a2, a3, AABCD, AF, AE); \
	FOUR(k, b0, b1, b2, b3, BABCD, BF, BE)

// func blockPair(states *[2][8]uint32, a, b *byte, blocks int)
TEXT ·blockPair(SB), NOSPLIT, $64-32
	MOVQ  states+0(FP), STATE
	MOVQ  a+8(FP), AT
	MOVQ  b+16(FP), BT
	MOVQ  blocks+24(FP), COUNT
	VMOVDQU order<>(SB), ORDER

	// The fifth word of a state is in the upper quarter, and the other quarters are zero.
	VMOVDQU  (STATE), AABCD
	VMOVDQU  16(STATE), AE
	VMOVDQU  32(STATE), BABCD
	VMOVDQU  48(STATE), BE
	PSLLDQ $12, AE
	PSLLDQ $12, BE
	PSHUFD $0x1b, AABCD, AABCD
	PSHUFD $0x1b, BABCD, BABCD

block:
	VMOVDQU AABCD, 0(SP)
	VMOVDQU AE, 16(SP)
	VMOVDQU BABCD, 32(SP)
	VMOVDQU BE, 48(SP)

	WORDS(0(AT), A0)
	WORDS(0(BT), B0)
	FIRST(A0, AABCD, AE, AF)
	FIRST(B0, BABCD, BE, BF)
	WORDS(16(AT), A1)
	WORDS(16(BT), B1)
	LAST(0, A1, AABCD, AF, AE)
	LAST(0, B1, BABCD, BF, BE)
	SHA1MSG1 A1, A0
	SHA1MSG1 B1, B0
	WORDS(32(AT), A2)
	WORDS(32(BT), B2)
	LAST(0, A2, AABCD, AE, AF)
	LAST(0, B2, BABCD, BE, BF)
	SHA1MSG1 A2, A1
	SHA1MSG1 B2, B1
	PXOR     A2, A0
	PXOR     B2, B0
	WORDS(48(AT), A3)
	WORDS(48(BT), B3)
	ODD(0, A3, A0, A1, A2, B3, B0, B1, B2)
	EVEN(0, A0, A1, A2, A3, B0, B1, B2, B3)
	ODD(1, A1, A2, A3, A0, B1, B2, B3, B0)
	EVEN(1, A2, A3, A0, A1, B2, B3, B0, B1)
	ODD(1, A3, A0, A1, A2, B3, B0, B1, B2)
	EVEN(1, A0, A1, A2, A3, B0, B1, B2, B3)
	ODD(1, A1, A2, A3, A0, B1, B2, B3, B0)
	EVEN(2, A2, A3, A0, A1, B2, B3, B0, B1)
	ODD(2, A3, A0, A1, A2, B3, B0, B1, B2)
	EVEN(2, A0, A1, A2, A3, B0, B1, B2, B3)
	ODD(2, A1, A2, A3, A0, B1, B2, B3, B0)
	EVEN(2, A2, A3, A0, A1, B2, B3, B0, B1)
	ODD(3, A3, A0, A1, A2, B3, B0, B1, B2)
	EVEN(3, A0, A1, A2, A3, B0, B1, B2, B3)
	ODD(3, A1, A2, A3, A0, B1, B2, B3, B0)
	EVEN(3, A2, A3, A0, A1, B2, B3, B0, B1)
	LAST(3, A3, AABCD, AF, AE)
	LAST(3, B3, BABCD, BF, BE)

	VMOVDQU     16(SP), A0
	VMOVDQU     48(SP), B0
	VMOVDQU     0(SP), A1
	VMOVDQU     32(SP), B1
	SHA1NEXTE A0, AE
	SHA1NEXTE B0, BE
	PADDD     A1, AABCD
	PADDD     B1, BABCD

	ADDQ $64, AT
	ADDQ $64, BT
	DECQ COUNT
	JNZ  block

	PSHUFD $0x1b, AABCD, AABCD
	PSHUFD $0x1b, BABCD, BABCD
	PSRLDQ $12, AE
	PSRLDQ $12, BE
	VMOVDQU  AABCD, (STATE)
	VMOVDQU  AE, 16(STATE)
	VMOVDQU  BABCD, 32(STATE)
	VMOVDQU  BE, 48(STATE)
	RET

// func extensions() uint32
TEXT ·extensions(SB), NOSPLIT, $0-4
	MOVL $7, AX
	XORL CX, CX
	CPUID
	MOVL BX, ret+0(FP)
	RET
