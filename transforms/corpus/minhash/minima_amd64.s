//go:build !purego

#include "textflag.h"

// func minimaAVX2(functions *group, sequences *uint64, n int, minima *[8]uint32)
//
// The high half of odd*h+add is hi32(low(odd)*low(h) + add) + low(odd)*high(h) + high(odd)*low(h). The first product
// has 64 bits, so functions with even and odd numbers are computed apart.
TEXT ·minimaAVX2(SB), NOSPLIT, $0-32
	MOVQ     functions+0(FP), SI
	MOVQ     sequences+8(FP), BX
	MOVQ     n+16(FP), CX
	MOVQ     minima+24(FP), DI
	VMOVDQU  (SI), Y0           // low halves of the factors
	VMOVDQU  32(SI), Y1         // high halves
	VMOVDQU  64(SI), Y2         // summands of even functions
	VMOVDQU  96(SI), Y3         // summands of odd functions
	VPSRLQ   $32, Y0, Y4        // low halves of the odd functions' factors
	VPCMPEQD Y5, Y5, Y5         // minima

sequence:
	VPBROADCASTD (BX), Y6
	VPBROADCASTD 4(BX), Y7
	VPMULUDQ     Y6, Y0, Y8
	VPMULUDQ     Y6, Y4, Y9
	VPMULLD      Y6, Y1, Y6
	VPMULLD      Y7, Y0, Y7
	VPADDQ       Y2, Y8, Y8
	VPADDQ       Y3, Y9, Y9
	VPSRLQ       $32, Y8, Y8
	VPBLENDD     $0xAA, Y9, Y8, Y8
	VPADDD       Y6, Y7, Y7
	VPADDD       Y7, Y8, Y8
	VPMINUD      Y8, Y5, Y5
	ADDQ         $8, BX
	DECQ         CX
	JNZ          sequence
	VMOVDQU      Y5, (DI)
	VZEROUPPER
	RET
