package collection

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/folder/foldertest"
	"github.com/gleaner-web/gleaner/schemas"
)

// generations are the files of generations in f.
func generations(t *testing.T, f folder.Folder) (list []string) {
	t.Helper()
	names, err := f.Names(holdings.HiddenDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasPrefix(name, "generation-") {
			list = append(list, name)
		}
	}
	return list
}

// everywhere runs a test on a disk and in buckets.
func everywhere(t *testing.T, test func(t *testing.T, f folder.Folder, files func() map[string]string)) {
	t.Run("disk", func(t *testing.T) {
		dir := t.TempDir()
		test(t, local(dir), func() map[string]string { return shelftest.Contents(t, dir) })
	})
	for _, kind := range []string{"gs", "s3"} {
		t.Run(kind, func(t *testing.T) {
			b := foldertest.StartBucket(t, kind, nil)
			test(t, b, func() map[string]string { return visible(b.Objects(t)) })
		})
	}
}

// TestGuard_zombie: remains of a run whose process is gone change nothing once another run has begun. They may be a
// unit under way, a new unit, or the run's end. The second run has other options, as after --fresh.
func TestGuard_zombie(t *testing.T) {
	everywhere(t, func(t *testing.T, f folder.Folder, files func() map[string]string) {
		first, err := Open(f, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		units, keys := unitsOf("a", "b")
		zombie := first.Generation().Guard(f)
		done, err := doIn(t, zombie, units[0], keys[0], few)
		if err != nil {
			t.Fatal(err)
		}
		// The second unit is under way when the process is killed: its lock goes, its generation stays.
		late, err := shard.NewWriter(zombie, units[1], keys[1], few)
		if err != nil {
			t.Fatal(err)
		}
		fill(t, late, units[1])
		first.Leave()
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		if got := generations(t, f); len(got) != 1 {
			t.Errorf("generations %q, want that of the killed run", got)
		}
		second, err := Open(f, OpenOptions{Fresh: true})
		if err != nil {
			t.Fatal(err)
		}
		r, err := doIn(t, second.Generation().Guard(f), units[0], ledger.Key(units[0], "other options", "versions"), few)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := second.Finish([]schemas.UnitResult{r}, runOf(1)); err != nil {
			t.Fatal(err)
		}
		if err := second.Close(); err != nil {
			t.Fatal(err)
		}
		want := files()
		_, lateErr := late.Commit(oneOfEach, ledger.Note{})
		_, newErr := shard.NewWriter(zombie, units[1], keys[1], few)
		_, endErr := Attach(zombie).Finish([]schemas.UnitResult{done}, runOf(1))
		if endErr == nil {
			t.Error("the first run's end finds nothing wrong")
		}
		for what, err := range map[string]error{
			"a unit under way": lateErr, "a new unit": newErr,
			"a rename": zombie.Rename("x", "y"), "a write": zombie.Write("x", nil), "a note": zombie.WriteNew("x", nil),
			"removing": zombie.Remove(holdings.ManifestFile), "removing all": zombie.RemoveAll("*"), "sweeping": zombie.Sweep(),
		} {
			if !errors.Is(err, claim.ErrSuperseded) {
				t.Errorf("%s: %v, want %v", what, err, claim.ErrSuperseded)
			}
		}
		if diff := cmp.Diff(want, files()); diff != "" {
			t.Errorf("the second run's files (-before the zombie +after):\n%s", diff)
		}
		if got := generations(t, f); len(got) != 0 {
			t.Errorf("generations %q are left of runs that ended", got)
		}
	})
}

// TestClose_endsTheRun: workers of a run whose process ends in good order write nothing more, unless it has left them.
func TestClose_endsTheRun(t *testing.T) {
	everywhere(t, func(t *testing.T, f folder.Folder, _ func() map[string]string) {
		for _, leave := range []bool{false, true} {
			c, err := Open(f, OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			worker := c.Generation().Guard(f)
			if leave {
				c.Leave()
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			if err := worker.Write("x", []byte("x")); errors.Is(err, claim.ErrSuperseded) == leave {
				t.Errorf("left %v: %v", leave, err)
			}
		}
	})
}

// TestOpen_jobThatGoesOnKeepsItsGeneration: a process that finds a job at work does not end it by looking.
func TestOpen_jobThatGoesOnKeepsItsGeneration(t *testing.T) {
	f := local(t.TempDir())
	c, err := Open(f, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	worker := c.Generation().Guard(f)
	c.Leave()
	if err := errors.Join(claim.NoteJob(f, []byte("job 7")), c.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(f, OpenOptions{}); !errors.Is(err, claim.ErrBusy) {
		t.Errorf("Open = %v, want %v", err, claim.ErrBusy)
	}
	if err := worker.Write("x", nil); err != nil {
		t.Errorf("the job's worker: %v", err)
	}
}

// TestNextGeneration_oneAtMost: a lost lock lets runs open a folder at the same moment. One of them at most can write.
func TestNextGeneration_oneAtMost(t *testing.T) {
	everywhere(t, func(t *testing.T, f folder.Folder, _ func() map[string]string) {
		if err := f.Make(holdings.HiddenDir); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					if _, err := claim.NextGeneration(f); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if left := generations(t, f); len(left) > 1 {
				t.Fatalf("generations %q, want one at most", left)
			}
		}
	})
}

// TestHold_retireWaits: on a disk no change of a worker comes between the end of its generation and what follows.
func TestHold_retireWaits(t *testing.T) {
	f := local(t.TempDir())
	if err := f.Write("g", nil); err != nil {
		t.Fatal(err)
	}
	held, err := f.Hold("g")
	if err != nil {
		t.Fatal(err)
	}
	retired := make(chan error, 1)
	go func() { retired <- f.Retire("g") }()
	select {
	case err := <-retired:
		t.Fatalf("Retire = %v, while the file is held", err)
	case <-time.After(200 * time.Millisecond):
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-retired; err != nil {
		t.Error(err)
	}
	if _, err := f.Hold("g"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Hold = %v of a file that is gone", err)
	}
	if err := f.Retire("g"); err != nil {
		t.Errorf("Retire = %v of a file that is gone", err)
	}
}

// TestGuard_cleansUpAfterItself: a worker that is stopped removes what it has begun, and that alone.
func TestGuard_cleansUpAfterItself(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir, OpenOptions{})
	units, keys := unitsOf("a")
	w, err := shard.NewWriter(c.Generation().Guard(local(dir)), units[0], keys[0], both)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, w, units[0])
	if err := c.Generation().End(local(dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(oneOfEach, ledger.Note{}); !errors.Is(err, claim.ErrSuperseded) {
		t.Errorf("Commit = %v, want %v", err, claim.ErrSuperseded)
	}
	for name := range maps.Keys(shelftest.Contents(t, dir)) {
		if strings.Contains(name, ".tmp-") || strings.Contains(name, "spill-") {
			t.Errorf("%s is left", name)
		}
	}
}

// TestFinish_removesWhatKilledWorkersLeft: temporary files of attempts that were killed while the run went on do not
// wait for the next run.
func TestFinish_removesWhatKilledWorkersLeft(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir, OpenOptions{})
	units, keys := unitsOf("a")
	killed, err := shard.NewWriter(local(dir), units[0], keys[0], both) // and never ended
	if err != nil {
		t.Fatal(err)
	}
	defer killed.Abort()
	spills, err := filepath.Glob(filepath.Join(dir, holdings.HiddenDir, "spill-*"))
	if err != nil || len(spills) != 1 {
		t.Fatalf("spills %q, %v, want one", spills, err)
	}
	write(t, filepath.Join(spills[0], "run"), "sorted")
	r := do(t, dir, units[0], keys[0], both)
	if _, err := c.Finish([]schemas.UnitResult{r}, runOf(1)); err != nil {
		t.Fatal(err)
	}
	shut(t, c)
	same(t, dir, "a")
}
