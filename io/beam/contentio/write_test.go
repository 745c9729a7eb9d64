package contentio

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// answer writes the answer to a question as a collection.
func answer(t *testing.T, runner, from, to, filter string) error {
	t.Helper()
	where, err := query.Parse(filter)
	if err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	Write(s, WriteOptions{Dir: to, Shards: 3}, Query(s, from, query.Query{Where: where, AllVersions: true}))
	_, err = beam.Run(t.Context(), runner, p)
	return err
}

// TestWrite writes an answer as a collection of its own. It has the same documents, and the same bytes on both runners
// and when it is written again. It is checked as other collections are, and replaces only an answer.
func TestWrite(t *testing.T) {
	from, root := fill(t), t.TempDir()
	const french = "language = fr"
	where, err := query.Parse(french)
	if err != nil {
		t.Fatal(err)
	}
	want := embedded(t, from, query.Query{Where: where, AllVersions: true}, nil)
	var before map[string]string
	for _, runner := range []string{"direct", "prism", "direct"} {
		to := filepath.Join(root, runner)
		if err := answer(t, runner, from, to, french); err != nil {
			t.Fatal(err)
		}
		got := embedded(t, to, query.Query{AllVersions: true}, nil)
		if slices.Sort(got); !slices.Equal(got, sorted(want)) || len(got) == 0 {
			t.Errorf("%s: %d documents, want %d", runner, len(got), len(want))
		}
		if before != nil {
			shelftest.SameFiles(t, shelftest.Contents(t, to), before)
		}
		before = shelftest.Contents(t, to)
		problems, err := care.Verify(t.Context(), folder.Open(t.Context(), to, nil))
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %v, %v", runner, problems, err)
		}
	}
	to := filepath.Join(root, "direct")
	if err := answer(t, "direct", from, to, "language = nothing"); err != nil {
		t.Fatal(err)
	}
	if left := shelftest.Contents(t, to); len(left) != 1 || left[holdings.ManifestFile] == "" {
		t.Errorf("of an empty answer %d files are there, want the manifest", len(left))
	}
	if err := answer(t, "direct", to, from, french); err == nil || !strings.Contains(err.Error(), "has not made") {
		t.Errorf("in place of what ingest made: %v", err)
	}
	if err := os.WriteFile(filepath.Join(root, "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := answer(t, "direct", from, root, french); err == nil {
		t.Error("in a folder that has something else")
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }
