package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	dataflow "google.golang.org/api/dataflow/v1b3"
)

// onDataflow returns the arguments of a command whose worker program is never run.
func (d *dataflowStub) onDataflow(t *testing.T, more ...string) []string {
	t.Helper()
	return d.flags(append([]string{"--worker_binary=" + tinyProgram(t, x86), "gs://b/in/site.warc.gz"}, more...)...)
}

// Processors of programs in ELF.
const (
	x86 = 62
	arm = 183
)

// hanging lets a job run until the test ends.
func (d *dataflowStub) hanging(t *testing.T) {
	t.Helper()
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	d.runJob = func(*dataflow.Job) (string, error) { <-stop; return "JOB_STATE_DONE", nil }
}

// TestDataflow_async: the folder of a running job is locked until the job has ended, even without a local process.
func TestDataflow_async(t *testing.T) {
	d := startDataflow(t)
	ended := make(chan struct{})
	d.runJob = func(*dataflow.Job) (string, error) { <-ended; return "JOB_STATE_CANCELLED", nil }
	args := d.onDataflow(t, "--async")
	r := mustRun(t, args...)
	if !strings.Contains(r.stderr, "not waiting") {
		t.Errorf("stderr = %q", r.stderr)
	}
	name := d.submitted(t).Name
	for _, other := range [][]string{args, {"--output=gs://b/out", "--dataflow_endpoint=" + d.url + "/", archives}} {
		r = runCommand(t, other...)
		if r.code != 1 || !strings.Contains(r.stderr, "another run is writing") || !strings.Contains(r.stderr, name) {
			t.Errorf("exit code %d, stderr %q; want 1 and the job %s", r.code, r.stderr, name)
		}
	}
	close(ended)
	for deadline := time.Now().Add(time.Minute); len(d.activeNow()) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the job does not end")
		}
	}
	mustRun(t, args...)
	if n := d.called("POST " + jobsPath); n != 2 {
		t.Errorf("jobs.create was called %d times, want twice", n)
	}
	d.noSecrets(t, r.stderr)
}

func (d *dataflowStub) activeNow() []*dataflow.Job {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.active()
}

func TestDataflow_failed(t *testing.T) {
	for state, want := range map[string]string{
		"JOB_STATE_FAILED":    "JOB_STATE_FAILED\nunit 3: disk is full",
		"JOB_STATE_CANCELLED": "JOB_STATE_CANCELLED",
	} {
		d := startDataflow(t)
		d.runJob = func(*dataflow.Job) (string, error) { return state, errors.New("unit 3: disk is full") }
		r := runCommand(t, d.onDataflow(t)...)
		if r.code != 1 || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: exit code %d, stderr %q; want 1 and %q", state, r.code, r.stderr, want)
		}
	}
}

// TestDataflow_interrupted: an interrupted command leaves no job that costs money.
func TestDataflow_interrupted(t *testing.T) {
	d := startDataflow(t)
	d.hanging(t)
	cmd := command(t.Context(), d.onDataflow(t)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); d.called("GET "+jobsPath+
		"/job-1") == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the command does not ask about its job")
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the test checks the code
	if code := cmd.ProcessState.ExitCode(); code != 1 || d.submitted(t).CurrentState != "JOB_STATE_CANCELLED" {
		t.Errorf("exit code %d, the job is %s; want 1 and cancelled; stderr %q", code, d.submitted(t).CurrentState,
			errs.String())
	}
}

// TestDataflow_template: a template launcher gets the job's description, and submits it itself.
func TestDataflow_template(t *testing.T) {
	d := startDataflow(t)
	args := d.flags("--worker_binary="+tinyProgram(t, x86), "--input=gs://b/in/site.warc.gz",
		"--template_location=gs://b/launch/job_object")
	args[0] = "--runner=DataflowRunner"
	mustRun(t, args...)
	data, err := d.object(t.Context(), "gs://b/launch/job_object")
	if err != nil {
		t.Fatal(err)
	}
	var j dataflow.Job
	if err := json.Unmarshal(data, &j); err != nil {
		t.Fatal(err)
	}
	if err := d.api.Check("Job", data); err != nil {
		t.Error(err)
	}
	o, err := optionsOf(&j)
	if err != nil || o.Options.PipelineURL == "" || j.Type != "JOB_TYPE_BATCH" {
		t.Errorf("%v, job %s", err, data)
	}
	if n := d.called("POST " + jobsPath); n != 0 {
		t.Errorf("jobs.create was called %d times; the launcher does that", n)
	}
	d.noSecrets(t, string(data))
}

// TestDataflow_dryRun: the job is printed, and nothing is written.
func TestDataflow_dryRun(t *testing.T) {
	d := startDataflow(t)
	r := mustRun(t, d.onDataflow(t, "--dry_run", "--job_name=one")...)
	var j dataflow.Job
	if err := json.Unmarshal([]byte(r.stdout), &j); err != nil || j.Name != "one" {
		t.Errorf("%v; printed %q, want the job", err, r.stdout)
	}
	if err := d.api.Check("Job", []byte(r.stdout)); err != nil {
		t.Error(err)
	}
	all, err := d.store.List(t.Context(), "gs://b/")
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range all {
		if !strings.HasPrefix(info.Name, "gs://b/in/") {
			t.Errorf("%s was written", info.Name)
		}
	}
	if d.called("POST "+jobsPath) > 0 {
		t.Error("a job was submitted")
	}
	d.noSecrets(t, r.stdout, r.stderr)
}

