//go:build !purego

#include "textflag.h"

// REST converts sixteen sums to whole values, replaces negative ones by 0, and adds the token's own values.
#define REST(LOW, HIGH, AT) \
	VPSRAD     $12, LOW, LOW               \
	VPSRAD     $12, HIGH, HIGH             \
	VPMAXSD    Y8, LOW, LOW                \
	VPMAXSD    Y8, HIGH, HIGH              \
	VPMOVSXWD  (AT-256)(DX), Y9            \
	VPMOVSXWD  (AT-240)(DX), Y10           \
	VPADDD     Y9, LOW, LOW                \
	VPADDD     Y10, HIGH, HIGH             \
	VPACKSSDW  HIGH, LOW, LOW              \
	VPERMQ     $0xD8, LOW, LOW             \
	VMOVDQU    LOW, AT(DI)

// PAIRS sets MASK to the pairs of values from AT on that are not zero, one bit for each of 32. Y15 is zero, and Y14
// has the order of the packed comparisons.
#define PAIRS(AT, MASK) \
	VPCMPEQD   AT(DX), Y15, Y8      \
	VPCMPEQD   (AT+32)(DX), Y15, Y9  \
	VPCMPEQD   (AT+64)(DX), Y15, Y10 \
	VPCMPEQD   (AT+96)(DX), Y15, Y11 \
	VPACKSSDW  Y9, Y8, Y8           \
	VPACKSSDW  Y11, Y10, Y10        \
	VPACKSSWB  Y10, Y8, Y8          \
	VPERMD     Y8, Y14, Y8          \
	VPMOVMSKB  Y8, MASK             \
	NOTL       MASK

// PRODUCTS adds the products of the pairs in MASK, which begin at AT. It jumps to END after the last.
#define PRODUCTS(AT, MASK, NEXT, END) \
	TESTQ        MASK, MASK                 \
	JZ           END                        \
NEXT: \
	TZCNTQ       MASK, AX                   \
	BLSRQ        MASK, MASK                 \
	VPBROADCASTD AT(DX)(AX*4), Y8           \
	SHLQ         $8, AX                     \
	VPMADDWD     (64*AT)(SI)(AX*1), Y8, Y9  \
	VPMADDWD     (64*AT+32)(SI)(AX*1), Y8, Y10  \
	VPMADDWD     (64*AT+64)(SI)(AX*1), Y8, Y11  \
	VPMADDWD     (64*AT+96)(SI)(AX*1), Y8, Y12  \
	VPADDD       Y9, Y0, Y0                 \
	VPADDD       Y10, Y1, Y1                \
	VPADDD       Y11, Y2, Y2                \
	VPADDD       Y12, Y3, Y3                \
	VPMADDWD     (64*AT+128)(SI)(AX*1), Y8, Y9  \
	VPMADDWD     (64*AT+160)(SI)(AX*1), Y8, Y10 \
	VPMADDWD     (64*AT+192)(SI)(AX*1), Y8, Y11 \
	VPMADDWD     (64*AT+224)(SI)(AX*1), Y8, Y12 \
	VPADDD       Y9, Y4, Y4                 \
	VPADDD       Y10, Y5, Y5                \
	VPADDD       Y11, Y6, Y6                \
	VPADDD       Y12, Y7, Y7                \
	TESTQ        MASK, MASK                 \
	JNZ          NEXT

// The dwords after packing four comparisons are in the order 0 2 4 6 1 3 5 7.
DATA order<>+0(SB)/4, $0
DATA order<>+4(SB)/4, $4
DATA order<>+8(SB)/4, $1
DATA order<>+12(SB)/4, $5
DATA order<>+16(SB)/4, $2
DATA order<>+20(SB)/4, $6
DATA order<>+24(SB)/4, $3
DATA order<>+28(SB)/4, $7
GLOBL order<>(SB), RODATA|NOPTR, $32

// func addLayer(weights *int16, bias *[64]int32, window *[192]int16, values *[64]int16)
TEXT ·addLayer(SB), NOSPLIT, $0-32
	MOVQ    weights+0(FP), SI
	MOVQ    bias+8(FP), BX
	MOVQ    window+16(FP), DX
	MOVQ    values+24(FP), DI
	VMOVDQU order<>(SB), Y14
	VPXOR   Y15, Y15, Y15
	PAIRS(0, R8)
	PAIRS(128, R9)
	PAIRS(256, R10)
	SHLQ    $32, R9
	ORQ     R9, R8
	VMOVDQU (BX), Y0
	VMOVDQU 32(BX), Y1
	VMOVDQU 64(BX), Y2
	VMOVDQU 96(BX), Y3
	VMOVDQU 128(BX), Y4
	VMOVDQU 160(BX), Y5
	VMOVDQU 192(BX), Y6
	VMOVDQU 224(BX), Y7
	PRODUCTS(0, R8, next, third)

third:
	PRODUCTS(256, R10, last, rest)

rest:
	ADDQ $384, DX

	// DX is at the end of the window; the token's own values begin 256 bytes before that.
	VPXOR Y8, Y8, Y8
	REST(Y0, Y1, 0)
	REST(Y2, Y3, 32)
	REST(Y4, Y5, 64)
	REST(Y6, Y7, 96)
	VZEROUPPER
	RET

