package pdf_test

import "testing"

// TestRead_raised: superscript and subscript do not change numbers.
func TestRead_raised(t *testing.T) {
	const begin = "BT /F1 12 Tf 72 700 Td "
	tests := []struct{ name, content, want string }{
		{"a power by rise", begin + "(10) Tj /F1 7 Tf 4 Ts (6) Tj 0 Ts /F1 12 Tf ( m) Tj ET", "10^6 m\n"},
		{"two digits", begin + "(10) Tj /F1 7 Tf 4 Ts (12) Tj ET", "10^12\n"},
		{"a negative power", begin + "(10) Tj /F1 7 Tf 4 Ts (-3) Tj 0 Ts /F1 12 Tf ( s) Tj ET", "10^-3 s\n"},
		{"cents", begin + "($11) Tj /F1 7 Tf 4 Ts (99) Tj ET", "$11.99\n"},
		{"an ordinal", begin + "(the 21) Tj /F1 7 Tf 4 Ts (st) Tj ET", "the 21st\n"},
		{"an index", begin + "(x) Tj /F1 7 Tf -3 Ts (1) Tj ET", "x_1\n"},
		{"a formula", begin + "(CO) Tj /F1 7 Tf -3 Ts (2) Tj ET", "CO2\n"},
		{"a note after a year", begin + "(in 2019) Tj /F1 7 Tf 4 Ts (3) Tj ET", "in 2019 3\n"},
		{"a fraction", begin + "(2) Tj /F1 7 Tf 4 Ts (1) Tj 0 Ts /F1 12 Tf (/) Tj /F1 7 Tf (2) Tj ET", "2 1/2\n"},
		{"small letters on the line", begin + "(10) Tj /F1 7 Tf (6) Tj ET", "106\n"},
		{"raised, and as large", begin + "(10) Tj 4 Ts (6) Tj ET", "106\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := read(t, page(tt.content)).Text; got != tt.want {
				t.Errorf("text %q, want %q", got, tt.want)
			}
		})
	}
}
