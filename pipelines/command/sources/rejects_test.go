package sources

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/jobserver"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// linesOf returns the lines of a file.
func linesOf(t testing.TB, path string) (list []string) {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }() // it is only read
	r, err := jsonl.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	for line, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(line))
	}
	return list
}

// shards returns the files of a kind in a folder.
func shards(t testing.TB, dir, kind string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, kind+"-*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %q, %v", kind, names, err)
	}
	return names
}

// damage breaks two lines of one shard of feeds, and truncates one of documents. It returns the expected rejects
// without their messages, and a function that undoes the damage.
func damage(t testing.TB, dir string) (want []schemas.Reject, undo func()) {
	t.Helper()
	feeds, documents := shards(t, dir, "feeds")[1], shards(t, dir, "documents")[1]
	var undone []func()
	change := func(path, to string) {
		was, err := os.ReadFile(path)
		if err = errors.Join(err, os.WriteFile(path, []byte(to), 0o644)); err != nil {
			t.Fatal(err)
		}
		undone = append(undone, func() {
			if err := os.WriteFile(path, was, 0o644); err != nil {
				t.Error(err)
			}
		})
	}
	lines := linesOf(t, feeds)
	broken := []string{lines[0], `{"url":["not a feed"]}`, lines[1], lines[2][:40]}
	change(feeds, strings.Join(append(broken, lines[3:]...), "\n")+"\n")
	second := len(broken[0]) + len(broken[1]) + len(broken[2]) + 3
	want = []schemas.Reject{
		{File: filepath.Base(feeds), Offset: int64(len(lines[0]) + 1), Length: 23, Lost: 23, Stage: "read", Kind: "garbage"},
		{File: filepath.Base(feeds), Offset: int64(second), Length: 41, Lost: 41, Stage: "read", Kind: "garbage"},
	}
	whole, err := os.ReadFile(documents)
	if err != nil {
		t.Fatal(err)
	}
	change(documents, string(whole[:len(whole)/2]))
	want = append(want, schemas.Reject{
		File: filepath.Base(documents), Lost: int64(len(whole)), Stage: "read", Kind: "truncated",
	})
	return want, func() {
		for _, do := range undone {
			do()
		}
	}
}

// rejectsIn returns the rejects of a Source DB without their messages, which must exist.
func rejectsIn(t testing.TB, dir string) (list []schemas.Reject) {
	t.Helper()
	for _, name := range shards(t, dir, "rejects") {
		for _, line := range linesOf(t, name) {
			var r schemas.Reject
			if err := json.Unmarshal([]byte(line), &r); err != nil || r.Message == "" {
				t.Errorf("%s: %v", line, err)
			}
			r.Message = ""
			// In a compressed shard, the offset of the cut is only known by block.
			if r.Kind == "truncated" {
				r.Offset = 0
			}
			list = append(list, r)
		}
	}
	return list
}

// TestSources_rejects: each runner reports damage in a collection with its position, in the same bytes. The rest is
// read, and the next run reads repaired files.
func TestSources_rejects(t *testing.T) {
	one, two := crawl(t, 0), crawl(t, 1)
	clean := filepath.Join(t.TempDir(), "sources")
	mustRun(t, "--output="+clean, one, two)
	want, undo := damage(t, one)
	out := filepath.Join(t.TempDir(), "sources")
	code, said, errs := command(t, "--output="+out, "--report=html", one, two)
	if code != 3 || !strings.Contains(said, "Rejects      3, at most") {
		t.Fatalf("exit code %d\n%s%s", code, said, errs)
	}
	if got := rejectsIn(t, out); !slices.Equal(got, want) {
		t.Errorf("rejects:\n%+v\nwant\n%+v", got, want)
	}
	wantReport(t, out, 3)
	for _, text := range []string{">24 sources<", want[2].File, "unexpected EOF", "valid", "CPU time"} {
		if !has(t, filepath.Join(out, "report.html"), text) {
			t.Errorf("report.html does not say %q", text)
		}
	}
	broken := contents(t, out)
	runners := [][]string{{"--runner=prism"}}
	if os.Getenv("GLEANER_SLOW") != "" {
		server := jobserver.Python(t)
		runners = append(runners,
			[]string{"--runner=universal", "--endpoint=" + server.Endpoint, "--environment_type=LOOPBACK"})
	}
	for _, flags := range runners {
		other := filepath.Join(t.TempDir(), "sources")
		if code, _, errs := command(t, append(flags, "--output="+other, two, one)...); code != 3 {
			t.Errorf("%s: exit code %d\n%s", flags[0], code, errs)
		}
		same(t, flags[0], contents(t, other), broken)
	}
	code, said, _ = command(t, "--output="+out, two, one)
	if code != 3 || !strings.Contains(said, "1 read, 5 merged before") {
		t.Errorf("again: exit code %d\n%s", code, said)
	}
	same(t, "again", contents(t, out), broken)
	undo()
	mustRun(t, "--output="+out, one)
	mended := contents(t, out)
	wantMended(t, out, clean)
	delete(mended, "manifest.json") // it counts the bytes of both readings
	rest := contents(t, clean)
	delete(rest, "manifest.json")
	same(t, "brought back", mended, rest)
}

