package run

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"google.golang.org/grpc"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// setOptions sets Beam's global flags for one test.
func setOptions(t *testing.T, endpoint, environment, config, worker string) {
	t.Helper()
	for flag, value := range map[*string]string{
		jobopts.Endpoint: endpoint, jobopts.EnvironmentType: environment,
		jobopts.EnvironmentConfig: config, jobopts.WorkerBinary: worker,
	} {
		before := *flag
		t.Cleanup(func() { *flag = before })
		*flag = value
	}
}

func TestCheckRunner_environments(t *testing.T) {
	dir := t.TempDir()
	worker, empty := filepath.Join(dir, "worker"), filepath.Join(dir, "empty")
	for name, text := range map[string]string{worker: "#!/bin/sh\n", empty: ""} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ kind, config, worker, want string }{
		{"LOOPBACK", "", "", ""},
		{"loopback", "", "missing", ""}, // it is not used
		{"DOCKER", "", worker, ""},
		{"EXTERNAL", "host:50000", worker, ""},
		{"PROCESS", `{"command":"/opt/start","env":{"A":"b"}}`, worker, ""},
		{"", "", "", "--runner=flink needs --environment_type="},
		{"POD", "", "", "--environment_type=POD: there are LOOPBACK, PROCESS, EXTERNAL, DOCKER"},
		{"EXTERNAL", "", worker, "--environment_config=host:50000"},
		{"EXTERNAL", "host", worker, "missing port"},
		{"PROCESS", "", worker, `--environment_config='{"command"`},
		{"PROCESS", "/opt/start", worker, "invalid character"},
		{"PROCESS", `{"comand":"/opt/start"}`, worker, `unknown field "comand"`},
		{"PROCESS", `{"command":""}`, worker, "names no command"},
		{"DOCKER", "", filepath.Join(dir, "missing"), "--worker_binary: "},
		{"DOCKER", "", dir, "is no file"},
		{"DOCKER", "", empty, "an empty one"},
	} {
		setOptions(t, "host:8099", tt.kind, tt.config, tt.worker)
		err := CheckRunner("flink")
		var usage *cli.UsageError
		if tt.want == "" && err != nil || tt.want != "" &&
			(!errors.As(err, &usage) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s %s %s: %v, want %q", tt.kind, tt.config, filepath.Base(tt.worker), err, tt.want)
		}
	}
}

// TestPreparePortable_parallelism: a submitter with workers in its process has one worker by default.
func TestPreparePortable_parallelism(t *testing.T) {
	name, parallelism := *jobopts.JobName, *jobopts.Parallelism
	t.Cleanup(func() { *jobopts.JobName, *jobopts.Parallelism = name, parallelism })
	for _, tt := range []struct {
		kind        string
		given, want int
	}{{"LOOPBACK", -1, 1}, {"LOOPBACK", 2, 2}, {"EXTERNAL", -1, -1}, {"EXTERNAL", 2, 2}} {
		setOptions(t, "host:8099", tt.kind, "host:50000", "")
		*jobopts.Parallelism = tt.given
		if err := preparePortable(); err != nil {
			t.Fatal(err)
		}
		if got := *jobopts.Parallelism; got != tt.want {
			t.Errorf("%s, --parallelism=%d: %d, want %d", tt.kind, tt.given, got, tt.want)
		}
	}
}

