package ingest

import (
	"testing"
)

func TestPrice(t *testing.T) {
	for s, want := range map[string]price{"0.05": 0.05, "0": 0, "12": 12} {
		var p price
		if err := p.Set(s); err != nil || p != want || p.String() != s {
			t.Errorf("Set(%q): %v, %v", s, p, err)
		}
	}
	for _, s := range []string{"", "-1", "NaN", "Inf", "1e7", "5 cents"} {
		if err := new(price).Set(s); err == nil {
			t.Errorf("Set(%q) is no error", s)
		}
	}
}
