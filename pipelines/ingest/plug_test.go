package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
