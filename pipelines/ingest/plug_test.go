package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// counter is a plug that counts words. It dies on every document of a multiple of 40 words, and once in ten documents
// without a reason.
const counter = `import json, os, sys
print(json.dumps({"name": "counter", "version": "%s", "columns": {"words": "integer", "short": "boolean"}}), flush=True)
for i, line in enumerate(sys.stdin):
    n = len(json.loads(line).get("text", "").split())
    if n and n %% 40 == 0 or i == 9:
        sys.exit("cannot count")
    print(json.dumps({"words": n, "short": n < 100}), flush=True)
`

// batches is counter with batches. It dies on the same documents, and once in ten batches without a reason.
const batches = `import json, os, sys
print(json.dumps({"name": "counter", "version": "1", "batch": int(sys.argv[1]),
    "columns": {"words": "integer", "short": "boolean"}}), flush=True)
for i, line in enumerate(sys.stdin):
    counts = [len(d.get("text", "").split()) for d in json.loads(line)]
    if any(n and n % 40 == 0 for n in counts) or i == 9:
        sys.exit("cannot count")
    print(json.dumps([{"words": n, "short": n < 100} for n in counts]), flush=True)
`

// arrows is batches in Arrow, by the Python package.
const arrows = `import os, sys
import gleaner, pyarrow as pa
calls = 0

@gleaner.extractor(columns={"words": int, "short": bool}, batch=int(sys.argv[1]), exchange="arrow")
def counter(documents):
    global calls
    calls += 1
    print("this goes to standard error")
    counts = pa.array([len((text or "").split()) for text in documents["text"].to_pylist()])
    if any(n and n % 40 == 0 for n in counts.to_pylist()) or calls == 9:
        sys.stderr.write("cannot count\n")
        sys.stderr.flush()
        os._exit(1)
    return {"words": counts, "short": [n < 100 for n in counts.to_pylist()]}

counter.run()
`

func plug(t *testing.T, dir, version string) string {
	t.Helper()
	name := filepath.Join(dir, "counter.py")
	if err := os.WriteFile(name, fmt.Appendf(nil, counter, version), 0o644); err != nil {
		t.Fatal(err)
	}
	return "--plug=python3 " + name
}

// TestPlug_sameBytes: the output does not depend on the number of workers, or on processes of the plug that die.
func TestPlug_sameBytes(t *testing.T) {
	p := plug(t, t.TempDir(), "1")
	var first string
	for _, workers := range []string{"1", "2", "4"} {
		r := mustRun(t, p, "--output=-", "--extract=text", "--workers="+workers, "testdata/archives")
		if first == "" {
			first = r.stdout
		}
		if r.stdout != first {
			t.Errorf("%s workers: other bytes", workers)
		}
	}
	if n := strings.Count(first, `"custom_integers":{"words":[`); n < 80 {
		t.Errorf("%d documents have a count", n)
	}
	if !strings.Contains(first, "cannot count") {
		t.Error("no document has an error of the plug")
	}
}

