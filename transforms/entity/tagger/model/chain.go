package model

// Margins is how many steps of 8 a margin has whose confidence is known.
const Margins = 64

// A Chain is what the best labels of a run depend on beside the scores of its tokens. Transitions have the scores'
// unit, a 32nd.
type Chain struct {
	Transitions [Labels][Labels]int32
	Vote        int32 // how much a vote counts, in 64ths
	VoteCap     int32 // the most that the votes for a type count
	Confidence  [Types][Margins]uint8
}

type scores [Labels]int32
