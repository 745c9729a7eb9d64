package corpus

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/io/derived/corpora"
)

// TestStats: the three forms describe the corpus, for any format of its files.
func TestStats(t *testing.T) {
	in, dir := ingested(t), t.TempDir()
	var first string
	for _, format := range []string{"parquet,jsonl", "jsonl"} {
		out := filepath.Join(dir, format)
		mustRun(t, "--filters=none", "--partition=language", "--keep_refused", "--format="+format, "--output="+out, in)
		before := contents(t, out)
		said := mustRun(t, "stats", "--format=json", out)
		var st corpora.Statistics
		if err := json.Unmarshal([]byte(said), &st); err != nil || st.Whole.Documents == 0 || st.Divided < 2 {
			t.Fatalf("%s: %v, %d documents, %d partitions", format, err, st.Whole.Documents, st.Divided)
		}
		st.Request = "" // it has the formats
		b, err := json.Marshal(st)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(b)
		}
		if string(b) != first {
			t.Errorf("%s: other statistics than of Parquet:\n%s\n%s", format, b, first)
		}
		text, page := mustRun(t, "stats", out), mustRun(t, "stats", "--format=html", out)
		for _, p := range st.Partitions {
			if !strings.Contains(text, p.Name) || !strings.Contains(page, p.Name) {
				t.Errorf("%s: %s is not in both of\n%s\n%s", format, p.Name, text, page)
			}
		}
		if strings.Contains(page, "src=") || strings.Contains(page, "href=") {
			t.Errorf("the page loads something:\n%s", page)
		}
		same(t, "behind stats", contents(t, out), before)
	}
}

// TestStats_hostile: names are escaped.
func TestStats_hostile(t *testing.T) {
	var st corpora.Statistics
	st.Whole.Domains.Top = []corpora.Named{{Name: "<script>alert(1)</script>\x1b[2J\u202e", Documents: 1}}
	var text, page strings.Builder
	if err := statsText(&text, "x", st); err != nil || strings.ContainsAny(text.String(), "\x1b\u202e") {
		t.Errorf("%v: %q", err, text.String())
	}
	if err := statsPage(&page, "<b>", st); err != nil || strings.Contains(page.String(), "<script") ||
		strings.ContainsAny(page.String(), "\x1b\u202e") || strings.Contains(page.String(), "<b>") {
		t.Errorf("%v: %q", err, page.String())
	}
}

func TestStats_usage(t *testing.T) {
	in := ingested(t)
	wet := filepath.Join(t.TempDir(), "wet")
	mustRun(t, "--filters=none", "--format=wet", "--output="+wet, in)
	none := filepath.Join(t.TempDir(), "none")
	mustRun(t, "--where=status = 999", "--output="+none, in)
	if said := mustRun(t, "stats", none); !strings.Contains(said, "0 of ") {
		t.Errorf("of a corpus without documents: %q", said)
	}
	broken := filepath.Join(t.TempDir(), "broken")
	mustRun(t, "--filters=none", "--output="+broken, in)
	names, err := filepath.Glob(filepath.Join(broken, "data", "train-*.parquet"))
	if err != nil || len(names) == 0 {
		t.Fatal(err, names)
	}
	if err := os.WriteFile(names[0], []byte("PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no corpus": {[]string{in}, 2, "not a corpus"},
		"no folder": {[]string{filepath.Join(in, "none")}, 2, "not a corpus"},
		"WET alone": {[]string{wet}, 2, "--format=parquet"},
		"two":       {[]string{wet, none}, 2, "one folder"},
		"a flag":    {[]string{"--fresh", none}, 2, "--fresh"},
		"format":    {[]string{"--format=xml", none}, 2, "html"},
		"broken":    {[]string{broken}, 1, filepath.Base(names[0])},
	} {
		code, _, errs := command(t, append([]string{"stats"}, tt.args...)...)
		if code != tt.code || !strings.Contains(errs, tt.says) {
			t.Errorf("%s: exit code %d, want %d and %q\n%s", name, code, tt.code, tt.says, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(in, "none")); err == nil {
		t.Error("stats made a folder")
	}
}

// TestStats_defaultFolder: corpus stats and corpus merge without a folder mean the one that corpus writes.
func TestStats_defaultFolder(t *testing.T) {
	in, dir := ingested(t), t.TempDir()
	inDir := func(args ...string) (out string) {
		cmd := commandtest.Command(t.Context(), "corpus", args...)
		cmd.Dir = dir
		code, out, errs := commandtest.Output(t, cmd)
		if code != 0 {
			t.Fatalf("corpus %q: exit code %d\n%s", args, code, errs)
		}
		return out
	}
	inDir("--filters=none", in)
	inDir("--filters=none", "--where=status = 999", "--output=corpus", in)
	if said := inDir("stats"); strings.Contains(said, "0 of ") {
		t.Errorf("stats are of another folder: %s", said)
	}
	for _, help := range []string{inDir("--help"), inDir("stats", "--help"), inDir("merge", "--help")} {
		if !strings.Contains(help, outFolder) {
			t.Errorf("the help lacks %s: %s", outFolder, help)
		}
	}
}
