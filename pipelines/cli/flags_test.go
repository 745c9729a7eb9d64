package cli

import (
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/storage/setting"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file of testdata/golden, which -update rewrites.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
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

// testFlags are what a test's command line sets.
type testFlags struct {
	*Flags
	out     string
	workers int
	cdxj    bool
	body    int64
	formats []string
}

func newTestFlags(set *flag.FlagSet) *testFlags {
	f := &testFlags{Flags: NewFlags(set, Command{
		Name: "gather",
		Args: "[archive ...]",
		Summary: "reads archives and writes what is in them. It is an example, and long enough that its summary does not " +
			"fit on one line.",
		Examples: []string{"gather --out=/data/out 'crawl/*.warc.gz'"},
		Others:   "Flags of the runners (documented by Apache Beam)",
		Hidden:   []string{"worker"},
	})}
	f.LogFlags()
	f.Add([]setting.Setting{
		{
			Name: "out", Value: &f.out, Default: "out", Help: "folder to write to", Example: "/data/out",
			Group: "Output",
		},
		{
			Name: "formats", Value: &f.formats, Default: "jsonl", Help: "formats of the documents: jsonl and parquet",
			Example: "jsonl,parquet", Group: "Output",
		},
		{
			Name: "cdxj", Value: &f.cdxj, Default: "true", Help: "write an index", Example: "false", Group: "Output",
		},
		{
			Name: "workers", Value: &f.workers, Help: "captures to enrich at once; 0 is one for each processor",
			Example: "4", Group: "Running",
		},
		{
			Name: "max_body", Value: &f.body, Default: "16MiB", Help: "bytes of a body that are read; the rest is cut " +
				"and flagged", Example: "64MiB", Group: "Reading",
		},
	})
	return f
}

func TestFlags_parse(t *testing.T) {
	f := newTestFlags(flag.NewFlagSet("", flag.ContinueOnError))
	args := []string{
		"a.warc", "--out=x", "-cdxj=false", "b.warc", "--formats", "parquet, jsonl", "--formats=x",
		"--max_body=1.5k", "--log_level", "warn", "--", "--c.warc",
	}
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	if f.out != "x" || f.cdxj || f.workers != 0 || f.body != 1536 || f.level != "warn" {
		t.Errorf("out = %q, cdxj = %v, workers = %d, max_body = %d, log_level = %s", f.out, f.cdxj, f.workers, f.body,
			f.level)
	}
	if want := []string{"parquet", "jsonl", "x"}; !slices.Equal(f.formats, want) {
		t.Errorf("formats = %q, want %q: the default is replaced, values add up", f.formats, want)
	}
	if want := []string{"a.warc", "b.warc", "--c.warc"}; !slices.Equal(f.Args(), want) {
		t.Errorf("Args = %q, want %q", f.Args(), want)
	}
	if !f.Set("out") || f.Set("workers") {
		t.Errorf("Set(out) = %v, Set(workers) = %v, want only what was on the line", f.Set("out"), f.Set("workers"))
	}
}

func TestFlags_defaults(t *testing.T) {
	f := newTestFlags(flag.NewFlagSet("", flag.ContinueOnError))
	if err := f.Parse(nil); err != nil {
		t.Fatal(err)
	}
	if f.out != "out" || !f.cdxj || f.body != 16<<20 || !slices.Equal(f.formats, []string{"jsonl"}) {
		t.Errorf("out = %q, cdxj = %v, max_body = %d, formats = %q", f.out, f.cdxj, f.body, f.formats)
	}
	if f.Set("out") || len(f.Args()) != 0 {
		t.Errorf("Set(out) = %v, Args = %q, want nothing", f.Set("out"), f.Args())
	}
}

func TestFlags_mistakes(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--ouput=x"}, "--ouput: no such flag; did you mean --out?"},
		{[]string{"--worker", "3"}, "--worker: no such flag; did you mean --workers?"},
		{[]string{"a.warc", "-foramts=x"}, "--foramts: no such flag; did you mean --formats?"},
		{[]string{"--max-body=x"}, "--max-body: no such flag; did you mean --max_body?"},
		{[]string{"--zebra"}, "--zebra: no such flag"},
		{[]string{"--" + strings.Repeat("z", 1000)}, "--" + strings.Repeat("z", 1000) + ": no such flag"},
		{[]string{"--workers=-1"}, `--workers: "-1": below 0`},
		{[]string{"--workers=two"}, `--workers: "two": not a whole number`},
		{[]string{"--cdxj=maybe"}, `--cdxj: "maybe": neither true nor false`},
		{
			[]string{"--max_body=many"},
			`--max_body: "many": not a size: write 67108864, 64MiB, 64M or 1.5GB`,
		},
		{[]string{"--out"}, "--out: a value is missing: --out=VALUE"},
	} {
		f := newTestFlags(flag.NewFlagSet("", flag.ContinueOnError))
		err := f.Parse(tt.args)
		var usage *UsageError
		if !errors.As(err, &usage) || usage.Message != tt.want {
			t.Errorf("Parse(%.40q) = %v, want %q", tt.args, err, tt.want)
		}
	}
}

