package pdf

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

func TestReader_matrix(t *testing.T) {
	tests := []struct {
		rotate              int
		x, y, width, height float64 // of the point 30 right of and 50 above the lower left corner
	}{
		{0, 30, 150, 100, 200},
		{90, 50, 30, 200, 100},
		{180, 70, 50, 100, 200},
		{-90, 150, 70, 200, 100},
		{450, 50, 30, 200, 100},
	}
	for _, tt := range tests {
		r := &reader{file: object.Open(nil, object.Limits{})}
		m, width, height := r.matrix(page{box: object.Array{10, 20, 110, 220}, rotate: tt.rotate})
		x, y := m.point(10+30, 20+50)
		if x != tt.x || y != tt.y || width != tt.width || height != tt.height {
			t.Errorf("rotated by %d: (%v, %v) of (%v, %v), want (%v, %v) of (%v, %v)",
				tt.rotate, x, y, width, height, tt.x, tt.y, tt.width, tt.height)
		}
	}
}
