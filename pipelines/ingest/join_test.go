package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
)

const segmented = "testdata/segmented" // from the project's root

// document parses a line.
func document(t *testing.T, line string) schemas.Document {
	t.Helper()
	var d schemas.Document
	if err := json.Unmarshal([]byte(line), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestIngest_joinsSegments: a response in three records in two files is one document, like a response in one record.
func TestIngest_joinsSegments(t *testing.T) {
	out := t.TempDir()
	if r := runCommand(t, "--output="+out, segmented); r.code != 3 { // a notice has a hole
		t.Fatalf("exit code %d, want 3\n%s%s", r.code, r.stdout, r.stderr)
	}
	var got []string
	for _, line := range lines(t, out, shardOf(t, out, -1, "documents")) {
		d := document(t, line)
		got = append(got, fmt.Sprint(filepath.Base(d.URL), " ", d.BodyBytes, " ", d.Flags, " ", d.RecordType, " ",
			filepath.Base(d.Filename)))
	}
	page, err := os.Stat("../../testdata/site/www.harbour-gazette.example/back-numbers.html")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"01.html 601 [partial segment payload_digest] response part-1.warc.gz",
		fmt.Sprint("back-numbers.html ", page.Size(), " [] response part-2.warc"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("joined documents (-want +got):\n%s", diff)
	}
	got = nil
	for _, line := range lines(t, out, shardOf(t, out, -1, "rejects")) {
		var r schemas.Reject
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(filepath.Base(r.File), " ", r.Kind, " ", r.Lost > 0, " ", r.Message))
	}
	want = []string{
		"part-2.warc segment true segment 3 of a record whose segment 2 is not there",
		"part-2.warc segment false segment 2 stands at byte 4106 of " + segmented +
			"/part-1.warc.gz, too, and was taken from there",
		"part-2.warc segment true segment 2 of a record whose first segment is not there",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
	m, err := holdings.ReadManifest(local(out))
	if err != nil {
		t.Fatal(err)
	}
	if n := m.Totals; n.Records != 10 || n.Captures != 3 || n.Documents != 3 || n.Rejects != 3 ||
		n.ByType["continuation"] != 5 || n.BytesLost == 0 {
		t.Errorf("totals %+v", n)
	}
	if n := len(indexLines(t, out)); n != 3 {
		t.Errorf("%d lines in the index, want 3", n)
	}
}

// TestIngest_joinsTheSameEverywhere: the runner, the workers and the unit size do not affect joined documents.
func TestIngest_joinsTheSameEverywhere(t *testing.T) {
	first := t.TempDir()
	base := []string{"--extract=mime,text", "--format=jsonl,parquet", segmented}
	do := func(out string, flags ...string) map[string]string {
		if r := runCommand(t, slices.Concat(flags, []string{"--output=" + out}, base)...); r.code != 3 {
			t.Fatalf("%v: exit code %d, want 3\n%s", flags, r.code, r.stderr)
		}
		m, err := holdings.ReadManifest(local(out))
		if err != nil {
			t.Fatal(err)
		}
		all, files := contents(t, out), map[string]string{}
		for _, s := range m.Units[len(m.Units)-1].Shards {
			kind, rest, _ := strings.Cut(s.Name, "-")
			_, ext, _ := strings.Cut(rest, ".")
			files[kind+"."+ext] = all[s.Name]
		}
		return files
	}
	want := do(first)
	if len(want) != 4 {
		t.Fatalf("%d files of joined records, want 4", len(want))
	}
	for _, flags := range [][]string{
		{"--workers=1"},
		{"--workers=4", "--unit_size=64KiB"},
		{"--runner=prism"},
		{"--runner=prism", "--workers=1", "--unit_size=64KiB"},
	} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) { sameFiles(t, do(t.TempDir(), flags...), want) })
	}
	if n := unitCount(t, []string{"--unit_size=64KiB", segmented}); n < 2 {
		t.Errorf("%d units of 64 KiB; the test wants several", n)
	}
}

