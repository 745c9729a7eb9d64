package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"testing"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// workerPool starts a program as a worker on a runner's request, like the container on Dataflow's machines.
type workerPool struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	program string

	mu      sync.Mutex
	workers map[string]*exec.Cmd
}

// startPool serves a pool until the test ends, and returns its address.
func startPool(t *testing.T, program string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &workerPool{program: program, workers: map[string]*exec.Cmd{}}
	server := grpc.NewServer()
	fnpb.RegisterBeamFnExternalWorkerPoolServer(server, p)
	served := make(chan error)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		for id := range p.workers {
			p.stop(id)
		}
	})
	return listener.Addr().String()
}

func (p *workerPool) StartWorker(_ context.Context, r *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	cmd := exec.Command(p.program, "--worker=true", "--id="+r.GetWorkerId(), "--logging_endpoint="+
		r.GetLoggingEndpoint().GetUrl(),
		"--control_endpoint="+r.GetControlEndpoint().GetUrl(), "--semi_persist_dir="+os.TempDir())
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Dir = os.TempDir() // has no files of the project
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := cmd.Start(); err != nil {
		return &fnpb.StartWorkerResponse{Error: err.Error()}, nil
	}
	p.workers[r.GetWorkerId()] = cmd
	return &fnpb.StartWorkerResponse{}, nil
}

func (p *workerPool) StopWorker(_ context.Context, r *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop(r.GetWorkerId())
	return &fnpb.StopWorkerResponse{}, nil
}

func (p *workerPool) stop(id string) {
	if cmd := p.workers[id]; cmd != nil {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // it was killed
		delete(p.workers, id)
	}
}

// runOnPrism runs a staged graph with workers of the pool, in place of Dataflow.
func runOnPrism(ctx context.Context, model []byte, pool string) error {
	p := &pipepb.Pipeline{}
	if err := proto.Unmarshal(model, p); err != nil {
		return err
	}
	payload, err := proto.Marshal(&pipepb.ExternalPayload{Endpoint: &pipepb.ApiServiceDescriptor{Url: pool}})
	if err != nil {
		return err
	}
	for _, env := range p.GetComponents().GetEnvironments() {
		env.Urn, env.Payload, env.Dependencies = "beam:env:external:v1", payload, nil
	}
	client, err := prism.CreateJobServer(ctx, prism.Options{})
	if err != nil {
		return err
	}
	prepared, err := client.Prepare(ctx, &jobpb.PrepareJobRequest{
		Pipeline: p, JobName: "staged",
		PipelineOptions: &structpb.Struct{},
	})
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	id, err := runnerlib.Submit(ctx, client, prepared.GetPreparationId(), prepared.GetStagingSessionToken())
	if err != nil {
		return err
	}
	return runnerlib.WaitForCompletion(ctx, client, id)
}
