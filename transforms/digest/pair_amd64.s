//go:build !purego

#include "textflag.h"

// AVX2 computes the words of both blocks first, the second's in upper halves. SHA1MSG1 and SHA1MSG2 do so too, but on
// Intel's processors they take as long as the rounds.

// Two SHA-1 states, in the layout of Intel's SHA extensions. The names of the second begin with B.
#define AABCD X10
#define AE    X11
#define AF    X12 // as AE: rounds write one and read the other
#define BABCD X13
#define BE    X14
#define BF    X15
#define T     Y8
#define U     Y9

#define AT    SI
#define BT    DI
#define STATE DX
#define COUNT CX
#define WORDS R8 // 20 times four words of both, and then both states before the block

// The first word is in the upper quarter of each half.
DATA order<>+0(SB)/8, $0x08090a0b0c0d0e0f
DATA order<>+8(SB)/8, $0x0001020304050607
DATA order<>+16(SB)/8, $0x08090a0b0c0d0e0f
DATA order<>+24(SB)/8, $0x0001020304050607
GLOBL order<>(SB), RODATA|NOPTR, $32

// LOAD loads four words of both blocks.
#define LOAD(i, x, y) \
	VMOVDQU     16*i(AT), x; \
	VINSERTI128 $1, 16*i(BT), y, y; \
	VPSHUFB     order<>(SB), y, y; \
	VMOVDQA     y, 32*i(WORDS)

// EARLY computes words 16 to 31 by FIPS 180-4: rol1(w[t-3] ^ w[t-8] ^ w[t-14] ^ w[t-16]).
// The fourth word waits for the first.
#define EARLY(i, w16, w12, w8, w4, w) \
	VPALIGNR $8, w12, w16, w; \
	VPSLLDQ  $4, w4, T; \
	VPXOR    w16, w, w; \
	VPXOR    w8, T, T; \
	VPXOR    T, w, w; \
	VPSRLD   $31, w, T; \
	VPADDD   w, w, w; \
	VPOR     T, w, w; \
	VPSRLDQ  $12, w, T; \
	VPSRLD   $31, T, U; \
	VPADDD   T, T, T; \
	VPXOR    U, w, w; \
	VPXOR    T, w, w; \
	VMOVDQA  w, 32*i(WORDS)

// LATE computes later words, by the same rule applied twice: rol2(w[t-6] ^ w[t-16] ^ w[t-28] ^ w[t-32]).
#define LATE(i, w32, w28, w16, w8, w4) \
	VPALIGNR $8, w4, w8, T; \
	VPXOR    w28, w32, w32; \
	VPXOR    w16, w32, w32; \
	VPXOR    T, w32, w32; \
	VPSRLD   $30, w32, T; \
	VPSLLD   $2, w32, w32; \
	VPOR     T, w32, w32; \
	VMOVDQA  w32, 32*i(WORDS)

// EVEN and ODD do four rounds for both states; e and f change places.
#define EVEN(k, i) \
	SHA1NEXTE 32*i(WORDS), AE; \
	SHA1NEXTE 32*i+16(WORDS), BE; \
	VMOVDQA   AABCD, AF; \
	VMOVDQA   BABCD, BF; \
	SHA1RNDS4 $k, AE, AABCD; \
	SHA1RNDS4 $k, BE, BABCD
#define ODD(k, i) \
	SHA1NEXTE 32*i(WORDS), AF; \
	SHA1NEXTE 32*i+16(WORDS), BF; \
	VMOVDQA   AABCD, AE; \
	VMOVDQA   BABCD, BE; \
	SHA1RNDS4 $k, AF, AABCD; \
	SHA1RNDS4 $k, BF, BABCD

