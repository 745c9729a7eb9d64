package collection

import (
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestTakedown_mixedFolders: a table covers the Parquet shards of a collection. If units without Parquet are added
// later, tasks still work: takedowns apply everywhere, and check passes.
func TestTakedown_mixedFolders(t *testing.T) {
	for _, tt := range []struct {
		name  string
		first string // format of the first run
		then  func(t *testing.T, root, out string)
	}{
		{"added in JSON lines", "parquet", func(t *testing.T, root, out string) {
			must(t, "ingest", "--output="+out, "--format=jsonl", "--unit_size=64KiB", "--add", month(t, root, 3))
		}},
		{"merged in JSON lines", "parquet", func(t *testing.T, root, out string) {
			other := filepath.Join(root, "other")
			must(t, "ingest", "--output="+other, "--format=jsonl", "--unit_size=64KiB", month(t, root, 3))
			must(t, "collection", "merge", "--collection="+out, other)
		}},
		{"merged in content and texts", "parquet", func(t *testing.T, root, out string) {
			other := filepath.Join(root, "other")
			must(t, "ingest", "--output="+other, "--format=content,wet", "--unit_size=64KiB", month(t, root, 3))
			must(t, "collection", "merge", "--collection="+out, other)
		}},
		{"both, and lines added", "parquet,jsonl", func(t *testing.T, root, out string) {
			must(t, "ingest", "--output="+out, "--format=jsonl", "--unit_size=64KiB", "--add", month(t, root, 3))
		}},
		{"compacted, then merged in JSON lines", "parquet", func(t *testing.T, root, out string) {
			must(t, "collection", "compact", "--collection="+out)
			other := filepath.Join(root, "other")
			must(t, "ingest", "--output="+other, "--format=jsonl", "--unit_size=64KiB", month(t, root, 3))
			must(t, "collection", "merge", "--collection="+out, other)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			out := filepath.Join(root, "out")
			must(t, "ingest", "--output="+out, "--format="+tt.first, "--unit_size=64KiB", month(t, root, 0), month(t, root, 1))
			must(t, "collection", "lake", "--collection="+out)
			tt.then(t, root, out)
			for _, task := range [][]string{
				{"lake"}, {"check"}, {"takedown", secretHost, secretURL}, {"check"}, {"lake"}, {"check"}, {"expire"},
			} {
				if code, text := command(t, "collection", append(task, "--collection="+out)...); code != cli.ExitDone {
					t.Errorf("%v: exit code %d\n%s", task, code, text)
				}
				if task[0] != "takedown" {
					continue
				}
				for _, text := range []string{marker, hostMarker, secretHost} {
					if list := found(t, out, text); len(list) > 0 {
						t.Errorf("%s is in %v", text, list)
					}
				}
			}
		})
	}
}
