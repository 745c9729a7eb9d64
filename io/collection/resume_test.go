package collection

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestResume_nothingToDo(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "a", "b")
	c := open(t, dir, OpenOptions{})
	units, keys := unitsOf("a", "b")
	asked := 0
	todo, done, err := c.Resume(units, keys, func(r schemas.Range, row ledger.Row) (bool, error) {
		asked++
		if r.Fingerprint != "sha256:"+r.File || row.Stamps["size"] != "10" {
			t.Errorf("asked of %+v and %v, want what was recorded", r, row.Stamps)
		}
		return true, nil
	})
	if err != nil || len(todo) != 0 || len(done) != 2 || asked != 2 {
		t.Errorf("Resume = %v, %v, %v after %d questions, want two done", todo, done, err, asked)
	}
	if _, err := holdings.ReadManifest(local(dir)); err != nil {
		t.Errorf("the manifest of a finished run went away: %v", err)
	}
	shut(t, c)
	same(t, dir, "a", "b")
}

func TestResume_whatIsDoneAgain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, dir string, keys []string)
		fresh  Fresh
		want   []int
	}{
		{"nothing", func(*testing.T, string, []string) {}, nil, nil},
		{
			"an input changed", func(*testing.T, string, []string) {},
			func(r schemas.Range, _ ledger.Row) (bool, error) { return r.File != "b", nil },
			[]int{1},
		},
		{"a shard is missing", func(t *testing.T, dir string, _ []string) {
			remove(t, dir, shardName("c", holdings.KindCaptures, holdings.ExtCDXJ))
		}, nil, []int{2}},
		{"a row is missing", func(t *testing.T, dir string, keys []string) {
			remove(t, dir, holdings.HiddenDir,
				ledger.RowFile(keys[0]))
		}, nil, []int{0}},
		{"a row is no JSON", func(t *testing.T, dir string, keys []string) {
			write(t, filepath.Join(dir, holdings.HiddenDir, ledger.RowFile(keys[0])), "{")
		}, nil, []int{0}},
		{"a row is another unit's", func(t *testing.T, dir string, keys []string) {
			tamper(t, filepath.Join(dir, holdings.HiddenDir, ledger.RowFile(keys[1])), keys[1], keys[0])
		}, nil, []int{1}},
		{"a row names another unit's shard", func(t *testing.T, dir string, keys []string) {
			name := shardName("b", holdings.KindCaptures, holdings.ExtCDXJ)
			tamper(t, filepath.Join(dir, holdings.HiddenDir, ledger.RowFile(keys[1])), name,
				shardName("c", holdings.KindCaptures, holdings.ExtCDXJ))
		}, nil, []int{1}},
		{"a row names a path", func(t *testing.T, dir string, keys []string) {
			name := shardName("b", holdings.KindCaptures, holdings.ExtCDXJ)
			tamper(t, filepath.Join(dir, holdings.HiddenDir, ledger.RowFile(keys[1])), name, "../"+name)
		}, nil, []int{1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			run(t, dir, "a", "b", "c")
			units, keys := unitsOf("a", "b", "c")
			tt.change(t, dir, keys)
			c := open(t, dir, OpenOptions{})
			todo, done, err := c.Resume(units, keys, tt.fresh)
			if err != nil {
				t.Fatal(err)
			}
			var ids []int
			for _, u := range todo {
				ids = append(ids, u.ID)
			}
			if !slices.Equal(ids, tt.want) || len(done) != 3-len(tt.want) {
				t.Errorf("to do are %v and done %d, want %v", ids, len(done), tt.want)
			}
			if _, err := holdings.ReadManifest(local(dir)); err != nil {
				t.Errorf("the manifest of a finished run went away: %v", err)
			}
			unfinished, err := ledger.Unfinished(local(dir))
			if err != nil || unfinished != (tt.want != nil) {
				t.Errorf("unfinished: %v, %v, while %v are to be done", unfinished, err, tt.want)
			}
			shut(t, c)
			run(t, dir, "a", "b", "c")
			same(t, dir, "a", "b", "c")
		})
	}
}