func TestCheckEndpoint_nobodyThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	setOptions(t, l.Addr().String(), "LOOPBACK", "", "")
	if err := CheckEndpoint("flink"); err != nil {
		t.Errorf("with a listener: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var usage *cli.UsageError
	if err := CheckEndpoint("universal"); !errors.As(err, &usage) ||
		!strings.Contains(err.Error(), "start the job server") {
		t.Errorf("without: %v, want a usage error that says what to start", err)
	}
	if err := CheckEndpoint("direct"); err != nil {
		t.Errorf("direct has no endpoint: %v", err)
	}
}

// fakeJobs is a job service with jobs by name and state.
type fakeJobs struct {
	jobpb.UnimplementedJobServiceServer
	mu        sync.Mutex
	jobs      []*jobpb.JobInfo
	late      int // number of requests before the jobs appear
	stubborn  int // number of failed cancellations of a job
	cancelled []string
}

func (f *fakeJobs) GetJobs(context.Context, *jobpb.GetJobsRequest) (*jobpb.GetJobsResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.late--; f.late >= 0 {
		return &jobpb.GetJobsResponse{}, nil
	}
	return &jobpb.GetJobsResponse{JobInfo: f.jobs}, nil
}

func (f *fakeJobs) Cancel(_ context.Context, r *jobpb.CancelJobRequest) (*jobpb.CancelJobResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stubborn--; f.stubborn >= 0 {
		return &jobpb.CancelJobResponse{}, nil
	}
	f.cancelled = append(f.cancelled, r.GetJobId())
	for i, j := range f.jobs {
		if j.GetJobId() == r.GetJobId() {
			f.jobs[i] = job(j.GetJobId(), j.GetJobName(), jobpb.JobState_CANCELLED)
		}
	}
	return &jobpb.CancelJobResponse{}, nil
}

func job(id, name string, state jobpb.JobState_Enum) *jobpb.JobInfo {
	return &jobpb.JobInfo{JobId: id, JobName: name, State: state}
}

// serveJobs starts a job server.
func serveJobs(t *testing.T, jobs *fakeJobs) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	jobpb.RegisterJobServiceServer(server, jobs)
	go func() { _ = server.Serve(l) }() // Stop ends it
	t.Cleanup(server.Stop)
	return l.Addr().String()
}

func TestCancelJob(t *testing.T) {
	for _, tt := range []struct {
		name string
		jobs *fakeJobs
		want string // the job to cancel
		err  string
	}{
		{"running", &fakeJobs{jobs: []*jobpb.JobInfo{
			job("1", "other", jobpb.JobState_RUNNING),
			job("2", "ours", jobpb.JobState_RUNNING),
		}}, "2", ""},
		{"appears late", &fakeJobs{late: 2, jobs: []*jobpb.JobInfo{job("2", "ours", jobpb.JobState_STARTING)}}, "2", ""},
		{"takes its time", &fakeJobs{
			stubborn: cancelLooks + 2,
			jobs:     []*jobpb.JobInfo{job("2", "ours", jobpb.JobState_CANCELLING)},
		}, "2", ""},
		{"called otherwise by Flink's server", &fakeJobs{jobs: []*jobpb.JobInfo{
			job("x", "ours2-root-1124012345-9a", jobpb.JobState_RUNNING),
			job("y", "ours-root-1124012345-9a", jobpb.JobState_RUNNING),
		}}, "y", ""},
		{"only others begin like it", &fakeJobs{jobs: []*jobpb.JobInfo{
			job("1", "ours_2", jobpb.JobState_RUNNING),
			job("ours_2_77", "ours_2", jobpb.JobState_RUNNING),
			job("ours_3_77", "ours03-root-1124012345-9a", jobpb.JobState_RUNNING),
			job("4", "ours-4", jobpb.JobState_RUNNING),
			job("5", "ours-4-root-1124012345-9a", jobpb.JobState_RUNNING),
			job("6", "Ours", jobpb.JobState_RUNNING),
			job("7", "", jobpb.JobState_RUNNING),
		}}, "", "no job is known there by the name ours"},
		{"others begin like it", &fakeJobs{jobs: []*jobpb.JobInfo{
			job("1", "ours_2", jobpb.JobState_RUNNING),
			job("2", "ours-4", jobpb.JobState_RUNNING),
			job("3", "ours", jobpb.JobState_RUNNING),
		}}, "3", ""},
		{"found by its id", &fakeJobs{jobs: []*jobpb.JobInfo{job("ours_7", "", jobpb.JobState_RUNNING)}}, "ours_7", ""},
		{
			"unknown", &fakeJobs{jobs: []*jobpb.JobInfo{job("1", "other", jobpb.JobState_RUNNING)}}, "",
			"no job is known there by the name ours",
		},
		{"has ended", &fakeJobs{jobs: []*jobpb.JobInfo{job("2", "ours", jobpb.JobState_DONE)}}, "", ""},
		{"never began", &fakeJobs{jobs: []*jobpb.JobInfo{job("2", "ours", jobpb.JobState_STOPPED)}}, "", ""},
		{"two of one name", &fakeJobs{jobs: []*jobpb.JobInfo{
			job("1", "ours", jobpb.JobState_RUNNING),
			job("2", "ours", jobpb.JobState_RUNNING),
		}}, "", "2 jobs have this name: [1 2]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			err := cancelJob(ctx, serveJobs(t, tt.jobs), "ours")
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || err.Error() != tt.err) {
				t.Errorf("cancelJob = %v, want %q", err, tt.err)
			}
			if got := strings.Join(tt.jobs.cancelled, " "); got != tt.want {
				t.Errorf("cancelled %q, want %q", got, tt.want)
			}
		})
	}
}

