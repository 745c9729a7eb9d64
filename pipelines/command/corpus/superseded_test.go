package corpus

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// TestCorpus_superseded: a runner that continues an earlier run's job does not change the corpus of a later run.
func TestCorpus_superseded(t *testing.T) {
	run.Init()
	in, out := ingested(t), filepath.Join(t.TempDir(), "corpus")
	// The command of the first run has died. Its lock is gone, but its workers still run.
	first := Options{Output: out, Sources: []string{in}, Memory: 1 << 20}
	first.Corpus = corpora.Options{Formats: []string{corpora.JSONL}, Shard: 1 << 20}
	lock, err := corpora.Marker.Claim(folder.Open(t.Context(), out, nil))
	if err == nil {
		err = lock.Begin(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	first.Generation = lock.Generation()
	lock.Leave()
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "--filters=none", "--format=jsonl,parquet", "--output="+out, in)
	want := contents(t, out)
	store := blob.New(blob.Options{})
	units, err := (&config{options: Options{Sources: first.Sources}}).plan(t.Context(), store)
	if err = errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	if err := Build(s, first, units); err != nil {
		t.Fatal(err)
	}
	_, err = run.Pipeline(t.Context(), p, run.DefaultRunner)
	if err == nil || !strings.Contains(err.Error(), claim.ErrSuperseded.Error()) {
		t.Errorf("the first job ends by %v, want %v", err, claim.ErrSuperseded)
	}
	same(t, "after the first job's end", contents(t, out), want)
}
