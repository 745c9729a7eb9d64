package pagemeta

import (
	"flag"
	"math"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

var fitTitles = flag.Bool("fit", false, "learn the weights of titles again, and measure them on hosts that were "+
	"left out")

// choice is the learner's view of a page: its candidates, and which of them are right.
type choice struct {
	signs []signs
	right []bool
	fold  int
}

// TestTitle_weights learns titleWeights again, and measures such weights by folds over hosts.
//
//	go test ./transforms/pagemeta -run TestTitle_weights -v -fit
func TestTitle_weights(t *testing.T) {
	if !*fitTitles {
		t.Skip("takes a minute; ask for it by -fit")
	}
	all, sure, pages := readChoices(t)
	right := sure
	for fold := range folds {
		var others, these []choice
		for _, c := range all {
			if c.fold == fold {
				these = append(these, c)
			} else {
				others = append(others, c)
			}
		}
		n := rightChoices(these, fit(others))
		t.Logf("fold %d: %d of %d that are not sure", fold, n, len(these))
		right += n
	}
	t.Logf("titles that are right on hosts left out: %.4f", share(right, pages))
	if share(right, pages) < 0.805 {
		t.Errorf("want .805")
	}
	w := fit(all)
	for i := range w {
		w[i] = math.Round(10 * w[i])
	}
	t.Logf("titleWeights are %v, and would be %v", titleWeights, w)
}

// readChoices returns the pages on which the rules are not sure. It also returns how often they are sure and right,
// and the total number of pages.
func readChoices(t *testing.T) (all []choice, sure, pages int) {
	var r page.Parser
	for _, l := range readBenchmark(t) {
		pages++
		p := r.Parse(l.html, page.Options{URL: l.url})
		f := newFinder(p, jsonld.Nodes(p.Scripts(), jsonld.Options{}), Options{}.withDefaults())
		f.heading, f.headed = f.titleHeading() // as before the choice of a title
		a := f.ruledTitle()
		if len(a.values) == 0 || a.confidence > 0 {
			if len(a.values) > 0 && alike(a.values[0], l.truth.Title) {
				sure++
			}
			continue
		}
		c := choice{fold: l.fold()}
		for _, x := range f.candidates(a) {
			c.signs = append(c.signs, x.signs)
			c.right = append(c.right, alike(x.values[0], l.truth.Title))
		}
		all = append(all, c)
	}
	return all, sure, pages
}

// rightChoices counts the pages whose best candidate is right.
func rightChoices(all []choice, w []float64) (right int) {
	for _, c := range all {
		best, at := math.Inf(-1), -1
		for i, s := range c.signs {
			if x := weight(s, w); x > best {
				best, at = x, i
			}
		}
		if at >= 0 && c.right[at] {
			right++
		}
	}
	return right
}

// weight returns the sum of the weights of signs.
func weight(s signs, w []float64) (sum float64) {
	for i := range w {
		if s>>i&1 != 0 {
			sum += w[i]
		}
	}
	return sum
}

// fit returns the weights of a conditional logit with a Gaussian prior, by gradient ascent with momentum.
func fit(all []choice) []float64 {
	const rounds, rate, momentum = 400, 0.002, 0.9
	w, speed := make([]float64, lastSign), make([]float64, lastSign)
	for range rounds {
		g := make([]float64, lastSign)
		for _, c := range all {
			c.gradient(w, g)
		}
		for i := range w {
			speed[i] = momentum*speed[i] + rate*(g[i]-w[i])
			w[i] += speed[i]
		}
	}
	return w
}

// gradient adds the gradient of the likelihood that one of the right candidates is chosen.
func (c *choice) gradient(w, g []float64) {
	odds := make([]float64, len(c.signs))
	all, right := 0.0, 0.0
	for i, s := range c.signs {
		odds[i] = math.Exp(weight(s, w))
		all += odds[i]
		if c.right[i] {
			right += odds[i]
		}
	}
	if right == 0 {
		return // no candidate is right
	}
	for i, s := range c.signs {
		d := -odds[i] / all
		if c.right[i] {
			d += odds[i] / right
		}
		for j := range g {
			if s>>j&1 != 0 {
				g[j] += d
			}
		}
	}
}
