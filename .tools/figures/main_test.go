package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
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
		{figure{value: 0, budget: zero}, false},
		{figure{value: 1, budget: zero}, true},
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

// TestPlan_measure: in a circle, few arrows go up; in a chain, none do.
func TestPlan_measure(t *testing.T) {
	rooms := func(names ...string) map[string]bool {
		m := map[string]bool{}
		for _, n := range names {
			m[n] = true
		}
		return m
	}
	for _, tt := range []struct {
		name               string
		p                  plan
		floors, arrows, up int
	}{
		{"one room", plan{"a": nil}, 1, 0, 0},
		{"a chain", plan{"a": rooms("b"), "b": rooms("c"), "c": nil}, 3, 2, 0},
		{"a chain and a short cut", plan{"a": rooms("b", "c"), "b": rooms("c"), "c": nil}, 3, 3, 0},
		{"a circle of two", plan{"a": rooms("b"), "b": rooms("a")}, 2, 2, 1},
		{"a circle below a room", plan{"z": rooms("a"), "a": rooms("b"), "b": rooms("c"), "c": rooms("a")}, 4, 4, 1},
		{"one arrow back over three", plan{"a": rooms("b", "c"), "b": rooms("c"), "c": rooms("d"), "d": rooms("a")}, 4, 5, 1},
	} {
		if floors, arrows, up := tt.p.measure(); floors != tt.floors || arrows != tt.arrows || up != tt.up {
			t.Errorf("%s: %d floors, %d arrows, %d up, want %d, %d, %d", tt.name, floors, arrows, up, tt.floors, tt.arrows,
				tt.up)
		}
	}
}

// TestReadPlan: a type, a method, a field and a function of another file are arrows. Names of other packages are not.
func TestReadPlan(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go":      "package x\n\nimport \"y\"\n\nfunc a(v b) { v.m(); y.C() }\n",
		"b.go":      "package x\n\ntype b struct{ n int }\n\nfunc (b) m() { d() }\n",
		"c.go":      "package x\n\nfunc C() {}\n\nfunc c(f func() *e) int { return f().k }\n",
		"d.go":      "package x\n\nfunc d() { m := 1; _ = m }\n",
		"e.go":      "package x\n\ntype e struct{ k int }\n",
		"a_test.go": "package x\n\nfunc t() { a(b{}) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := readPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.go": "b.go", "b.go": "d.go", "c.go": "e.go", "d.go": "", "e.go": ""}
	for from, to := range want {
		if got := strings.Join(slices.Sorted(maps.Keys(p[from])), " "); got != to {
			t.Errorf("%s names what %q declare, want %q", from, got, to)
		}
	}
	if len(p) != len(want) {
		t.Errorf("%d files, want %d", len(p), len(want))
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

// TestLongLines: lines of raw strings are allowed, and lengths are in characters, not bytes.
func TestLongLines(t *testing.T) {
	long, wide := strings.Repeat("x", maxLine), strings.Repeat("é", maxLine)
	for src, want := range map[string]int{
		"package a\n\nconst b = \"" + long + "\"\n":        1,
		"package a\n\n// " + long + "\n":                   1,
		"package a\n\nconst b = `\n" + long + long + "`\n": 0,
		"package a\n\n//" + wide[4:] + "\n":                0,
		"package a\n":                                      0,
	} {
		if got := longLines([]byte(src)); got != want {
			t.Errorf("%.40q…: %d long lines, want %d", src, got, want)
		}
	}
}

// TestSupporting: packages that only tests import, and nobody outside can, are not code that lacks tests.
func TestSupporting(t *testing.T) {
	got := supporting("/m", map[string]*amount{
		"/m/io/blob":          {code: 9, imports: importsOf([]byte("package blob\nimport \"io\"\n"))},
		"/m/io/blob/blobtest": {code: 9, imports: []string{module + "io/blob", "testing"}},
		"/m/internal/fake":    {code: 9, imports: []string{"net/http"}},
		"/m/internal/shared":  {code: 9},
		"/m/io/graphs":        {code: 9, imports: []string{module + "internal/shared"}},
		"/m/internal/only":    {tests: 9},
	})
	if want := []string{"/m/internal/fake", "/m/io/blob/blobtest"}; !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		t.Errorf("%v, want %v", got, want)
	}
	if list := importsOf([]byte("package x\nimport (\n\t_ \"a\"\n\tb `c/d`\n)\n")); !slices.Equal(list, []string{"a", "c/d"}) {
		t.Errorf("imports %q", list)
	}
	if list := importsOf([]byte("no Go")); list != nil {
		t.Errorf("imports %q", list)
	}
}

// TestLongFunctions: comments and rows of tables do not make a function long.
func TestLongFunctions(t *testing.T) {
	body := func(line string, n int) string { return strings.Repeat(line+"\n", n) }
	table := "x := []int{\n" + body("1,", 100) + "}\n_ = x\n"
	for src, want := range map[string]int{
		body("x()", 50): 0, body("x()", 58): 0, body("x()", 59): 1, body("// why\nx()", 58): 0, table + body("x()", 50): 0,
		table + body("x()", 60): 1, "if y {\n" + body("x()", 58) + "}\n": 1, "not Go {": 0,
	} {
		if got := longFunctions([]byte("package p\nfunc f() {\n" + src + "}\n")); got != want {
			t.Errorf("%d long functions, want %d:\n%.60s", got, want, src)
		}
	}
}
