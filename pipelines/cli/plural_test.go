package cli

import "testing"

func TestPlural(t *testing.T) {
	for _, test := range []struct {
		n          int64
		noun, want string
	}{
		{0, "capture", "0 captures"},
		{1, "capture", "1 capture"},
		{2, "capture", "2 captures"},
		{-1, "unit", "-1 units"},
		{1234567, "file", "1,234,567 files"},
		{1, "entity", "1 entity"},
		{2, "entity", "2 entities"},
		{0, "index", "0 indexes"},
		{3, "status", "3 statuses"},
		{2, "day", "2 days"},
		{2, "key", "2 keys"},
		{2, "match", "2 matches"},
		{2, "hash", "2 hashes"},
		{2, "HTTP status", "2 HTTP statuses"},
		{1, "Parquet file", "1 Parquet file"},
	} {
		if got := Plural(test.n, test.noun); got != test.want {
			t.Errorf("Plural(%d, %q) = %q, want %q", test.n, test.noun, got, test.want)
		}
		if got := Plural(int(test.n), test.noun); got != test.want {
			t.Errorf("Plural(int %d, %q) = %q, want %q", test.n, test.noun, got, test.want)
		}
	}
}