// func addProducts(sums *[16]int32, weights *int16, values *[64]int16)
TEXT ·addProducts(SB), NOSPLIT, $0-24
	MOVQ    sums+0(FP), DI
	MOVQ    weights+8(FP), SI
	MOVQ    values+16(FP), DX
	MOVQ    $32, CX
	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1

pair:
	VPBROADCASTD (DX), Y2
	VPMADDWD     (SI), Y2, Y3
	VPMADDWD     32(SI), Y2, Y4
	VPADDD       Y3, Y0, Y0
	VPADDD       Y4, Y1, Y1
	ADDQ         $4, DX
	ADDQ         $64, SI
	DECQ         CX
	JNZ          pair

	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VZEROUPPER
	RET

// func addEmbeddings(table []byte, rows []uint32, values *[Width]int16) bool
TEXT ·addEmbeddings(SB), NOSPLIT, $0-57
	MOVQ  table_base+0(FP), SI
	MOVQ  table_len+8(FP), DX
	MOVQ  rows_base+24(FP), DI
	MOVQ  rows_len+32(FP), CX
	MOVQ  values+48(FP), R8
	SHRQ  $6, DX               // number of rows
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	TESTQ CX, CX
	JZ    done

row:
	MOVL      (DI), AX
	CMPQ      AX, DX
	JAE       missing
	SHLQ      $6, AX
	VPMOVSXBW (SI)(AX*1), Y4
	VPMOVSXBW 16(SI)(AX*1), Y5
	VPMOVSXBW 32(SI)(AX*1), Y6
	VPMOVSXBW 48(SI)(AX*1), Y7
	VPADDW    Y4, Y0, Y0
	VPADDW    Y5, Y1, Y1
	VPADDW    Y6, Y2, Y2
	VPADDW    Y7, Y3, Y3
	ADDQ      $4, DI
	DECQ      CX
	JNZ       row

done:
	VPXOR   Y4, Y4, Y4
	VPMAXSW Y4, Y0, Y0
	VPMAXSW Y4, Y1, Y1
	VPMAXSW Y4, Y2, Y2
	VPMAXSW Y4, Y3, Y3
	VPSLLW  $3, Y0, Y0
	VPSLLW  $3, Y1, Y1
	VPSLLW  $3, Y2, Y2
	VPSLLW  $3, Y3, Y3
	VMOVDQU Y0, (R8)
	VMOVDQU Y1, 32(R8)
	VMOVDQU Y2, 64(R8)
	VMOVDQU Y3, 96(R8)
	VZEROUPPER
	MOVB    $1, ret+56(FP)
	RET

missing:
	VZEROUPPER
	MOVB $0, ret+56(FP)
	RET

// func requestRows(table *byte, rows []uint32)
TEXT ·requestRows(SB), NOSPLIT, $0-32
	MOVQ       table+0(FP), SI
	MOVQ       rows_base+8(FP), DI
	MOVQ       rows_len+16(FP), CX
	MOVL       (DI), AX
	MOVL       4(DI), BX
	MOVL       8(DI), DX
	MOVL       -4(DI)(CX*4), R8
	SHLQ       $6, AX
	SHLQ       $6, BX
	SHLQ       $6, DX
	SHLQ       $6, R8
	PREFETCHT0 (SI)(AX*1)
	PREFETCHT0 63(SI)(AX*1)
	PREFETCHT0 (SI)(BX*1)
	PREFETCHT0 63(SI)(BX*1)
	PREFETCHT0 (SI)(DX*1)
	PREFETCHT0 63(SI)(DX*1)
	PREFETCHT0 (SI)(R8*1)
	PREFETCHT0 63(SI)(R8*1)
	RET

// FROM compares the scores of paths over label X of the token before with the best. The second vector has the last
// eight labels of 13, three of which are also in the first.
#define FROM(X) \
	VPBROADCASTD (4*X)(DI), Y2        \
	VPADDD       (52*X)(SI), Y2, Y3   \
	VPADDD       (52*X+20)(SI), Y2, Y4 \
	VPMAXSD      Y3, Y0, Y0           \
	VPMAXSD      Y4, Y1, Y1

// func forwardScores(steps *[13][13]int32, emit, fore *scores, n int)
TEXT ·forwardScores(SB), NOSPLIT, $0-32
	MOVQ         steps+0(FP), SI
	MOVQ         emit+8(FP), DX
	MOVQ         fore+16(FP), DI
	MOVQ         n+24(FP), CX
	MOVL         $0xE0000000, AX // never
	VMOVD        AX, X5
	VPBROADCASTD X5, Y5
	DECQ         CX

token:
	ADDQ    $52, DX
	VMOVDQA Y5, Y0
	VMOVDQA Y5, Y1
	FROM(0)
	FROM(1)
	FROM(2)
	FROM(3)
	FROM(4)
	FROM(5)
	FROM(6)
	FROM(7)
	FROM(8)
	FROM(9)
	FROM(10)
	FROM(11)
	FROM(12)
	VPADDD  (DX), Y0, Y0
	VPADDD  20(DX), Y1, Y1
	VMOVDQU Y0, 52(DI)
	VMOVDQU Y1, 72(DI)
	ADDQ    $52, DI
	DECQ    CX
	JNZ     token
	VZEROUPPER
	RET
