package corpus

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/internal/jobserver"
	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/pipelines/command/ingest"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

func TestMain(m *testing.M) { commandtest.Main(m, Verb, ingest.Verb) }

// command runs the command, and returns its exit code and its output.
func command(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return commandtest.Run(t, "corpus", args...)
}

func mustRun(t testing.TB, args ...string) string {
	t.Helper()
	code, out, errs := command(t, args...)
	if code != 0 {
		t.Fatalf("corpus %v: exit code %d\n%s%s", args, code, out, errs)
	}
	return out
}

const archived = "--archives=../../../testdata/archives/site.warc.gz,../../../testdata/archives/wget.warc.gz"

// ingested returns a collection of our archives, made by the command.
func ingested(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	mustRun(t, archived, "--collection="+out,
		"--output="+filepath.Join(dir, "first"), "--filters=none")
	return out
}

// contents returns the files of a folder, except its hidden one and the times.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(name, ".gleaner") || d.Name() == corpora.StatsFile {
			return err
		}
		data, err := os.ReadFile(name)
		files[strings.TrimPrefix(name, dir)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %s has %d bytes, want %d equal ones", what, name, len(got[name]), len(want[name]))
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
}

// TestCorpus_sameEverywhere: each runner makes the same bytes.
func TestCorpus_sameEverywhere(t *testing.T) {
	in := ingested(t)
	args := []string{
		"--filters=none", "--keep_refused", "--format=jsonl,parquet,wet", "--partition=language", "--paragraphs=2",
		"--dedup=url,payload,text,simhash,near", in,
	}
	clean := filepath.Join(t.TempDir(), "corpus")
	mustRun(t, append(args, "--output="+clean)...)
	want := contents(t, clean)
	prism := filepath.Join(t.TempDir(), "corpus")
	mustRun(t, append(args, "--output="+prism, "--runner=prism", "--workers=3", "--memory=1MiB")...)
	same(t, "prism", contents(t, prism), want)
	if out := mustRun(t, append(args, "--output="+prism)...); !strings.Contains(out, "Documents") {
		t.Errorf("a second run says %q", out)
	}
	same(t, "a second run", contents(t, prism), want)
	server := jobserver.Python(t)
	python := filepath.Join(t.TempDir(), "corpus")
	mustRun(t, append(args, "--output="+python, "--runner=universal", "--endpoint="+server.Endpoint,
		"--environment_type=LOOPBACK")...)
	same(t, "Python's job server", contents(t, python), want)
}