// TestIngest_joinKilled: a run that is killed at any time, even before the joined unit, and repeated gives the
// collection of one clean run. Existing files are not made again.
func TestIngest_joinKilled(t *testing.T) {
	t.Parallel() // it mostly waits
	clean, out := t.TempDir(), t.TempDir()
	args := []string{"--extract=mime,text", "--unit_size=64KiB", "--workers=1", segmented}
	begin := time.Now()
	runCommand(t, append([]string{"--output=" + clean}, args...)...)
	took := time.Since(begin)
	want := contents(t, clean)

	killOften(t, 6, took, append([]string{"--output=" + out}, args...))
	killWhen(t, filepath.Join(out, "."+shardOf(t, clean, -1, "documents")+"*tmp*"),
		append([]string{"--output=" + out, "--fresh"}, args...))
	finish := func(what string) {
		t.Helper()
		if r := runCommand(t, append([]string{"--output=" + out}, args...)...); r.code != 3 {
			t.Fatalf("%s: exit code %d\n%s", what, r.code, r.stderr)
		}
		sameFiles(t, contents(t, out), want)
	}
	finish("after kills")
	before := writeTimes(t, out)
	finish("nothing to do")
	if diff := cmp.Diff(before, writeTimes(t, out)); diff != "" {
		t.Errorf("nothing was to be done, and shards were written (-before +after):\n%s", diff)
	}
	for name := range want {
		if name == holdings.ManifestFile {
			continue
		}
		if err := os.Remove(filepath.Join(out, name)); err != nil {
			t.Fatal(err)
		}
		finish("without " + name)
	}
}

// killWhen runs the command, and kills it when a file matches a pattern.
func killWhen(t *testing.T, pattern string, args []string) {
	t.Helper()
	cmd := command(context.Background(), args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, pattern)
	if err := cmd.Process.Kill(); err != nil {
		t.Logf("%v", err) // it had ended
	}
	if err := cmd.Wait(); err == nil {
		t.Log("the run ended before it was killed")
	}
}

// TestIngest_withoutSegmentsNoFileIsJoined: collections of archives without segments have no file for them.
func TestIngest_withoutSegmentsNoFileIsJoined(t *testing.T) {
	out := t.TempDir()
	args := []string{"--output=" + out, "--extract="}
	runCommand(t, append(args, segmented)...)
	mustRun(t, append(args, "--fresh", archives)...)
	m, err := holdings.ReadManifest(local(out))
	if err != nil {
		t.Fatal(err)
	}
	files := 1 // the manifest
	for _, u := range m.Units {
		if files += len(u.Shards); len(u.Inputs) == 0 {
			t.Errorf("unit %d is of joined records", u.ID)
		}
	}
	if n := len(contents(t, out)); n != files {
		t.Errorf("%d files, the manifest has %d", n, files)
	}
}

// TestIngest_limitWithSegments: an index has as many lines as --limit says, also of archives with segmented records. It
// has a line for the first segment of each.
func TestIngest_limitWithSegments(t *testing.T) {
	t.Parallel()
	shelf := t.TempDir()
	if err := os.CopyFS(filepath.Join(shelf, "a"), os.DirFS("../../"+segmented)); err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"x", "y", "z"} {
		shelftest.Put(t, filepath.Join(shelf, host+".warc"), host, strings.Repeat("z ", 40<<10)) // a unit of its own
	}
	index := func(limit int) []string {
		out := t.TempDir()
		args := []string{"--format=cdxj", "--unit_size=64KiB", "--output=" + out, shelf}
		if limit > 0 {
			args = append(args, fmt.Sprintf("--limit=%d", limit))
		}
		if r := runCommand(t, args...); r.code != 0 && r.code != 3 {
			t.Fatalf("exit code %d\n%s", r.code, r.stderr)
		}
		var names []string
		for _, l := range indexLines(t, out) {
			names = append(names, filepath.Base(l.Filename))
		}
		return names
	}
	all := index(0)
	segments := len(all) - 3
	if segments < 2 {
		t.Fatalf("%d lines for segmented records", segments)
	}
	for _, limit := range []int{1, segments - 1, segments, segments + 1, len(all) - 1, len(all), len(all) + 9} {
		if got := index(limit); len(got) != min(limit, len(all)) {
			t.Errorf("--limit=%d: %d lines, %q, of %d", limit, len(got), got, len(all))
		}
	}
}