func remove(t *testing.T, elements ...string) {
	t.Helper()
	if err := os.Remove(filepath.Join(elements...)); err != nil {
		t.Fatal(err)
	}
}

func TestResume_changedShard(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string // of the second plan
		text  string
	}{
		{"of a unit that is planned", []string{"a", "b"}, "shorter"},
		{"of a unit that is no longer planned", []string{"a", "c"}, "shorter"},
		{"of a unit with another number", []string{"b", "a"}, "shorter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			run(t, dir, "a", "b")
			name := shardName("b", holdings.KindDocuments, ".jsonl.zst")
			write(t, filepath.Join(dir, name), tt.text)
			remove(t, dir, shardName("b", holdings.KindRejects, ".jsonl.zst"))
			before := shelftest.Contents(t, dir)
			c := open(t, dir, OpenOptions{})
			units, keys := unitsOf(tt.files...)
			_, _, err := c.Resume(units, keys, nil)
			if !errors.Is(err, holdings.ErrChanged) || !strings.Contains(err.Error(), name) ||
				!strings.Contains(err.Error(), "--fresh") {
				t.Errorf("Resume = %v, want %v with the file and what helps", err, holdings.ErrChanged)
			}
			if after := shelftest.Contents(t, dir); !maps.Equal(after, before) {
				t.Errorf("files are %q, want nothing touched", slices.Sorted(maps.Keys(after)))
			}
		})
	}
}

func TestResume_sameLengthChangedShard(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "a")
	path := filepath.Join(dir, shardName("a", holdings.KindCaptures, holdings.ExtCDXJ))
	data := shelftest.Contents(t, dir)[filepath.Base(path)]
	write(t, path, data[:len(data)-1]+string(data[len(data)-1]^1))
	units, keys := unitsOf("a")
	if _, _, err := open(t, dir, OpenOptions{}).Resume(units, keys, nil); !errors.Is(err, holdings.ErrChanged) {
		t.Errorf("Resume = %v, want %v", err, holdings.ErrChanged)
	}
}

func TestResume_freshFails(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "a")
	units, keys := unitsOf("a")
	broken := errors.New("permission denied")
	_, _, err := open(t, dir, OpenOptions{}).Resume(units, keys, func(schemas.Range, ledger.Row) (bool, error) {
		return false,
			broken
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "a: ") {
		t.Errorf("Resume = %v, want %v with the input's name", err, broken)
	}
}

func TestResume_refusesBadPlans(t *testing.T) {
	c := open(t, t.TempDir(), OpenOptions{})
	units, keys := unitsOf("a", "b")
	swapped := []schemas.Unit{units[1], units[0]}
	for _, tt := range []struct {
		name  string
		units []schemas.Unit
		keys  []string
	}{
		{"a key too few", units, keys[:1]},
		{"IDs out of order", swapped, keys},
		{"no key", units, []string{keys[0], ""}},
		{"one key twice", units, []string{keys[0], keys[0]}},
	} {
		if _, _, err := c.Resume(tt.units, tt.keys, nil); err == nil {
			t.Errorf("Resume took a plan with %s", tt.name)
		}
	}
}

// TestResume_otherPlans: units that stay keep their shards, whichever others come and go, and a run ends as a clean
// one.
func TestResume_otherPlans(t *testing.T) {
	for _, tt := range []struct {
		name          string
		first, second []string
		did           []string
	}{
		{"swapped", []string{"a", "b"}, []string{"b", "a"}, nil},
		{"rotated", []string{"a", "b", "c"}, []string{"b", "c", "a"}, nil},
		{"one more in front", []string{"a", "b"}, []string{"c", "a", "b"}, []string{"c"}},
		{"one more behind", []string{"a", "b"}, []string{"a", "b", "c"}, []string{"c"}},
		{"one less", []string{"a", "b", "c"}, []string{"c", "a"}, nil},
		{"one replaced", []string{"a", "b"}, []string{"a", "c"}, []string{"c"}},
		{"one replaced, the other in its place", []string{"a", "b"}, []string{"b", "c"}, []string{"c"}},
		{"all replaced", []string{"a", "b"}, []string{"c"}, []string{"c"}},
		{"none left", []string{"a", "b"}, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			run(t, dir, tt.first...)
			_, did := run(t, dir, tt.second...)
			if !slices.Equal(did, tt.did) {
				t.Errorf("did %q, want %q", did, tt.did)
			}
			same(t, dir, tt.second...)
		})
	}
}

