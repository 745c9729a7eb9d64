package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// asCommand makes the test binary the program, also in its child processes.
const asCommand = "GLEANER_TEST_PROGRAM"

func TestMain(m *testing.M) {
	docsandbox.Main() // children that read documents have an empty environment
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// gleaner runs the program in the project's root.
func gleaner(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env, cmd.Dir = append(os.Environ(), asCommand+"=1"), "../.."
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), said.String()
}

func TestGleaner_saysWhatItCanDo(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		want string // on either stream
	}{
		{nil, 2, "  ingest       read web archives"},
		{[]string{"help"}, 0, "  ingest       read web archives"},
		{[]string{"--help"}, 0, "gleaner command -h"},
		{[]string{"version"}, 0, "github.com/gleaner-web/gleaner"},
		{[]string{"ingset"}, 2, `gleaner: there is no command "ingset"; did you mean gleaner ingest?; there are ingest, extract, query`},
		{[]string{"ingset"}, 2, "Try: gleaner --help"},
		{[]string{"ingest", "-h"}, 0, "Usage: gleaner ingest [flags] [archive ...]\n  gleaner ingest --output="},
		{[]string{"help", "convert"}, 0, "Usage: gleaner convert [flags] archive ...\n  gleaner convert --to="},
		{[]string{"moremeta", "--stict"}, 2, "did you mean --strict?\nTry: gleaner moremeta --help"},
	} {
		code, stdout, stderr := gleaner(t, tt.args...)
		if code != tt.code || !strings.Contains(stdout+stderr, tt.want) {
			t.Errorf("gleaner %q: exit code %d, want %d and %q\n%s%s", tt.args, code, tt.code, tt.want, stdout, stderr)
		}
	}
}

// TestGleaner_ingests uses all runners of this process, and PDF files, which child processes read.
func TestGleaner_ingests(t *testing.T) {
	for _, runner := range []string{"local", "direct", "prism"} {
		out := filepath.Join(t.TempDir(), "out")
		code, _, stderr := gleaner(t, "ingest", "--runner="+runner, "--compression=none", "--output="+out,
			"testdata/archives")
		documents, err := filepath.Glob(filepath.Join(out, "documents-*.jsonl"))
		if code != 0 && code != 3 || err != nil || len(documents) == 0 {
			t.Fatalf("on %s: exit code %d, documents %q, %v\n%s", runner, code, documents, err, stderr)
		}
		pdf := false
		for _, name := range documents {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(data)) {
				pdf = pdf || strings.Contains(line, `"application/pdf"`) && strings.Contains(line, `"text_source":"pdf"`)
			}
		}
		if !pdf {
			t.Errorf("on %s no document is a PDF file with text", runner)
		}
	}
}

// TestGleaner_sameBytesOnEachRunner: the local runner, which has no graph, writes the same bytes as the others.
func TestGleaner_sameBytesOnEachRunner(t *testing.T) {
	collected := filepath.Join(t.TempDir(), "collection")
	if code, _, stderr := gleaner(t, "ingest", "--output="+collected, "testdata/archives"); code != 0 && code != 3 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	for name, args := range map[string][]string{
		"ingest":         {"ingest", "--unit_size=64KiB", "--compression=none", "testdata/archives", "testdata/damaged"},
		"site templates": {"ingest", "--unit_size=64KiB", "--compression=none", "--site_templates", "testdata/templated"},
		"convert":        {"convert", "--to=warc", "testdata/archives/site.warc.gz", "testdata/damaged"},
		"corpus":         {"corpus", "--collection=" + collected},
		"fileset":        {"fileset", "--requests=testdata/datasets/requests.jsonl", "--archives=testdata/archives"},
	} {
		t.Run(name, func(t *testing.T) {
			want := map[string]string(nil)
			for _, runner := range []string{"local", "direct", "prism"} {
				out := filepath.Join(t.TempDir(), "out")
				code, _, stderr := gleaner(t, append(args, "--output="+out, "--runner="+runner)...)
				if code != 0 && code != 3 {
					t.Fatalf("%s: exit code %d\n%s", runner, code, stderr)
				}
				got := written(t, out)
				if want == nil {
					want = got
				}
				if len(got) == 0 || !maps.Equal(got, want) {
					t.Errorf("%s wrote %d files, and not those that local wrote: %d", runner, len(got), len(want))
				}
			}
		})
	}
}