// func blockPair(states *[2][8]uint32, a, b *byte, blocks int)
TEXT ·blockPair(SB), 0, $736-32
	MOVQ states+0(FP), STATE
	MOVQ a+8(FP), AT
	MOVQ b+16(FP), BT
	MOVQ blocks+24(FP), COUNT
	LEAQ 31(SP), WORDS
	ANDQ $~31, WORDS

	// The fifth word of a state is in the upper quarter, and the other quarters are zero.
	VMOVDQU (STATE), AABCD
	VMOVDQU 16(STATE), AE
	VMOVDQU 32(STATE), BABCD
	VMOVDQU 48(STATE), BE
	PSLLDQ  $12, AE
	PSLLDQ  $12, BE
	PSHUFD  $0x1b, AABCD, AABCD
	PSHUFD  $0x1b, BABCD, BABCD

block:
	VMOVDQA AABCD, 640(WORDS)
	VMOVDQA AE, 656(WORDS)
	VMOVDQA BABCD, 672(WORDS)
	VMOVDQA BE, 688(WORDS)

	LOAD(0, X0, Y0)
	LOAD(1, X1, Y1)
	LOAD(2, X2, Y2)
	LOAD(3, X3, Y3)
	EARLY(4, Y0, Y1, Y2, Y3, Y4)
	EARLY(5, Y1, Y2, Y3, Y4, Y5)
	EARLY(6, Y2, Y3, Y4, Y5, Y6)
	EARLY(7, Y3, Y4, Y5, Y6, Y7)
	LATE(8, Y0, Y1, Y4, Y6, Y7)
	LATE(9, Y1, Y2, Y5, Y7, Y0)
	LATE(10, Y2, Y3, Y6, Y0, Y1)
	LATE(11, Y3, Y4, Y7, Y1, Y2)
	LATE(12, Y4, Y5, Y0, Y2, Y3)
	LATE(13, Y5, Y6, Y1, Y3, Y4)
	LATE(14, Y6, Y7, Y2, Y4, Y5)
	LATE(15, Y7, Y0, Y3, Y5, Y6)
	LATE(16, Y0, Y1, Y4, Y6, Y7)
	LATE(17, Y1, Y2, Y5, Y7, Y0)
	LATE(18, Y2, Y3, Y6, Y0, Y1)
	LATE(19, Y3, Y4, Y7, Y1, Y2)
	VZEROUPPER // with upper halves in use, SHA instructions take 60 times longer

	PADDD     0(WORDS), AE
	PADDD     16(WORDS), BE
	VMOVDQA   AABCD, AF
	VMOVDQA   BABCD, BF
	SHA1RNDS4 $0, AE, AABCD
	SHA1RNDS4 $0, BE, BABCD
	ODD(0, 1)
	EVEN(0, 2)
	ODD(0, 3)
	EVEN(0, 4)
	ODD(1, 5)
	EVEN(1, 6)
	ODD(1, 7)
	EVEN(1, 8)
	ODD(1, 9)
	EVEN(2, 10)
	ODD(2, 11)
	EVEN(2, 12)
	ODD(2, 13)
	EVEN(2, 14)
	ODD(3, 15)
	EVEN(3, 16)
	ODD(3, 17)
	EVEN(3, 18)
	ODD(3, 19)

	// After round 79, AE and BE hold the state before the last four rounds.
	SHA1NEXTE 656(WORDS), AE
	SHA1NEXTE 688(WORDS), BE
	PADDD     640(WORDS), AABCD
	PADDD     672(WORDS), BABCD

	ADDQ $64, AT
	ADDQ $64, BT
	DECQ COUNT
	JNZ  block

	PSHUFD  $0x1b, AABCD, AABCD
	PSHUFD  $0x1b, BABCD, BABCD
	PSRLDQ  $12, AE
	PSRLDQ  $12, BE
	VMOVDQU AABCD, (STATE)
	VMOVDQU AE, 16(STATE)
	VMOVDQU BABCD, 32(STATE)
	VMOVDQU BE, 48(STATE)
	RET

// func extensions() uint32
TEXT ·extensions(SB), NOSPLIT, $0-4
	MOVL $7, AX
	XORL CX, CX
	CPUID
	MOVL BX, ret+0(FP)
	RET
