package record

import (
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestReader_holdsFewLosses: the losses inside one record are bounded, and none of their bytes are forgotten.
func TestReader_holdsFewLosses(t *testing.T) {
	var r Reader
	for i := range int64(3 * maxLosses) {
		r.report(Loss{From: 10 * i, To: 10*i + 10, Bytes: 7, Kind: schemas.KindGarbage})
	}
	lost, to := int64(0), int64(0)
	for _, l := range r.losses {
		if l.From != to {
			t.Fatalf("a loss begins at byte %d, want %d", l.From, to)
		}
		lost, to = lost+l.Bytes, l.To
	}
	if len(r.losses) != maxLosses || lost != 7*3*maxLosses || to != 10*3*maxLosses {
		t.Errorf("%d losses of %d bytes up to %d", len(r.losses), lost, to)
	}
}
