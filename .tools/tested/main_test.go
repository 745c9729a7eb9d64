package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// module has tests that pass, fail, panic, do not compile and are skipped.
var module = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.26\n",
	"good/good_test.go": `package good

import "testing"

func TestPasses(t *testing.T) { t.Log("quiet"); t.Log("GLEANER_SEED=7 gives these again") }

func TestSkipped(t *testing.T) { t.Skip("no such program: install it") }

func TestParts(t *testing.T) {
	t.Run("a", func(t *testing.T) { t.Skip("no such program: install it") })
	t.Run("b", func(t *testing.T) { t.SkipNow() })
	t.Run("c", func(t *testing.T) {})
}
`,
	"none/none.go": "package none\n",
	"bad/bad_test.go": `package bad

import "testing"

func TestFails(t *testing.T) {
	t.Run("part", func(t *testing.T) { t.Error("this is wrong") })
}
`,
	"panic/p_test.go": `package panics

import "testing"

func TestPanics(t *testing.T) { panic("out of order") }
`,
	"exit/exit_test.go": `package exit

import (
	"fmt"
	"os"
	"testing"
)

func TestEnds(t *testing.T) { fmt.Println("last words"); os.Exit(7) }
`,
	"broken/b_test.go": "package broken\n\nfunc f() { undefined() }\n",
}

// tested runs go test on packages of the module, and returns the report of its output.
func tested(t *testing.T, packages ...string) (text string, failed bool) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range module {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", append([]string{"test", "-json"}, packages...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	cmd.Stderr = os.Stderr
	events, err := cmd.Output()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		t.Fatal(err)
	}
	var out bytes.Buffer
	failed, err = report(bytes.NewReader(events), &out)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), failed
}

// TestAttack20_skippedTestsAreNamedWithTheirReason: a run with skipped tests lists them at the end, and keeps the
// lines of go test.
func TestAttack20_skippedTestsAreNamedWithTheirReason(t *testing.T) {
	text, failed := tested(t, "./good", "./none")
	if failed {
		t.Error("reported as failed")
	}
	head, tail, _ := strings.Cut(text, "\n\n")
	for _, line := range []string{
		"GLEANER_SEED=7 gives", "ok  \texample.com/m/good\t",
		"?   \texample.com/m/none\t[no test files]",
	} {
		if !strings.Contains(head, line) {
			t.Errorf("go test's own line %q is missing:\n%s", line, text)
		}
	}
	const want = `3 tests passed, 3 were skipped:
     2  no such program: install it
          example.com/m/good TestSkipped
          example.com/m/good TestParts/a
     1  no reason given
          example.com/m/good TestParts/b
`
	if tail != want {
		t.Errorf("the end is\n%s\nwant\n%s", tail, want)
	}
	if strings.Contains(text, "quiet") || strings.Contains(text, "===") {
		t.Errorf("more than go test prints:\n%s", text)
	}
}

// TestReport_failures: the output of failures is that of go test, and sets the exit code.
func TestReport_failures(t *testing.T) {
	for name, want := range map[string][]string{
		"./bad":    {"--- FAIL: TestFails", "--- FAIL: TestFails/part", "this is wrong", "FAIL\texample.com/m/bad"},
		"./panic":  {"panic: out of order", "goroutine ", "FAIL\texample.com/m/panic"},
		"./exit":   {"last words", "FAIL\texample.com/m/exit"},
		"./broken": {"undefined: undefined", "FAIL\texample.com/m/broken [build failed]"},
	} {
		t.Run(name, func(t *testing.T) {
			text, failed := tested(t, name)
			if !failed {
				t.Error("not reported as failed")
			}
			for _, part := range want {
				if !strings.Contains(text, part) {
					t.Errorf("no %q in\n%s", part, text)
				}
			}
		})
	}
}

// TestReport_otherLines: lines that are not events are copied.
func TestReport_otherLines(t *testing.T) {
	var out bytes.Buffer
	failed, err := report(strings.NewReader("go: no such flag\n{\"a\":1}\n"), &out)
	const want = "go: no such flag\n{\"a\":1}\n\n0 tests passed, 0 were skipped\n"
	if failed || err != nil || out.String() != want {
		t.Errorf("%v, %v, %q; want %q", failed, err, out.String(), want)
	}
}
