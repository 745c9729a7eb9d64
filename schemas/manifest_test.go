package schemas

import (
	"reflect"
	"testing"
)

// TestAttack05_sinksAddUp: sums of what servers took are those of the units, with the first that was refused of the first unit, and
// adding changes no unit.
func TestAttack05_sinksAddUp(t *testing.T) {
	var one, two, sum Counts
	for range 3 {
		one.Offer(SinkElastic)
		two.Offer(SinkElastic)
	}
	two.Offer(SinkKafka)
	one.Refuse(SinkElastic, "a", Reject{URL: "first"})
	two.Refuse(SinkElastic, "a", Reject{URL: "second"})
	two.Refuse(SinkElastic, "b", Reject{URL: "third"})
	sum.Add(one)
	sum.Add(two)
	want := map[string]Sink{
		SinkElastic: {Offered: 6, Refused: 3, ByReason: map[string]int64{"a": 2, "b": 1}, First: &Reject{URL: "first"}},
		SinkKafka:   {Offered: 1},
	}
	if !reflect.DeepEqual(sum.Sinks, want) {
		t.Errorf("sums are %+v, want %+v", sum.Sinks, want)
	}
	if n := one.Sinks[SinkElastic].ByReason["a"]; n != 1 {
		t.Errorf("adding has changed a unit: %d", n)
	}
}
