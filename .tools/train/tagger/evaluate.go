package main

import (
	"fmt"
	"io"
	"math"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// score counts found names, labelled names, and those in both with the same ends and type.
type score struct{ right, found, gold int }

func (s score) String() string {
	p, r := float64(s.right)/float64(max(1, s.found)), float64(s.right)/float64(max(1, s.gold))
	return fmt.Sprintf("precision %.3f  recall %.3f  F1 %.3f  (%d right of %d found, %d labelled)",
		p, r, 2*p*r/max(p+r, 1e-9), s.right, s.found, s.gold)
}

// finding is a found name.
type finding struct {
	model.Span
	right bool
}

// result holds the found names in texts with known names.
type result struct {
	findings []finding
	gold     [model.Types]int
}

// find adds the names that m finds in docs.
func (r *result) find(m *model.Model, docs []labelled) {
	var s model.Scratch
	for _, d := range docs {
		is := map[model.Span]bool{}
		for _, n := range d.names {
			is[n] = true
			r.gold[n.Type]++
		}
		for _, n := range m.Find(d.text, &s, nil) {
			r.findings = append(r.findings, finding{n, is[model.Span{Start: n.Start, End: n.End, Type: n.Type}]})
		}
	}
}

// of returns the scores of each type and of all types, for the names that keep accepts.
func (r *result) of(keep func(model.Span) bool) (kinds [model.Types]score, all score) {
	for kind, n := range r.gold {
		kinds[kind].gold = n
	}
	for _, f := range r.findings {
		if !keep(f.Span) {
			continue
		}
		kinds[f.Type].found++
		if f.right {
			kinds[f.Type].right++
		}
	}
	for _, k := range kinds {
		all = score{all.right + k.right, all.found + k.found, all.gold + k.gold}
	}
	return kinds, all
}

// print writes the scores.
func (r *result) print(w io.Writer) {
	kinds, all := r.of(func(model.Span) bool { return true })
	for kind, name := range []string{"person", "organization", "place"} {
		fmt.Fprintf(w, "%-13s %v\n", name, kinds[kind])
	}
	fmt.Fprintf(w, "%-13s %v\n", "all", all)
}

// printThresholds writes the scores of the names above different thresholds of confidence, and those of organisations
// among them.
func (r *result) printThresholds(w io.Writer, m *model.Model) {
	for percent := uint8(30); percent < 95; percent += 5 {
		kinds, all := r.of(func(s model.Span) bool { return m.Chain.Percent(s) >= percent })
		fmt.Fprintf(w, "confidence .%d  %v; organizations %v\n", percent, all, kinds[model.Organization])
	}
}

// calibrate sets the confidences of a model from the right findings: for each type, a logistic function of the
// margin.
func (r *result) calibrate(c *model.Chain) {
	for kind := range c.Confidence {
		a, b := r.logistic(model.Type(kind))
		for step := range c.Confidence[kind] {
			p := 1 / (1 + math.Exp(-a-b*(float64(step)+0.5)))
			c.Confidence[kind][step] = uint8(math.Round(100 * p))
		}
	}
}

// logistic fits 1/(1+exp(-a-b*x)) to the findings of a type, where x counts steps of margin, by Newton's method.
func (r *result) logistic(kind model.Type) (a, b float64) {
	for range 25 {
		// The gradient, and the matrix of second derivatives. The ridge of 1 keeps the matrix regular.
		ga, gb, haa, hab, hbb := -a, -b, 1.0, 0.0, 1.0
		for _, f := range r.findings {
			if f.Type != kind {
				continue
			}
			x := float64(min(f.Margin/8, model.Margins-1)) + 0.5
			p := 1 / (1 + math.Exp(-a-b*x))
			d := -p
			if f.right {
				d++
			}
			ga, gb = ga+d, gb+d*x
			haa, hab, hbb = haa+p*(1-p), hab+p*(1-p)*x, hbb+p*(1-p)*x*x
		}
		det := haa*hbb - hab*hab
		a += (hbb*ga - hab*gb) / det
		b += (haa*gb - hab*ga) / det
	}
	return a, b
}
