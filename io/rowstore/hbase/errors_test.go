package hbase

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestServerError_of: what a server says is cut between characters.
func TestServerError_of(t *testing.T) {
	const class = "org.apache.hadoop.hbase.RegionTooBusyException"
	for shift := range 4 {
		said := ": " + strings.Repeat("x", shift) + strings.Repeat("表", maxMessage)
		got := (&serverError{}).of(class, class+said+"\n\tat java.lang").Error()
		if !utf8.ValidString(got) || strings.Contains(got, "\uFFFD") || len(got) > maxMessage || len(got) < maxMessage-3 {
			t.Errorf("%d bytes: %q", len(got), got)
		}
		if !strings.HasPrefix(got, "RegionTooBusyException: ") {
			t.Errorf("%q", got)
		}
	}
}
