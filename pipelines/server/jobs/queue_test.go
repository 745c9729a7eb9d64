package jobs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// opened returns a queue of a shell command in a folder.
func opened(t *testing.T, dir, command string, most int) *Queue {
	t.Helper()
	o := shell(command)
	o.Most = most
	q, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() }) // a second time in some tests
	return q
}

// TestQueue_end: the state, the code and the error of a job are those of its command.
func TestQueue_end(t *testing.T) {
	for _, tt := range []struct {
		name, command string
		state         State
		code          int
		err           string
	}{
		{"done", "echo fine", Done, 0, ""},
		{"damaged input", "exit 3", Losses, 3, ""},
		{"a mistake", "echo 'ingest: no such flag' >&2; echo 'Try: ingest --help' >&2; exit 2", Failed, 2, "no such flag"},
		{"only a hint", "echo 'Try: ingest --help' >&2; exit 2", Failed, 2, "Try: ingest --help"},
		{"without a word", "exit 1", Failed, 1, "exit status 1"},
		{"only blanks", "echo '  '; exit 1", Failed, 1, "exit status 1"},
		{"killed", "kill -9 $$", Failed, -1, "signal: killed"},
		{"one long line", "head -c 200000 /dev/zero | tr '\\0' x; exit 1", Failed, 1, strings.Repeat("x", 8<<10)},
		{"bytes that are not text", "printf 'ingest: \\377\\n'; exit 1", Failed, 1, "\uFFFD"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := opened(t, t.TempDir(), tt.command, 0)
			j, err := q.Start(Request{Verb: "ingest"})
			if err != nil {
				t.Fatal(err)
			}
			j = ended(t, q, j.Number)
			if j.State != tt.state || j.Code != tt.code || j.Error != tt.err || j.Started.IsZero() || j.Ended.Before(j.Started) {
				t.Errorf("%s, code %d, error %.40q; want %s, %d, %.40q", j.State, j.Code, j.Error, tt.state, tt.code, tt.err)
			}
			if err := q.Cancel(j.Number, "ada"); !errors.Is(err, ErrOver) {
				t.Errorf("cancelled after its end: %v", err)
			}
		})
	}
}

// TestQueue_cancel: a waiting job ends at once, and a running one when its command has cleaned up.
func TestQueue_cancel(t *testing.T) {
	q := opened(t, t.TempDir(), `trap 'echo cleaned; exit 1' INT TERM; echo ready; while :; do sleep .01; done`, 0)
	var all []Job
	for range 3 {
		j, err := q.Start(Request{Verb: "ingest", By: "bob"})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, j)
	}
	for log := ""; !strings.Contains(log, "ready"); log, _, _ = q.Log(all[0].Number, 100) {
		if t.Context().Err() != nil {
			t.Fatal("it does not begin")
		}
		time.Sleep(time.Millisecond)
	}
	if err := q.Cancel(all[1].Number, ""); err != nil {
		t.Error(err)
	}
	if j, err := q.Get(all[1].Number); err != nil || j.State != Cancelled || j.Cancel != "-" || !j.Started.IsZero() {
		t.Errorf("a waiting job: %+v, %v", j, err)
	}
	if err := q.Cancel(all[0].Number, "ada"); err != nil {
		t.Error(err)
	}
	j := ended(t, q, all[0].Number)
	if log, _, _ := q.Log(j.Number, 100); j.State != Cancelled || j.Cancel != "ada" || !strings.Contains(log, "cleaned") {
		t.Errorf("a running job: %+v, log %q", j, log)
	}
	if err := q.Cancel(all[2].Number, "ada"); err != nil {
		t.Error(err)
	}
	if j := ended(t, q, all[2].Number); j.State != Cancelled {
		t.Errorf("the last job: %+v", j)
	}
	if err := q.Cancel(99, "ada"); !errors.Is(err, ErrNone) {
		t.Errorf("no such job: %v", err)
	}
	if _, _, err := q.Log(99, 10); !errors.Is(err, ErrNone) {
		t.Errorf("the log of no job: %v", err)
	}
}

