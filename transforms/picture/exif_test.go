package picture

import (
	"math"
	"testing"
	"time"
)

// TestShown: values of EXIF are short texts; those without a meaning are left out.
func TestShown(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  string
	}{
		{"Ann  \x00 \n Example", "Ann Example"},
		{float32(0.1), "0.1"},
		{0.1, "0.1"},
		{uint16(3), "3"},
		{float32(math.Inf(1)), ""},
		{float32(math.NaN()), ""},
		{math.Inf(-1), ""},
		{math.NaN(), ""},
		{time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC), "2024-01-02T03:04:05"},
		{[]byte("x"), ""},
		{[]any{1}, ""},
		{nil, ""},
	} {
		if got := shown(tt.value); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.value, got, tt.want)
		}
	}
}
