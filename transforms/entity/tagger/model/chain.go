package model

// Margins is the number of steps of 8 in a margin with a known confidence.
const Margins = 64

// Chain has the parameters of the best labels besides the scores of tokens. Transitions have the scores' unit, 1/32.
type Chain struct {
	Transitions [Labels][Labels]int32
	Vote        int32 // weight of a vote, in 64ths
	VoteCap     int32 // largest sum of votes for a type
	Confidence  [Types][Margins]uint8
}

type scores [Labels]int32