// TestQueue_most: a limited number of jobs waits, and a limited number of old ones is kept.
func TestQueue_most(t *testing.T) {
	dir := t.TempDir()
	gate := filepath.Join(dir, "go")
	q := opened(t, filepath.Join(dir, "jobs"), "while ! [ -e "+gate+" ]; do sleep .01; done", 5)
	for range maxWaiting {
		if _, err := q.Start(Request{Verb: "ingest"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := q.Start(Request{Verb: "ingest"}); !errors.Is(err, ErrFull) {
		t.Errorf("one more: %v", err)
	}
	for n := int64(2); n <= maxWaiting; n++ { // the first one may be running
		if err := q.Cancel(n, "ada"); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ended(t, q, 1)
	j, err := q.Start(Request{Verb: "ingest"})
	if err != nil || j.Number != maxWaiting+1 {
		t.Fatalf("%+v, %v", j, err)
	}
	ended(t, q, j.Number)
	var numbers []int64
	for _, j := range q.List() {
		numbers = append(numbers, j.Number)
	}
	if !slices.Equal(numbers, []int64{101, 100, 99, 98, 97}) {
		t.Errorf("the jobs %v are kept", numbers)
	}
	folders, err := os.ReadDir(filepath.Join(dir, "jobs"))
	if err != nil || len(folders) != 5 {
		t.Errorf("%d folders are kept, %v", len(folders), err)
	}
}

// TestOpen_damaged: the queue opens whatever its folder holds, and gives no number twice.
func TestOpen_damaged(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"000001/job.json": `{"number": 1, "verb": "ingest", "state": "done"}`,
		"000002/job.json": `{"number": 2, "verb": `,
		"000003/job.json": `{"number": 1, "verb": "ingest", "state": "queued"}`,
		"000004/other":    "",
		"000007/job.tmp":  `{"number": 7`,
		"notes.txt":       "",
		"x/job.json":      `{"number": 8}`,
		"-5/job.json":     `{"number": -5, "state": "queued"}`,
		"0/job.json":      `{"number": 0, "state": "queued"}`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	q := opened(t, dir, "echo begun", 0)
	if list := q.List(); len(list) != 1 || list[0].Number != 1 || list[0].State != Done {
		t.Errorf("%+v, want the first job alone", list)
	}
	j, err := q.Start(Request{Verb: "ingest", Args: []string{"a b", "'"}, Values: map[string][]string{"archives": {"a"}}})
	if err != nil || j.Number != 8 {
		t.Fatalf("%+v, %v; want the number 8", j, err)
	}
	before := ended(t, q, 8)
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	// The next server has the same job.
	after, err := opened(t, dir, "echo begun", 0).Get(8)
	if err != nil || after.State != Done || !after.Ended.Equal(before.Ended) || !slices.Equal(after.Args, before.Args) ||
		after.Values["archives"][0] != "a" || after.Again != 0 {
		t.Errorf("%+v, %v; want %+v", after, err, before)
	}
	if _, err := Open(filepath.Join(dir, "notes.txt"), Options{}); err == nil {
		t.Error("a file is opened as a folder")
	}
}

// TestLog: the end of a log begins with a whole line, and a line that is longer than asked for is not lost.
func TestLog(t *testing.T) {
	q := opened(t, t.TempDir(), "true", 0)
	j, err := q.Start(Request{Verb: "ingest"})
	if err != nil {
		t.Fatal(err)
	}
	ended(t, q, j.Number)
	for _, tt := range []struct {
		log  string
		most int64
		want string
		cut  bool
	}{
		{"", 10, "", false},
		{"one\ntwo\n", 8, "one\ntwo\n", false},
		{"one\ntwo\n", 7, "two\n", true},
		{"one\ntwo\n", 6, "two\n", true},
		{"one\ntwo\n", 4, "two\n", true},
		{"a long line", 4, "line", true},
		{"one\nß", 3, "ß", true},
		{"ßßß", 3, "\uFFFDß", true},
	} {
		if err := os.WriteFile(q.file(j.Number, "log"), []byte(tt.log), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, cut, err := q.Log(j.Number, tt.most); got != tt.want || cut != tt.cut || err != nil {
			t.Errorf("the last %d bytes of %q: %q, %v, %v; want %q", tt.most, tt.log, got, cut, err, tt.want)
		}
	}
	if err := os.Remove(q.file(j.Number, "log")); err != nil {
		t.Fatal(err)
	}
	if got, cut, err := q.Log(j.Number, 10); got != "" || cut || err != nil {
		t.Errorf("without a log: %q, %v, %v", got, cut, err)
	}
}

// TestPlan: a plan is the beginning of the output, and the error of a command its last line.
func TestPlan(t *testing.T) {
	for _, tt := range []struct{ name, command, want, err string }{
		{"a plan", "echo '3 archives'", "3 archives\n", ""},
		{"a long plan", "yes | head -c 200000", strings.Repeat("y\n", maxPlan/2) + "\n…\n", ""},
		{"warnings beside", "echo plan; echo careful >&2", "plan\n", ""},
		{"refused", "echo plan; echo 'ingest: others are in it' >&2; exit 2", "", "others are in it"},
		{"refused silently", "exit 2", "", "exit status 2"},
	} {
		q := opened(t, t.TempDir(), tt.command, 0)
		got, err := q.Plan(t.Context(), "ingest", nil)
		said := ""
		if bad := PlanError(""); errors.As(err, &bad) {
			said = string(bad)
		}
		if got != tt.want || said != tt.err {
			t.Errorf("%s: %.40q, %v", tt.name, got, err)
		}
	}
	q := opened(t, t.TempDir(), "trap 'exit 1' INT TERM; while :; do sleep .01; done", 0)
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := q.Plan(soon, "ingest", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a plan that takes too long: %v", err)
	}
}