// TestPlug_batches: the output depends neither on the number of workers nor on the size of batches, and is that of a
// plug without batches. With a limit and a filter by a column of the plug, too.
func TestPlug_batches(t *testing.T) {
	dir := t.TempDir()
	single, name := plug(t, dir, "1"), filepath.Join(dir, "batches.py")
	if err := os.WriteFile(name, []byte(batches), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(p, workers string, more ...string) string {
		args := append([]string{p, "--output=-", "--extract=text", "--workers=" + workers}, more...)
		return mustRun(t, append(args, "testdata/archives")...).stdout
	}
	same := func(size, workers, want string, more ...string) {
		if got := run("--plug=python3 "+name+" "+size, workers, more...); got != want {
			t.Errorf("%s: batches of %s with %s workers make other bytes", more, size, workers)
		}
	}
	want := run(single, "2")
	same("7", "1", want)
	same("64", "4", want)
	some := []string{"--limit=30", "--where=custom.words > 50"}
	same("7", "4", run(single, "1", some...), some...)
}

// sums is a plug of the checksums of payloads and pages, with batches.
const sums = `import hashlib, json, sys
print(json.dumps({"name": "sums", "version": "1", "batch": int(sys.argv[1]), "reads": ["html", "body"],
    "columns": {"sum": "text"}}), flush=True)
for line in sys.stdin:
    texts = [(d.get("html") or "") + (d.get("body") or "") for d in json.loads(line)]
    print(json.dumps([{"sum": hashlib.sha1(text.encode()).hexdigest()} for text in texts]), flush=True)
`

// TestPlug_payloads: payloads are as the archive has them while their batch waits, and later records are read.
func TestPlug_payloads(t *testing.T) {
	name := filepath.Join(t.TempDir(), "sums.py")
	if err := os.WriteFile(name, []byte(sums), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(size, workers string) string {
		return mustRun(t, "--plug=python3 "+name+" "+size, "--output=-", "--workers="+workers,
			"testdata/archives").stdout
	}
	want := run("1", "2")
	if n := strings.Count(want, `"sum":["`); n < 80 {
		t.Errorf("%d documents have a checksum", n)
	}
	for _, tt := range [][2]string{{"7", "1"}, {"64", "1"}, {"64", "4"}} {
		if run(tt[0], tt[1]) != want {
			t.Errorf("batches of %s with %s workers make other bytes", tt[0], tt[1])
		}
	}
}

// TestPlug_arrow: in Arrow, batches make the same bytes, too.
func TestPlug_arrow(t *testing.T) {
	python := pythontest.Interpreter(t, "import pyarrow", "pyarrow==26.0.1")
	t.Setenv("PYTHONPATH", "python") // the command runs in the root
	dir := t.TempDir()
	name := filepath.Join(dir, "arrows.py")
	if err := os.WriteFile(name, []byte(arrows), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"--output=-", "--extract=text", "testdata/archives"}
	want := mustRun(t, append([]string{plug(t, dir, "1")}, args...)...).stdout
	for _, tt := range [][2]string{{"64", "1"}, {"64", "2"}, {"7", "4"}} {
		command := "--plug=" + python + " " + name + " " + tt[0]
		if got := mustRun(t, append([]string{command, "--workers=" + tt[1]}, args...)...).stdout; got != want {
			t.Errorf("batches of %s with %s workers make other bytes", tt[0], tt[1])
		}
	}
}

// TestPlug_version: units are kept while the plug declares the same version, and done again for another.
func TestPlug_version(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	archive := "testdata/archives/wget.warc.gz"
	shard := func(version string) string {
		mustRun(t, plug(t, dir, version), "--output="+out, "--extract=text", archive)
		return shardOf(t, out, 0, "documents")
	}
	first, again, other := shard("1"), shard("1"), shard("2")
	if first != again || other == first {
		t.Errorf("shards %s, again %s, of another version %s", first, again, other)
	}
}

func TestPlug_refused(t *testing.T) {
	dir := t.TempDir()
	named := filepath.Join(dir, "text.py")
	source := `import json; print(json.dumps({"name": "text", "version": "1", "columns": {"a": "text"}}), flush=True); input()`
	if err := os.WriteFile(named, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ command, want string }{
		{"no-such-program", "not found"},
		{"python3 " + named, `"text" cannot be the name of an extractor`},
		{"python3 -c 'print(1)'", "its first line is not a declaration"},
		{" ", "it is empty"},
	} {
		r := runCommand(t, "--plug="+tt.command, "--output="+filepath.Join(dir, "out"), "testdata/archives")
		if r.code != 2 || !strings.Contains(r.stderr, tt.want) {
			t.Errorf("%s: exit code %d, %s", tt.command, r.code, r.stderr)
		}
	}
}
