package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	v1pb "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx/v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/protox"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/google/go-cmp/cmp"
	dataflow "google.golang.org/api/dataflow/v1b3"
	"google.golang.org/protobuf/proto"
)

// sdkOptions are the checked parts of a job's options.
type sdkOptions struct {
	Options struct {
		PipelineURL  string `json:"pipelineUrl"`
		PipelineHash string `json:"pipelineProtoHash"`
		TempLocation string `json:"tempLocation"`
	} `json:"options"`
	Go struct {
		Options map[string]string `json:"options"`
	} `json:"beam:option:go_options:v1"`
}

// TestDataflow submits a job to stubs of Dataflow and its storage, with this program for the workers. It runs the
// staged job like a runner, in processes of the staged program, and compares the output with that of the direct
// runner.
func TestDataflow(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("Dataflow's workers run Linux on amd64, and this program, which they would run, does not")
	}
	d := startDataflow(t)
	d.runJob = func(j *dataflow.Job) (string, error) {
		if err := d.runStaged(t, j); err != nil {
			return "JOB_STATE_FAILED", err
		}
		return "JOB_STATE_DONE", nil
	}
	args := []string{"--unit_size=64KiB", "--compression=none", "--extract=mime,text", "gs://b/in/"}
	r := mustRun(t, d.flags(append(args, "--worker_binary="+os.Args[0], "--num_workers=2", "--max_num_workers=7",
		"--worker_machine_type=n2-standard-4", `--labels={"team":"archive"}`)...)...)
	job := d.submitted(t)
	if n := d.called("POST " + jobsPath); n != 1 {
		t.Errorf("jobs.create was called %d times, want once", n)
	}
	checkJob(t, job)
	checkStaged(t, d, job)
	d.noSecrets(t, r.stdout, r.stderr)
	if !strings.Contains(r.stderr, "submitted "+job.Name+", job job-1") {
		t.Errorf("stderr = %q, want the job's name and id", r.stderr)
	}
	clean := t.TempDir()
	mustRun(t, append(args, "--output="+clean)...)
	sameFiles(t, d.contents(t), contents(t, clean))
	if _, err := d.object(t.Context(), "gs://b/out/.gleaner/job.json"); err == nil {
		t.Error("the note of the job is still there")
	}
}

// TestDataflow_programOnce: of two jobs, the first uploads the worker program. A damaged upload is replaced.
func TestDataflow_programOnce(t *testing.T) {
	d := startDataflow(t)
	d.runJob = func(*dataflow.Job) (string, error) { return "JOB_STATE_CANCELLED", nil } // nobody writes the manifest
	args := d.onDataflow(t)
	const uploading = "uploading the workers' program"
	for i, uploads := range []bool{true, false, true} {
		if i == 2 { // damage by another program
			location := d.jobs[0].Environment.WorkerPools[0].Packages[0].Location
			if _, err := d.store.Put(t.Context(), location, strings.NewReader("cut"), 3, ""); err != nil {
				t.Fatal(err)
			}
		}
		if r := runCommand(t, args...); strings.Contains(r.stderr, uploading) != uploads || len(d.jobs) != i+1 {
			t.Fatalf("job %d of %d: uploading is %t, want %t\n%s", i+1, len(d.jobs), !uploads, uploads, r.stderr)
		}
	}
	program, err := os.ReadFile(tinyProgram(t, x86))
	if err != nil {
		t.Fatal(err)
	}
	locations := map[string]bool{}
	for _, j := range d.jobs {
		worker := j.Environment.WorkerPools[0].Packages[0]
		locations[worker.Location] = true
		if staged, err := d.object(t.Context(), worker.Location); err != nil || digest(staged) != worker.Sha256 ||
			worker.Sha256 != digest(program) {
			t.Errorf("the program at %s: %v, SHA-256 %s; want %s", worker.Location, err, digest(staged), worker.Sha256)
		}
	}
	if len(locations) != 1 {
		t.Errorf("programs at %v, want one place", locations)
	}
}

// runStaged runs a job like Dataflow: with the staged worker program and graph.
func (d *dataflowStub) runStaged(t *testing.T, j *dataflow.Job) error {
	ctx := t.Context()
	options, err := optionsOf(j)
	if err != nil {
		return err
	}
	model, err := d.object(ctx, options.Options.PipelineURL)
	if err != nil {
		return err
	}
	program, err := d.object(ctx, j.Environment.WorkerPools[0].Packages[0].Location)
	if err != nil {
		return err
	}
	path := filepath.Join(t.TempDir(), "worker")
	if err := os.WriteFile(path, program, 0o755); err != nil {
		return err
	}
	return runOnPrism(ctx, model, startPool(t, path))
}

