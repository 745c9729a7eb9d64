package s3

import (
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// TestPartBytes: as many parts as are allowed hold any object that S3 takes, which are of 50 TB at most.
func TestPartBytes(t *testing.T) {
	const usual = blob.PartBytes
	for _, test := range []struct{ size, want int64 }{
		{usual + 1, usual}, {maxParts * usual, usual}, {maxParts*usual + 1, usual + partUnit}, {50e12, 4769 << 20},
	} {
		got := partBytes(test.size)
		if parts := (test.size + got - 1) / got; got != test.want || parts > maxParts {
			t.Errorf("partBytes(%d) = %d, want %d; %d parts", test.size, got, test.want, parts)
		}
	}
}
