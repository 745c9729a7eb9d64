package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCounters_TakeNew: each change is returned once, and the counts of repeated units are subtracted.
func TestCounters_TakeNew(t *testing.T) {
	var c Counters
	steps := []struct {
		do   func()
		want map[string]int64
	}{
		{func() {}, map[string]int64{}},
		{func() { c.Bytes.Add(10); c.Reject("garbage") }, map[string]int64{"bytes": 10, "rejects": 1}},
		{func() { c.Bytes.Add(5); c.Captures.Add(2); c.Documents.Add(1) }, map[string]int64{
			"bytes": 5, "captures": 2, "documents": 1,
		}},
		{func() { c.Captures.Add(-2) }, map[string]int64{"captures": -2}},
		{func() { c.Reset(); c.Bytes.Add(1) }, map[string]int64{"bytes": 1}},
	}
	for i, s := range steps {
		s.do()
		if diff := cmp.Diff(s.want, c.TakeNew()); diff != "" {
			t.Errorf("step %d (-want +got):\n%s", i, diff)
		}
	}
}
