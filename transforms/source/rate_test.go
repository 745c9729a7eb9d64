package source

import (
	"math"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// every returns n dates before noon, a step apart, the last of them a step before noon.
func every(step time.Duration, n int) (dates []time.Time) {
	for i := range n {
		dates = append(dates, noon.Add(-step*time.Duration(n-i)))
	}
	return dates
}

func TestRate_regular(t *testing.T) {
	tests := []struct {
		name   string
		dates  []time.Time
		perDay float64
	}{
		{"each hour", every(time.Hour, 100), 24},
		{"each day", every(24*time.Hour, 60), 1},
		{"each week", every(7*24*time.Hour, 50), 1.0 / 7},
		{"ten minutes, 20 shown", every(10*time.Minute, 20), 144},
	}
	for _, tt := range tests {
		got := Rate(tt.dates, time.Time{}, noon)
		if math.Abs(math.Log2(got/tt.perDay)) > 0.35 {
			t.Errorf("%s: Rate = %.3f a day, want about %.3f", tt.name, got, tt.perDay)
		}
	}
}

func TestRate_silenceCounts(t *testing.T) {
	dates := every(24*time.Hour, 30)
	before := Rate(dates, time.Time{}, noon)
	last := before
	for days := 10; days <= 360; days += 50 {
		got := Rate(dates, time.Time{}, noon.AddDate(0, 0, days))
		if got >= last {
			t.Errorf("after %d silent days the rate is %.4f, before %.4f", days, got, last)
		}
		last = got
	}
	if last > before/1000 {
		t.Errorf("a year of silence leaves %.4f of %.4f", last, before)
	}
}

func TestRate_ofNothing(t *testing.T) {
	future := []time.Time{noon.Add(time.Hour)}
	for name, dates := range map[string][]time.Time{"none": nil, "one": every(time.Hour, 1), "future": future} {
		if got := Rate(dates, time.Time{}, noon); got != 0 {
			t.Errorf("%s: Rate = %v, want 0", name, got)
		}
	}
	same := []time.Time{noon, noon, noon}
	if got := Rate(same, noon.Add(-time.Second), noon); math.IsNaN(got) || math.IsInf(got, 0) {
		t.Errorf("all at one moment: Rate = %v", got)
	}
}

func TestPaceOf_forgets(t *testing.T) {
	if p := PaceOf(nil, time.Time{}, noon); p.Items != prior || p.Time <= 0 {
		t.Errorf("of nothing: %+v", p)
	}
	fast := append(every(time.Hour, 200), every(24*30*time.Hour, 20)...)
	if p, q := PaceOf(fast, time.Time{}, noon),
		PaceOf(fast, time.Time{}, noon.AddDate(0, 3, 0)); q.perDay() > p.perDay()/20 {
		t.Errorf("three months later the rate is %.3f, was %.3f", q.perDay(), p.perDay())
	}
}
