package codepage

import "testing"

func TestDecode(t *testing.T) {
	for _, test := range []struct {
		page     int
		in, want string
	}{
		{1251, "\xCF", "П"},
		{1252, "\x80", "€"},
		{437, "\x82", "é"},
		{932, "\x93\xFA", "日"},
		{1200, "\x1F\x04", "П"},
		{1200, "a\x00b", "a\uFFFD"},
		{9999, "\xE9", "é"},
		{65001, "é", "é"},
		{1251, "plain", "plain"},
		{932, "\x93", "\uFFFD"},
	} {
		if got := Decode(test.page, []byte(test.in)); got != test.want {
			t.Errorf("Decode(%d, %q) = %q, want %q", test.page, test.in, got, test.want)
		}
	}
}
