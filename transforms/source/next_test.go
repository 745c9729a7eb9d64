package source

import (
	"math"
	"testing"
	"time"
)

func TestPolicy_squareRootLaw(t *testing.T) {
	p := Policy{Delay: 4 * time.Hour}.withDefaults()
	interval := func(perHour float64) time.Duration {
		return p.interval(Pace{Items: perHour * 100, Time: 100 * time.Hour}, Visit{})
	}
	if got := interval(0.25); (got - 4*time.Hour).Abs() > time.Minute {
		t.Errorf("an item in 4 hours: %v, want 4h", got)
	}
	if ratio := float64(interval(0.04)) / float64(interval(0.16)); math.Abs(ratio-2) > 0.01 {
		t.Errorf("a quarter of the rate: %.2f times the interval, want 2", ratio)
	}
}

func TestPolicy_bounds(t *testing.T) {
	tests := []struct {
		name  string
		dates []time.Time
		visit Visit
		want  func(time.Duration) bool
	}{
		{"never seen anything", nil, Visit{Time: noon}, func(d time.Duration) bool {
			return d > 24*time.Hour &&
				d <= 14*24*time.Hour
		}},
		{
			"very fast", every(time.Second, 256),
			Visit{Time: noon, Window: 10},
			func(d time.Duration) bool { return d == 10*time.Minute },
		},
		{
			"a window of 10 and one an hour", every(time.Hour, 200),
			Visit{Time: noon, Window: 10},
			func(d time.Duration) bool { return d < 5*time.Hour },
		},
		{
			"all were new", every(time.Hour, 10),
			Visit{Time: noon, Window: 10, AllNew: true, Since: time.Hour},
			func(d time.Duration) bool { return d <= 30*time.Minute },
		},
	}
	for _, tt := range tests {
		if got := (Policy{}).Next(tt.dates, time.Time{}, tt.visit).Sub(noon); !tt.want(got) {
			t.Errorf("%s: next in %v", tt.name, got)
		}
	}
}

func TestPolicy_windowHoldsItsChance(t *testing.T) {
	p := Pace{Items: 50, Time: 50 * time.Hour}
	for _, room := range []int{1, 9, 99} {
		w := p.window(room, 0.02)
		more := func(miss float64) bool {
			return exceeds(burst, p.Time.Hours()*burst/p.Items, risesOf(burst, room), w.Hours(), miss)
		}
		if more(0.02) || !more(0.01) {
			t.Errorf("room %d: %v does not miss with .01 to .02", room, w)
		}
	}
}

// A source that only publishes between 8 and 12 o'clock is visited more often then.
func TestHourly_warp(t *testing.T) {
	var dates []time.Time
	for d := range 30 {
		for h := range 4 {
			dates = append(dates, noon.AddDate(0, 0, -d).Add(-time.Duration(h)*time.Hour))
		}
	}
	h := hoursOf(dates)
	if day, night := h.warp(noon.Add(-4*time.Hour), time.Hour),
		h.warp(noon.Add(8*time.Hour), time.Hour); day >= time.Hour || night <= time.Hour {
		t.Errorf("an hour is %v at 8 and %v at 20 o'clock", day, night)
	}
	if got := h.warp(noon, 24*time.Hour); (got - 24*time.Hour).Abs() > time.Minute {
		t.Errorf("a day is %v", got)
	}
}
