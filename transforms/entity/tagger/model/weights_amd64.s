//go:build !purego

#include "textflag.h"

// func addRows(weights []byte, rows []uint32, sums *[RowSize]uint16) bool
TEXT ·addRows(SB), NOSPLIT, $0-57
	MOVQ  weights_base+0(FP), SI
	MOVQ  weights_len+8(FP), DX
	MOVQ  rows_base+24(FP), DI
	MOVQ  rows_len+32(FP), CX
	MOVQ  sums+48(FP), R8
	SHRQ  $4, DX               // rows that there are
	VPXOR Y0, Y0, Y0
	TESTQ CX, CX
	JZ    done

row:
	MOVL      (DI), AX
	CMPQ      AX, DX
	JAE       missing
	SHLQ      $4, AX
	VPMOVZXBW (SI)(AX*1), Y1
	VPADDW    Y1, Y0, Y0
	ADDQ      $4, DI
	DECQ      CX
	JNZ       row

done:
	VMOVDQU    Y0, (R8)
	VZEROUPPER
	MOVB       $1, ret+56(FP)
	RET

missing:
	VZEROUPPER
	MOVB $0, ret+56(FP)
	RET
