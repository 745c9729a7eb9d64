package sources

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// TestSources_superseded: a runner that continues an earlier run's job does not change the Source DB of a later run.
// Otherwise it would drop the later additions.
func TestSources_superseded(t *testing.T) {
	run.Init()
	one, two := crawl(t, 0), crawl(t, 1)
	out := filepath.Join(t.TempDir(), "sources")
	// The command of the first run has died. Its lock is gone, but its workers still run.
	db, err := sourcedb.Open(folder.Open(t.Context(), out, nil))
	if err != nil {
		t.Fatal(err)
	}
	first := Options{Output: out, Memory: 1 << 20}
	if first.Generation, err = db.Begin(nil); err != nil {
		t.Fatal(err)
	}
	db.Leave()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "--output="+out, one)
	want := contents(t, out)
	store := blob.New(blob.Options{})
	defer func() { _ = store.Close() }() // it is only read
	tasks, err := plan(t.Context(), store, []string{two})
	if err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	if err := Build(s, first, tasks); err != nil {
		t.Fatal(err)
	}
	_, err = run.Pipeline(t.Context(), p, run.DefaultRunner)
	if err == nil || !strings.Contains(err.Error(), claim.ErrSuperseded.Error()) {
		t.Errorf("the first job ends by %v, want %v", err, claim.ErrSuperseded)
	}
	same(t, "after the first job's end", contents(t, out), want)
}
