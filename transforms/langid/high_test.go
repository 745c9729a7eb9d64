package langid

import (
	"strings"
	"testing"

	second "github.com/gleaner-web/gleaner/transforms/langid/lingua"
)

// The tests have lingua with any build tags.
func init() { lingua = second.Ask }

func TestParseAccuracy_highNeedsLingua(t *testing.T) {
	defer func(f func(_, _ string) map[string]float64) { lingua = f }(lingua)
	lingua = nil
	if _, err := ParseAccuracy("high"); err == nil || !strings.Contains(err.Error(), "-tags lingua") {
		t.Errorf("ParseAccuracy(high) = %v, want an error that says how it can be had", err)
	}
	const text = "Hvor er du? Jeg er her."
	if got, want := New(Options{Accuracy: High}).Detect(text), New(Options{}).Detect(text); len(got) != 1 ||
		got[0] != want[0] {
		t.Errorf("Detect at high accuracy without lingua = %v, want %v as by default", got, want)
	}
}
