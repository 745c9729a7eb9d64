package job

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/folder/foldertest"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
)

// crashRounds is the environment variable for the number of killed and of failing runs per scenario. The default is
// one of each.
const crashRounds = "GLEANER_CRASH_ROUNDS"

// asCrash makes the test binary a run that is killed: "scenario folder call".
const asCrash = "GLEANER_TEST_CRASH"

// scenario is a command on a prepared folder.
type scenario struct {
	name   string
	before func(d days) // prepares the folder
	config func(d days) plan.Request
	leaves []string // archives whose documents the command must remove
}

// dayConfig returns the request of a run over folders with one unit per archive.
func dayConfig(d days, folders ...string) plan.Request {
	c := plan.Request{
		Runner: "local", UnitSize: 1, Machine: recipe.Machine{Output: d.out, Workers: 2},
		Recipe: recipe.Recipe{
			Formats: []string{"jsonl"}, Compression: "none", Extract: []string{"mime"}, Accuracy: "default",
			MaxBody: 1 << 20, MaxHead: 1 << 20, MaxRatio: 1000,
		},
	}
	for _, f := range folders {
		c.Inputs = append(c.Inputs, filepath.Join(d.root, f))
	}
	return c
}

func configured(change func(c *plan.Request), folders ...string) func(d days) plan.Request {
	return func(d days) plan.Request {
		c := dayConfig(d, folders...)
		change(&c)
		return c
	}
}

func firstRun(d days) { makeRun(d.t, dayConfig(d, "day1")) }

func firstRunThen(change func(d days)) func(d days) {
	return func(d days) {
		firstRun(d)
		change(d)
	}
}

var scenarios = []scenario{
	{"first", func(days) {}, configured(func(*plan.Request) {}, "day1", "day2"), nil},
	{"add", firstRun, configured(func(c *plan.Request) { c.Keep.Add = true }, "day2"), nil},
	{"growing", firstRunThen(func(d days) { d.put("day1/aa") }), configured(func(*plan.Request) {}, "day1"), nil},
	{
		"vanished", firstRunThen(func(d days) { d.remove("day1/a.warc"); d.put("day1/d") }),
		configured(func(*plan.Request) {}, "day1"), nil,
	},
	{
		"prune", firstRunThen(func(d days) { d.remove("day1/a.warc") }),
		configured(func(c *plan.Request) { c.Keep.Prune = true }, "day1"),
		[]string{"a.warc"},
	},
	{"parquet", firstRun, configured(func(c *plan.Request) { c.Formats = []string{"parquet"} }, "day1"), nil},
	{"index", firstRun, configured(func(c *plan.Request) {
		c.Formats, c.Extract = []string{"cdxj"},
			nil
	}, "day1"), nil},
	{"more fields", firstRun, configured(func(c *plan.Request) { c.Extract = []string{"mime", "charset"} },
		"day1"), nil},
	{"larger units", firstRun, configured(func(c *plan.Request) { c.UnitSize = 1 << 20 }, "day1"), nil},
	{"edited", firstRunThen(edit), configured(func(*plan.Request) {}, "day1"), []string{"a.warc"}},
	{
		"edited, compacted and expired", firstRunThen(func(d days) { gather(d); edit(d) }),
		configured(func(*plan.Request) {}, "day1"), gathered,
	},
	{
		"pruned, compacted and expired", firstRunThen(func(d days) { gather(d); d.remove("day1/a.warc") }),
		configured(func(c *plan.Request) { c.Keep.Prune = true }, "day1"), gathered,
	},
	{"fresh", firstRun, configured(func(c *plan.Request) { c.Fresh = true }, "day1"), nil},
	{"fresh, of others", firstRun, configured(func(c *plan.Request) { c.Fresh = true }, "day2"), []string{
		"a.warc", "b.warc", "c.warc",
	}},
	{"index and archives", firstRun, configured(func(c *plan.Request) {
		c.Keep.Add, c.Formats = true, []string{"jsonl", "cdxj"}
	}, "day1", "day2"), nil},
}

// gathered are archives whose documents are in shards of other units. Only readable checks these.
var gathered = []string{"a.warc", "b.warc", "c.warc"}

// edit changes a byte of an archive but not its length, so its unit keeps its key.
func edit(d days) {
	name := filepath.Join(d.root, "day1", "a.warc")
	data, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, bytes.Replace(data, []byte("the page"), []byte("The page"), 1), 0o644)
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// gather moves the documents to shards of many units, and removes the original shards.
func gather(d days) {
	c, err := collection.Open(local(d.out), collection.OpenOptions{})
	if err != nil {
		d.t.Fatal(err)
	}
	if _, err = care.Compact(d.t.Context(), c, care.CompactOptions{}); err == nil {
		_, err = care.Expire(c, nil)
	}
	if err = errors.Join(err, c.Close()); err != nil {
		d.t.Fatal(err)
	}
}

// disturbed runs a scenario in which a call fails, and returns the number of calls.
func disturbed(ctx context.Context, c plan.Request, f *foldertest.Fault) (calls int64, err error) {
	recipe.WrapOutput = f.Wrap
	defer func() { recipe.WrapOutput = func(f folder.Folder) folder.Folder { return f } }()
	p, err := plan.Make(ctx, c)
	if err == nil {
		_, err = Run(ctx, p)
	}
	return f.Calls(), err
}