// TestCorpus_killed: a killed run leaves either no manifest or the whole corpus. The next run continues.
func TestCorpus_killed(t *testing.T) {
	in := ingested(t)
	args := []string{"--filters=none"}
	clean := filepath.Join(t.TempDir(), "corpus")
	mustRun(t, append(args, in, "--output="+clean)...)
	want, temp := contents(t, clean), t.TempDir()
	for i := range 10 {
		out := filepath.Join(t.TempDir(), "corpus")
		// Every other run reads archives directly; its collection is then half finished.
		args, wait := append(args, in), time.Duration(60+25*i)*time.Millisecond
		if i%2 == 1 {
			args = append(args[:1:1], archived, "--collection="+in+"-"+fmt.Sprint(i))
			wait *= 3
		}
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		cmd := commandtest.Command(ctx, "corpus", append(args, "--output="+out)...)
		cmd.Env = append(cmd.Env, "TMPDIR="+temp)
		_ = cmd.Run() // it is killed, or ends
		cancel()
		if _, err := os.Stat(filepath.Join(out, "manifest.json")); err == nil {
			same(t, fmt.Sprint("ended ", i), shards(t, out), shardsOf(want))
		}
		mustRun(t, append(args, "--output="+out)...)
		if same(t, fmt.Sprint("killed ", i), shards(t, out), shardsOf(want)); i%2 == 0 {
			same(t, fmt.Sprint("killed ", i), contents(t, out), want)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("killed runs left %v in the temporary folder (%v), want nothing", left, err)
	}
	// Random kills seldom leave these: a temporary file, after a manifest was written.
	for _, name := range []string{
		".report.json.tmp-1-a-1", ".manifest.json.tmp-1-b-2",
		"data/train-00007-of-00009.parquet",
	} {
		if err := os.WriteFile(filepath.Join(clean, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mustRun(t, append(args, in, "--output="+clean)...)
	same(t, "swept", contents(t, clean), want)
}

// shards returns the files of a corpus, except those that name its collection.
func shards(t testing.TB, dir string) map[string]string { return shardsOf(contents(t, dir)) }

func shardsOf(files map[string]string) map[string]string {
	files = maps.Clone(files)
	delete(files, "/manifest.json")
	delete(files, "/README.md")
	return files
}

// TestCorpus_readByOthers: training tools read the folder as it is.
func TestCorpus_readByOthers(t *testing.T) {
	out := filepath.Join(t.TempDir(), "corpus")
	mustRun(t, "--filters=none", "--partition=language", "--format=jsonl,parquet", "--keep_refused", "--output="+out,
		ingested(t))
	python := pythontest.Interpreter(t, "import polars, duckdb", "polars==2.1.0", "duckdb==2.0.0", "pytz")
	const script = `
import sys, polars as pl, duckdb
dir = sys.argv[1]
df = pl.read_parquet(dir + "/**/train-*.parquet", hive_partitioning=False)
first = ["text", "id", "url", "date", "language", "language_score"]
assert df.columns[:6] == first, df.columns
assert df.height > 0 and df.null_count().sum_horizontal()[0] == 0 and df["id"].n_unique() == df.height
lines = duckdb.sql(f"SELECT count(*), count(DISTINCT id) FROM read_json('{dir}/**/train-*.jsonl.zst')").fetchall()[0]
assert lines == (df.height, df.height), (lines, df.height)
parquet = duckdb.sql(f"SELECT sum(length(text)) FROM read_parquet('{dir}/**/train-*.parquet')").fetchall()[0][0]
assert parquet == sum(len(t) for t in df["text"]), parquet
`
	if said, err := exec.Command(python, "-c", script, out).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Log("datasets is asked with GLEANER_SLOW=1 alone: installing it takes long")
		return
	}
	spark := pythontest.Interpreter(t, "import pyspark; assert pyspark.__version__ == '3.5.9'", "pyspark==3.5.9")
	const query = `
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
dir = sys.argv[1]
# language= is a column of the files and one of the folders, with the same values.
rows = spark.read.option("recursiveFileLookup", "true").option("pathGlobFilter", "train-*.parquet").parquet(dir)
assert rows.columns[:6] == ["text", "id", "url", "date", "language", "language_score"], rows.columns
print("rows", rows.count(), rows.select("id").distinct().count(), rows.where("length(text) > 0").count())
`
	count := exec.Command(spark, "-c", query, out)
	said, err := count.Output()
	var rows, ids, full int
	if _, scan := fmt.Sscanf(string(said), "rows %d %d %d", &rows, &ids, &full); err != nil || scan != nil ||
		rows == 0 || ids != rows || full != rows {
		t.Errorf("Spark: %v: %s: %d rows, %d ids, %d with texts", err, said, rows, ids, full)
	}
	python = pythontest.Interpreter(t, "import datasets", "datasets==4.4.1")
	const load = `
import sys, datasets
a = datasets.load_dataset(sys.argv[1], split="train")
b = datasets.load_dataset("parquet", data_files=sys.argv[1] + "/**/train-*.parquet", split="train")
assert len(a) == len(b) > 0 and a.column_names[:3] == ["text", "id", "url"], (a, b)
`
	cmd := exec.Command(python, "-c", load, out)
	cmd.Env = append(os.Environ(), "HF_HOME="+t.TempDir(), "HF_HUB_OFFLINE=1")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}

func TestCorpus_plan(t *testing.T) {
	in := ingested(t)
	out := filepath.Join(t.TempDir(), "corpus")
	if said := mustRun(t, "--plan", "--output="+out, in); !strings.Contains(said, "to be made") ||
		!strings.Contains(said, "gopher_quality") {
		t.Errorf("the plan says %q", said)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the plan made a folder")
	}
	mustRun(t, "--output="+out, in)
	if said := mustRun(t, "--plan", "--output="+out, in); !strings.Contains(said, "nothing is to be done") {
		t.Errorf("the plan says %q", said)
	}
	code, _, errs := command(t, "--dedup=none", "--output="+out, in)
	if code != 2 || !strings.Contains(errs, "--fresh") {
		t.Errorf("other options: exit code %d, %s; want 2 and --fresh", code, errs)
	}
	mustRun(t, "--dedup=none", "--fresh", "--output="+out, in)
}

func TestCorpus_usage(t *testing.T) {
	empty, other := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "letter.txt"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	recipe := filepath.Join(empty, "recipe.yml")
	if err := os.WriteFile(recipe, []byte("- gopher_quality: {min: 3}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	good := ingested(t)
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"no collection":  {[]string{empty}, "run ingest first"},
		"another folder": {[]string{"--output=" + other, good}, "not a corpus"},
		"itself":         {[]string{"--output=" + good, good}, "another folder"},
		"filter":         {[]string{"--filters=gopher", good}, "gopher_quality"},
		"recipe":         {[]string{"--recipe=" + recipe, good}, "no constant"},
		"no recipe":      {[]string{"--recipe=" + empty + "/none", good}, "no such file"},
		"where":          {[]string{"--where=status >", good}, "where"},
		"sample":         {[]string{"--sample=200%", good}, "1%"},
		"mix":            {[]string{"--mix=fr", good}, "fr:10%"},
		"mixture":        {[]string{"--mix=fr:60%,en:60%", good}, "more than the whole"},
		"memory":         {[]string{"--memory=1", good}, "1MiB"},
		"against":        {[]string{"--against=" + empty, good}, "not a corpus"},
	} {
		code, _, errs := command(t, append([]string{"--output=" + filepath.Join(t.TempDir(), "x")}, tt.args...)...)
		if want := 2; code != want && name != "against" || !strings.Contains(errs, tt.says) {
			t.Errorf("%s: exit code %d, want %d and %q\n%s", name, code, want, tt.says, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(other, ".gleaner")); err == nil {
		t.Error("another folder was touched")
	}
	if code, out, _ := command(t, "-h"); code != 0 || strings.Count(out, "\n") > 20 ||
		!strings.Contains(out, "--collection") {
		t.Errorf("-h: exit code %d\n%s", code, out)
	}
}