func optionsOf(j *dataflow.Job) (o sdkOptions, err error) {
	err = json.Unmarshal(j.Environment.SdkPipelineOptions, &o)
	return o, err
}

// checkJob checks the request to the service.
func checkJob(t *testing.T, j *dataflow.Job) {
	t.Helper()
	o, err := optionsOf(j)
	if err != nil {
		t.Fatal(err)
	}
	pool := j.Environment.WorkerPools[0]
	type asked struct {
		Type, Machine, Temp string
		Workers, Most       int64
		Labels              map[string]string
	}
	got := asked{
		j.Type, pool.MachineType, o.Options.TempLocation, pool.NumWorkers, pool.AutoscalingSettings.MaxNumWorkers,
		j.Labels,
	}
	want := asked{"JOB_TYPE_BATCH", "n2-standard-4", "gs://b/staging/tmp", 2, 7, map[string]string{"team": "archive"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("job (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(j.Name, "gleaner-ingest-") {
		t.Errorf("job's name = %q", j.Name)
	}
	for name, want := range map[string]string{
		"output": "gs://b/out", "unit_size": "65536", "extract": "mime,text",
		"compression": "none",
	} {
		if got := o.Go.Options[name]; got != want {
			t.Errorf("option %s = %q, want %q", name, got, want)
		}
	}
}

// checkStaged checks the worker program and the graph.
func checkStaged(t *testing.T, d *dataflowStub, j *dataflow.Job) {
	t.Helper()
	o, err := optionsOf(j)
	if err != nil {
		t.Fatal(err)
	}
	model, err := d.object(t.Context(), o.Options.PipelineURL)
	if err != nil || digest(model) != o.Options.PipelineHash {
		t.Fatalf("graph: %v, SHA-256 %s, want %s", err, digest(model), o.Options.PipelineHash)
	}
	worker := j.Environment.WorkerPools[0].Packages[0]
	staged, err := d.object(t.Context(), worker.Location)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := digest(staged), digest(program); got != want || worker.Sha256 != want {
		t.Errorf("worker's program: SHA-256 %s, the job says %s, want %s", got, worker.Sha256, want)
	}
	checkGraph(t, model)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// checkGraph checks that the stages of the design exist, and that each of their functions can be made from the graph.
func checkGraph(t *testing.T, model []byte) {
	t.Helper()
	p := &pipepb.Pipeline{}
	if err := proto.Unmarshal(model, p); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	var functions []string
	for id, transform := range p.GetComponents().GetTransforms() {
		kind := transform.GetSpec().GetUrn()
		kinds[kind]++
		if kind != graphx.URNParDo {
			continue
		}
		name, err := functionOf(transform)
		if err != nil {
			t.Errorf("%s, %s: %v", id, transform.GetUniqueName(), err)
		}
		if strings.HasPrefix(name, "batch.") {
			functions = append(functions, name)
		}
	}
	slices.Sort(functions)
	want := []string{"batch.finishFn", "batch.listFn", "batch.unitFn"}
	if diff := cmp.Diff(want, functions); diff != "" {
		t.Errorf("functions (-want +got):\n%s", diff)
	}
	if kinds[graphx.URNReshuffle] != 1 || kinds[graphx.URNGBK] < 1 {
		t.Errorf("transforms %v, want the reshuffle of the units, and the grouping of their rows", kinds)
	}
	if len(p.GetComponents().GetEnvironments()) != 1 {
		t.Errorf("%d environments, want 1", len(p.GetComponents().GetEnvironments()))
	}
}

// functionOf makes the function of a transform like a worker, and returns the name of its type.
func functionOf(transform *pipepb.PTransform) (string, error) {
	var pardo pipepb.ParDoPayload
	if err := proto.Unmarshal(transform.GetSpec().GetPayload(), &pardo); err != nil {
		return "", err
	}
	var payload v1pb.TransformPayload
	if err := protox.DecodeBase64(string(pardo.GetDoFn().GetPayload()), &payload); err != nil {
		return "", err
	}
	if payload.GetEdge() == nil {
		return payload.GetUrn(), nil // a transform of Beam
	}
	_, fn, _, _, _, err := graphx.DecodeMultiEdge(payload.GetEdge())
	if err != nil || fn == nil || fn.Recv == nil {
		return "", err
	}
	return strings.TrimPrefix(path.Base(reflect.TypeOf(fn.Recv).String()), "*"), nil
}
