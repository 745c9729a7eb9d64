package run

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/google/go-cmp/cmp"
	dataflow "google.golang.org/api/dataflow/v1b3"
	"google.golang.org/api/option"

	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// setFlags sets Beam flags until the test ends.
func setFlags(t *testing.T, values map[string]string) {
	t.Helper()
	for name, value := range values {
		old := flagValue(name)
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := flag.Set(name, old); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDataflowFleet(t *testing.T) {
	for machine, want := range map[string]Fleet{
		"n2-standard-8":        {VCPUs: 8, GBPerCPU: 4},
		"n1-highmem-16":        {VCPUs: 16, GBPerCPU: 6.5},
		"c9-standard-4":        {VCPUs: 4},
		"n2-custom-4-10240":    {},
		"e2-medium":            {},
		"custom":               {},
		"":                     {},
		"n2-standard-8-lssd":   {},
		"n2-standard-x":        {},
		"n2-standard-99999999": {VCPUs: 99999999, GBPerCPU: 4},
	} {
		setFlags(t, map[string]string{"worker_machine_type": machine, "num_workers": "2", "max_num_workers": "9"})
		want.Machine, want.Begin, want.Most = machine, 2, 9
		if diff := cmp.Diff(want, DataflowFleet()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", machine, diff)
		}
	}
}

func TestChooseWorkerBinary_itself(t *testing.T) {
	setFlags(t, map[string]string{"worker_binary": ""})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	machine, static, err := inspect(self)
	if err != nil {
		t.Skipf("this program is not one for Linux: %v", err)
	}
	err = chooseWorkerBinary()
	var usage *cli.UsageError
	switch {
	case static && machine.String() == "EM_X86_64":
		if err != nil || *jobopts.WorkerBinary != self {
			t.Errorf("worker's program = %q, %v, want %q", *jobopts.WorkerBinary, err, self)
		}
	case !errors.As(err, &usage) || !strings.Contains(err.Error(), "CGO_ENABLED=0"):
		t.Errorf("error = %v, want how to build one", err)
	}
}

func TestChooseWorkerBinary_notForLinux(t *testing.T) {
	path := filepath.Join(t.TempDir(), "worker")
	if err := os.WriteFile(path, []byte("MZ"), 0o600); err != nil {
		t.Fatal(err)
	}
	setFlags(t, map[string]string{"worker_binary": path, "machine_type": "c4a-standard-4"})
	if err := chooseWorkerBinary(); err == nil || !strings.Contains(err.Error(), "GOARCH=arm64") {
		t.Errorf("error = %v, want how to build one for ARM", err)
	}
}

// jobServer returns one state after the other; "" is a failure.
func jobServer(t *testing.T, states ...string) *dataflow.ProjectsLocationsJobsService {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/messages"):
			list := []*dataflow.JobMessage{
				{MessageText: "first"},
				{MessageText: "DoFn[main.f] failed:\nunit 1: full"},
				{MessageText: "b"},
				{MessageText: "last"},
			}
			_ = json.NewEncoder(w).Encode(dataflow.ListJobMessagesResponse{JobMessages: list}) // the test notices
			return
		case len(states) == 0 || states[0] == "":
			http.Error(w, "later", http.StatusServiceUnavailable)
		default:
			_ = json.NewEncoder(w).Encode(dataflow.Job{CurrentState: states[0]}) // likewise
		}
		states = states[min(1, len(states)):]
	}))
	t.Cleanup(server.Close)
	s, err := dataflow.NewService(t.Context(), option.WithEndpoint(server.URL), option.WithoutAuthentication())
	if err != nil {
		t.Fatal(err)
	}
	return s.Projects.Locations.Jobs
}