func TestFlags_badDefaultIsReported(t *testing.T) {
	f := NewFlags(flag.NewFlagSet("", flag.ContinueOnError), Command{Name: "gather"})
	f.Add([]setting.Setting{{Name: "n", Value: new(int), Default: "two"}})
	if err := f.Parse(nil); err == nil || !strings.Contains(err.Error(), "default of n") {
		t.Errorf("Parse = %v, want an error about --n", err)
	}
}

func TestFlags_help(t *testing.T) {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.String("endpoint", "", "registered by a runner")
	set.Bool("worker", false, "for runners alone")
	set.String("runner", "", "registered by Beam")
	set.String("test.v", "", "registered by package testing")
	golden(t, "help.txt", newTestFlags(set).Help())
}

// TestFlags_takesAFlagOver: a flag that a library has registered becomes ours.
func TestFlags_takesAFlagOver(t *testing.T) {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.String("out", "theirs", "registered by a library")
	f := newTestFlags(set)
	if err := f.Parse(nil); err != nil || f.out != "out" || f.Set("out") {
		t.Errorf("out = %q, set %v, %v, want the default", f.out, f.Set("out"), err)
	}
	if err := f.Parse([]string{"--out=x"}); err != nil || f.out != "x" {
		t.Errorf("out = %q, %v, want x", f.out, err)
	}
}

// TestFlags_refusesFlagsOfRunners: a command without runners does not ignore their flags.
func TestFlags_refusesFlagsOfRunners(t *testing.T) {
	for _, test := range []struct {
		others string
		args   []string
		want   string
	}{
		{"", []string{"--dry_run"}, "--dry_run: no such flag"},
		{"", []string{"x", "--dry_run=true"}, "--dry_run: no such flag"},
		{"", []string{"-endpoint", "host:1"}, "--endpoint: no such flag"},
		{"", []string{"--worker"}, "--worker: no such flag"},
		{"", []string{"--out=x", "--test.v=y"}, ""},
		{"Flags of the runners", []string{"--dry_run", "--endpoint=host:1"}, ""},
	} {
		set := flag.NewFlagSet("", flag.ContinueOnError)
		set.String("endpoint", "", "of a runner")
		set.Bool("dry_run", false, "of a runner")
		set.Bool("worker", false, "of a runner")
		set.String("test.v", "", "of package testing")
		f := NewFlags(set, Command{Name: "gather", Others: test.others, Hidden: []string{"worker"}})
		var out string
		f.Add([]setting.Setting{{Name: "out", Value: &out, Help: "x"}})
		var got string
		if err := f.Parse(test.args); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("Parse(%q) = %q, want %q", test.args, got, test.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"out", "out", 0},
		{"out", "otu", 1},
		{"formats", "foramts", 1},
		{"kitten", "sitting", 3},
		{"a", strings.Repeat("b", maxWord+1), math.MaxInt},
	} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestAttack17_suggestsWhatWasMeant: flags and values, those that are too short or too long as well, and our own before
// the runners'.
func TestAttack17_suggestsWhatWasMeant(t *testing.T) {
	for arg, want := range map[string]string{
		"--formt=x":        "--formt: no such flag; did you mean --formats?",
		"--format=x":       "--format: no such flag; did you mean --formats?",
		"--CDXJ":           "--CDXJ: no such flag; did you mean --cdxj?",
		"--max=3":          "--max: no such flag; did you mean --max_body?",
		"--outfolder=x":    "--outfolder: no such flag; did you mean --out?",
		"--verion":         "--verion: no such flag; did you mean --version?",
		"--hlep":           "--hlep: no such flag; did you mean --help?",
		"--regoin=x":       "--regoin: no such flag; did you mean --region?",
		"--x":              "--x: no such flag",
		"--kind=jsonnl":    "--kind=jsonnl: no such value; did you mean jsonl?; there are jsonl, parquet",
		"--kind=jsonl,csv": "--kind=csv: no such value; there are jsonl, parquet",
		"--one=parq":       "--one=parq: no such value; did you mean parquet?; there are jsonl, parquet",
	} {
		set := flag.NewFlagSet("", flag.ContinueOnError)
		set.String("region", "", "registered by a runner")
		f := newTestFlags(set)
		values := []string{"jsonl", "parquet"}
		f.Add([]setting.Setting{
			{Name: "kind", Value: new([]string), Help: "a list", Values: values},
			{Name: "one", Value: new(string), Help: "one of them", Values: values},
		})
		var usage *UsageError
		if err := f.Parse([]string{arg}); !errors.As(err, &usage) || usage.Message != want {
			t.Errorf("Parse(%s) = %v, want %q", arg, err, want)
		}
	}
}

func TestAttack17_commitSaysWhetherItWasModified(t *testing.T) {
	built := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{
			{Key: "vcs.revision", Value: "abc"},
			{Key: "vcs.time", Value: "2026-11-23T00:00:00Z"},
			{Key: "vcs.modified", Value: modified},
		}
	}
	for want, settings := range map[string][]debug.BuildSetting{
		"abc of 2026-11-23T00:00:00Z":                                       built("false"),
		"abc of 2026-11-23T00:00:00Z, modified":                             built("true"),
		"not known: go build notes it in a clone with git, go run does not": nil,
	} {
		if got := commit(settings); got != want {
			t.Errorf("commit(%v) = %q, want %q", settings, got, want)
		}
	}
}
