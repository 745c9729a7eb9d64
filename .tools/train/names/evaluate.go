package main

import (
	"fmt"
	"os"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

type tally struct{ right, found, labelled int }

func (t tally) String() string {
	p, r := float64(t.right)/float64(max(t.found, 1)), float64(t.right)/float64(max(t.labelled, 1))
	return fmt.Sprintf("precision %.3f recall %.3f F1 %.3f (%d, %d, %d)", p, r, 2*p*r/max(p+r, 1e-9),
		t.right, t.found, t.labelled)
}

// evaluate prints precision, recall and F1: a name is right with the same ends and type.
func evaluate(m *model.Linear, texts []text) {
	var all tally
	var by [model.Types]tally
	show := os.Getenv("SHOW") != ""
	compare(m, texts, func(t text, n model.Span, found, labelled bool) {
		for _, x := range []*tally{&all, &by[n.Type]} {
			if found {
				x.found++
			}
			if labelled {
				x.labelled++
			}
			if found && labelled {
				x.right++
			}
		}
		if show && found != labelled {
			fmt.Println("  found", found, n.Type, t.text[n.Start:n.End])
		}
	})
	for kind, name := range []string{"person", "organization", "place"} {
		fmt.Printf("%-13s %v\n", name, by[kind])
	}
	fmt.Printf("%-13s %v\n", "all", all)
}

// compare calls f for each name that m finds or that is labelled, in this order.
func compare(m *model.Linear, texts []text, f func(t text, n model.Span, found, labelled bool)) {
	var s model.Scratch
	for _, t := range texts {
		want := map[model.Span]bool{}
		for _, n := range t.names {
			want[n] = true
		}
		for _, n := range m.Find(t.text, &s, nil) {
			plain := n
			plain.Margin = 0
			f(t, n, true, want[plain])
			delete(want, plain)
		}
		for _, n := range t.names {
			if want[n] {
				f(t, n, false, true)
			}
		}
	}
}

// folds is the number of parts of the texts. For the confidences, each is read by a model of the others.
const folds = 4

// calibrate sets the confidences of m: the share of right names with a type and margin, at least that of lower
// margins.
func calibrate(m *model.Linear, o options, texts []text) {
	var right, found [model.Types][model.Margins]float64
	var all tally
	for fold := range folds {
		var train, test []text
		for i, t := range texts {
			if i%folds == fold {
				test = append(test, t)
			} else {
				train = append(train, t)
			}
		}
		learn(m, o, train)
		compare(m, test, func(_ text, n model.Span, is, labelled bool) {
			if !is {
				all.labelled++
				return
			}
			step := min(max(n.Margin, 0)/8, model.Margins-1)
			found[n.Type][step]++
			all.found++
			if labelled {
				right[n.Type][step]++
				all.right++
				all.labelled++
			}
		})
	}
	fmt.Println("folds:", all)
	for kind := range found {
		for i, p := range monotone(right[kind][:], found[kind][:]) {
			m.Chain.Confidence[kind][i] = uint8(100*p + 0.5)
		}
	}
}

// monotone returns shares that never fall: neighbours that would are pooled. Each step begins with one name that is
// right in half.
func monotone(right, found []float64) []float64 {
	type pool struct {
		right, found float64
		steps        int
	}
	var pools []pool
	for i := range right {
		p := pool{right[i] + 0.25, found[i] + 0.5, 1}
		for len(pools) > 0 {
			last := pools[len(pools)-1]
			if last.right/last.found < p.right/p.found {
				break
			}
			p = pool{p.right + last.right, p.found + last.found, p.steps + last.steps}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	var shares []float64
	for _, p := range pools {
		for range p.steps {
			shares = append(shares, p.right/p.found)
		}
	}
	return shares
}
