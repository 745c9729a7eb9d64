package view

import (
	"fmt"
	"strings"
	"testing"
)

// TestDeliveredOver: runs of three months are columns of days, others of months. A run without a time is left out.
func TestDeliveredOver(t *testing.T) {
	run := func(started string, captures int64) RunRow { return RunRow{Started: started, Captures: captures} }
	for _, tt := range []struct {
		name, want string
		runs       []RunRow
	}{
		{"no run", "", nil},
		{"two on one day", "2026-03-01 5", []RunRow{run("2026-03-01T23:00:00Z", 3), run("2026-03-01T01:00:00Z", 2)}},
		{
			"days between", "2026-03-01 3, 2026-03-02 0, 2026-03-03 2",
			[]RunRow{run("2026-03-03T01:00:00Z", 2), run("2026-03-01T01:00:00Z", 3)},
		},
		{"another zone", "2026-03-02 3", []RunRow{run("2026-03-01T23:00:00-05:00", 3)}},
		{
			"months", "2026-01 3, 2026-02 0, 2026-03 0, 2026-04 2",
			[]RunRow{run("2026-04-15T01:00:00Z", 2), run("2026-01-01T01:00:00Z", 3)},
		},
		{"no time", "", []RunRow{run("", 4)}},
	} {
		var list []string
		for _, b := range deliveredOver("out", tt.runs).Bars {
			list = append(list, fmt.Sprint(b.Label, " ", b.Count))
		}
		if got := strings.Join(list, ", "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
