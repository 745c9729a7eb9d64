//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// This is fastGeneric of fast.go, step by step, with its bounds (in), (literals), (out), (back) and (state). What differs is
// how near matches are copied, and that no branch depends on whether a distance is recalled: which of block.recent comes
// first is a shuffle. Shifts take their count from the low bits of any register, so fields need not be parted.

#define WORD     BX // the bits, COUNT of them to be used, as far as its low six bits tell
#define COUNT    CX
#define SRC      SI // src[pos]
#define DST      DI // dst[end]
#define BLOCK    R8
#define LITERALS R9  // literals[used]
#define LL       R10 // the entries: literal length
#define ML       R11 // match length
#define OF       R12 // offset
#define DISTANCE R13 // the last one, recent[0]
#define MATCH    R14 // how long it is, then where it begins
#define LENGTH   R15 // of the literals
#define A        AX
#define B        DX
#define RECENT   X0

#define LEFT     BP

// VALUE adds to the value of the entry its extra bits.
#define VALUE(entry, result, scratch) \
	RORXQ  $const_extraShift, entry, scratch; \
	SUBL   scratch, COUNT; \
	SHRXQ  COUNT, WORD, result; \
	BZHIQ  scratch, result, result; \
	SHRQ   $(const_valueShift-const_extraShift), scratch; \
	ADDL   scratch, result

// STATE goes from the entry to the next one.
#define STATE(entry, states) \
	SUBL   entry, COUNT; \
	SHRXQ  COUNT, WORD, A; \
	BZHIQ  entry, A, A; \
	SHRQ   $const_nextShift, entry; \
	MOVQ   states(BLOCK), B; \
	LEAQ   table_states(B)(entry*8), B; \
	MOVQ   (B)(A*8), entry

// func sequencesBMI2(b *block, c *cursor, s *shuffles, limit int, window int64)
TEXT ·sequencesBMI2(SB), NOSPLIT, $32-40
	MOVQ b+0(FP), BLOCK
	MOVQ c+8(FP), A
	MOVQ cursor_dst(A), DST
	MOVQ limit+24(FP), B
	ADDQ DST, B
	MOVQ B, limit-8(SP)
	MOVQ cursor_low(A), B
	ADDQ DST, B
	MOVQ B, low-16(SP)
	ADDQ cursor_dst+8(A), DST
	MOVQ block_literals(BLOCK), LITERALS
	MOVQ block_literals+8(BLOCK), B
	ADDQ LITERALS, B
	MOVQ B, literals-24(SP)
	ADDQ block_used(BLOCK), LITERALS
	MOVQ (block_bits+bitReader_src)(BLOCK), SRC
	LEAQ 8(SRC), B
	MOVQ B, src-32(SP)
	ADDQ (block_bits+bitReader_pos)(BLOCK), SRC
	MOVQ (block_bits+bitReader_word)(BLOCK), WORD
	MOVQ (block_bits+bitReader_n)(BLOCK), COUNT
	MOVQ block_literalLength(BLOCK), LL
	MOVQ block_matchLength(BLOCK), ML
	MOVQ block_offset(BLOCK), OF
	MOVOU block_recent(BLOCK), RECENT
	MOVL block_recent(BLOCK), DISTANCE
	MOVQ block_left(BLOCK), LEFT

	PCALIGN $32
round:
	SUBQ  $1, LEFT
	JZ    stop
	CMPQ  SRC, src-32(SP)
	JB    stop
	LEAQ  (LL)(ML*1), B
	LEAQ  (1<<const_extraShift)(B)(OF*1), A
	TESTL $const_tooLong, A
	JNZ   stop
	VALUE(OF, A, LENGTH)
	TESTL $(0xff<<const_extraShift), B
	JNZ   long
	RORXQ $const_valueShift, ML, MATCH
	MOVL  MATCH, MATCH
	RORXQ $const_valueShift, LL, LENGTH
	MOVL  LENGTH, LENGTH

