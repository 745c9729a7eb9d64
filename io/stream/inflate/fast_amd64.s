//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// This is fastGeneric of fast.go, step by step, with its bounds (in), (out) and (back). What differs is how near matches
// are copied, and that shifts take their count from any register and leave the flags alone.

#define ENTRY  AX  // of the next symbol
#define BITS   BX
#define COUNT  CX  // of bits; only the low six bits of it count
#define LENGTH DX
#define SRC    SI  // src[pos]
#define DST    DI  // dst[end]
#define TABLES R8
#define LASTSRC R9  // src[len(src)-inMargin]
#define LASTDST R10 // dst[cap(dst)-outMargin]
#define LOW    R11 // dst[low]
#define ELEVEN R12 // litlenBits
#define FROM   R13 // what a match refers to
#define A      R14
#define B      R15

// DROP uses the bits of the entry.
#define DROP \
	SHRXQ ENTRY, BITS, BITS; \
	SUBL  ENTRY, COUNT

// LOOKUP finds the entry of the next literal or length.
#define LOOKUP \
	BZHIL ELEVEN, BITS, B; \
	MOVL  tables_litlen(TABLES)(B*4), ENTRY

// REFILL reads at SRC and moves it by 7 bytes or less.
#define REFILL \
	MOVQ  (SRC), A; \
	SHLXQ COUNT, A, A; \
	MOVL  COUNT, B; \
	SHRL  $3, B; \
	ANDL  $7, B; \
	ADDQ  $7, SRC; \
	SUBQ  B, SRC; \
	ORL   $56, COUNT; \
	ORQ   A, BITS

// VALUE adds to the base of the entry its extra bits, and drops it.
#define VALUE(result) \
	BZHIQ ENTRY, BITS, result; \
	MOVL  ENTRY, B; \
	SHRL  $const_codeShift, B; \
	SHRXQ B, result, result; \
	DROP; \
	SHRL  $const_valueShift, ENTRY; \
	ADDL  ENTRY, result

// LITERAL writes a byte and moves DST by it.
#define LITERAL \
	DROP; \
	SHRL  $const_valueShift, ENTRY; \
	MOVB  ENTRY, (DST); \
	INCQ  DST; \
	LOOKUP; \
	REFILL

// func fastBMI2(t *tables, c *cursor, r *[half]repetition) (result int)
TEXT ·fastBMI2(SB), NOSPLIT, $0-32
	MOVQ t+0(FP), TABLES
	MOVQ c+8(FP), A
	MOVQ cursor_src(A), SRC
	MOVQ cursor_src+8(A), LASTSRC
	LEAQ -const_inMargin(SRC)(LASTSRC*1), LASTSRC
	ADDQ cursor_pos(A), SRC
	MOVQ cursor_dst(A), DST
	MOVQ cursor_dst+16(A), LASTDST
	LEAQ -const_outMargin(DST)(LASTDST*1), LASTDST
	MOVQ cursor_low(A), LOW
	ADDQ DST, LOW
	ADDQ cursor_dst+8(A), DST
	MOVQ cursor_bits(A), BITS
	MOVQ cursor_n(A), COUNT
	MOVL $const_litlenBits, ELEVEN
	REFILL
	LOOKUP

	PCALIGN $32
round:
	CMPQ  SRC, LASTSRC
	JA    stopped
	CMPQ  DST, LASTDST
	JA    stopped
	TESTL ENTRY, ENTRY // the highest bit is the flag of literals
	JNS   noLiteral
	LITERAL
	TESTL ENTRY, ENTRY
	JNS   noLiteral
	LITERAL
	JMP   round

noLiteral:
	TESTL $const_special, ENTRY
	JNZ   specialLitlen
	VALUE(LENGTH)
	MOVBLZX BITS, A // distBits of them
	MOVL  tables_dist(TABLES)(A*4), ENTRY
	REFILL
	TESTL $const_special, ENTRY
	JNZ   specialDist

distance:
	VALUE(A)
	MOVQ  DST, FROM
	SUBQ  A, FROM
	CMPQ  FROM, LOW
	JB    badDistance
	LOOKUP
	CMPL  A, $const_half
	JB    near
	MOVOU (FROM), X0
	MOVOU X0, (DST)
	MOVOU const_half(FROM), X0
	MOVOU X0, const_half(DST)
	ADDQ  DST, LENGTH // where the match ends
	ADDQ  $const_chunk, DST
	CMPQ  DST, LENGTH
	JB    far
	MOVQ  LENGTH, DST
	JMP   round

far:
	MOVOU const_chunk(FROM), X0
	MOVOU X0, (DST)
	MOVOU (const_chunk+const_half)(FROM), X0
	MOVOU X0, const_half(DST)
	ADDQ  $const_chunk, FROM
	ADDQ  $const_chunk, DST
	CMPQ  DST, LENGTH
	JB    far
	MOVQ  LENGTH, DST
	JMP   round

near: // The distance, in A, is less than half.
	MOVOU (FROM), X0
	MOVQ  r+16(FP), B
	SHLL  $5, A
	ADDQ  A, B
	MOVOU (B), X1
	PSHUFB X1, X0
	MOVBLZX const_half(B), FROM
	ADDQ  DST, LENGTH

nearly:
	MOVOU X0, (DST)
	ADDQ  FROM, DST
	CMPQ  DST, LENGTH
	JB    nearly
	MOVQ  LENGTH, DST
	JMP   round

specialLitlen:
	TESTL $const_subtable, ENTRY
	JZ    stopped
	SHRXQ ELEVEN, BITS, A
	BZHIL ENTRY, A, A
	SHRL  $const_valueShift, ENTRY
	ADDL  ENTRY, A
	MOVL  tables_litlen(TABLES)(A*4), ENTRY
	TESTL $const_special, ENTRY
	JZ    round

stopped:
	MOVQ  $const_fastStopped, ENTRY
	JMP   leave

specialDist:
	TESTL $const_subtable, ENTRY
	JZ    badSymbol
	MOVQ  BITS, A
	SHRQ  $const_distBits, A
	BZHIL ENTRY, A, A
	SHRL  $const_valueShift, ENTRY
	ADDL  ENTRY, A
	MOVL  tables_dist(TABLES)(A*4), ENTRY
	TESTL $const_special, ENTRY
	JZ    distance

badSymbol:
	MOVQ  $const_fastSymbol, ENTRY
	JMP   leave

badDistance:
	MOVQ  $const_fastDistance, ENTRY

leave:
	MOVQ  ENTRY, result+24(FP)
	MOVQ  c+8(FP), A
	MOVQ  BITS, cursor_bits(A)
	ANDL  $63, COUNT
	MOVQ  COUNT, cursor_n(A)
	SUBQ  cursor_src(A), SRC
	MOVQ  SRC, cursor_pos(A)
	SUBQ  cursor_dst(A), DST
	MOVQ  DST, cursor_dst+8(A)
	RET
