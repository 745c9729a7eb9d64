package view

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/form"
	"github.com/gleaner-web/gleaner/pipelines/server/jobs"
)

// working is a server with jobs that run a shell command.
func working(t *testing.T, command string) *Views {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	v := pagesWith(t, "the fish auction")
	q, err := jobs.Open(t.TempDir(), jobs.Options{Program: func(verb string, args []string) *exec.Cmd {
		return exec.Command("sh", append([]string{"-c", command, verb}, args...)...)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	v.o.Jobs, v.o.Forms = q, form.New(form.Tables{})
	v.o.Inputs, v.o.Exports = t.TempDir(), filepath.Join(t.TempDir(), "exports")
	if err := os.WriteFile(filepath.Join(v.o.Inputs, "a.warc"), []byte("WARC/1.0\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return v
}

// until returns the job once it is as wanted.
func until(ctx context.Context, t *testing.T, v *Views, n int64, wanted func(*JobOne) bool) *JobOne {
	t.Helper()
	for {
		j, err := v.Job(ctx, JobRequest{Number: n})
		if err != nil {
			t.Fatal(err)
		}
		if wanted(j) {
			return j
		}
		if t.Context().Err() != nil {
			t.Fatal(t.Context().Err())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func hasEnded(j *JobOne) bool { return j.State != "queued" && j.State != "running" }

func as(t *testing.T, r Role) context.Context {
	t.Helper()
	return WithActor(t.Context(), Actor{Name: "ada", Role: r})
}

func isKind(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}

// TestJobs_roles: everybody who is logged in sees jobs; only editors start, cancel and plan them.
func TestJobs_roles(t *testing.T) {
	v := working(t, "true")
	start := StartRequest{Verb: "ingest", Values: map[string][]string{"archives": {"a.warc"}}}
	for name, do := range map[string]struct {
		needs Role
		call  func(context.Context) error
	}{
		"list":     {Viewer, func(ctx context.Context) error { _, err := v.Jobs(ctx, JobsRequest{}); return err }},
		"datasets": {Viewer, func(ctx context.Context) error { _, err := v.Datasets(ctx, DatasetsRequest{}); return err }},
		"start":    {Editor, func(ctx context.Context) error { _, err := v.Start(ctx, start); return err }},
		"plan":     {Editor, func(ctx context.Context) error { _, err := v.Plan(ctx, start); return err }},
		"form":     {Editor, func(ctx context.Context) error { _, err := v.Form(ctx, FormRequest{}); return err }},
		"filled":   {Editor, func(ctx context.Context) error { _, err := v.Filled(ctx, start, nil); return err }},
	} {
		for _, r := range []Role{Nobody, Viewer, Editor, Admin} {
			err := do.call(as(t, r))
			switch {
			case r >= do.needs && err != nil:
				t.Errorf("%s as %s: %v", name, r, err)
			case r < do.needs && !isKind(err, map[bool]Kind{true: LoggedOut, false: Forbidden}[r == Nobody]):
				t.Errorf("%s as %s: %v, want a refusal", name, r, err)
			}
		}
	}
	v.o.Jobs = nil
	if _, err := v.Jobs(as(t, Admin), JobsRequest{}); !isKind(err, NotFound) {
		t.Errorf("without a queue: %v", err)
	}
}

// TestStart_mistakes: the first wrong field of the form is named, with its line, and nothing is started.
func TestStart_mistakes(t *testing.T) {
	v, ctx := working(t, "true"), as(t, Editor)
	for _, tt := range []struct {
		name   string
		r      StartRequest
		kind   Kind
		param  string
		line   int
		detail string
	}{
		{"no archives", StartRequest{Verb: "ingest"}, Invalid, "archives", 0, ""},
		{
			"outside",
			StartRequest{Verb: "ingest", Values: map[string][]string{"archives": {"a.warc", "../b"}}},
			Invalid,
			"archives", 2, "",
		},
		{
			"an absolute path",
			StartRequest{Verb: "ingest", Values: map[string][]string{"archives": {"/etc/passwd"}}},
			Invalid,
			"archives", 1, "",
		},
		{
			"no such file",
			StartRequest{Verb: "ingest", Values: map[string][]string{"archives": {"none.warc"}}},
			Invalid,
			"archives", 1, "",
		},
		{
			"an unknown field",
			StartRequest{Verb: "ingest", Values: map[string][]string{"archives": {"a.warc"}, "wher": {"x"}}},
			Unknown, "values.wher", 0, "archives",
		},
		{
			"a long field",
			StartRequest{Verb: "ingest", Values: map[string][]string{strings.Repeat("é", 99): {"x"}}},
			Unknown,
			"", 0, "",
		},
		{
			"another collection",
			StartRequest{Verb: "query", Values: map[string][]string{"collection": {"/tmp"}}},
			Invalid,
			"collection", 0, "",
		},
		{
			"a path as a name",
			StartRequest{Verb: "query", Values: map[string][]string{"name": {"../x"}}},
			Invalid, "name", 0,
			"",
		},
		{"an unknown verb", StartRequest{Verb: "rm"}, Invalid, "verb", 0, ""},
		{"no verb", StartRequest{}, Invalid, "verb", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := v.Start(ctx, tt.r)
			var e *Error
			if !errors.As(err, &e) || e.Kind != tt.kind || tt.param != "" && e.Param != tt.param || e.Line != tt.line ||
				!strings.Contains(e.Detail, tt.detail) {
				t.Fatalf("%+v, want the kind %d, %s, line %d", err, tt.kind, tt.param, tt.line)
			}
			// The same mistake is shown beside its field.
			if f, bad := v.Filled(ctx, tt.r, err); bad == nil {
				i := slices.IndexFunc(f.Inputs, func(in Input) bool { return in.Error != "" })
				if f.Error == "" || i >= 0 && f.Inputs[i].Name != tt.param {
					t.Errorf("the form says %q, and its field %d is wrong", f.Error, i)
				}
			}
		})
	}
	if list, err := v.Jobs(ctx, JobsRequest{}); err != nil || len(list.Jobs) > 0 {
		t.Errorf("%+v, %v: nothing was right, and a job has started", list, err)
	}
}

// TestJob_life: a job has the progress of its last line while it runs, and its result when it has ended.
func TestJob_life(t *testing.T) {
	v, ctx := working(t, `printf 'Reading\n1 of 4 units (25%%)\n' >&2; while ! [ -e "$HOME/go" ]; do sleep .01; done; exit 3`), as(t, Editor)
	t.Setenv("HOME", t.TempDir())
	j, err := v.Start(ctx, StartRequest{Verb: "ingest", Values: map[string][]string{"archives": {"a.warc"}}})
	if err != nil {
		t.Fatal(err)
	}
	running := until(ctx, t, v, j.Number, func(j *JobOne) bool { return j.Share > 0 })
	if running.Share != .25 || running.Progress != "1 of 4 units (25%)" || running.Result != "" || running.Cancel == "" {
		t.Errorf("running: %+v", running.JobRow)
	}
	viewer, err := v.Job(as(t, Viewer), JobRequest{Number: j.Number})
	if err != nil || viewer.Cancel != "" || viewer.Repeat != "" {
		t.Errorf("a viewer may cancel %q and repeat %q, %v", viewer.Cancel, viewer.Repeat, err)
	}
	if list, err := v.Jobs(ctx, JobsRequest{State: "done"}); err != nil || !list.Live || len(list.Jobs) > 0 {
		t.Errorf("the jobs that are done: %+v, %v; want none, while one is running", list, err)
	}
	if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	done := until(ctx, t, v, j.Number, hasEnded)
	if done.State != "losses" || done.Share != 1 || done.Code != 3 || done.Result == "" || done.Ended == "" ||
		!strings.Contains(done.Log, "Reading") || !strings.HasPrefix(done.Command, "ingest ") {
		t.Errorf("done: %+v", done.JobRow)
	}
	if _, err := v.Cancel(ctx, JobRequest{Number: j.Number}); !isKind(err, Conflict) {
		t.Errorf("cancelled after its end: %v", err)
	}
	f, err := v.Form(ctx, FormRequest{From: j.Number})
	if err != nil || f.Verb != "ingest" || f.Inputs[0].Value != "a.warc" || f.Root != v.o.Inputs {
		t.Errorf("its form again: %+v, %v", f, err)
	}
	for name, err := range map[string]error{
		"job":  second(v.Job(ctx, JobRequest{Number: 99})),
		"form": second(v.Form(ctx, FormRequest{From: 99})),
		"file": second(v.Dataset(ctx, JobRequest{Number: j.Number})),
	} {
		if !isKind(err, NotFound) {
			t.Errorf("no such %s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestDataset: the file of an export can be fetched while it is there.
func TestDataset(t *testing.T) {
	v, ctx := working(t, `for a; do case $a in --output=*) echo 'one line' >"${a#--output=}"; esac; done`), as(t, Editor)
	j, err := v.Start(ctx, StartRequest{Verb: "query", Values: map[string][]string{"name": {"fish"}}})
	if err != nil {
		t.Fatal(err)
	}
	if done := until(ctx, t, v, j.Number, hasEnded); done.State != "done" || done.Result != "/datasets" {
		t.Fatalf("%+v: %s", done.JobRow, done.Log)
	}
	list, err := v.Datasets(ctx, DatasetsRequest{})
	if err != nil || len(list.Datasets) != 1 || !strings.HasPrefix(list.Datasets[0].Name, "fish.") {
		t.Fatalf("%+v, %v", list, err)
	}
	e, err := v.Dataset(as(t, Viewer), JobRequest{Number: j.Number})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var b bytes.Buffer
	if missing, err := e.Write(ctx, &b); err != nil || missing || b.String() != "one line\n" {
		t.Errorf("the file has %q, %v, %v", b.String(), missing, err)
	}
	one := list.Datasets[0]
	if one.Bytes != 9 || e.Name != one.Name || e.Type != exportTypes[one.Format].media || one.Job != j.Number {
		t.Errorf("%+v is sent as %s, %s", one, e.Name, e.Type)
	}
	if err := os.RemoveAll(v.o.Exports); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Dataset(ctx, JobRequest{Number: j.Number}); !isKind(err, NotFound) {
		t.Errorf("the file is gone: %v", err)
	}
	if list, err := v.Datasets(ctx, DatasetsRequest{}); err != nil || list.Datasets == nil || len(list.Datasets) > 0 {
		t.Errorf("the list without the file: %+v, %v", list, err)
	}
}

// TestPlan: a plan is the output of the command, and its refusal is a mistake of the request.
func TestPlan(t *testing.T) {
	ctx := as(t, Editor)
	start := StartRequest{Verb: "ingest", Values: map[string][]string{"archives": {"a.warc"}}}
	v := working(t, `[ "$1" = --plan ] && echo '1 archive'`)
	if f, err := v.Plan(ctx, start); err != nil || !strings.Contains(f.Plan, "1 archive") || f.Command == "" {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := v.Plan(ctx, StartRequest{Verb: "query", Values: map[string][]string{"name": {"x"}}}); !isInvalid(err,
		"verb") {
		t.Errorf("a command without a plan: %v", err)
	}
	refusing := working(t, `echo 'the folder holds others' >&2; exit 2`)
	var e *Error
	if _, err := refusing.Plan(ctx, start); !errors.As(err, &e) || !strings.Contains(e.Detail, "the folder holds others") {
		t.Errorf("%v, want the command's own words", err)
	}
	if list, err := v.Jobs(ctx, JobsRequest{}); err != nil || len(list.Jobs) > 0 {
		t.Errorf("a plan has started %+v, %v", list, err)
	}
}

// TestProgressOf: the share is between 0 and 1, whatever a line of the log says.
func TestProgressOf(t *testing.T) {
	for line, want := range map[string]float64{
		"1 of 4 units (25%)": .25, "(0%)": 0, "(100%)": 1, "(142%) of what was expected": 1, "25%": -1, "(1234%)": -1,
		"listing archives": -1, "(-5%)": -1, "( 5%)": -1,
	} {
		if got := shareIn(line); got != want {
			t.Errorf("shareIn(%q) = %g, want %g", line, got, want)
		}
	}
}
