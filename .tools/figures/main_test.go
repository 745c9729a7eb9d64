package main

import (
	"strings"
	"testing"
)

func TestFigures(t *testing.T) {
	var b strings.Builder
	if err := figures(&b, "../.."); err != nil {
		t.Errorf("%v\n%s", err, b.String())
	}
	for _, name := range []string{"lines of code", "lines above 120 characters", "wings of io"} {
		if !strings.Contains(b.String(), name) {
			t.Errorf("the table does not have %q:\n%s", name, b.String())
		}
	}
}

func TestFigure_exceeded(t *testing.T) {
	tests := []struct {
		f    figure
		want bool
	}{
		{figure{value: 9}, false},
		{figure{value: 9, budget: 9}, false},
		{figure{value: 10, budget: 9}, true},
		{figure{value: 10, budget: 9, least: true}, false},
		{figure{value: 8, budget: 9, least: true}, true},
	}
	for _, tt := range tests {
		if got := tt.f.exceeded(); got != tt.want {
			t.Errorf("exceeded(%+v) = %t, want %t", tt.f, got, tt.want)
		}
	}
}

func TestCode_place(t *testing.T) {
	var c code
	for path, lines := range map[string][]string{
		"../../pipelines/ingest/main.go":           {"package main", ""},
		"../../pipelines/command/ingest/flags.go":  {"package ingest"},
		"../../pipelines/command/convert/flags.go": {"package convert"},
		"../../pipelines/sinks/clients.go":         {"{schemas.SinkPostgres}", "other"},
		"../../io/sink/postgres/table.go":          {"schemas.SinkPostgres", "", ""},
		"../../io/work/plan.go":                    {"package work"},
	} {
		c.place(path, lines)
	}
	if name, share := c.largestWing(); name != "sink" || share != 75 {
		t.Errorf("the largest wing is %s with %d in 100, want sink with 75", name, share)
	}
	if c.main != 2 || c.ingest != 1 || c.sink != 1 {
		t.Errorf("main %d, ingest %d, sink %d; want 2, 1, 1", c.main, c.ingest, c.sink)
	}
}

func TestWings_floor(t *testing.T) {
	w := wings{}
	w.add(prefix+"a/x", []string{"fmt", prefix + "b", prefix + "a/y"})
	w.add(prefix+"b", []string{prefix + "c/z"})
	w.add(prefix+"c/z", nil)
	for name, want := range map[string]int{"a": 3, "b": 2, "c": 1} {
		if got := w.floor(name); got != want {
			t.Errorf("floor(%s) = %d, want %d", name, got, want)
		}
	}
}