// fakeFlink is Flink's REST service with one job, which ends some requests after its cancellation.
func fakeFlink(t *testing.T, name string, looks int) (address string, cancelled *[]string) {
	t.Helper()
	cancelled = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPatch && r.URL.Query().Get("mode") == "cancel":
			*cancelled = append(*cancelled, r.URL.Path)
			w.WriteHeader(http.StatusAccepted)
		case r.URL.Path == "/jobs/overview":
			state := "RUNNING"
			if len(*cancelled) > 0 {
				if looks--; looks < 0 {
					state = "CANCELED"
				}
			}
			_, _ = fmt.Fprintf(w, `{"jobs":[{"jid":"0a","name":%q,"state":%q},{"jid":"0b","name":"other","state":"RUNNING"}]}`,
				name, state)
		default:
			http.Error(w, "no", http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://"), cancelled
}

// TestCancelFlink: a job with another name in Flink is found and cancelled, until it has ended.
func TestCancelFlink(t *testing.T) {
	const name = "gleaner-ingest-out-20261124-010203-abcdef"
	address, cancelled := fakeFlink(t, strings.ReplaceAll(name, "-", "0")+"-root-1124010203-7", 3)
	if err := cancelFlink(t.Context(), address, name); err != nil {
		t.Fatal(err)
	}
	if want := []string{"/jobs/0a", "/jobs/0a", "/jobs/0a", "/jobs/0a"}; !slices.Equal(*cancelled, want) {
		t.Errorf("cancelled %q, want %q", *cancelled, want)
	}
	if active, err := (Job{Flink: address, Name: name}).active(t.Context()); active || err != nil {
		t.Errorf("active = %v, %v, of a job that has ended", active, err)
	}
	if err := cancelFlink(t.Context(), address, "unknown"); err == nil ||
		!strings.Contains(err.Error(), "no job is known") {
		t.Errorf("of an unknown job: %v", err)
	}
}

// TestJobEnded_portable: an active job locks the folder, unless another run starts over. A job of an unreachable
// server does not, because the folder locks out its workers.
func TestJobEnded_portable(t *testing.T) {
	const name = "ours"
	address, cancelled := fakeFlink(t, name, 0)
	note := (&Job{Runner: "flink", Endpoint: "127.0.0.1:1", Flink: address, Name: name}).Encode()
	if err := JobEnded(t.Context(), note, false); err == nil || !strings.Contains(err.Error(), "has not ended") {
		t.Errorf("of an active job: %v", err)
	}
	if err := JobEnded(t.Context(), note, true); err != nil || len(*cancelled) == 0 {
		t.Errorf("started over: %v, cancelled %q", err, *cancelled)
	}
	if err := JobEnded(t.Context(), note, false); err != nil {
		t.Errorf("of one that was cancelled: %v", err)
	}
	gone := (&Job{Runner: "flink", Endpoint: "127.0.0.1:1", Flink: "127.0.0.1:1", Name: name}).Encode()
	if err := JobEnded(t.Context(), gone, false); err != nil {
		t.Errorf("nobody to ask: %v", err)
	}
}

func TestLeave_saysThatTheJobGoesOn(t *testing.T) {
	for _, test := range []struct {
		name, runner string
		cancel       bool
		server       bool // a job server that cancels
		want         []string
	}{
		{"left to go on", "universal", false, true, []string{"the job My Job goes on at", "cancel it at its job server"}},
		{"left to go on at Flink", "flink", false, true, []string{"goes on", "`flink list`, as my0job-…", "`flink cancel`"}},
		{"cancelled", "universal", true, true, nil},
		{"cancelled for the job server alone", "flink", true, true, []string{
			"has cancelled the job My Job", "Flink itself may continue", "`flink list`, as my0job-…", "--flink_rest=",
		}},
		{"no server", "flink", true, false, []string{"may still be running", "`flink cancel`"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			address := "127.0.0.1:1"
			if test.server {
				address = serveJobs(t, &fakeJobs{jobs: []*jobpb.JobInfo{job("1", "My Job", jobpb.JobState_RUNNING)}})
			}
			setOptions(t, address, "", "", "")
			name, on := *jobopts.JobName, cancelOnExit
			defer func() { *jobopts.JobName, cancelOnExit = name, on }()
			*jobopts.JobName, cancelOnExit = "My Job", test.cancel
			var b strings.Builder
			leave(&b, test.runner)
			if len(test.want) == 0 && b.Len() > 0 {
				t.Errorf("leave wrote %q, want nothing", b.String())
			}
			for _, want := range test.want {
				if !strings.Contains(b.String(), want) {
					t.Errorf("leave wrote %q, want %q in it", b.String(), want)
				}
			}
		})
	}
}

func TestEndWith_endsWhenTheParentDoes(t *testing.T) {
	parents := []int{7, 7, 1}
	ended := false
	endWith(7, func() int {
		if ended || len(parents) == 0 {
			t.Fatal("it did not end with its parent")
		}
		p := parents[0]
		parents = parents[1:]
		return p
	}, func() { ended = true })
	if !ended || len(parents) > 0 {
		t.Errorf("ended = %v with %v left", ended, parents)
	}
}

// TestParentOf: it returns the parent of a process with any name. After the parent ends, it returns another one.
func TestParentOf(t *testing.T) {
	if got, err := parentOf(os.Getpid()); got != os.Getppid() {
		t.Skipf("parent %d, %v, want %d: no /proc here", got, err, os.Getppid())
	}
	// A shell that starts a process, prints its number and ends leaves an orphan.
	name := filepath.Join(t.TempDir(), "a ) 1 (")
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("sleep is not installed")
	}
	if err := os.Symlink(sleep, name); err != nil {
		t.Fatal(err)
	}
	shell := exec.CommandContext(t.Context(), "sh", "-c", `"$0" 60 >/dev/null 2>&1 & echo $!; read end`, name)
	in, errIn := shell.StdinPipe()
	out, errOut := shell.StdoutPipe()
	if err := errors.Join(errIn, errOut, shell.Start()); err != nil {
		t.Fatal(err)
	}
	var child int
	if _, err := fmt.Fscan(out, &child); err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(child)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = process.Kill() }() // it may have ended
	if got, err := parentOf(child); got != shell.Process.Pid || err != nil {
		t.Errorf("parent %d, %v, want the shell %d", got, err, shell.Process.Pid)
	}
	if err := errors.Join(in.Close(), shell.Wait()); err != nil {
		t.Log(err) // read has ended without a line
	}
	if got, err := parentOf(child); got == shell.Process.Pid || err != nil {
		t.Errorf("parent %d, %v, of an orphan", got, err)
	}
	if err := process.Kill(); err != nil {
		t.Error(err)
	}
}

