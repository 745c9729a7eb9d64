package main

import (
	"runtime"
	"strings"
	"testing"
)

// TestAttack17_helpAndVersion: -h fits on a screen with an example, --help lists all flags, and --version lists the
// parts of the program.
func TestAttack17_helpAndVersion(t *testing.T) {
	brief, whole := mustRun(t, "-h").stdout, mustRun(t, "--help").stdout
	if n := strings.Count(brief, "\n"); n > 20 {
		t.Errorf("-h prints %d lines", n)
	}
	for _, want := range []string{
		"--output=", "--format=", "--extract=", "go run ./pipelines/ingest --output=/data/out",
		"--help", "--version",
	} {
		if !strings.Contains(brief, want) {
			t.Errorf("-h does not tell of %s:\n%s", want, brief)
		}
	}
	if strings.Count(whole, "\n") < 100 || !strings.Contains(whole, "--max_body=SIZE") {
		t.Errorf("--help prints\n%s", whole)
	}
	version := mustRun(t, "--version").stdout
	for _, want := range []string{
		"github.com/gleaner-web/gleaner", "\ncommit ", runtime.Version(), "\nbeam ", "maintext ",
		"langid ", "jsonl ",
	} {
		if !strings.Contains(version, want) {
			t.Errorf("--version does not say %q:\n%s", want, version)
		}
	}
}

// TestAttack17_misspeltValues: the error has a suggestion, and nothing is written.
func TestAttack17_misspeltValues(t *testing.T) {
	for arg, want := range map[string]string{
		"--formt=parquet":          "did you mean --format?",
		"--format=jsonnl":          "did you mean jsonl?",
		"--extract=langauge":       "did you mean language?",
		"--compression=gzp":        "did you mean gzip?",
		"--language_accuracy=hihg": "did you mean high?",
		"--kafka_format=contnet":   "did you mean content?",
		"--out=x":                  "did you mean --output?",
	} {
		if got := runCommand(t, arg, "--output="+t.TempDir()+"/out"); got.code != 2 || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: exit code %d, %s; want 2 and %q", arg, got.code, got.stderr, want)
		}
	}
}
