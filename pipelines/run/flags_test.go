package run

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

func TestMain(m *testing.M) {
	flag.Parse()
	Init()
	os.Exit(m.Run())
}

// golden compares got with a file of testdata/golden, which -update rewrites: Beam has registered a flag of that name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if flagValue("update") == "true" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestFlags_runnerOfBeam(t *testing.T) {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.String("runner", "", "registered by Beam")
	f := NewFlags(set, cli.Command{Name: "gather"})
	if err := f.Parse(nil); err != nil || f.Runner() != "local" || f.Set("runner") {
		t.Errorf("runner = %q, set %v, %v, want the default", f.Runner(), f.Set("runner"), err)
	}
	if err := f.Parse([]string{"--runner=flink"}); err != nil || f.Runner() != "flink" {
		t.Errorf("runner = %q, %v, want flink", f.Runner(), err)
	}
}
