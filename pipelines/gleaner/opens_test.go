package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// done runs the program, which must succeed.
func done(t *testing.T, args ...string) {
	t.Helper()
	if code, _, said := gleaner(t, args...); code != 0 {
		t.Fatalf("%q: exit code %d\n%s", args, code, said)
	}
}

// varied makes a collection of two runs with other extractors, so that shards have other fields.
func varied(t *testing.T, out, format string) {
	t.Helper()
	made := []string{"ingest", "--output=" + out, "--format=" + format}
	done(t, append(made, "--extract=text", "testdata/archives/site.arc.gz")...)
	done(t, append(made, "--add", "--extract=text,language,metadata,quality", "--select=first=h1",
		"testdata/archives/site.warc.gz", "testdata/archives/wget.warc.gz")...)
	done(t, "collection", "card", "--collection="+out)
}

// TestOpens loads collections and corpora with datasets, mlcroissant, Polars, DuckDB, pyarrow and pandas.
func TestOpens(t *testing.T) {
	bin := pythontest.Locked(t, "../../testdata/pythontest/opens.txt")
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	varied(t, in("parquet"), "parquet")
	varied(t, in("lines"), "jsonl")
	done(t, "corpus", "--filters=none", "--collection="+in("parquet"), "--output="+in("corpus"),
		"--format=jsonl,parquet", "--columns=custom.first,authors,quality.words")
	done(t, "corpus", "--filters=none", "--collection="+in("parquet"), "--output="+in("divided"), "--partition=date")
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "python3"), "-W", "ignore", "testdata/opens.py",
		in("parquet"), in("lines"), in("corpus"), in("divided"))
	cmd.Env = append(os.Environ(), "HF_HOME="+in("hub"), "HF_HUB_OFFLINE=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "opened ") {
		t.Errorf("%v\n%s", err, out)
	}
	opensSlowly(t, in("parquet"))
}

// opensSlowly counts documents with Spark and Ray.
func opensSlowly(t *testing.T, collection string) {
	t.Helper()
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Log("Spark and Ray are asked with GLEANER_SLOW=1 alone: installing them takes long")
		return
	}
	python := pythontest.Interpreter(t, "import pyspark, ray", "pyspark==3.5.9", "ray[data]==2.60.0", "setuptools<81")
	const script = `
import sys, glob, ray
from pyspark.sql import SparkSession
shards = glob.glob(sys.argv[1] + "/documents-*.parquet")
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
rows = spark.read.option("mergeSchema", "true").parquet(*shards)
first = rows.selectExpr("map_from_entries(custom)['first'][0] as first").where("first is not null").count()
ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
print("counts", rows.count() == ray.data.read_parquet(shards).count() > first > 0)
`
	out, err := exec.CommandContext(t.Context(), python, "-c", script, collection).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "counts True") {
		t.Errorf("%v\n%s", err, out)
	}
}
