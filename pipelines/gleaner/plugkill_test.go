package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// counting is a plug that counts words. It takes some time for each document, so that kills hit it at work.
const counting = `
import json, sys, time
declaration = {"name": "words", "version": "1", "columns": {"words": "integer"}}
if len(sys.argv) > 2:
    declaration["batch"] = int(sys.argv[2])
if sys.argv[3:] == ["arrow"]:
    import pyarrow as pa
    declaration["exchange"] = "arrow"
print(json.dumps(declaration), flush=True)
if "exchange" in declaration:
    schema = pa.schema({"row": pa.int64(), "words": pa.int64()})
    with pa.ipc.new_stream(sys.stdout.buffer, schema) as out:
        for batch in pa.ipc.open_stream(sys.stdin.buffer):
            time.sleep(float(sys.argv[1]))
            words = [len((text or "").split()) for text in batch["text"].to_pylist()]
            out.write_batch(pa.record_batch([batch["row"], pa.array(words)], schema=schema))
            sys.stdout.flush()
    sys.exit()
for line in sys.stdin:
    time.sleep(float(sys.argv[1]))
    documents = json.loads(line)
    values = [{"words": len(d.get("text", "").split())} for d in (documents if "batch" in declaration else [documents])]
    print(json.dumps(values if "batch" in declaration else values[0]), flush=True)
`

// TestPlug_kills: ingest with a plug makes the same bytes with 1, 2 and 4 workers, without batches, with them, and in
// Arrow. So it does after kills of the whole command at any moment. GLEANER_SLOW=1 kills it 20 times.
func TestPlug_kills(t *testing.T) {
	t.Parallel()
	kills := 3
	if os.Getenv("GLEANER_SLOW") != "" {
		kills = 20
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "words.py")
	if err := os.WriteFile(script, []byte(counting), 0o644); err != nil {
		t.Fatal(err)
	}
	python := pythontest.Interpreter(t, "import pyarrow", "pyarrow==26.0.1")
	// The command and the size of batches are part of no key, so they change no byte.
	args := func(folder string, workers int, sleep string) []string {
		return []string{
			"ingest", "--output=" + filepath.Join(dir, folder), fmt.Sprint("--workers=", workers),
			"--extract=mime,text,language",
			"--plug=" + python + " " + script + " " + sleep, "--unit_size=64KiB", "testdata/archives",
		}
	}
	must := func(args []string) {
		t.Helper()
		if code, _, errs := gleaner(t, args...); code != 0 && code != 3 { // an archive is damaged
			t.Fatalf("exit code %d: %s", code, errs)
		}
	}
	must(args("clean", 1, "0"))
	want := shelftest.Contents(t, filepath.Join(dir, "clean"))
	if !strings.Contains(fmt.Sprint(want), "words") {
		t.Fatal("no document has words")
	}
	killed := 0
	for i := 0; killed < kills && i < 10*kills; i++ {
		// Loading pyarrow takes some time as well.
		late, sleep := []int{0, 0, 500}[i%3], []string{"0.05", "0.3 7", "0.3 7 arrow"}[i%3]
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(100+late+67*i%900)*time.Millisecond)
		cmd := exec.CommandContext(ctx, os.Args[0], args("killed", 1+i%4, sleep)...)
		cmd.Env, cmd.Dir = append(os.Environ(), asCommand+"=1"), "../.."
		_ = cmd.Run() // killed, or done before
		if cancel(); cmd.ProcessState.ExitCode() == -1 {
			killed++
			continue
		}
		// It was done: the next kills begin with an empty folder.
		shelftest.SameFiles(t, shelftest.Contents(t, filepath.Join(dir, "killed")), want)
		if err := os.RemoveAll(filepath.Join(dir, "killed")); err != nil {
			t.Fatal(err)
		}
	}
	if killed < kills {
		t.Errorf("only %d runs were killed", killed)
	}
	for _, tt := range []struct {
		folder  string
		workers int
		sleep   string
	}{
		{"killed", 2, "0 16"},
		{"two", 2, "0"},
		{"four", 4, "0"},
		{"batches", 4, "0 64"},
		{"arrow", 1, "0 16 arrow"},
		{"arrow-2", 2, "0 16 arrow"},
		{"arrow-4", 4, "0 16 arrow"},
	} {
		must(args(tt.folder, tt.workers, tt.sleep))
		shelftest.SameFiles(t, shelftest.Contents(t, filepath.Join(dir, tt.folder)), want)
	}
}