// wantReport checks the report of a run over six units.
func wantReport(t testing.TB, dir string, rejects int64) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r runReport
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if r.Counts.Rejects != rejects || r.Counts.Sources != 24 || r.Counts.Feeds == 0 || r.Counts.Documents == 0 {
		t.Errorf("counts of the report: %+v", r.Counts)
	}
	if r.Command != "sources" || r.Units.Done != 6 || r.Units.Planned != 6 || r.Seconds <= 0 || len(r.Processes) == 0 {
		t.Errorf("the report: %s", data)
	}
}

// wantMended checks that the manifest of a repaired Source DB equals that of a clean one.
func wantMended(t testing.TB, dir, clean string) {
	t.Helper()
	var list [2]sourcedb.Manifest
	for i, name := range []string{dir, clean} {
		m, err := sourcedb.ReadManifest(folder.Open(t.Context(), name, nil))
		if err != nil {
			t.Fatal(err)
		}
		list[i] = m
	}
	got, want := list[0], list[1]
	if len(got.Losses) != 0 || got.Counts.Rejects != 0 || !slices.Equal(got.Parts, want.Parts) {
		t.Errorf("%+v, %+v; parts %q, want %q", got.Losses, got.Counts, got.Parts, want.Parts)
	}
}

// flip damages a file in its middle.
func flip(t testing.TB, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		data[len(data)/2] ^= 0x55
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestSources_damagedRows: damaged or missing rows of the Source DB are rebuilt, and nothing is lost.
func TestSources_damagedRows(t *testing.T) {
	one, two := crawl(t, 0), crawl(t, 1)
	clean := filepath.Join(t.TempDir(), "sources")
	mustRun(t, "--output="+clean, one, two)
	want := contents(t, clean)
	kinds := []string{"links"}
	if os.Getenv("GLEANER_SLOW") != "" {
		kinds = []string{"sources", "links", "facts", "shared"}
	}
	for _, kind := range kinds {
		out := filepath.Join(t.TempDir(), "sources")
		mustRun(t, "--output="+out, one)
		name := shards(t, out, kind)[0]
		flip(t, name)
		code, _, errs := command(t, "--output="+out, two)
		if code != 0 || !strings.Contains(errs, filepath.Base(name)) {
			t.Errorf("%s: exit code %d, %s", kind, code, errs)
		}
		same(t, kind, contents(t, out), want)
		if kind != "links" {
			continue
		}
		// The file is missing, and nothing new is read.
		if err := os.Remove(shards(t, out, kind)[0]); err != nil {
			t.Fatal(err)
		}
		mustRun(t, "--output="+out, two)
		same(t, kind+" gone", contents(t, out), want)
	}
}

// TestSources_damagedTruth: states and pages cannot be rebuilt from the rest of the Source DB. If they are damaged, a
// run without all its collections is refused with advice, and changes nothing. A run with all of them rebuilds the
// files.
func TestSources_damagedTruth(t *testing.T) {
	one, two := crawl(t, 0), crawl(t, 1)
	clean := filepath.Join(t.TempDir(), "sources")
	mustRun(t, "--output="+clean, one, two)
	want := contents(t, clean)
	kinds := []string{"states"}
	if os.Getenv("GLEANER_SLOW") != "" {
		kinds = []string{"states", "pages"}
	}
	for _, kind := range kinds {
		out := filepath.Join(t.TempDir(), "sources")
		mustRun(t, "--output="+out, one)
		before := contents(t, out)["manifest.json"]
		name := shards(t, out, kind)[0]
		flip(t, name)
		code, _, errs := command(t, "--output="+out, two)
		if code != 1 || !strings.Contains(errs, filepath.Base(name)) ||
			!strings.Contains(errs, "3 of its 3 units are in no collection named here") {
			t.Errorf("%s: exit code %d, %s", kind, code, errs)
		}
		if contents(t, out)["manifest.json"] != before {
			t.Errorf("%s: the refused run has changed the manifest", kind)
		}
		code, _, errs = command(t, "--output="+out, two, one)
		if code != 0 || !strings.Contains(errs, filepath.Base(name)) {
			t.Errorf("%s, all named: exit code %d, %s", kind, code, errs)
		}
		same(t, kind, contents(t, out), want)
		// The file is missing, and nothing new is read.
		if err := os.Remove(shards(t, out, kind)[0]); err != nil {
			t.Fatal(err)
		}
		mustRun(t, "--output="+out, one, two)
		same(t, kind+" gone", contents(t, out), want)
	}
}

// TestSources_damagedPart: damaged files of a killed run are made again.
func TestSources_damagedPart(t *testing.T) {
	one := crawl(t, 0)
	clean, out := filepath.Join(t.TempDir(), "sources"), filepath.Join(t.TempDir(), "sources")
	mustRun(t, "--output="+clean, one)
	f := folder.Open(t.Context(), out, nil)
	db, err := sourcedb.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	unit, m, err := holdings.Whole(folder.Open(t.Context(), one, nil))
	if err != nil {
		t.Fatal(err)
	}
	unit.Shards = m.Units[1].Shards
	if _, err = sourcedb.WritePart(t.Context(), f, unit, sourcedb.SortOptions{TempDir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	runs, err := filepath.Glob(filepath.Join(out, ".gleaner", "part-*-pages-*"))
	if err != nil || len(runs) != 1 {
		t.Fatalf("runs %q, %v", runs, err)
	}
	flip(t, runs[0])
	code, _, errs := command(t, "--output="+out, one)
	if code != 0 || !strings.Contains(errs, filepath.Base(runs[0])) {
		t.Errorf("exit code %d, %s", code, errs)
	}
	same(t, "a damaged part", contents(t, out), contents(t, clean))
}