// TestResume_killedWhileCommitting lets the n-th rename of a commit fail, so that some shards have their names and
// there is no row. It continues with the same plan and with another, in which the names mean nothing.
func TestResume_killedWhileCommitting(t *testing.T) {
	for n := range 5 {
		for _, next := range [][]string{{"a", "b"}, {"a"}, {"a", "c", "b"}} {
			t.Run(fmt.Sprintf("%d then %v", n, next), func(t *testing.T) {
				dir := t.TempDir()
				c := open(t, dir, OpenOptions{})
				units, keys := unitsOf("a", "b")
				if _, _, err := c.Resume(units, keys, nil); err != nil {
					t.Fatal(err)
				}
				do(t, dir, units[0], keys[0], both)
				failCommit(t, dir, units[1], keys[1], n)
				shut(t, c)
				run(t, dir, next...)
				same(t, dir, next...)
			})
		}
	}
}

// failCommit commits a unit whose n-th name is taken by a folder; the last one is that of the row.
func failCommit(t *testing.T, dir string, u schemas.Unit, key string, n int) {
	t.Helper()
	w, err := shard.NewWriter(local(dir), u, key, both)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, w, u)
	taken := filepath.Join(dir, holdings.HiddenDir, ledger.RowFile(key))
	elsewhere := t.TempDir()
	open(t, elsewhere, OpenOptions{})
	if shards := do(t, elsewhere, u, key, both).Shards; n < len(shards) {
		taken = filepath.Join(dir, shards[n].Name)
	}
	write(t, filepath.Join(taken, "in the way"), "")
	if _, err := w.Commit(oneOfEach, ledger.Note{}); err == nil {
		t.Fatal("Commit succeeded")
	}
	if err := os.RemoveAll(taken); err != nil {
		t.Fatal(err)
	}
}

func TestOpen_sweeps(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "a")
	_, keys := unitsOf("a")
	strays := []string{
		ledger.TempName(shardName("x", holdings.KindDocuments, ".jsonl.zst"), folder.Unique()),
		ledger.TempName(holdings.ManifestFile, folder.Unique()),
		filepath.Join(holdings.HiddenDir, "."+ledger.RowFile(keys[0])+".tmp-"+folder.Unique()),
		filepath.Join(holdings.HiddenDir, ledger.RowFile(keys[0])+".pending-"+folder.Unique()),
		filepath.Join(holdings.HiddenDir, "spill-"+folder.Unique(), "run-1"),
	}
	theirs := []string{
		".notes.tmp-1", ".notes.txt.tmp-" + folder.Unique(), "." + shardName("x", holdings.KindDocuments, ".jsonl.zst") +
			".swp",
		filepath.Join(holdings.HiddenDir, keys[0]), filepath.Join(holdings.HiddenDir, "notes.txt"),
		filepath.Join(holdings.HiddenDir, "spill-notes"),
	}
	for _, name := range append(strays, theirs...) {
		write(t, filepath.Join(dir, name), "{}")
	}
	open(t, dir, OpenOptions{})
	for _, name := range strays {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range theirs {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s was removed and is not ours", name)
		}
	}
	if _, err := holdings.ReadManifest(local(dir)); err != nil {
		t.Error(err)
	}
}