func TestRemoteJob_wait(t *testing.T) {
	setFlags(t, map[string]string{"project": "p", "region": "r"})
	const running, done = "JOB_STATE_RUNNING", "JOB_STATE_DONE"
	for name, tt := range map[string]struct {
		states []string
		want   string // in the error; "" for none
		log    string
	}{
		"done":            {[]string{"JOB_STATE_QUEUED", running, running, done}, "", "queued|running|done"},
		"outage":          {[]string{running, "", "", "", "", "", "", "", "", "", running, "", "", done}, "", "running|done"},
		"lost sight of":   {[]string{running}, "lost sight of job 1 of Dataflow, which may go on", "running"},
		"failed":          {[]string{"JOB_STATE_FAILED"}, "JOB_STATE_FAILED\nunit 1: full\nb\nlast", "failed"},
		"somebody's stop": {[]string{running, "JOB_STATE_CANCELLED"}, "JOB_STATE_CANCELLED", "running|cancelled"},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			slept := time.Duration(0)
			j := &remoteJob{
				jobs: jobServer(t, tt.states...), id: "1", log: &log,
				sleep: func(_ context.Context, d time.Duration) { slept += d },
			}
			err := j.wait(t.Context())
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("wait = %v, want %q", err, tt.want)
			}
			var states []string
			for line := range strings.Lines(log.String()) {
				states = append(states, strings.TrimSpace(line[strings.LastIndexByte(strings.TrimSpace(line), ' '):]))
			}
			if got := strings.Join(states, "|"); got != tt.log {
				t.Errorf("log = %q, want %q", got, tt.log)
			}
			if len(tt.states) > 10 && slept < time.Minute {
				t.Errorf("slept %v: an outage of minutes is borne", slept)
			}
		})
	}
}

func TestCheckRunner_template(t *testing.T) {
	setFlags(t, map[string]string{"template_location": "gs://b/t"})
	if err := CheckRunner("direct"); err == nil || !strings.Contains(err.Error(), "is for --runner=dataflow") {
		t.Errorf("CheckRunner = %v, want that only Dataflow has templates", err)
	}
}

func TestJobEnded_unknown(t *testing.T) {
	for note, want := range map[string]string{"": "which job", `{"runner":"other"}`: "other"} {
		if err := JobEnded(t.Context(), []byte(note), false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("JobEnded(%q) = %v, want %q in it", note, err, want)
		}
	}
}

func TestNewJob(t *testing.T) {
	if j := NewJob("ingest", "out", "direct"); j != nil {
		t.Errorf("NewJob = %v, want none for a runner of this process", j)
	}
	setFlags(t, map[string]string{"project": "p", "region": "r"})
	a := *NewJob("ingest", "gs://b/My Pages, 2026/", Dataflow)
	b := *NewJob("ingest", "gs://b/My Pages, 2026/", Dataflow)
	if a.Name == b.Name || !matches(t, "^gleaner-ingest-my-pages-2026-[0-9]{8}-[0-9]{6}-[a-z0-9]{6}$", a.Name) ||
		a.Project != "p" || a.Region != "r" {
		t.Errorf("jobs %v and %v, want two names", a, b)
	}
	var decoded Job
	if err := json.Unmarshal(a.Encode(), &decoded); err != nil || decoded != a {
		t.Errorf("decoded %v, %v, want %v", decoded, err, a)
	}
}

func TestTemplateMetadata(t *testing.T) {
	f := NewFlags(flag.NewFlagSet("gather", flag.ContinueOnError),
		cli.Command{Name: "gather", Summary: "Gather <things>.\nMore."})
	f.Add([]setting.Setting{
		{Name: "most", Value: new(int), Default: "3", Help: "how many", Group: "Input"},
		{Name: "out", Value: new(string), Help: "where to", Group: "Output"},
	})
	got, err := f.TemplateMetadata(Template{
		Name: "Gather", Required: map[string]string{"out": "^gs://"},
		Skip: []string{"runner"},
	})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "template.json", string(got))
}

func matches(t *testing.T, form, value string) bool {
	t.Helper()
	re, err := regexp.Compile(form)
	if err != nil {
		t.Fatal(err)
	}
	return re.MatchString(value)
}

func TestFormOf(t *testing.T) {
	// The regular expression of a template must accept all values that the flag accepts.
	for _, size := range []string{"0", "64MiB", "64M", "1.5GB", "64 mib", "1024B"} {
		if _, err := setting.ParseBytes(size); err != nil || !matches(t, formOf(setting.Size), size) {
			t.Errorf("%q: %v, or the form refuses it", size, err)
		}
	}
	if matches(t, formOf(setting.Size), "many") || !matches(t, formOf(setting.Switch), "true") ||
		formOf(setting.Text) != "" {
		t.Error("forms that take anything, or nothing")
	}
}
