package collection

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestMerge_exitCodes: only a folder without a collection is a mistake of the command line. A missing shard is damage.
func TestMerge_exitCodes(t *testing.T) {
	root := t.TempDir()
	from := filepath.Join(root, "from")
	must(t, "ingest", "--output="+from, month(t, root, 0))
	at := "--collection=" + filepath.Join(root, "all")
	for _, name := range []string{root, filepath.Join(root, "none")} {
		if code, text := command(t, "collection", "merge", at, name); code != cli.ExitUsage {
			t.Errorf("merge %s: exit code %d, %s", name, code, text)
		}
		if code, text := command(t, "collection", "adopt", at, filepath.Join(root, "none")); code != cli.ExitUsage {
			t.Errorf("adopt of nothing: exit code %d, %s", code, text)
		}
	}
	shards, err := filepath.Glob(filepath.Join(from, "documents-*"))
	if err != nil || len(shards) == 0 {
		t.Fatal(shards, err)
	}
	if err := os.Remove(shards[0]); err != nil {
		t.Fatal(err)
	}
	if code, text := command(t, "collection", "merge", at, from); code != cli.ExitFailed {
		t.Errorf("a missing shard: exit code %d, %s", code, text)
	}
}
