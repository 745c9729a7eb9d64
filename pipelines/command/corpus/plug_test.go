package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// wordsPlug counts words, and fails on some documents.
const wordsPlug = `
import json, sys
print(json.dumps({"name": "words", "version": "1", "columns": {"words": "integer"}, "reads": ["text", "title"]}), flush=True)
for line in sys.stdin:
    document = json.loads(line)
    n = len(document.get("text", "").split())
    print(json.dumps({"error": "odd"} if n % 7 == 3 else {"words": n}), flush=True)
`

// batchedPlug is wordsPlug with batches.
const batchedPlug = `
import json, sys
print(json.dumps({"name": "words", "version": "1", "columns": {"words": "integer"}, "reads": ["text", "title"],
    "batch": 5}), flush=True)
for line in sys.stdin:
    counts = [len(d.get("text", "").split()) for d in json.loads(line)]
    print(json.dumps([{"error": "odd"} if n % 7 == 3 else {"words": n} for n in counts]), flush=True)
`

// rowsFile has the rows of a corpus as JSON lines.
const rowsFile = "/data/train-00000-of-00001.jsonl.zst"

// TestPlug: a plug's values decide, and are a column of the corpus. Its failures are refused and counted. Neither the
// number of workers nor a recipe in place of flags changes a byte of the texts.
func TestPlug(t *testing.T) {
	in, dir := ingested(t), t.TempDir()
	script, recipe := filepath.Join(dir, "words.py"), filepath.Join(dir, "recipe.yml")
	python := pythontest.Interpreter(t, "import json", "")
	command := python + " " + script
	for name, text := range map[string]string{
		script: wordsPlug, recipe: "- plug: {command: '" + command + "'}\n- where: {filter: 'custom.words > 20'}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	base := []string{"--columns=custom.words,quality.words", "--format=jsonl", "--keep_refused", in}
	flags := append(base, "--plug="+command, "--where=custom.words > 20", "--filters=none")
	out := filepath.Join(dir, "1")
	said := mustRun(t, append(flags, "--workers=1", "--output="+out)...)
	want := contents(t, out)
	for _, part := range []string{"plug: words", "where: custom.words > 20", "plug/failed", "documents"} {
		if !strings.Contains(said, part) {
			t.Errorf("%q is not in the summary:\n%s", part, said)
		}
	}
	if card := want["/README.md"]; !strings.Contains(card, "| plug: words |") {
		t.Errorf("the card has no funnel:\n%s", card)
	}
	for _, workers := range []string{"2", "4"} {
		out := filepath.Join(dir, workers)
		mustRun(t, append(flags, "--workers="+workers, "--output="+out)...)
		same(t, workers+" workers", contents(t, out), want)
	}
	testScores(t, dir, python+" ", base)
	if err := os.WriteFile(script, []byte(batchedPlug), 0o644); err != nil {
		t.Fatal(err)
	}
	for i, more := range []string{"--workers=1", "--workers=3", "--scores=" + filepath.Join(dir, "kept")} {
		out := filepath.Join(dir, fmt.Sprint("batches", i))
		mustRun(t, append(flags, more, "--output="+out)...)
		same(t, "batches, "+more, contents(t, out), want)
	}
	out = filepath.Join(dir, "recipe")
	mustRun(t, append(base, "--recipe="+recipe, "--output="+out)...)
	if rows := contents(t, out)[rowsFile]; rows == "" || rows != want[rowsFile] {
		t.Error("a recipe makes another corpus")
	}
}

// testScores: with kept scores a second corpus asks a plug for nothing, here one that would fail on each document.
func testScores(t *testing.T, dir, python string, base []string) {
	t.Helper()
	failing, scores := filepath.Join(dir, "failing.py"), "--scores="+filepath.Join(dir, "scores")
	text := strings.Replace(wordsPlug, `n % 7 == 3`, "True", 1)
	if err := os.WriteFile(failing, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append(base, scores, "--filters=none")
	script := filepath.Join(dir, "words.py")
	mustRun(t, append(args, "--plug="+python+script, "--output="+filepath.Join(dir, "scoring"))...)
	out := filepath.Join(dir, "scored")
	mustRun(t, append(args, "--plug="+python+failing, "--where=custom.words > 20", "--output="+out)...)
	if rows := contents(t, out)[rowsFile]; rows == "" || rows != contents(t, filepath.Join(dir, "1"))[rowsFile] {
		t.Error("kept scores make another corpus")
	}
}

func TestPlug_refused(t *testing.T) {
	in, dir := ingested(t), t.TempDir()
	script := filepath.Join(dir, "body.py")
	text := strings.Replace(wordsPlug, `["text", "title"]`, `["body"]`, 1)
	if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	python := pythontest.Interpreter(t, "import json", "")
	for _, tt := range []struct{ arg, want string }{
		{"--plug=" + python + " " + script, "it reads body, which documents of a collection do not have"},
		{"--plug=no-such-program-here", "not found"},
		{"--columns=nothing", `unknown field "nothing"`},
		{"--columns=custom.edu", `makes the field "edu"`},
		{"--columns=host", "rows have a column host already"},
		{"--where=custom.words > 1", `makes the field "words"`},
	} {
		code, _, errs := command(t, "--output="+filepath.Join(dir, "out"), tt.arg, in)
		if code != 2 || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: exit code %d, %s; want %q", tt.arg, code, errs, tt.want)
		}
	}
}
