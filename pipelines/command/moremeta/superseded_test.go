package moremeta

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/io/collection/claim"
)

// TestMoremeta_superseded: after another run has begun, a runner that continues an earlier job changes neither days
// nor the report. The other run may be of the whole store or of a part.
func TestMoremeta_superseded(t *testing.T) {
	dir, pages := store(t)
	days, err := pagestore.Days(dir)
	if err != nil {
		t.Fatal(err)
	}
	tasks, _, err := claimDays(days, false) // then its command is killed, and nothing is released
	if err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(t.TempDir(), "report.jsonl")
	if code, out, errs := command(t, "--pages="+pages, "--report="+report, dir); code == 1 {
		t.Fatalf("the second run: %s%s", out, errs)
	}
	want := metas(t, dir)
	said, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Pages: pages, Strict: true, Report: report, First: tasks[0]}
	w, err := o.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		element, err := json.Marshal(task)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Do(t.Context(), element); !errors.Is(err, claim.ErrSuperseded) {
			t.Errorf("%s is migrated again by the first job: %v", task.Day, err)
		}
	}
	if err := o.First.while(func() error { return o.write(nil) }); !errors.Is(err, claim.ErrSuperseded) {
		t.Errorf("the first job writes its report: %v", err)
	}
	if diff := cmp.Diff(want, metas(t, dir)); diff != "" {
		t.Errorf("the first job has changed\n%s", diff)
	}
	if now, err := os.ReadFile(report); err != nil || string(now) != string(said) {
		t.Errorf("the report is %q, %v, want %q", now, err, said)
	}
	for _, day := range days {
		if _, err := os.Stat(filepath.Join(day, hidden)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left in %s: %v", hidden, day, err)
		}
	}
}