// crash runs a scenario in the test binary that is killed.
func crash() {
	part := strings.SplitN(os.Getenv(asCrash), "|", 4)
	i, err := strconv.Atoi(part[0])
	at, errAt := strconv.ParseInt(part[1], 10, 64)
	if err != nil || errAt != nil {
		os.Exit(9)
	}
	c := scenarios[i].config(days{root: part[2], out: part[3]})
	if _, err := disturbed(context.Background(), c, &foldertest.Fault{At: at, Kill: true}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// prepared is a scenario with the states before and after it.
type prepared struct {
	scenario
	number int
	days
	calls  int64             // of an undisturbed run
	clean  map[string]string // the result of the run
	docs   []string          // documents for readers before the run; nil without a collection
	after  []string          // after the run
	before map[string]bool   // archives with documents; true if these must stay
}

func prepare1(t *testing.T, number int) *prepared {
	t.Helper()
	p := &prepared{scenario: scenarios[number], number: number, days: newDays(t), before: map[string]bool{}}
	p.put("day1/a", "day1/b", "day1/c", "day2/e", "day2/f")
	p.scenario.before(p.days)
	for name := range p.whole(p.out) {
		p.before[name] = !slices.Contains(p.leaves, filepath.Base(name))
	}
	if len(p.before) > 0 {
		p.docs = documents(t, p.out)
	}
	undisturbed := p.copy()
	var err error
	if p.calls, err = disturbed(t.Context(), p.config(undisturbed), &foldertest.Fault{}); err != nil {
		t.Fatal(err)
	}
	p.clean, p.after = contents(t, undisturbed.out), documents(t, undisturbed.out)
	return p
}

// copy copies the folder in its original state.
func (p *prepared) copy() days {
	p.t.Helper()
	d := days{p.t, p.root, filepath.Join(p.t.TempDir(), "out")}
	if _, err := os.Stat(p.out); err != nil {
		return d
	}
	if err := os.CopyFS(d.out, os.DirFS(p.out)); err != nil {
		p.t.Fatal(err)
	}
	return d
}

// whole returns the archives whose documents are all in the folder at dir: their units have rows and all shards.
func (p *prepared) whole(dir string) map[string]bool {
	p.t.Helper()
	rows, err := ledger.Rows(local(dir))
	if err != nil {
		p.t.Fatal(err)
	}
	sums := map[string]bool{}
	for _, pattern := range []string{"*", ".gleaner/*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			p.t.Fatal(err)
		}
		for _, name := range names {
			if data, err := os.ReadFile(name); err == nil { // otherwise it is a folder
				sum := sha256.Sum256(data)
				sums[hex.EncodeToString(sum[:])] = true
			}
		}
	}
	have := map[string]bool{}
	for _, r := range rows {
		all := true
		for _, s := range r.Shards {
			all = all && sums[s.SHA256]
		}
		for _, in := range r.Inputs {
			have[in.File] = have[in.File] || all
		}
	}
	return have
}

// documents returns the documents that readers of the collection find.
func documents(t *testing.T, dir string) (list []string) {
	t.Helper()
	part, _, err := holdings.Whole(local(dir))
	if err != nil {
		t.Errorf("there is no collection any more: %v", err)
	}
	for d, err := range part.Documents(t.Context()) {
		if err != nil {
			t.Errorf("the collection cannot be read: %v", err)
			break
		}
		list = append(list, d.URL+" "+d.Text)
	}
	slices.Sort(list)
	return list
}

// readable fails unless the collection is in the state before or after the run.
func (p *prepared) readable(dir, what string) {
	p.t.Helper()
	if p.docs == nil {
		return
	}
	if now := documents(p.t, dir); !slices.Equal(now, p.docs) && !slices.Equal(now, p.after) {
		p.t.Errorf("%s: readers find %q, neither %q nor %q", what, now, p.docs, p.after)
	}
	problems, err := care.Verify(p.t.Context(), local(dir))
	if err != nil || len(problems) > 0 {
		p.t.Errorf("%s: check: %v, %v", what, problems, err)
	}
}

// check fails if a disturbed run has removed too much, or if the next one does not end like an undisturbed one.
func (p *prepared) check(d days, what string) {
	p.t.Helper()
	p.readable(d.out, what)
	now := p.whole(d.out)
	for name, stays := range p.before {
		if stays && !now[name] {
			p.t.Errorf("%s: the documents of %s are gone", what, name)
		}
	}
	if _, err := disturbed(p.t.Context(), p.config(d), &foldertest.Fault{}); err != nil {
		p.t.Errorf("%s: the next run: %v", what, err)
		return
	}
	got := contents(p.t, d.out)
	for name, text := range p.clean {
		if got[name] != text {
			p.t.Errorf("%s: %s is not what an undisturbed run leaves", what, name)
		}
	}
	if len(got) != len(p.clean) {
		p.t.Errorf("%s: %d files, an undisturbed run leaves %d", what, len(got), len(p.clean))
	}
}

// TestAttack01_killedOrFailing: a run that is killed or fails in any call to its folder, once or from then on,
// removes only what it must. The same command then ends like an undisturbed one.
func TestAttack01_killedOrFailing(t *testing.T) {
	rounds := len(scenarios)
	if n, err := strconv.Atoi(os.Getenv(crashRounds)); err == nil {
		rounds = n
	}
	random := rand.New(rand.NewPCG(17, uint64(rounds)))
	var all []*prepared
	for i := range scenarios {
		all = append(all, prepare1(t, i))
	}
	killed, failed := 0, 0
	for i := range rounds {
		p := all[i%len(all)]
		at := 1 + random.Int64N(p.calls)
		d := p.copy()
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d|%d|%s|%s", asCrash, p.number, at, d.root, d.out))
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Logf("%s: it ended before call %d", p.name, at)
		} else if cmd.ProcessState.ExitCode() > 0 {
			t.Errorf("%s, call %d: %v\n%s", p.name, at, err, out)
		} else {
			killed++
		}
		p.check(d, fmt.Sprintf("%s, killed in call %d of %d", p.name, at, p.calls))

		at, d = 1+random.Int64N(p.calls), p.copy()
		rest := i/len(all)%2 == 1
		if _, err := disturbed(t.Context(), p.config(d), &foldertest.Fault{At: at, Rest: rest}); err != nil {
			failed++
		}
		p.check(d, fmt.Sprintf("%s, call %d of %d failed, and the rest: %v", p.name, at, p.calls, rest))
	}
	t.Logf("%d runs were killed; in %d a call failed, of which %d ended by it", killed, rounds, failed)
	if killed == 0 || failed == 0 {
		t.Error("nothing was killed, or nothing failed")
	}
}
