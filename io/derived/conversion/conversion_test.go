package conversion_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

var targets = []conversion.Target{{Format: "ache-html"}}

func local(dir string) folder.Folder { return folder.Open(context.Background(), dir, nil) }

// unit converts a page of each of the URLs, as the unit id of two.
func unit(t *testing.T, dir string, id int, urls ...string) conversion.Row {
	t.Helper()
	u, err := conversion.NewUnit(local(dir), strings.Repeat("k", id+1), schemas.Unit{ID: id}, 2, targets)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Abort()
	for _, url := range urls {
		if err := u.Write(&schemas.Capture{URL: "http://a.example/" + url, Body: []byte{'0' + byte(id)}}); err != nil {
			t.Fatal(err)
		}
	}
	row, err := u.Commit(schemas.Counts{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

func open(t *testing.T, dir string) *conversion.Folder {
	t.Helper()
	f, err := conversion.Open(local(dir), conversion.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// tree are the pages of the folder, by the last letter of their URLs.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "ache-html/a.example/*"))
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages[name[len(name)-1:]] = string(b)
	}
	return pages
}

// TestOpen_killed: a run that was killed at any step of claiming the folder leaves a folder that can be claimed. None
// of its files stay.
func TestOpen_killed(t *testing.T) {
	const marker = ".gleaner/conversion"
	claimed := t.TempDir()
	open(t, claimed)
	text, err := os.ReadFile(filepath.Join(claimed, marker))
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range []map[string]string{
		{},
		{".gleaner/lock": ""},
		{".gleaner/lock": "", ".gleaner/.conversion.tmp-" + folder.Unique(): "This fold"},
		{".gleaner/lock": "", marker: string(text), ".gleaner/.plan.tmp-17-ab-1": "", ".manifest.json.tmp-17-ab-2": "{"},
	} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, ".gleaner"), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range left {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f, err := conversion.Open(local(dir), conversion.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil { // which ends the generation
			t.Fatal(err)
		}
		found, err := filepath.Glob(filepath.Join(dir, ".gleaner/*")) // also those that begin with a dot
		if err != nil {
			t.Fatal(err)
		}
		want := []string{filepath.Join(dir, marker), filepath.Join(dir, ".gleaner/lock")}
		if diff := cmp.Diff(want, found); diff != "" {
			t.Errorf("of %v, -want +got:\n%s", left, diff)
		}
		if _, err := os.Stat(filepath.Join(dir, ".manifest.json.tmp-17-ab-2")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("of %v, half a manifest stayed: %v", left, err)
		}
	}
}

// TestFinish_goesOn: a run that was killed while it moved files continues, and ends with the same files.
func TestFinish_goesOn(t *testing.T) {
	run := conversion.Run{Plan: "plan", Units: 2}
	for moved := range 3 {
		dir := t.TempDir()
		f := open(t, dir)
		rows := []conversion.Row{unit(t, dir, 1, "b", "c"), unit(t, dir, 0, "a", "b", "b")}
		hidden := filepath.Join(dir, ".gleaner/unit-k")
		if err := os.MkdirAll(filepath.Join(dir, "ache-html/a.example"), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{
			"files-00000-of-00002.jsonl",
			"ache-html/a.example/http%3A%2F%2Fa.example%2Fb",
		}[:moved] {
			if err := os.Rename(filepath.Join(hidden, name), filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		m, err := conversion.Finish(t.Context(), local(dir), append(rows, rows[0]), run)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"a": "0", "b": "1", "c": "1"}, tree(t, dir)); diff != "" {
			t.Errorf("%d files moved before (-want +got):\n%s", moved, diff)
		}
		if n := m.Totals.ByDrop["ache-html.overwritten"]; n != 2 { // one by its unit, one by the next
			t.Errorf("%d files moved before: %d overwritten, want 2", moved, n)
		}
		if _, ok, err := f.Finished("plan"); !ok || err != nil {
			t.Errorf("Finished: %v, %v", ok, err)
		}
		if _, _, err := f.Finished("other"); !errors.Is(err, conversion.ErrOther) {
			t.Errorf("Finished of another plan: %v", err)
		}
	}
}

// TestFolder_Finished_lost: a conversion is not finished if one of its files was removed.
func TestFolder_Finished_lost(t *testing.T) {
	const page = "ache-html/a.example/http%3A%2F%2Fa.example%2F"
	for name, want := range map[string]bool{
		page + "a": true, page + "b": true, "ache-html": true, "files-00001-of-00002.jsonl": true,
		"rejects-00000-of-00002.jsonl": false, "nothing": false,
	} {
		dir := t.TempDir()
		f := open(t, dir)
		rows := []conversion.Row{unit(t, dir, 0, "a"), unit(t, dir, 1, "b")}
		if _, err := conversion.Finish(t.Context(), local(dir), rows, conversion.Run{Plan: "plan", Units: 2}); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := f.Finished("plan"); errors.Is(err, conversion.ErrLost) != want || ok == want {
			t.Errorf("without %s: %v, %v", name, ok, err)
		}
	}
}

func TestFinish_incomplete(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	rows := []conversion.Row{unit(t, dir, 0, "a")}
	run := conversion.Run{Plan: "plan", Units: 2}
	if _, err := conversion.Finish(t.Context(), local(dir), rows, run); !errors.Is(err, conversion.ErrIncomplete) {
		t.Errorf("a unit without a row: %v", err)
	}
	rows = append(rows, unit(t, dir, 1, "b"))
	if err := os.RemoveAll(filepath.Join(dir, ".gleaner/unit-kk/ache-html")); err != nil {
		t.Fatal(err)
	}
	if _, err := conversion.Finish(t.Context(), local(dir), rows, run); !errors.Is(err, conversion.ErrIncomplete) {
		t.Errorf("a unit without its files: %v", err)
	}
	if _, err := holdings.ReadManifest(local(dir)); err == nil {
		t.Error("there is a manifest of a conversion that is not complete")
	}
}

// TestFinish_hostileList: a list that was edited moves nothing out of the folder.
func TestFinish_hostileList(t *testing.T) {
	for _, name := range []string{"../../../out", "/out", "", "ache-html/../../../../out"} {
		dir := filepath.Join(t.TempDir(), "a", "b", "c", "dir")
		open(t, dir)
		victim := filepath.Join(dir, "../out") // what the first name leads to
		if err := os.WriteFile(victim, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		row := unit(t, dir, 0, "a")
		list := filepath.Join(dir, ".gleaner/unit-k/files-00000-of-00002.jsonl")
		if err := os.WriteFile(list, []byte(`{"name":"`+name+`"}`+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := conversion.Finish(t.Context(), local(dir), []conversion.Row{row},
			conversion.Run{Plan: "p", Units: 1}); err == nil {
			t.Errorf("a file called %q was moved", name)
		}
		if _, err := os.Lstat(victim); err != nil {
			t.Error(err)
		}
	}
}

// TestUnit_twice: of two attempts at one unit one wins, and nothing is left of the other; nor of one that was given
// up.
func TestUnit_twice(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	if _, ok, err := f.Done("k"); ok || err != nil {
		t.Errorf("Done before: %v, %v", ok, err)
	}
	row := unit(t, dir, 0, "a")
	if diff := cmp.Diff(row, unit(t, dir, 0, "a")); diff != "" {
		t.Errorf("the second attempt (-first +second):\n%s", diff)
	}
	u, err := conversion.NewUnit(local(dir), "other", schemas.Unit{}, 2, targets)
	if err != nil {
		t.Fatal(err)
	}
	u.Abort()
	got, ok, err := f.Done("k")
	if diff := cmp.Diff(row, got); !ok || err != nil || diff != "" {
		t.Errorf("Done: %v, %v\n%s", ok, err, diff)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".gleaner/work-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "odd [name]*")
	f, err := conversion.Open(local(dir), conversion.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conversion.Open(local(dir), conversion.OpenOptions{}); !errors.Is(err, folder.ErrBusy) {
		t.Errorf("Open while it is open: %v", err)
	}
	if _, err := conversion.Finish(t.Context(), local(dir), []conversion.Row{unit(t, dir, 0, "a")},
		conversion.Run{Plan: "p", Units: 1}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Close(), os.Mkdir(filepath.Join(dir, ".gleaner/work-killed"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if f, err = conversion.Open(local(dir), conversion.OpenOptions{Fresh: true}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	names, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("after fresh there are %v, %v; want the hidden folder", names, err)
	}
	if _, ok, err := f.Finished("p"); ok || err != nil {
		t.Errorf("Finished after fresh: %v, %v", ok, err)
	}
	for _, name := range []string{"page.html", ".hidden", ".gleaner/collection"} {
		dir := t.TempDir()
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, ".gleaner"), 0o755),
			os.WriteFile(filepath.Join(dir, name), nil, 0o644)); err != nil {
			t.Fatal(err)
		}
		if _, err := conversion.Open(local(dir), conversion.OpenOptions{Fresh: true}); !errors.Is(err,
			conversion.ErrForeign) {
			t.Errorf("Open of a folder with %s: %v", name, err)
		}
	}
}

// TestOpen_jobThatGoesOn: the folder of a job that has not ended is nobody else's, and is not swept. The end of a run
// forgets the job.
func TestOpen_jobThatGoesOn(t *testing.T) {
	dir := t.TempDir()
	note := func() {
		t.Helper()
		if err := claim.NoteJob(local(dir), []byte("job 7")); err != nil {
			t.Fatal(err)
		}
	}
	f, err := conversion.Open(local(dir), conversion.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Close(), os.Mkdir(filepath.Join(dir, ".gleaner/work-7"), 0o755)); err != nil {
		t.Fatal(err)
	}
	note()
	active := errors.New("it has not ended")
	for _, fresh := range []bool{false, true} {
		_, err := conversion.Open(local(dir),
			conversion.OpenOptions{Fresh: fresh, JobEnded: func([]byte) error { return active }})
		if !errors.Is(err, claim.ErrBusy) || !errors.Is(err, active) {
			t.Errorf("Open = %v, want %v, and why", err, claim.ErrBusy)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".gleaner/work-7")); err != nil {
		t.Errorf("the folder was swept: %v", err)
	}
	if f, err = conversion.Open(local(dir),
		conversion.OpenOptions{JobEnded: func([]byte) error { return nil }}); err != nil {
		t.Fatal(err)
	}
	note()
	_, err = conversion.Finish(t.Context(), local(dir), []conversion.Row{unit(t, dir, 0, "a")},
		conversion.Run{Plan: "p", Units: 1})
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
}

// TestAttack01_unfinishedConversionIsNotReplaced: the units of a run that was killed are not removed by a conversion
// of other archives.
func TestAttack01_unfinishedConversionIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	row := unit(t, dir, 0, "a")
	if err := f.Begun([]string{"other"}); !errors.Is(err, conversion.ErrOther) ||
		!strings.Contains(err.Error(), "--fresh") {
		t.Errorf("Begun of another plan: %v, want %v", err, conversion.ErrOther)
	}
	if err := f.Begun([]string{"other", row.Key}); err != nil {
		t.Errorf("Begun of its own plan: %v", err)
	}
}
