package source

// These are for tests outside of the package, which train the weights of newspapers. A test in the package cannot
// parse pages, since the required package feed imports this one.
type NewsSigns = newsSigns

const (
	Always     = always
	Whole      = whole
	LeastScore = leastScore
)

var NewsWeights = newsWeights

// NewsScore returns the score of a state with the given weights.
func NewsScore(weights NewsSigns, s State) int { return s.newsSigns().score(weights) }

// NewsSignsOf returns the signs of a state.
func NewsSignsOf(s State) NewsSigns { return s.newsSigns() }
