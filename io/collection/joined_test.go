package collection

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/schemas"
)

// parts is a plan of units. The first unit notes a segment each time that it is done.
type parts struct {
	dir   string
	units []schemas.Unit
	keys  []string
	o     shard.Options
}

// resume does the remaining units. It returns their number, and whether records had to be joined.
func (p parts) resume(t *testing.T) (m schemas.Manifest, did int, joined bool) {
	t.Helper()
	c := open(t, p.dir, OpenOptions{})
	defer shut(t, c)
	todo, done, err := c.Resume(p.units, p.keys, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range todo {
		done = append(done, p.do(t, u, p.keys[u.ID]))
	}
	total := len(p.units)
	if joined = ledger.NeedsJoin(done, total); joined {
		if _, err := c.Finish(done, Run{Units: total}); !errors.Is(err, ErrIncomplete) {
			t.Errorf("Finish without the joined unit = %v, want %v", err, ErrIncomplete)
		}
		done = append(done, p.do(t, ledger.Joined(total), ledger.JoinedKey(p.keys)))
	}
	m, err = c.Finish(append(done, done...), Run{Units: total})
	if err != nil {
		t.Fatal(err)
	}
	return m, len(todo), joined
}

func (p parts) do(t *testing.T, u schemas.Unit, key string) schemas.UnitResult {
	t.Helper()
	w, err := shard.NewWriter(local(p.dir), u, key, p.o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if u.ID == 0 {
		w.Segment(schemas.Segment{OriginID: "urn:a", Number: 1})
	}
	r, err := w.Commit(schemas.Counts{Documents: 1}, ledger.Note{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// joinedShard is the name of a shard of the joined records of units with these keys.
func joinedShard(keys []string, kind string) string {
	return holdings.FileType{Kind: kind, Ext: ".jsonl.zst"}.Name(ledger.UnitOfKey(ledger.JoinedKey(keys))).String()
}

func TestResume_joinedUnit(t *testing.T) {
	dir := t.TempDir()
	units, keys := unitsOf("a", "b")
	p := parts{dir: dir, units: units, keys: keys}
	m, did, joined := p.resume(t)
	if did != 2 || !joined || len(m.Units) != 3 || m.Units[2].ID != 2 || m.Totals.Documents != 3 {
		t.Errorf("first run: %d units, joined %v, %+v", did, joined, m)
	}
	if m.Units[0].Segments != nil || m.Units[2].Shards[0].Name != joinedShard(keys, holdings.KindDocuments) {
		t.Errorf("segments %v, shards %v", m.Units[0].Segments, m.Units[2].Shards)
	}
	again, did, joined := p.resume(t)
	if did != 0 || joined || !cmp.Equal(again, m) {
		t.Errorf("second run: %d units, joined %v, %+v; want none and the same", did, joined, again)
	}
	if err := os.Remove(filepath.Join(dir, joinedShard(keys, holdings.KindDocuments))); err != nil {
		t.Fatal(err)
	}
	if _, did, joined = p.resume(t); did != 0 || !joined {
		t.Errorf("a shard of the joined unit was removed: %d units, joined %v; want 0, true", did, joined)
	}
	if err := os.Remove(filepath.Join(dir, shardName("b", holdings.KindDocuments, ".jsonl.zst"))); err != nil {
		t.Fatal(err)
	}
	if _, did, joined = p.resume(t); did != 1 || !joined {
		t.Errorf("a shard of a unit was removed: %d units, joined %v; want 1, true", did, joined)
	}
}

// TestResume_joinedUnitOfAnotherPlan: with other units the records are joined again, and without segments no file of
// theirs stays.
func TestResume_joinedUnitOfAnotherPlan(t *testing.T) {
	dir := t.TempDir()
	units, keys := unitsOf("a", "b", "c")
	parts{dir: dir, units: units[:2], keys: keys[:2]}.resume(t)
	if _, did, joined := (parts{dir: dir, units: units, keys: keys}).resume(t); did != 1 || !joined {
		t.Errorf("with a further unit: %d units, joined %v; want 1, true", did, joined)
	}
	if _, did, joined := (parts{dir: dir, units: units[:2], keys: keys[:2]}).resume(t); did != 0 || !joined {
		t.Errorf("with a unit less: %d units, joined %v; want 0, true", did, joined)
	}
	run(t, dir, "b")
	if left := shelftest.Contents(t, dir); len(left) != 3+2 {
		t.Errorf("left are %q, want the shards of one unit, the index and the manifest", slices.Sorted(maps.Keys(left)))
	}
}

func TestResume_joinedUnitChanged(t *testing.T) {
	dir := t.TempDir()
	units, keys := unitsOf("a")
	p := parts{dir: dir, units: units, keys: keys}
	p.resume(t)
	if err := os.WriteFile(filepath.Join(dir, joinedShard(keys, holdings.KindRejects)), []byte("mine"),
		0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := open(t, dir, OpenOptions{}).Resume(units, keys, nil); !errors.Is(err, holdings.ErrChanged) {
		t.Errorf("Resume = %v, want %v", err, holdings.ErrChanged)
	}
}

func TestOpen_freshRemovesTheJoinedUnit(t *testing.T) {
	dir := t.TempDir()
	units, keys := unitsOf("a")
	parts{dir: dir, units: units, keys: keys}.resume(t)
	open(t, dir, OpenOptions{Fresh: true})
	if files := shelftest.Contents(t, dir); len(files) > 0 {
		t.Errorf("files are left: %v", files)
	}
}

func TestWriter_segmentsAreBounded(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, OpenOptions{})
	units, keys := unitsOf("a")
	w, err := shard.NewWriter(local(dir), units[0], keys[0], shard.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for range ledger.MaxSegments {
		if !w.Segment(schemas.Segment{}) {
			t.Fatal("a segment was refused before the limit")
		}
	}
	if w.Segment(schemas.Segment{}) {
		t.Error("a segment beyond the limit was taken")
	}
	r, err := w.Commit(schemas.Counts{}, ledger.Note{})
	if err != nil || len(r.Segments) != ledger.MaxSegments {
		t.Errorf("Commit: %d segments, %v", len(r.Segments), err)
	}
}
