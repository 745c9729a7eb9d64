package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// indexOf returns the lines of the index in dir, without line ends.
func indexOf(t *testing.T, dir string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "index.cdxj"))
	if err != nil {
		t.Fatal(err)
	}
	text, ended := strings.CutSuffix(string(b), "\n")
	if !ended {
		t.Fatalf("index.cdxj of %d bytes does not end its last line", len(b))
	}
	return strings.Split(text, "\n")
}

// TestIndex_allCapturesSorted: the index has the lines of all shards of captures, sorted as by LC_ALL=C sort.
func TestIndex_allCapturesSorted(t *testing.T) {
	out := t.TempDir()
	mustRun(t, "--format=cdxj", "--unit_size=64KiB", "--output="+out, archives)
	got := indexOf(t, out)
	if !slices.IsSorted(got) {
		t.Error("not sorted")
	}
	var want []string
	for _, l := range indexLines(t, out) {
		l.Filename = strings.TrimPrefix(l.Filename, archives+"/")
		want = append(want, strings.TrimSuffix(string(l.AppendTo(nil)), "\n"))
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the shards' lines and the index's (-shards +index):\n%.2000s", diff)
	}
	for name := range contents(t, out) {
		if strings.HasPrefix(name, "documents-") {
			t.Errorf("%s: no documents were asked for", name)
		}
	}
}

// TestIndex_sameBytesEverywhere: the unit size, the workers, the runner and the documents do not affect the index.
func TestIndex_sameBytesEverywhere(t *testing.T) {
	want := ""
	for _, flags := range [][]string{
		{"--format=cdxj"},
		{"--format=cdxj", "--unit_size=64KiB", "--workers=3"},
		{"--format=cdxj", "--unit_size=70001", "--runner=prism"},
		{"--format=cdxj,parquet,jsonl", "--extract=", "--unit_size=100KiB"},
	} {
		out := t.TempDir()
		if r := runCommand(t, slices.Concat(flags, []string{"--output=" + out, archives, damaged})...); r.code != 3 {
			t.Fatalf("%v: exit code %d, want 3\n%s", flags, r.code, r.stderr)
		}
		got := contents(t, out)["index.cdxj"]
		if want == "" {
			want = got
		}
		if got != want || got == "" {
			t.Errorf("%v: %d bytes, want the %d of the first run", flags, len(got), len(want))
		}
	}
}

// TestIndex_added: an index is added to documents without redoing a unit. It stays when another command does not ask
// for it.
func TestIndex_added(t *testing.T) {
	out := t.TempDir()
	args := []string{"--extract=", "--output=" + out, archives}
	mustRun(t, args...)
	before := writeTimes(t, out)
	mustRun(t, append([]string{"--format=jsonl,cdxj"}, args...)...)
	if diff := cmp.Diff(before, writeTimes(t, out)); diff != "" {
		t.Errorf("units were done again (-before +after):\n%s", diff)
	}
	if lines := indexOf(t, out); len(lines) != len(indexLines(t, out)) {
		t.Errorf("%d lines, the shards have %d", len(lines), len(indexLines(t, out)))
	}
	with := contents(t, out)
	mustRun(t, args...)
	sameFiles(t, contents(t, out), with)
}

// TestIndex_resumed: a unit without its shard is redone, a partial index is removed, and a changed index is not
// overwritten.
func TestIndex_resumed(t *testing.T) {
	out := t.TempDir()
	args := []string{"--format=cdxj", "--unit_size=64KiB", "--output=" + out, archives}
	mustRun(t, args...)
	want := contents(t, out)
	for _, name := range []string{"manifest.json", "index.cdxj", shardOf(t, out, 2, "captures")} {
		if err := os.Remove(filepath.Join(out, name)); err != nil {
			t.Fatal(err)
		}
	}
	half := filepath.Join(out, ".index.cdxj.tmp-17-0123456789abcdef-1")
	if err := os.WriteFile(half, []byte("com,exa"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := mustRun(t, args...); !strings.Contains(r.stderr, "5 of 6 units are done already") {
		t.Errorf("stderr %q; want all but one unit to be kept", r.stderr)
	}
	sameFiles(t, contents(t, out), want)
	if _, err := os.Stat(half); err == nil {
		t.Error("the half-written index is still there")
	}
	appendTo(t, filepath.Join(out, "index.cdxj"), "mine\n")
	if r := runCommand(t, args...); r.code != 1 || !strings.Contains(r.stderr, "index.cdxj") {
		t.Errorf("exit code %d, stderr %q; want 1 and the name of the file that was changed", r.code, r.stderr)
	}
	mustRun(t, append([]string{"--fresh"}, args...)...)
	sameFiles(t, contents(t, out), want)
}

// TestIndex_redoesWhatWasTouched: without fingerprints, the file's size and time decide.
func TestIndex_redoesWhatWasTouched(t *testing.T) {
	in, out := copyArchives(t), t.TempDir()
	args := []string{"--format=cdxj", "--unit_size=64KiB", "--output=" + out, in}
	mustRun(t, args...)
	want := contents(t, out)
	if strings.Contains(want["manifest.json"], "fingerprint") {
		t.Error("an index notes fingerprints, which read every archive twice")
	}
	touched := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(in, "site.warc.gz"), touched, touched); err != nil {
		t.Fatal(err)
	}
	if r := mustRun(t, args...); !strings.Contains(r.stderr, "5 of 6 units are done already") {
		t.Errorf("stderr %q; want one unit to be done again", r.stderr)
	}
	sameFiles(t, contents(t, out), want)
}

// TestIndex_nothingToPutExtractsIn: --format=cdxj extracts nothing, and refuses flags for extraction.
func TestIndex_nothingToPutExtractsIn(t *testing.T) {
	for _, args := range [][]string{{"--extract=text"}, {"--select=price=.price"}} {
		out := filepath.Join(t.TempDir(), "out")
		r := runCommand(t, append(args, "--format=cdxj", "--output="+out, archives)...)
		if r.code != 2 || !strings.Contains(r.stderr, "--format=jsonl,cdxj") {
			t.Errorf("%v: exit code %d, stderr %q; want 2 and what to do", args, r.code, r.stderr)
		}
	}
	out := t.TempDir()
	mustRun(t, "--extract=", "--format=cdxj", "--output="+out, archives)
	if n := len(indexOf(t, out)); n != 121 {
		t.Errorf("%d lines with --extract=, want 121", n)
	}
}

// TestIndex_manifest: the manifest has the index. Except for documents, the counts are those of a run with documents.
func TestIndex_manifest(t *testing.T) {
	var m schemas.Manifest
	out := t.TempDir()
	mustRun(t, "--format=cdxj", "--output="+out, archives)
	files := contents(t, out)
	if err := json.Unmarshal([]byte(files["manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	if len(m.Files) != 1 || m.Files[0].Name != "index.cdxj" || m.Files[0].Bytes != int64(len(files["index.cdxj"])) {
		t.Errorf("the manifest lists %v", m.Files)
	}
	if m.Totals.Captures != 121 || m.Totals.Documents != 0 || m.Totals.BodyBytes != 0 || m.Totals.BytesLost != 0 {
		t.Errorf("totals %+v, want 121 captures, no documents and no bodies", m.Totals)
	}
}
