package maintext

import (
	"github.com/gleaner-web/gleaner/transforms/maintext/internal/score"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// bins is how finely scores are told apart when the threshold is sought.
const bins = 64

// threshold is the score from which on blocks are kept so that the expected F1 of their words is the highest: with
// scores that are probabilities, that is the F1 of the kept words against all, each word counted as far as it is
// likely to be main text.
func threshold(p *page.Page, scores []float32) float32 {
	var words, kept [bins]float32
	all := float32(0)
	for i := range p.Blocks {
		w := float32(p.Blocks[i].Words)
		bin := min(bins-1, int(scores[i]*bins))
		words[bin] += w
		kept[bin] += w * scores[i]
		all += w * scores[i]
	}
	best, at, w, k := float32(0), bins-1, float32(0), float32(0)
	for bin := bins - 1; bin >= 0; bin-- {
		w += words[bin]
		k += kept[bin]
		if f1 := k / (w + all + 1); f1 > best {
			best, at = f1, bin
		}
	}
	return float32(at) / bins
}

// choose returns the blocks that are kept.
func choose(p *page.Page, scores []float32, kinds [score.Kinds]float32, profile Profile) []int32 {
	t := threshold(p, scores)
	switch profile {
	case Precision:
		t = min(0.9, t*1.6)
	case Recall:
		t *= 0.5
	}
	var keep []int32
	for i := range p.Blocks {
		if scores[i] >= t {
			keep = append(keep, int32(i))
		}
	}
	return keep
}
