//go:build !purego

#include "textflag.h"

// The assembler has no names for these. FROM and TO are numbers of vector registers.

// MLAL adds to TO.4S the products of the low half of FROM.8H and V4.H[AT]; MLAL2 takes the high half.
#define MLAL(AT, FROM, TO) WORD $(0x0F442000 | AT<<20 | FROM<<5 | TO)
#define MLAL2(AT, FROM, TO) WORD $(0x4F442000 | AT<<20 | FROM<<5 | TO)

// ADDW adds the low half of FROM.16B, with its sign, to TO.8H; ADDW2 takes the high half.
#define ADDW(FROM, TO) WORD $(0x0E201000 | FROM<<16 | TO<<5 | TO)
#define ADDW2(FROM, TO) WORD $(0x4E201000 | FROM<<16 | TO<<5 | TO)

// RELU replaces negative values of TO.8H by V31's, zeros.
#define RELU(TO) WORD $(0x4E7F6400 | TO<<5 | TO)

// EIGHT adds the products of a pair of values in V4 and the next sixteen weights to eight sums.
#define EIGHT(LOW, HIGH)       \
	VLD2.P 32(R1), [V0.H8, V1.H8] \
	MLAL(0, 0, LOW)        \
	MLAL2(0, 0, HIGH)      \
	MLAL(1, 1, LOW)        \
	MLAL2(1, 1, HIGH)

// func addLayer(sums *[64]int32, weights *int16, values *[192]int16)
TEXT ·addLayer(SB), NOSPLIT, $0-24
	MOVD   sums+0(FP), R0
	MOVD   weights+8(FP), R1
	MOVD   values+16(FP), R2
	MOVD   $96, R3
	MOVD   R0, R4
	VLD1.P 64(R4), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1.P 64(R4), [V20.S4, V21.S4, V22.S4, V23.S4]
	VLD1.P 64(R4), [V24.S4, V25.S4, V26.S4, V27.S4]
	VLD1.P 64(R4), [V28.S4, V29.S4, V30.S4, V31.S4]

pair:
	MOVWU.P 4(R2), R5
	CBZ     R5, zero            // many are, as negative values were cut off
	VDUP    R5, V4.S4
	EIGHT(16, 17)
	EIGHT(18, 19)
	EIGHT(20, 21)
	EIGHT(22, 23)
	EIGHT(24, 25)
	EIGHT(26, 27)
	EIGHT(28, 29)
	EIGHT(30, 31)
	SUB     $1, R3
	CBNZ    R3, pair
	B       done

zero:
	ADD  $256, R1
	SUB  $1, R3
	CBNZ R3, pair

done:
	VST1.P [V16.S4, V17.S4, V18.S4, V19.S4], 64(R0)
	VST1.P [V20.S4, V21.S4, V22.S4, V23.S4], 64(R0)
	VST1.P [V24.S4, V25.S4, V26.S4, V27.S4], 64(R0)
	VST1.P [V28.S4, V29.S4, V30.S4, V31.S4], 64(R0)
	RET

// func addProducts(sums *[16]int32, weights *int16, values *[64]int16)
TEXT ·addProducts(SB), NOSPLIT, $0-24
	MOVD sums+0(FP), R0
	MOVD weights+8(FP), R1
	MOVD values+16(FP), R2
	MOVD $32, R3
	VLD1 (R0), [V16.S4, V17.S4, V18.S4, V19.S4]

pair:
	MOVWU.P 4(R2), R5
	VDUP    R5, V4.S4
	EIGHT(16, 17)
	EIGHT(18, 19)
	SUB     $1, R3
	CBNZ    R3, pair
	VST1    [V16.S4, V17.S4, V18.S4, V19.S4], (R0)
	RET

// func addEmbeddings(table []byte, rows []uint32, values *[Width]int16) bool
TEXT ·addEmbeddings(SB), NOSPLIT, $0-57
	MOVD table_base+0(FP), R0
	MOVD table_len+8(FP), R1
	MOVD rows_base+24(FP), R2
	MOVD rows_len+32(FP), R3
	MOVD values+48(FP), R4
	LSR  $6, R1                 // number of rows
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	VEOR V20.B16, V20.B16, V20.B16
	VEOR V21.B16, V21.B16, V21.B16
	VEOR V22.B16, V22.B16, V22.B16
	VEOR V23.B16, V23.B16, V23.B16
	VEOR V31.B16, V31.B16, V31.B16
	CBZ  R3, done

row:
	MOVWU.P 4(R2), R5
	CMP     R1, R5
	BHS     missing
	ADD     R5<<6, R0, R6
	VLD1    (R6), [V0.B16, V1.B16, V2.B16, V3.B16]
	ADDW(0, 16)
	ADDW2(0, 17)
	ADDW(1, 18)
	ADDW2(1, 19)
	ADDW(2, 20)
	ADDW2(2, 21)
	ADDW(3, 22)
	ADDW2(3, 23)
	SUB     $1, R3
	CBNZ    R3, row

done:
	RELU(16)
	RELU(17)
	RELU(18)
	RELU(19)
	RELU(20)
	RELU(21)
	RELU(22)
	RELU(23)
	VSHL   $3, V16.H8, V16.H8
	VSHL   $3, V17.H8, V17.H8
	VSHL   $3, V18.H8, V18.H8
	VSHL   $3, V19.H8, V19.H8
	VSHL   $3, V20.H8, V20.H8
	VSHL   $3, V21.H8, V21.H8
	VSHL   $3, V22.H8, V22.H8
	VSHL   $3, V23.H8, V23.H8
	VST1.P [V16.H8, V17.H8, V18.H8, V19.H8], 64(R4)
	VST1.P [V20.H8, V21.H8, V22.H8, V23.H8], 64(R4)
	MOVD   $1, R5
	MOVB   R5, ret+56(FP)
	RET

missing:
	MOVB ZR, ret+56(FP)
	RET
