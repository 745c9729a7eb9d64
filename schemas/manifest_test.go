package schemas

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestAttack05_sinksAddUp: sums of what servers took are those of the units. The first refusal is the first unit's,
// and adding changes no unit.
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

// TestUnit_bytes: offsets of messages are not bytes, also of rows that were written before there were kinds.
func TestUnit_bytes(t *testing.T) {
	const rows = `[
		{"file": "a.warc.gz", "start": 10, "end": 30, "format": "warc+gzip"},
		{"file": "pages/", "start": 0, "end": 5, "group": {"first": "a", "last": "b", "files": 2}},
		{"file": "index.cdxj", "start": 1, "end": 3, "lookup": {}},
		{"file": "kafka://localhost:9092/pages/0", "start": 5000, "end": 10000, "format": "kafka"}]`
	var u Unit
	if err := json.Unmarshal([]byte(rows), &u.Inputs); err != nil {
		t.Fatal(err)
	}
	for i, want := range []RangeKind{KindFile, KindGroup, KindIndex, KindTopic} {
		if got := u.Inputs[i].Kind(); got != want {
			t.Errorf("the kind of %s is %d, want %d", u.Inputs[i].File, got, want)
		}
	}
	if u.Bytes() != 27 || u.Messages() != 5000 {
		t.Errorf("%d bytes and %d messages, want 27 and 5000", u.Bytes(), u.Messages())
	}
}
