package maintext

import (
	"slices"
	"testing"
)

func TestWithout(t *testing.T) {
	// These are four blocks of 4, 2, 2 and 3 words.
	p := parse("<p>a b c d<p>e f<p>g h<p>i j k")
	tests := []struct {
		name   string
		blocks []int32
		marked []int
		score  float32
		want   []int32
	}{
		{"no template", []int32{0, 1, 3}, nil, .5, []int32{0, 1, 3}},
		{"a part", []int32{0, 1, 3}, []int{1}, .5, []int32{0, 3}},
		{"what is not kept", []int32{0, 3}, []int{1, 2}, .5, []int32{0, 3}},
		{"a third", []int32{0, 1}, []int{1}, .5, []int32{0}},
		{"more than a third", []int32{0, 3}, []int{3}, .5, []int32{0, 3}},
		{"more, which looks like text", []int32{0, 3}, []int{3}, .9, []int32{0}},
		{"all", []int32{1, 2}, []int{1, 2}, .5, []int32{1, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var marked []bool
			if tt.marked != nil {
				marked = make([]bool, len(p.Blocks))
			}
			for _, i := range tt.marked {
				marked[i] = true
			}
			scores := []float32{tt.score, tt.score, tt.score, tt.score}
			if got := without(p, tt.blocks, marked, scores); !slices.Equal(got, tt.want) {
				t.Errorf("without(%v, %v) = %v, want %v", tt.blocks, tt.marked, got, tt.want)
			}
		})
	}
}