// TestDataflow_usage: usage errors are found before anything is staged.
func TestDataflow_usage(t *testing.T) {
	d := startDataflow(t)
	list := filepath.Join(t.TempDir(), "list.txt")
	here, err := filepath.Abs("../../" + archives + "/site.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(list, []byte(here+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(t.TempDir(), "worker")
	if err := os.WriteFile(text, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"needs --project=my-project and --region=europe-west1 and --staging_location=gs://bucket/staging": {"--runner=dataflow"},
		"--staging_location=/staging is not in Google Cloud Storage": d.onDataflow(t,
			"--staging_location=/staging"),
		"--temp_location=s3://b/t is not in Google Cloud Storage": d.onDataflow(t,
			"--temp_location=s3://b/t"),
		"an output that its workers reach": d.onDataflow(t,
			"--output=out"),
		"needs archives that its workers reach": d.flags("--worker_binary=" + tinyProgram(t, x86)),
		"testdata is out of reach": d.onDataflow(t,
			"testdata"),
		here + " is out of reach": d.onDataflow(t,
			"@"+list),
		"--worker_binary=nowhere is not there": d.onDataflow(t,
			"--worker_binary=nowhere"),
		"cannot run on Dataflow's workers": d.onDataflow(t,
			"--worker_binary="+text),
		"EM_AARCH64, and the workers' machines are EM_X86_64": d.onDataflow(t,
			"--worker_binary="+tinyProgram(t, arm)),
		"GOARCH=arm64":                d.onDataflow(t, "--machine_type=t2a-standard-4"),
		"takes two jobs":              d.onDataflow(t, "--site_templates", "--async"),
		"--runner=dataflow would get": {"--dry_run", archives},
	} {
		r := runCommand(t, args...)
		if r.code != 2 || !strings.Contains(r.stderr, want) {
			t.Errorf("exit code %d, stderr %q; want 2 and %q", r.code, r.stderr, want)
		}
	}
	if n := d.called("POST /token") + d.called("POST "+jobsPath); n > 0 {
		t.Errorf("%d calls, want none", n)
	}
}

// TestDataflow_plan: the plan shows the requests to the service, but sends none.
func TestDataflow_plan(t *testing.T) {
	d := startDataflow(t)
	r := mustRun(t, d.onDataflow(t, "--plan", "--machine_type=n1-standard-2", "--max_num_workers=3",
		"--price_vcpu_hour=100", "--price_gb_hour=10")...)
	// The amounts depend on measured CPU time. TestCloud_print checks the output for given amounts.
	for _, want := range []string{
		"\nunits 1, archives 61.1 KiB", "machines n1-standard-2", "at most 3", "on 6 vCPUs",
		"roughly 30 captures", "cost 0.0", ": vCPUs 0.0", "by the prices given",
		"\nflags that fit this plan: --num_workers=1 --autoscaling_algorithm=THROUGHPUT_BASED --disk_size_gb=31\n",
	} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("printed %q, want %q in it", r.stdout, want)
		}
	}
	if n := d.called("POST /token"); n > 0 {
		t.Error("the service was asked")
	}
}

// TestDataflow_metadata: the parameters of the Flex Template are the existing flags.
func TestDataflow_metadata(t *testing.T) {
	const file = "dataflow/metadata.json"
	got := mustRun(t, "--template_metadata").stdout
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not what the flags are; in pipelines/ingest run: go run . --template_metadata > %s\n(-file "+
			"+flags)\n%s", file, file, diff)
	}
}

// TestDataflow_document runs the commands of the document against the stub.
func TestDataflow_document(t *testing.T) {
	const file = "../../docs/clusters/dataflow.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var commands []string
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "./ingest "); ok {
			commands = append(commands, rest)
		}
	}
	if len(commands) < 5 {
		t.Fatalf("%d commands in %s", len(commands), file)
	}
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		d := startDataflow(t)
		d.runJob = func(*dataflow.Job) (string, error) { return "JOB_STATE_CANCELLED", nil } // nobody writes the manifest
		script := program + " --dataflow_endpoint=" + d.url + "/ --worker_binary=" + tinyProgram(t, x86) + " " + c
		cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
		cmd.Env = append(os.Environ(), asCommand+"=1", "PROJECT=p", "REGION=europe-west1", "BUCKET=b")
		cmd.Dir = "../.."
		out, err := cmd.CombinedOutput()
		waits := !strings.Contains(c, "--plan") && !strings.Contains(c, "--dry_run") && !strings.Contains(c, "--async") &&
			!strings.Contains(c, "--template_location")
		if (err == nil) == waits || waits && !bytes.Contains(out, []byte("JOB_STATE_CANCELLED")) {
			t.Errorf("%s: %v\n%s", c, err, out)
		}
		t.Logf("%s\n%s", c, out)
	}
}
