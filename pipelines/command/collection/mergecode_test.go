package collection

import (
	"os"
	"path/filepath"
	"strings"
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

// TestAdopt_times: adopt says how many timestamps it could not read, and searches find the others.
func TestAdopt_times(t *testing.T) {
	from, to := t.TempDir(), "--collection="+t.TempDir()
	const lines = `{"url":"http://a.example/1","timestamp":"2026-03-04T10:30:00"}
{"url":"http://a.example/2","timestamp":"20260304103000"}
{"url":"http://a.example/3","timestamp":"last Tuesday"}
`
	if err := os.WriteFile(filepath.Join(from, "documents-1.jsonl"), []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	code, text := command(t, "collection", "adopt", to, from)
	if code != cli.ExitDone || !strings.Contains(text, `1 document: the timestamp of the first is "last Tuesday"`) {
		t.Errorf("exit code %d, %s", code, text)
	}
	_, text = command(t, "query", to, "--from=2026-03", "--to=2026-03", "--format=count")
	if !strings.HasPrefix(text, "2\n") {
		t.Errorf("%s captures of March, want 2", text)
	}
}

// TestAdopt_refused: a file that cannot be read ends with exit code 1, after the others, also in the index.
func TestAdopt_refused(t *testing.T) {
	from, to := t.TempDir(), "--collection="+t.TempDir()
	for name, text := range map[string]string{
		"documents-1.jsonl": "{\n", "documents-2.jsonl": `{"url":"http://a.example/2"}` + "\n",
		"documents-3.jsonl": `{"url":"http://a.example/3"}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code, text := command(t, "collection", "adopt", to, from)
	if code != cli.ExitFailed || !strings.Contains(text, "not "+filepath.Join(from, "documents-1.jsonl")) {
		t.Errorf("exit code %d, %s", code, text)
	}
	must(t, "collection", "check", to)
	if _, text = command(t, "query", to, "--format=count"); !strings.HasPrefix(text, "2\n") {
		t.Errorf("%s captures, want 2", text)
	}
}
