package main

import (
	"math"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

func TestResult_logistic(t *testing.T) {
	var r result
	for step := range 60 {
		p := 1 / (1 + math.Exp(1-0.1*(float64(step)+0.5)))
		for i := range 500 {
			r.findings = append(r.findings, finding{model.Span{Type: model.Person, Margin: int32(8 * step)}, float64(i) < 500*p})
		}
	}
	a, b := r.logistic(model.Person)
	if math.Abs(a+1) > 0.02 || math.Abs(b-0.1) > 0.002 {
		t.Errorf("logistic = %.3f, %.3f, want -1, 0.1", a, b)
	}
}

func TestResult_of(t *testing.T) {
	r := result{
		findings: []finding{{model.Span{Type: model.Person, Margin: 9}, true}, {model.Span{Type: model.Location}, false}},
		gold:     [model.Types]int{2, 0, 1},
	}
	if _, all := r.of(func(s model.Span) bool { return true }); all != (score{1, 2, 3}) {
		t.Errorf("all = %+v", all)
	}
	if kinds, all := r.of(func(s model.Span) bool { return s.Margin > 5 }); all != (score{1, 1, 3}) ||
		kinds[model.Person] != (score{1, 1, 2}) {
		t.Errorf("with a margin of 6: %+v, all %+v", kinds, all)
	}
}