// written returns the SHA-256 of the files in a folder, without reports, manifests and funnels, which have times.
func written(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, hidden := filepath.Rel(dir, path)
		switch {
		case err != nil || hidden != nil:
			return errors.Join(err, hidden)
		case d.IsDir() && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || d.Name() == corpora.StatsFile || strings.HasPrefix(d.Name(), "report.") ||
			strings.HasPrefix(d.Name(), "manifest."):
			return nil
		}
		b, err := os.ReadFile(path)
		sums[name] = fmt.Sprintf("%x", sha256.Sum256(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

func TestGleaner_converts(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	code, _, stderr := gleaner(t, "convert", "--to=cdr", "--output="+out, "testdata/archives/site.warc.gz")
	if files, err := filepath.Glob(filepath.Join(out, "cdr", "*")); code != 0 && code != 3 || err != nil ||
		len(files) == 0 {
		t.Errorf("exit code %d, files %q, %v\n%s", code, files, err, stderr)
	}
}

// ownNames are the commands of the program itself, which have no flags.
var ownNames = []string{"version", "help", "completion", "man"}

// TestMan_hasEveryFlag: the manual page and the completions of a command have all flags of its help.
func TestMan_hasEveryFlag(t *testing.T) {
	_, overview, _ := gleaner(t, "help")
	_, completions, _ := gleaner(t, "completion", "bash")
	for _, c := range regexp.MustCompile(`(?m)^  ([a-z]+) {2,}`).FindAllStringSubmatch(overview, -1) {
		if slices.Contains(ownNames, c[1]) {
			continue
		}
		_, help, _ := gleaner(t, c[1], "--help")
		help, _, _ = strings.Cut(help, "\nFlags of the runners")
		code, page, said := gleaner(t, "man", c[1])
		if code != 0 {
			t.Fatalf("man %s: exit code %d\n%s", c[1], code, said)
		}
		page = strings.ReplaceAll(page, `\-`, "-")
		line := regexp.MustCompile(`(?m)^    '` + c[1] + `'\) .*flags=.*$`).FindString(completions)
		flags := regexp.MustCompile(`(?m)^  (--[a-z0-9_]+)(=?)`).FindAllStringSubmatch(help, -1)
		for _, f := range flags {
			if f[1] != "--help" && f[1] != "--version" && !strings.Contains(page, `\fB`+f[1]) {
				t.Errorf("the page of %s has no %s", c[1], f[1])
			}
			if !strings.Contains(strings.ReplaceAll(line, "'", " "), " "+f[1]+f[2]+" ") {
				t.Errorf("the completions of %s have no %s", c[1], f[0])
			}
		}
		if len(flags) < 5 {
			t.Errorf("--help of %s has %d flags", c[1], len(flags))
		}
	}
}

// TestAttack17_everyCommandHelps: -h of each command fits on a screen, and --version lists the parts of the program.
// A misspelt flag is a usage error with a suggestion.
func TestAttack17_everyCommandHelps(t *testing.T) {
	_, overview, _ := gleaner(t, "help")
	commands := regexp.MustCompile(`(?m)^  ([a-z]+) {2,}`).FindAllStringSubmatch(overview, -1)
	if len(commands) < 12 {
		t.Fatalf("gleaner help lists %d commands:\n%s", len(commands), overview)
	}
	for _, c := range commands {
		if slices.Contains(ownNames, c[1]) {
			continue
		}
		t.Run(c[1], func(t *testing.T) {
			t.Parallel()
			code, brief, _ := gleaner(t, c[1], "-h")
			if n := strings.Count(brief, "\n"); code != 0 || n > 20 {
				t.Errorf("-h: exit code %d, %d lines, want 20 at most\n%s", code, n, brief)
			}
			code, version, _ := gleaner(t, c[1], "--version")
			for _, want := range []string{
				" " + cli.Release + " of github.com/gleaner-web/gleaner", "\ncommit ",
				runtime.Version(),
			} {
				if code != 0 || !strings.Contains(version, want) {
					t.Errorf("--version: exit code %d, want 0 and %q\n%s", code, want, version)
				}
			}
			// All commands have this flag.
			code, _, said := gleaner(t, c[1], "--log_levle=warn")
			if code != 2 || !strings.Contains(said, "did you mean --log_level?") {
				t.Errorf("a misspelt flag: exit code %d, want 2 and what was meant\n%s", code, said)
			}
		})
	}
}

// TestOutputs_doNotCollideWithPrograms: `go build ./pipelines/sources` in the checkout makes a file with the
// command's name, which is not an output folder.
func TestOutputs_doNotCollideWithPrograms(t *testing.T) {
	_, overview, _ := gleaner(t, "help")
	names, outputs := map[string]bool{"gleaner": true}, 0
	commands := regexp.MustCompile(`(?m)^  ([a-z]+) {2,}`).FindAllStringSubmatch(overview, -1)
	for _, c := range commands {
		names[c[1]] = true
	}
	for _, c := range commands {
		_, help, _ := gleaner(t, c[1], "--help")
		of := regexp.MustCompile(`(?s)\n  --(output|archives|state|collection)=.*?\(default: ([^;)]*)[;)]`)
		for _, m := range of.FindAllStringSubmatch(help, -1) {
			outputs++
			if names[m[2]] {
				t.Errorf("%s --%s is %s by default, which is a program's name", c[1], m[1], m[2])
			}
		}
	}
	if outputs < 8 {
		t.Errorf("%d defaults were found", outputs)
	}
}
