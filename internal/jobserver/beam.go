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

// startLimit is how long a server may take to start on a machine that is busy.
// It is generous, since a test that gives up too early says nothing about the code.
const startLimit = 2 * time.Minute

// Server is a job server.
// It ends with the test that started it; one that was running before is only an Endpoint.
type Server struct {
	*Process
	Endpoint string // of its job service: host:port
}

// Prism starts Beam's runner prism as a process of its own.
// Its workers are processes of their own, unlike those of the runner prism inside a command.
func Prism(t testing.TB) *Server {
	t.Helper()
	endpoint := freeEndpoint(t)
	_, port, err := net.SplitHostPort(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	// The web interface is left out: two tests at once would want its port.
	p := start(t, "prism", exec.Command(build(t, "cmd/prism", "prism"), "--job_port="+port, "--serve_http=false",
		"--log_level=warn"))
	p.Await(startLimit, func() error { return listening(endpoint) })
	return &Server{p, endpoint}
}

// build builds a program of Beam's Go module, in the version of go.mod, and returns its file. In the cache it is not
// linked again when it is as it should be.
// The version is that of the SDK under test, so that both speak the same protocol.
func build(t testing.TB, pkg, name string) string {
	t.Helper()
	file := filepath.Join(cache(t), name)
	if err := quietly(exec.Command("go", "build", "-o", file, "github.com/apache/beam/sdks/v2/go/"+pkg)); err != nil {
		t.Fatal(err)
	}
	return file
}

// Boot builds Beam's boot program, which job servers start where a worker is wanted, and returns its file.
func Boot(t testing.TB) string {
	t.Helper()
	return build(t, "container", "boot")
}

// States are the states of the jobs that the server knows, RUNNING for one.
// A server keeps jobs that have ended, so there may be several.
func (s *Server) States() []string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	conn, err := grpcx.Dial(ctx, s.Endpoint, startLimit)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }() // nothing is waited for
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

// Pool serves workers to runners, as `boot --worker_pool` does, which takes no port but 50000. It returns its endpoint.
// Each worker is the program called command.
// Beam's own pool would have to be asked for by a fixed port, which two tests cannot share.
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
	// An error that comes later than the test's end would be lost.
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
