//go:build !local

package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"cloud.google.com/go/storage"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/protox"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/gcpopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	beamdataflow "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow/dataflowlib"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/gcsx"
	dataflow "google.golang.org/api/dataflow/v1b3"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// submitDataflow submits p and returns the job's id, or "" if a launcher of templates submits it. It uploads the
// workers' program once, under its hash; Beam would upload it for each job.
func submitDataflow(ctx context.Context, p *beam.Pipeline) (id string, err error) {
	job, err := describeJob(ctx, p)
	if err != nil {
		return "", err
	}
	worker, err := stageWorker(ctx, *jobopts.WorkerBinary)
	if err != nil {
		return "", fmt.Errorf("upload the workers' program: %w", err)
	}
	if err := stageGraph(ctx, p, job, worker); err != nil {
		return "", err
	}
	if location := flagValue("template_location"); location != "" {
		data, err := job.MarshalJSON()
		if err != nil {
			return "", err
		}
		return "", dataflowlib.StageModel(ctx, *gcpopts.Project, location, data)
	}
	client, err := dataflowClient(ctx)
	if err != nil {
		return "", err
	}
	submitted, err := dataflowlib.Submit(ctx, client, *gcpopts.Project, *gcpopts.Region, job,
		flagValue("update") == "true")
	if err != nil {
		return "", err
	}
	return submitted.Id, nil
}

// describeJob returns the job that Beam makes from the flags, without staged files. It takes it from the log of a dry
// run.
func describeJob(ctx context.Context, p *beam.Pipeline) (*dataflow.Job, error) {
	var printed bytes.Buffer
	beamlog.SetLogger(jobPrinter{w: &printed, least: beamlog.SevWarn})
	// Workers get all flags that are set except this one.
	beamdataflow.DontUseFlagAsPipelineOption("dry_run")
	if err := flag.Set("dry_run", "true"); err != nil {
		return nil, err
	}
	_, err := beam.Run(ctx, Dataflow, p)
	if err := errors.Join(err, flag.Set("dry_run", "false")); err != nil {
		return nil, err
	}
	job := &dataflow.Job{}
	if err := json.Unmarshal(printed.Bytes(), job); err != nil {
		return nil, fmt.Errorf("read the job that Beam described: %w", err)
	}
	if job.Environment != nil && len(job.Environment.WorkerPools) == 1 {
		pool := job.Environment.WorkerPools[0]
		if len(pool.Packages) > 0 && len(pool.SdkHarnessContainerImages) == 1 {
			return job, nil
		}
	}
	return nil, errors.New("the job that Beam described is not one pool of workers with a program and an image")
}

// stageWorker uploads the workers' program unless it exists under its hash with the same size. Objects appear only
// when complete, and the service compares the hash before it runs the program.
func stageWorker(ctx context.Context, path string) (*dataflow.Package, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	if err != nil {
		return nil, err
	}
	hash := hex.EncodeToString(sum.Sum(nil))
	// The service requires this last part of the name.
	location := gcsx.Join(flagValue("staging_location"), "programs", hash, "worker")
	bucket, object, err := gcsx.ParseObject(location)
	if err != nil {
		return nil, err
	}
	client, err := gcsx.NewClient(ctx, storage.ScopeReadWrite)
	if err != nil {
		return nil, err
	}
	defer func() { _ = client.Close() }() // writes have been checked by then
	there, err := client.Bucket(bucket).Object(object).Attrs(ctx)
	if err == nil && there.Size == size {
		return &dataflow.Package{Location: location, Sha256: hash}, nil
	}
	// Other errors will appear again when the program is written.
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	cli.Note(os.Stderr, "dataflow: uploading the workers' program (%d MB), once", size/1e6)
	_, err = gcsx.Upload(ctx, client, *gcpopts.Project, bucket, object, f)
	return &dataflow.Package{Location: location, Sha256: hash}, err
}

// stageGraph uploads the graph and sets the locations of graph and program in the job.
func stageGraph(ctx context.Context, p *beam.Pipeline, job *dataflow.Job, worker *dataflow.Package) error {
	pool := job.Environment.WorkerPools[0]
	pool.Packages[0].Location, pool.Packages[0].Sha256 = worker.Location, worker.Sha256
	graph, err := encodeGraph(ctx, p, pool.SdkHarnessContainerImages[0].ContainerImage, worker)
	if err != nil {
		return err
	}
	// The client has this field only as raw JSON.
	var all, options map[string]json.RawMessage
	if err := json.Unmarshal(job.Environment.SdkPipelineOptions, &all); err != nil {
		return err
	}
	if err := json.Unmarshal(all["options"], &options); err != nil {
		return err
	}
	var url string
	if err := json.Unmarshal(options["pipelineUrl"], &url); err != nil {
		return fmt.Errorf("the job that Beam described does not say where its graph is: %w", err)
	}
	sum := sha256.Sum256(graph)
	// Text and decoded JSON always encode.
	options["pipelineProtoHash"], _ = json.Marshal(hex.EncodeToString(sum[:]))
	all["options"], _ = json.Marshal(options)
	if job.Environment.SdkPipelineOptions, err = json.Marshal(all); err != nil {
		return err
	}
	return dataflowlib.StageModel(ctx, *gcpopts.Project, url, graph)
}

// encodeGraph returns the pipeline in the form for workers with this image and program.
func encodeGraph(ctx context.Context, p *beam.Pipeline, image string, worker *dataflow.Package) ([]byte, error) {
	edges, _, err := p.Build()
	if err != nil {
		return nil, err
	}
	environment, err := graphx.CreateEnvironment(ctx, jobopts.GetEnvironmentUrn(ctx),
		func(context.Context) string { return image })
	if err != nil {
		return nil, err
	}
	model, err := graphx.Marshal(edges, &graphx.Options{
		Environment: environment, PipelineResourceHints: jobopts.GetPipelineResourceHints(),
	})
	if err != nil {
		return nil, err
	}
	artifact := protox.MustEncode(&pipepb.ArtifactUrlPayload{Url: worker.Location, Sha256: worker.Sha256})
	if err := graphx.UpdateDefaultEnvWorkerType(graphx.URNArtifactURLType, artifact, model); err != nil {
		return nil, err
	}
	return protox.MustEncode(model), nil
}
