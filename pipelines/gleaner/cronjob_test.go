package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// cronJob holds the parts of a CronJob that name the program.
type cronJob struct {
	Spec struct {
		JobTemplate struct {
			Spec struct {
				Template struct {
					Spec struct {
						Containers []struct {
							Command []string `yaml:"command"`
							Args    []string `yaml:"args"`
						} `yaml:"containers"`
					} `yaml:"spec"`
				} `yaml:"template"`
			} `yaml:"spec"`
		} `yaml:"jobTemplate"`
	} `yaml:"spec"`
}

// TestCronJob_runsInTheImage: the image has the program that Kubernetes starts, and it exits with 0 for damaged
// archives. TestUnknownUser runs the program in a root like the image's.
func TestCronJob_runsInTheImage(t *testing.T) {
	image, err := os.ReadFile("../../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	var entry []string
	m := regexp.MustCompile(`(?m)^ENTRYPOINT (.*)$`).FindSubmatch(image)
	if m == nil || json.Unmarshal(m[1], &entry) != nil {
		t.Fatalf("no ENTRYPOINT in\n%s", image)
	}
	data, err := os.ReadFile("../../docs/schedules/cronjob.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var job cronJob
	if err := yaml.Unmarshal(data, &job); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	paths := strings.NewReplacer("/documents", dir+"/documents", "/archives", dir+"/archives")
	if err := os.CopyFS(filepath.Join(dir, "archives"), os.DirFS("../../testdata/damaged")); err != nil {
		t.Fatal(err)
	}
	containers := job.Spec.JobTemplate.Spec.Template.Spec.Containers
	if len(containers) != 1 || len(containers[0].Args) == 0 {
		t.Fatalf("containers: %+v", containers)
	}
	c := containers[0]
	if len(c.Command) > 0 && !slices.Equal(c.Command, entry) {
		t.Errorf("command %q, and the image has %q alone", c.Command, entry)
	}
	var args []string
	for _, a := range c.Args {
		args = append(args, paths.Replace(a))
	}
	for range 2 { // the second run has nothing to do, and the damage is still there
		if code, stdout, stderr := gleaner(t, args...); code != 0 || !strings.Contains(stderr, "--damage=warn") {
			t.Errorf("%q: exit code %d, want 0 and a warning\n%s%s", args, code, stdout, stderr)
		}
	}
	without := slices.DeleteFunc(args, func(a string) bool { return a == "--damage=warn" })
	if code, _, _ := gleaner(t, without...); code != 3 {
		t.Errorf("%q: exit code %d, want 3", without, code)
	}
}

// TestDamage_warns: with --damage=warn, each command exits with 0 instead of 3. Usage errors are unchanged.
func TestDamage_warns(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return "--output=" + filepath.Join(dir, name) }
	for _, tt := range []struct {
		args []string
		code int // without the flag
	}{
		{[]string{"convert", "--to=cdr", at("cdr"), "testdata/damaged"}, 3},
		{[]string{"ingest", at("out"), "testdata/damaged", "testdata/archives"}, 3},
		{[]string{"corpus", at("corpus"), "--collection=" + filepath.Join(dir, "of"), "--archives=testdata/damaged"}, 3},
		{[]string{"ingest", at("none"), "testdata/no-such-folder"}, 2},
		{[]string{"ingest", at("none"), "--damage=wran", "testdata/archives"}, 2},
	} {
		code, _, stderr := gleaner(t, tt.args...)
		if code != tt.code {
			t.Fatalf("%q: exit code %d, want %d\n%s", tt.args, code, tt.code, stderr)
		}
		want := tt.code
		if want == 3 {
			want = 0
		}
		args := slices.Insert(slices.Clone(tt.args), 1, "--damage=warn")
		code, _, stderr = gleaner(t, args...)
		if code != want || (code == 0) != strings.Contains(stderr, "--damage=warn asks") {
			t.Errorf("%q: exit code %d, want %d\n%s", args, code, want, stderr)
		}
	}
}