func TestEnter(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(os.TempDir()) // restored at the end
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, os.TempDir()},
		{[]string{filepath.Join(dir, "missing")}, os.TempDir()},
		{[]string{dir}, dir},
	} {
		if err := enter(t.Context(), tt.args); err != nil {
			t.Errorf("enter(%q) = %v", tt.args, err)
		}
		if got, err := os.Getwd(); err != nil || got != tt.want {
			t.Errorf("after enter(%q) in %s, %v, want %s", tt.args, got, err, tt.want)
		}
	}
}

func TestSweepBoot_removesBootsFoldersAlone(t *testing.T) {
	for name, want := range map[string]bool{
		"/tmp/bin3163/worker": true, "/tmp/bin/worker": false, "/tmp/bin12/ingest": false, "/home/me/tmp/bin1/worker": false,
		"/tmp/bin1/x/worker": false,
	} {
		if got := bootCopy().MatchString(name); got != want {
			t.Errorf("%s is a copy of boot's: %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]bool{
		"/tmp/gleaner-worker-a1B2c3D4": true, "/tmp": false, "/tmp/gleaner-worker-": false,
		"/tmp/gleaner-worker-a1B2c3D4/x": false, "gleaner-worker-a1B2c3D4": false,
	} {
		if got := startFolder().MatchString(name); got != want {
			t.Errorf("%s is a folder of start's: %v, want %v", name, got, want)
		}
	}
}
