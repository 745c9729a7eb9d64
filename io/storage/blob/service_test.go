package blob

import (
	"strings"
	"testing"
)

// TestUnsupported_saysWhatToDo: who built a command with -tags local reads the tag, and who wrote a program the
// package.
func TestUnsupported_saysWhatToDo(t *testing.T) {
	for _, s := range []string{"gs", "s3"} {
		err := unsupported(s + "://bucket/a.warc").Error()
		for _, want := range []string{"without " + s + "://", "-tags local", "io/storage/" + s} {
			if !strings.Contains(err, want) {
				t.Errorf("%q does not have %q", err, want)
			}
		}
	}
	if err := unsupported("ftp://host/a").Error(); strings.Contains(err, "-tags") {
		t.Errorf("%q names a tag, which does not help", err)
	}
}
