package pythontest

import (
	_ "embed"
	"os/exec"
	"testing"
)

// columns is a program that compares cells; it can be run by hand.
//
//go:embed columns.py
var columns string

// SameColumns compares every cell of Parquet files, as DuckDB and Polars read them, with the same rows as JSON lines,
// in any order. args are a file of lines and its Parquet files, and after "--" the next ones. Where there are no such
// readers, it skips the test.
func SameColumns(t *testing.T, args ...string) {
	t.Helper()
	python := Interpreter(t, "import polars, duckdb", "polars==2.1.0", "duckdb==2.0.0", "pytz")
	out, err := exec.CommandContext(t.Context(), python, append([]string{"-c", columns}, args...)...).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	t.Logf("%s", out)
}
