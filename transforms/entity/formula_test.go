package entity

import "testing"

func TestEndOfFormula(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{"$2^n$ sets", 5},
		{"$5 n$ steps", 5},
		{"$x$", 3},
		{`$\text{cost in \$} + 5$.`, 23},
		{"$$E=mc^2$$", 10},
		{"$45 in the shop", 0},
		{"$5 and $10", 0},
		{"$5/$10", 0},
		{"$5-$10 each", 0},
		{"$10$ a piece", 0},
		{"$5 or 10$ a piece", 0},
		{"$ 5$", 0},
		{"$5 $", 0},
		{"$5 million for A$7", 0},
		{"$5\nof $x$", 0},
		{"$", 0},
		{"$$", 0},
		{"$5", 0},
		{`$\`, 0},
	}
	for _, tt := range tests {
		if got := endOfFormula(tt.text, 0); got != tt.want {
			t.Errorf("endOfFormula(%q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}
