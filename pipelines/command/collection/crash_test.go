package collection

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/folder/foldertest"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// asCrash gives the test binary the task in which it is killed: "call|collection|task|argument|…".
const asCrash = "GLEANER_TEST_CRASH"

// step is a task with its arguments.
type step struct {
	task string
	args []string
	url  bool // compact --cluster=url
}

// run runs a task in this process.
func (s step) run(ctx context.Context, dir string) (int, error) {
	store := blob.New(blob.Options{})
	c := config{
		task: find(s.task), args: s.args, collection: dir, cluster: "features", memory: 64 << 20, shardSize: 2 << 30,
		keep: 1, reason: "request 17",
	}
	if s.url {
		c.cluster = "url"
	}
	j := newJob(ctx, c, store)
	j.out = io.Discard
	code, err := tasks[c.task].do(ctx, j)
	code, err = j.explain(code, err)
	return code, errors.Join(err, j.f.Close(), store.Close())
}

// crash runs a task in the test binary that is killed.
func crash() {
	part := strings.Split(os.Getenv(asCrash), "|")
	at, err := strconv.ParseInt(part[0], 10, 64)
	if err != nil {
		os.Exit(9)
	}
	wrap = (&foldertest.Fault{At: at, Kill: true}).Wrap
	if _, err := (step{part[2], part[4:], part[3] == "url"}).run(context.Background(), part[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// disturbed runs a task in which a call to the folder fails.
func (s step) disturbed(ctx context.Context, dir string, f *foldertest.Fault) error {
	wrap = f.Wrap
	defer func() { wrap = func(f folder.Folder) folder.Folder { return f } }()
	code, err := s.run(ctx, dir)
	if err == nil && code != cli.ExitDone {
		err = fmt.Errorf("exit code %d", code)
	}
	return err
}

// scenario is a task on a prepared collection.
type scenario struct {
	name   string
	before []step
	step   step
	takes  bool // pages are taken down
}

// scenarios returns all tasks that change something, each on a collection with a table, unless it is new. root has
// other collections: see makeScenarios.
func scenarios(root string) []scenario {
	lake, compact := step{task: "lake"}, step{task: "compact"}
	other, foreign := filepath.Join(root, "other"), filepath.Join(root, "foreign")
	taken := step{task: "takedown", args: []string{secretURL, secretHost}}
	withTaken := step{task: "merge", args: []string{filepath.Join(root, "taken")}}
	return []scenario{
		{"compact", []step{lake}, compact, false},
		{"compact again by URL", []step{compact, lake}, step{task: "compact", url: true}, false},
		{"expire", []step{lake, compact}, step{task: "expire"}, false},
		{"takedown", []step{lake}, taken, true},
		{"takedown of what is compacted", []step{lake, compact, {task: "merge", args: []string{other}}}, taken, true},
		{"merge", []step{lake, compact}, step{task: "merge", args: []string{other}}, false},
		{"merge with takedowns", []step{lake, compact}, withTaken, true},
		{"adopt", nil, step{task: "adopt", args: []string{foreign}}, false},
		{"lake", nil, lake, false},
	}
}

// prepared is a scenario with the states before and after it.
type prepared struct {
	scenario
	t     *testing.T
	dir   string // the state before
	calls int64  // to the folder, in an undisturbed run
	clean map[string]string
	held  map[string]bool // documents that must stay
}

// makeScenarios makes two collections of a few archives, and a folder of another program. It copies them for each
// scenario.
func makeScenarios(t *testing.T) (all []*prepared) {
	t.Helper()
	root := t.TempDir()
	ingest := func(name string, months ...int) string {
		out := filepath.Join(root, name)
		for _, n := range months {
			must(t, "ingest", "--output="+out, "--format=parquet,jsonl,wet,cdxj", "--unit_size=64KiB", "--add",
				month(t, root, n))
		}
		return out
	}
	base, other := ingest("base", 0, 1, 3), ingest("other", 6)
	taken := filepath.Join(root, "taken")
	err := os.CopyFS(taken, os.DirFS(other))
	if err == nil {
		_, err = step{task: "takedown", args: []string{secretURL, secretHost}}.run(t.Context(), taken)
	}
	if err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(root, "foreign", "documents-00000-of-00001.jsonl")
	lines := strings.Join(documents(t, other), "\n") + "\n"
	if err := errors.Join(os.MkdirAll(filepath.Dir(foreign), 0o755),
		os.WriteFile(foreign, []byte(lines), 0o644)); err != nil {
		t.Fatal(err)
	}
	for i, s := range scenarios(root) {
		p := &prepared{scenario: s, t: t, dir: filepath.Join(root, fmt.Sprint("before", i))}
		p.copyFrom(base, p.dir)
		for _, b := range s.before {
			if err := b.disturbed(t.Context(), p.dir, &foldertest.Fault{}); err != nil {
				t.Fatalf("%s: %s: %v", s.name, b.task, err)
			}
		}
		p.held = map[string]bool{}
		for _, d := range documents(t, p.dir) {
			p.held[d] = true
		}
		undisturbed := p.copy()
		f := &foldertest.Fault{}
		if err := s.step.disturbed(t.Context(), undisturbed, f); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		p.calls, p.clean = f.Calls(), state(t, undisturbed)
		all = append(all, p)
	}
	return all
}

func (p *prepared) copyFrom(from, to string) {
	p.t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		p.t.Fatal(err)
	}
}

// copy copies the collection in its original state.
func (p *prepared) copy() string {
	p.t.Helper()
	dir := filepath.Join(p.t.TempDir(), "out")
	p.copyFrom(p.dir, dir)
	return dir
}

// state returns the files of a collection by name. It omits the parts that differ between runs: the table's metadata
// with their random names, the times of files, and the times of takedowns.
func state(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			if name == "metadata" || name == "data" {
				return filepath.SkipDir
			}
			return nil
		}
		data, err := os.ReadFile(path)
		files[name] = string(data)
		if err == nil && strings.HasPrefix(name, ".gleaner") && strings.HasSuffix(name, ".json") {
			var v any
			if err = json.Unmarshal(data, &v); err == nil {
				forget(v)
				data, err = json.Marshal(v)
				files[name] = string(data)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// forget removes times from a value. It also removes counts of a takedown, because a part may have been removed
// before the kill.
func forget(v any) {
	switch v := v.(type) {
	case map[string]any:
		_, taken := v["reason"]
		for key, value := range v {
			if key == "modified" || taken && (key == "time" || key == "documents" || key == "shards") {
				delete(v, key)
			}
			forget(value)
		}
	case []any:
		for _, e := range v {
			forget(e)
		}
	}
}

// check fails if a disturbed task has lost a document, or if the same task does not end like an undisturbed one.
func (p *prepared) check(dir, what string) {
	p.t.Helper()
	what = p.name + ", " + what
	// Until a takedown has ended, readers get an error. While the sorted index is made, there is no manifest.
	if !p.takes && !ledger.Interrupted(folder.Open(p.t.Context(), dir, nil)) {
		left := len(p.held)
		for _, d := range documents(p.t, dir) {
			if p.held[d] {
				left--
			}
		}
		if left > 0 {
			p.t.Errorf("%s: %d documents are gone", what, left)
		}
	}
	if err := p.step.disturbed(p.t.Context(), dir, &foldertest.Fault{}); err != nil {
		p.t.Errorf("%s: the same again: %v", what, err)
		return
	}
	p.isClean(dir, what)
}

// isClean fails if a collection differs from the result of an undisturbed task.
func (p *prepared) isClean(dir, what string) {
	p.t.Helper()
	got := state(p.t, dir)
	for name, text := range p.clean {
		if got[name] != text {
			p.t.Errorf("%s: %s is not what an undisturbed task leaves:\n%s", what, name, cmp.Diff(text, got[name]))
		}
	}
	for name := range got {
		if _, is := p.clean[name]; !is {
			p.t.Errorf("%s: %s is left", what, name)
		}
	}
	if code, err := (step{task: "check"}).run(p.t.Context(), dir); err != nil || code != cli.ExitDone {
		p.t.Errorf("%s: check: exit code %d, %v", what, code, err)
	}
	if p.takes {
		for _, text := range []string{marker, hostMarker, secretHost} {
			if list := found(p.t, dir, text); len(list) > 0 {
				p.t.Errorf("%s: %s is in %v", what, text, list)
			}
		}
	}
}

// kill runs the task in a process that is killed in a call to its folder.
func (p *prepared) kill(dir string, at int64) bool {
	p.t.Helper()
	cluster := ""
	if p.step.url {
		cluster = "url"
	}
	part := append([]string{strconv.FormatInt(at, 10), dir, p.step.task, cluster}, p.step.args...)
	cmd := exec.CommandContext(p.t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asCrash+"="+strings.Join(part, "|"))
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() > 0 {
		p.t.Errorf("%s, call %d: %v\n%s", p.name, at, err, out)
	}
	return err != nil
}

// TestTasks_disturbed: a disturbed task loses nothing, and the same command then ends with the same bytes as an
// undisturbed one. It may be killed in any call to its folder. A call may fail once or, as on a full disk, from then
// on. The task may also run twice at once. There are 3 kills of each of nine tasks, or 13 with GLEANER_SLOW=1.
func TestTasks_disturbed(t *testing.T) {
	rounds := 3
	if os.Getenv("GLEANER_SLOW") != "" {
		rounds = 13
	}
	random := rand.New(rand.NewPCG(19, uint64(rounds)))
	killed, failed := 0, 0
	for _, p := range makeScenarios(t) {
		for round := range rounds {
			at, dir := 1+random.Int64N(p.calls), p.copy()
			if p.kill(dir, at) {
				killed++
			}
			p.check(dir, fmt.Sprintf("killed in call %d of %d", at, p.calls))

			at, dir = 1+random.Int64N(p.calls), p.copy()
			full := &foldertest.Fault{At: at, Rest: round%2 == 0, Err: syscall.ENOSPC}
			if err := p.step.disturbed(t.Context(), dir, full); err != nil {
				failed++
			}
			p.check(dir, fmt.Sprintf("call %d of %d failed, and the rest: %v", at, p.calls, full.Rest))
		}
		p.two()
	}
	t.Logf("%d were killed; %d ended by a call that failed", killed, failed)
	if killed < 20 || failed < 20 {
		t.Error("too few were killed, or ended by a call that failed")
	}
}

// two runs the task twice at once. One has the collection; the other fails with a message, or runs after it.
func (p *prepared) two() {
	p.t.Helper()
	dir := p.copy()
	var both sync.WaitGroup
	errs := make([]error, 2)
	for i := range errs {
		both.Go(func() { _, errs[i] = p.step.run(p.t.Context(), dir) })
	}
	both.Wait()
	for _, err := range errs {
		if err != nil && !strings.Contains(err.Error(), "another run is writing") {
			p.t.Errorf("%s, two at once: %v", p.name, err)
		}
	}
	p.check(dir, "two at once")
}
