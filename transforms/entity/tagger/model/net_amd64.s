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

// func addLayer(weights *int16, bias *[64]int32, window *[192]int16, values *[64]int16)
TEXT ·addLayer(SB), NOSPLIT, $0-32
	MOVQ    weights+0(FP), SI
	MOVQ    bias+8(FP), BX
	MOVQ    window+16(FP), DX
	MOVQ    values+24(FP), DI
	MOVQ    $96, CX
	VMOVDQU (BX), Y0
	VMOVDQU 32(BX), Y1
	VMOVDQU 64(BX), Y2
	VMOVDQU 96(BX), Y3
	VMOVDQU 128(BX), Y4
	VMOVDQU 160(BX), Y5
	VMOVDQU 192(BX), Y6
	VMOVDQU 224(BX), Y7

pair:
	VPBROADCASTD (DX), Y8
	VPMADDWD     (SI), Y8, Y9
	VPMADDWD     32(SI), Y8, Y10
	VPMADDWD     64(SI), Y8, Y11
	VPMADDWD     96(SI), Y8, Y12
	VPADDD       Y9, Y0, Y0
	VPADDD       Y10, Y1, Y1
	VPADDD       Y11, Y2, Y2
	VPADDD       Y12, Y3, Y3
	VPMADDWD     128(SI), Y8, Y9
	VPMADDWD     160(SI), Y8, Y10
	VPMADDWD     192(SI), Y8, Y11
	VPMADDWD     224(SI), Y8, Y12
	VPADDD       Y9, Y4, Y4
	VPADDD       Y10, Y5, Y5
	VPADDD       Y11, Y6, Y6
	VPADDD       Y12, Y7, Y7
	ADDQ         $4, DX
	ADDQ         $256, SI
	DECQ         CX
	JNZ          pair

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
