//go:build linux

package jobserver

import (
	"context"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/pool"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// startLimit is generous, because a test that gives up early on a busy machine says nothing about the code.
const startLimit = 2 * time.Minute

// Server is a job server that ends with its test. One that was already running is only an Endpoint.
type Server struct {
	*Process
	Endpoint string // of its job service: host:port
}

// Prism starts Beam's runner prism as a process, whose workers are processes too, unlike those of prism inside a
// command.
func Prism(t testing.TB) *Server {
	t.Helper()
	endpoint := freeEndpoint(t)
	_, port, err := net.SplitHostPort(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	// Without the web interface, whose port two tests would both want.
	p := start(t, "prism", exec.Command(build(t, "cmd/prism", "prism"), "--job_port="+port, "--serve_http=false",
		"--log_level=warn"))
	p.Await(startLimit, func() error { return listening(endpoint) })
	return &Server{p, endpoint}
}

// build builds a program of Beam's Go module, in the version of go.mod, and returns its file. Both sides then speak
// the same protocol. An unchanged program in the cache is not linked again.
func build(t testing.TB, pkg, name string) string {
	t.Helper()
	file := filepath.Join(cache(t), name)
	if err := quietly(exec.Command("go", "build", "-o", file, "github.com/apache/beam/sdks/v2/go/"+pkg)); err != nil {
		t.Fatal(err)
	}
	return file
}

// Boot builds Beam's boot program, which job servers use to start workers, and returns its file.
func Boot(t testing.TB) string {
	t.Helper()
	return build(t, "container", "boot")
}

// States returns the states of all jobs that the server knows, including ended ones, such as RUNNING.
func (s *Server) States() []string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	conn, err := grpcx.Dial(ctx, s.Endpoint, startLimit)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }() // nothing is waiting
	jobs, err := jobpb.NewJobServiceClient(conn).GetJobs(ctx, &jobpb.GetJobsRequest{})
	if err != nil {
		s.t.Fatal(err)
	}
	var states []string
	for _, j := range jobs.GetJobInfo() {
		states = append(states, j.GetState().String())
	}
	return states
}

// Pool starts workers for runners and returns its endpoint. Each worker is the program command. It is like `boot
// --worker_pool`, whose fixed port 50000 two tests cannot share.
func Pool(t testing.TB, command string) string {
	t.Helper()
	endpoint := freeEndpoint(t)
	_, port, err := net.SplitHostPort(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pool.New(context.Background(), number, command)
	if err != nil {
		t.Fatal(err)
	}
	// ServeAndWait returns when the pool is stopped.
	served := make(chan error)
	go func() { served <- p.ServeAndWait() }()
	// After the end of the test an error would be lost.
	t.Cleanup(func() {
		if err := p.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return endpoint
}