func TestFinish_checksResults(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir, OpenOptions{})
	units, keys := unitsOf("a", "b")
	a, b := do(t, dir, units[0], keys[0], both), do(t, dir, units[1], keys[1], both)
	other := b
	other.Shards = slices.Clone(b.Shards)
	other.Shards[0].SHA256 = strings.Repeat("0", 64)
	absent, short, odd := other, other, other
	absent.Shards = []schemas.Shard{{Name: shardName("b", holdings.KindDocuments, ".jsonl")}}
	short.Shards = []schemas.Shard{{Name: b.Shards[0].Name, Bytes: b.Shards[0].Bytes + 1}}
	odd.Shards = []schemas.Shard{{Name: "../x"}}
	beyond, twin := b, a
	twin.ID = 1
	beyond.ID = 2
	for _, tt := range []struct {
		name    string
		results []schemas.UnitResult
		want    error
		text    string
	}{
		{"one missing", []schemas.UnitResult{b, b}, ErrIncomplete, "unit 0 of 2"},
		{"two that differ", []schemas.UnitResult{a, b, other}, ledger.ErrDiffers, "unit 1"},
		{
			"a shard that is not there",
			[]schemas.UnitResult{a, absent},
			ErrIncomplete,
			shardName("b", holdings.KindDocuments, ".jsonl"),
		},
		{"a shard of another size", []schemas.UnitResult{a, short}, ErrIncomplete, b.Shards[0].Name},
		{"a shard that is a path", []schemas.UnitResult{a, odd}, nil, "../x"},
		{"a unit with the shards of another", []schemas.UnitResult{a, twin}, nil, "another unit"},
		{"a unit that is not planned", []schemas.UnitResult{a, b, beyond}, nil, "unit 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := c.Finish(tt.results, Run{Units: 2})
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("Finish = %v, want %v with %q", err, tt.want, tt.text)
			}
			if _, err := holdings.ReadManifest(local(dir)); err == nil {
				t.Error("there is a manifest all the same")
			}
		})
	}
	first, err := c.Finish([]schemas.UnitResult{b, a, b}, Run{Units: 2})
	if err != nil || first.Totals.Documents != 2 {
		t.Errorf("Finish with a repeated unit = %+v, %v, want it counted once", first.Totals, err)
	}
}

// TestRun_killed kills a process that runs again and again, wherever it is, until it gets through.
func TestRun_killed(t *testing.T) {
	if dir := os.Getenv("COLLECTION_TEST_DIR"); dir != "" {
		run(t, dir, files[:]...)
		return
	}
	if testing.Short() {
		t.Skip("kills processes for seconds")
	}
	dir := t.TempDir()
	kills, step := 0, 7*time.Millisecond
	if raced {
		step *= 6 // as a run takes longer, so that it is killed as often
	}
	for delay := 5 * time.Millisecond; ; delay += step {
		ctx, cancel := context.WithTimeout(t.Context(), delay) // at its end, the process is killed
		c := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestRun_killed$")
		c.Env = append(os.Environ(), "COLLECTION_TEST_DIR="+dir)
		out, err := c.CombinedOutput()
		cancel()
		if c.ProcessState == nil {
			continue // its time was up before it began
		}
		if c.ProcessState.Success() {
			break // also if its time was up just then, which is an error
		}
		if c.ProcessState.Exited() {
			t.Fatalf("after %d kills: %v\n%s", kills, err, out)
		}
		kills++
	}
	t.Logf("killed %d times", kills)
	same(t, dir, files[:]...)
}

var files = [...]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}

// TestResume_anotherPlanAndBack leaves a plan half done, and then returns to the one before.
func TestResume_anotherPlanAndBack(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "a", "b")
	c := open(t, dir, OpenOptions{})
	units, keys := unitsOf("c", "d")
	if _, _, err := c.Resume(units, keys, nil); err != nil {
		t.Fatal(err)
	}
	do(t, dir, units[0], keys[0], both)
	shut(t, c)
	run(t, dir, "a", "b")
	same(t, dir, "a", "b")
}

// TestResume_refusesUnitsThatAreNamedAlike: no two units, of a plan or of the folder, may have shards of the same
// names.
func TestResume_refusesUnitsThatAreNamedAlike(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "a")
	units, keys := unitsOf("a", "b")
	alike := func(key string) string {
		return key[:holdings.NameDigits] + strings.Repeat("0", len(key)-holdings.NameDigits)
	}
	c := open(t, dir, OpenOptions{})
	for _, plan := range [][]string{{keys[1], alike(keys[1])}, {keys[1], alike(keys[0])}} {
		if _, _, err := c.Resume(units, plan, nil); err == nil || !strings.Contains(err.Error(), "two units") {
			t.Errorf("Resume of units that are named alike = %v, want an error", err)
		}
	}
}
