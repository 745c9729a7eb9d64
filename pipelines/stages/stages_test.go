package stages

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/gleaner-web/gleaner/io/beam/captureio"
	"github.com/gleaner-web/gleaner/io/beam/contentio"
	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

func TestMain(m *testing.M) {
	docsandbox.Main()
	ptest.Main(m)
}

// TestGraph_ofOnesOwn runs the graph in the package documentation on two runners, and compares the bytes.
func TestGraph_ofOnesOwn(t *testing.T) {
	var want map[string][]byte
	for _, runner := range []string{"direct", "prism"} {
		out := t.TempDir()
		p, s := beam.NewPipelineWithRoot()
		captures, _ := captureio.Read(s, captureio.Options{UnitSize: 1 << 20}, "../../testdata/archives")
		documents := Enrich(s, enrich.Options{}, captures)
		contentio.Write(s, contentio.WriteOptions{Dir: out, Shards: 3, Formats: []string{holdings.FormatJSONL}}, documents)
		if _, err := run.Pipeline(t.Context(), p, runner); err != nil {
			t.Fatalf("%s: %v", runner, err)
		}
		got := shards(t, out)
		if want == nil {
			want = got
			if n := countDocuments(t, got); n < 100 {
				t.Errorf("%d documents; want at least 100", n)
			}
		}
		for name := range want {
			if !bytes.Equal(got[name], want[name]) {
				t.Errorf("%s: %s differs from what the direct runner wrote", runner, name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d shards, want %d", runner, len(got), len(want))
		}
	}
}

// TestTeardown_afterFailedSetup: a panic in Teardown must not hide an error in Setup.
func TestTeardown_afterFailedSetup(t *testing.T) {
	f := &enrichFn{Options: enrich.Options{Extract: []string{"no such extractor"}}}
	if err := f.Setup(); err == nil {
		t.Error("no error for an extractor that there is not")
	}
	f.Teardown()
	new(enrichFn).Teardown()
}

func shards(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "documents-*.jsonl.zst"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d shards in %s, %v", len(names), dir, err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = b
	}
	return files
}

func countDocuments(t *testing.T, files map[string][]byte) (n int) {
	t.Helper()
	for name, b := range files {
		r, err := jsonl.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, err := range r.All() {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			n++
		}
	}
	return n
}
