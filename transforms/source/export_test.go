package source

// What tests outside of the package train the weights of newspapers with: a test in it cannot parse pages, since
// package feed, which that needs, is made of this one.
type NewsSigns = newsSigns

const (
	Always     = always
	Whole      = whole
	LeastScore = leastScore
)

var NewsWeights = newsWeights

// NewsScore is what a state scores by weights.
func NewsScore(weights NewsSigns, s State) int { return s.newsSigns().score(weights) }

// NewsSignsOf are the signs that a state has.
func NewsSignsOf(s State) NewsSigns { return s.newsSigns() }
