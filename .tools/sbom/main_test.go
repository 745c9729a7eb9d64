package main

import (
	"runtime/debug"
	"testing"
)

// TestBillOf_replacements: the bill has the modules that a program is made of. A folder of the project is not a module.
func TestBillOf_replacements(t *testing.T) {
	b := billOf(&debug.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{
		{Path: "example.org/kept", Version: "v1.0.0"},
		{Path: "example.org/folder", Version: "v1.0.0", Replace: &debug.Module{Path: "./internal/folder"}},
		{Path: "example.org/fork", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/fork", Version: "v1.0.1"}},
	}})
	want := []string{"pkg:golang/std@1.26.8", "pkg:golang/example.org/kept@v1.0.0", "pkg:golang/example.com/fork@v1.0.1"}
	if len(b.Components) != len(want) {
		t.Fatalf("components = %v, want %v", b.Components, want)
	}
	for i, c := range b.Components {
		if c.PURL != want[i] {
			t.Errorf("component %d is %q, want %q", i, c.PURL, want[i])
		}
	}
}
