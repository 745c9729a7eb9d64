package cli

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// configFile writes a configuration file and returns its name.
func configFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "gleaner.yml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// configured parses args with a file and environment variables.
func configured(t *testing.T, file string, env map[string]string, args ...string) (*testFlags, error) {
	t.Helper()
	for name, value := range env {
		t.Setenv(name, value)
	}
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.String("region", "", "registered by a runner")
	set.Bool("worker", false, "hidden")
	f := newTestFlags(set)
	f.Add([]setting.Setting{{Name: "one", Value: new(string), Values: []string{"a", "b"}}})
	if file != "" {
		args = append(args, "--config="+configFile(t, file))
	}
	return f, f.Parse(args)
}

// TestConfig_precedence: the command line precedes the environment, the file and the default.
func TestConfig_precedence(t *testing.T) {
	env := map[string]string{"GLEANER_OUT": "env", "GLEANER_WORKERS": "2", "GLEANER_MAX_BODY": ""}
	f, err := configured(t, "out: file\nworkers: 3\nmax_body: 1KiB\nformats: [x, y]\nregion: r1\n", env, "--out=line")
	if err != nil {
		t.Fatal(err)
	}
	if f.out != "line" || f.workers != 2 || f.body != 1024 || !slices.Equal(f.formats, []string{"x", "y"}) || !f.cdxj {
		t.Errorf("out = %q, workers = %d, max_body = %d, formats = %q, cdxj = %v", f.out, f.workers, f.body, f.formats, f.cdxj)
	}
	if v := f.set.Lookup("region").Value.String(); v != "r1" {
		t.Errorf("a runner's flag is %q, want r1", v)
	}
	if !f.Set("out") || f.Set("workers") || !f.Given("workers") || !f.Given("out") || f.Given("cdxj") {
		t.Error("Set is for the command line alone, Given for the environment and the file, too")
	}
}

func TestConfig_sections(t *testing.T) {
	verbs = []string{"gather", "sift"}
	defer func() { verbs = nil }()
	f, err := configured(t, "gather:\n  out: mine\nout: all\nsift:\n  nothing_we_know: 1\nsift stats:\n  x: 1\n", nil)
	if err != nil || f.out != "mine" {
		t.Errorf("out = %q, %v, want that of the section", f.out, err)
	}
	_, err = configured(t, "gaher:\n  out: mine\n", nil)
	if err == nil || !strings.Contains(err.Error(), "gleaner.yml:1: gaher: no such command; did you mean gather?") {
		t.Errorf("a wrong section: %v", err)
	}
}

func TestConfig_namedByTheEnvironment(t *testing.T) {
	f, err := configured(t, "", map[string]string{"GLEANER_CONFIG": configFile(t, "out: file\n")})
	if err != nil || f.out != "file" {
		t.Errorf("out = %q, %v", f.out, err)
	}
}

// TestConfig_jobsTakeNothing: the command line of a server's job is complete, and needs no environment or file.
func TestConfig_jobsTakeNothing(t *testing.T) {
	f, err := configured(t, "", map[string]string{AsJob: "1", "GLEANER_OUT": "env", "GLEANER_CONFIG": "none.yml"})
	if err != nil || f.out != "out" {
		t.Errorf("out = %q, %v, want the default", f.out, err)
	}
}

// TestConfig_workersTakeNothing: a worker may have the environment of its submitter, without the file.
func TestConfig_workersTakeNothing(t *testing.T) {
	env := map[string]string{"GLEANER_OUT": "env", "GLEANER_CONFIG": "none.yml"}
	f, err := configured(t, "", env, "--worker=true")
	if err != nil || f.out != "out" {
		t.Errorf("out = %q, %v, want the default", f.out, err)
	}
}

// TestConfig_mistakes: messages name the file and the line, or the variable, but never contain a value.
func TestConfig_mistakes(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		env        map[string]string
		want       string
	}{
		{"unknown", "out: x\nouput: y\n", nil, "gleaner.yml:2: ouput: gather has no such flag; did you mean out?"},
		{"unknown in the section", "gather:\n  formts: y\n", nil, "gleaner.yml:2: formts: gather has no such flag; did you mean formats?"},
		{"of workers", "worker: true\n", nil, "gleaner.yml:1: worker: gather has no such flag"},
		{"help", "help: true\n", nil, "gleaner.yml:1: help: gather has no such flag"},
		{"a value", "out: x\n\nworkers: two\n", nil, "gleaner.yml:3: workers: not a whole number"},
		{"a switch", "cdxj: yes\n", nil, "gleaner.yml:1: cdxj: neither true nor false"},
		{"one of few", "one: c\n", nil, "gleaner.yml:1: one=c: no such value; there are a, b"},
		{"no mapping", "- out\n", nil, "gleaner.yml:1: want lines such as output: /data/out"},
		{"a variable", "", map[string]string{"GLEANER_WORKERS": "hunter2"}, "GLEANER_WORKERS: not a whole number"},
		{"no file", "", map[string]string{"GLEANER_CONFIG": "/none/gleaner.yml"}, "--config: open /none/gleaner.yml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := configured(t, tt.file, tt.env)
			var usage *UsageError
			if !errors.As(err, &usage) || !strings.Contains(usage.Message, tt.want) || strings.Contains(usage.Message, "hunter2") {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestConfig_emptyFiles(t *testing.T) {
	for _, text := range []string{"# nothing\n", "out:\n", "gather:\n", "gather: {}\n"} {
		f, err := configured(t, text, nil)
		if err != nil || f.out != "out" {
			t.Errorf("%q: out = %q, %v, want the default", text, f.out, err)
		}
	}
}

// TestConfig_secrets: values from the environment and from a file are hidden like those of the command line.
func TestConfig_secrets(t *testing.T) {
	_, err := configured(t, "out: https://u:filepassword1@example.org/\n", map[string]string{
		"GLEANER_FORMATS": "https://u:envpassword1@example.org/",
	})
	if err != nil {
		t.Fatal(err)
	}
	if said := secret.Redact("filepassword1 and envpassword1"); strings.Contains(said, "password1") {
		t.Errorf("a message shows %q", said)
	}
}