lengths:
	// Which distance: A becomes the index in RECENT, where the fourth is the new one.
	LEAL  -1(DISTANCE), B
	LEAL  -3(A), DISTANCE
	CMPL  A, $3
	CMOVLHI DISTANCE, B
	PINSRD $3, B, RECENT
	CMPL  LENGTH, $1 // carries when there are no literals
	ADCL  $-1, A
	MOVL  $3, B
	CMPL  A, B
	CMOVLHI B, A
	SHLL  $4, A
	MOVQ  s+16(FP), B
	MOVOU shuffles_recalls(B)(A*1), X1
	PSHUFB X1, RECENT
	MOVL  RECENT, DISTANCE

	STATE(LL, block_literalLengths)
	STATE(ML, block_matchLengths)
	STATE(OF, block_offsets)
	MOVL  COUNT, A
	NOTL  A
	SHRL  $3, A
	ANDL  $7, A
	SUBQ  A, SRC
	MOVQ  (SRC), WORD
	ORL   $56, COUNT

	LEAQ  (LITERALS)(LENGTH*1), B
	CMPQ  B, literals-24(SP)
	JA    pending
	LEAQ  (DST)(LENGTH*1), A // where the match is written
	LEAQ  (A)(MATCH*1), B    // and ends
	CMPQ  B, limit-8(SP)
	JA    pending
	CMPQ  DISTANCE, window+32(FP)
	JA    pending
	MOVQ  A, MATCH
	SUBQ  DISTANCE, MATCH
	CMPQ  MATCH, low-16(SP)
	JB    pendingBack
	MOVOU (LITERALS), X1
	MOVOU X1, (DST)
	CMPL  LENGTH, $const_chunk
	JA    longLiterals

match:
	CMPL  DISTANCE, $const_chunk
	JB    near
	ADDQ  LENGTH, LITERALS
	MOVOU (MATCH), X1
	MOVOU X1, (A)
	MOVOU const_chunk(MATCH), X1
	MOVOU X1, const_chunk(A)
	ADDQ  $(2*const_chunk), A
	CMPQ  A, B
	JB    far
	MOVQ  B, DST
	JMP   round

far:
	ADDQ  $(2*const_chunk), MATCH
	MOVOU (MATCH), X1
	MOVOU X1, (A)
	MOVOU const_chunk(MATCH), X1
	MOVOU X1, const_chunk(A)
	ADDQ  $(2*const_chunk), A
	CMPQ  A, B
	JB    far
	MOVQ  B, DST
	JMP   round

near:
	TESTL DISTANCE, DISTANCE
	JZ    pendingBack
	ADDQ  LENGTH, LITERALS
	MOVOU (MATCH), X1
	MOVQ  s+16(FP), LENGTH
	MOVL  DISTANCE, MATCH
	SHLL  $5, MATCH
	ADDQ  MATCH, LENGTH
	MOVOU shuffles_repetitions(LENGTH), X2
	PSHUFB X2, X1
	MOVBLZX (shuffles_repetitions+const_chunk)(LENGTH), MATCH

nearly:
	MOVOU X1, (A)
	ADDQ  MATCH, A
	CMPQ  A, B
	JB    nearly
	MOVQ  B, DST
	JMP   round

longLiterals:
	MOVL  $const_chunk, A

longer:
	MOVOU (LITERALS)(A*1), X1
	MOVOU X1, (DST)(A*1)
	ADDL  $const_chunk, A
	CMPL  A, LENGTH
	JB    longer
	LEAQ  (DST)(LENGTH*1), A
	JMP   match

long:
	VALUE(ML, MATCH, B)
	VALUE(LL, LENGTH, B)
	JMP   lengths

pendingBack:
	MOVQ  B, MATCH
	SUBQ  A, MATCH

pending:
	MOVQ  LENGTH, block_copyLiterals(BLOCK)
	MOVQ  MATCH, block_copyMatch(BLOCK)
	MOVQ  DISTANCE, block_distance(BLOCK)
	DECQ  LEFT

stop:
	INCQ  LEFT
	MOVQ  LEFT, block_left(BLOCK)
	MOVQ  OF, block_offset(BLOCK)
	MOVQ  ML, block_matchLength(BLOCK)
	MOVQ  LL, block_literalLength(BLOCK)
	MOVOU RECENT, block_recent(BLOCK)
	MOVQ  WORD, (block_bits+bitReader_word)(BLOCK)
	ANDL  $63, COUNT
	MOVQ  COUNT, (block_bits+bitReader_n)(BLOCK)
	SUBQ  (block_bits+bitReader_src)(BLOCK), SRC
	MOVQ  SRC, (block_bits+bitReader_pos)(BLOCK)
	SUBQ  block_literals(BLOCK), LITERALS
	MOVQ  LITERALS, block_used(BLOCK)
	MOVQ  c+8(FP), A
	SUBQ  cursor_dst(A), DST
	MOVQ  DST, cursor_dst+8(A)
	RET
