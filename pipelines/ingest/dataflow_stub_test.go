package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	dataflow "google.golang.org/api/dataflow/v1b3"

	"github.com/gleaner-web/gleaner/internal/discovery"
)

// stubToken must not appear in a log or in a file of a run.
const stubToken = "stub-access-token-4711"

// dataflowStub replaces Dataflow's REST API, Google's token server, and the Internet. As a proxy, it receives all
// requests to other machines. These fail the test, as do requests that differ from Google's description of the API.
type dataflowStub struct {
	objectStore
	url    string
	secret string                              // a line of the private key
	runJob func(*dataflow.Job) (string, error) // returns the final state of a job
	api    *discovery.API

	mu      sync.Mutex
	jobs    []*dataflow.Job
	calls   []string
	outside []string // requests to other servers
	wrong   []error  // differences from the API
	errors  map[string]string
}

// startDataflow starts the stub with a bucket of archives, and sets the environment of commands to use both.
func startDataflow(t *testing.T) *dataflowStub {
	t.Helper()
	d := &dataflowStub{
		objectStore: startStore(t, "gs", nil), errors: map[string]string{}, api: discovery.Dataflow(t),
	}
	d.runJob = func(*dataflow.Job) (string, error) { return "JOB_STATE_DONE", nil }
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	d.url = server.URL
	host := strings.TrimPrefix(server.URL, "http://")
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", d.credentials(t))
	t.Setenv("GCE_METADATA_HOST", host)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, server.URL) // Go ignores it for loopback
	}
	t.Setenv("NO_PROXY", "")
	t.Setenv("no_proxy", "")
	t.Cleanup(func() {
		if len(d.outside) > 0 {
			t.Errorf("requests that would have left this machine: %v", d.outside)
		}
		if err := errors.Join(d.wrong...); err != nil {
			t.Errorf("requests that the service does not have: %v", err)
		}
	})
	return d
}

// credentials writes the key of a service account whose tokens come from the stub.
func (d *dataflowStub) credentials(t *testing.T) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	d.secret = strings.Split(text, "\n")[3]
	data, err := json.Marshal(map[string]string{
		"type": "service_account", "project_id": "p", "private_key_id": "1", "private_key": text,
		"client_email": "stub@p.example", "token_uri": d.url + "/token",
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "key.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// flags returns the flags of a command that submits to the stub.
func (d *dataflowStub) flags(more ...string) []string {
	return append([]string{
		"--runner=dataflow", "--project=p", "--region=europe-west1", "--staging_location=gs://b/staging",
		"--dataflow_endpoint=" + d.url + "/", "--output=gs://b/out",
	}, more...)
}

// jobsPath is the path of the project's jobs in the API, version 1b3.
const jobsPath = "/v1b3/projects/p/locations/europe-west1/jobs"

// ServeHTTP answers like the services.
func (d *dataflowStub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r.Method == http.MethodConnect || r.URL.IsAbs() {
		d.outside = append(d.outside, r.Method+" "+r.Host+r.URL.Path)
		http.Error(w, "no way out", http.StatusForbidden)
		return
	}
	d.calls = append(d.calls, r.Method+" "+r.URL.Path)
	answer, err := d.answer(r)
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
	case answer == nil:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer) // the command detects errors
	}
}

func (d *dataflowStub) answer(r *http.Request) (any, error) {
	if r.URL.Path == "/token" {
		return map[string]any{"access_token": stubToken, "token_type": "Bearer", "expires_in": 3600}, nil
	}
	rest, ok := strings.CutPrefix(r.URL.Path, jobsPath)
	if !ok {
		return nil, nil
	}
	d.wrong = append(d.wrong, d.api.CheckCall(r.Method, r.URL.Path, r.URL.Query()))
	if r.Header.Get("Authorization") != "Bearer "+stubToken {
		return nil, fmt.Errorf("not authorised: %s", r.Header.Get("Authorization"))
	}
	id, what, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	if id == "" && r.Method == http.MethodPost {
		return d.create(r.Body)
	}
	if id == "" {
		return dataflow.ListJobsResponse{Jobs: d.active()}, nil
	}
	for _, j := range d.jobs {
		if j.Id == id {
			return d.about(j, what, r)
		}
	}
	return nil, nil
}

// create accepts a job, which runs at once.
func (d *dataflowStub) create(body io.Reader) (*dataflow.Job, error) {
	j, err := d.decode(body)
	if err != nil {
		return nil, err
	}
	j.Id = fmt.Sprintf("job-%d", len(d.jobs)+1)
	j.CurrentState = "JOB_STATE_RUNNING"
	d.jobs = append(d.jobs, j)
	go func() {
		state, err := d.runJob(j)
		d.mu.Lock()
		defer d.mu.Unlock()
		j.CurrentState = state
		if err != nil {
			d.errors[j.Id] = err.Error()
		}
	}()
	return &dataflow.Job{Id: j.Id, Name: j.Name, ProjectId: "p"}, nil
}

// decode reads a job, and compares it with the API.
func (d *dataflowStub) decode(body io.Reader) (*dataflow.Job, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	d.wrong = append(d.wrong, d.api.Check("Job", data))
	j := &dataflow.Job{}
	return j, json.Unmarshal(data, j)
}

func (d *dataflowStub) active() []*dataflow.Job {
	var list []*dataflow.Job
	for _, j := range d.jobs {
		if j.CurrentState == "JOB_STATE_RUNNING" {
			list = append(list, &dataflow.Job{Id: j.Id, Name: j.Name})
		}
	}
	return list
}

// about answers requests on one job: its state, its messages, or a cancellation.
func (d *dataflowStub) about(j *dataflow.Job, what string, r *http.Request) (any, error) {
	switch {
	case what == "messages":
		return dataflow.ListJobMessagesResponse{JobMessages: []*dataflow.JobMessage{{MessageText: d.errors[j.Id]}}}, nil
	case what != "":
		return nil, nil
	case r.Method == http.MethodPut:
		asked, err := d.decode(r.Body)
		if err != nil {
			return nil, err
		}
		j.CurrentState = asked.RequestedState
	}
	return dataflow.Job{Id: j.Id, Name: j.Name, CurrentState: j.CurrentState}, nil
}

// called returns the number of calls of the form "GET /path".
func (d *dataflowStub) called(call string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for _, c := range d.calls {
		if c == call {
			n++
		}
	}
	return n
}

// submitted returns the only job.
func (d *dataflowStub) submitted(t *testing.T) *dataflow.Job {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.jobs) != 1 {
		t.Fatalf("%d jobs were submitted, want 1", len(d.jobs))
	}
	return d.jobs[0]
}

// object returns the content of an object in the bucket.
func (d *dataflowStub) object(ctx context.Context, name string) ([]byte, error) {
	o, err := d.store.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
	if err != nil {
		return nil, err
	}
	return data, o.Close()
}

// noSecrets fails the test if a text, a job or an object in the bucket contains a credential. It skips the worker
// program, which is this program and contains them.
func (d *dataflowStub) noSecrets(t *testing.T, texts ...string) {
	t.Helper()
	for _, j := range d.jobs {
		data, err := j.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	all, err := d.store.List(t.Context(), "gs://b/")
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range all {
		if strings.HasPrefix(info.Name, "gs://b/in/") || strings.HasSuffix(info.Name, "/worker") {
			continue
		}
		data, err := d.object(t.Context(), info.Name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	for _, text := range texts {
		for _, secret := range []string{stubToken, d.secret, "PRIVATE KEY"} {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("a credential in %q", text[max(0, i-100):min(len(text), i+100)])
			}
		}
	}
}

// tinyProgram writes a program for the workers' machines that has only a header. It can be staged but not run.
func tinyProgram(t *testing.T, machine byte) string {
	t.Helper()
	var head bytes.Buffer
	head.WriteString("\x7fELF\x02\x01\x01")                   // 64 bits, little endian
	head.Write(make([]byte, 9))                               // no particular system
	head.Write([]byte{2, 0, machine, 0, 1, 0, 0, 0})          // a program, version 1
	head.Write(make([]byte, 8+8+8+4))                         // no start, no headers
	head.Write([]byte{64, 0, 56, 0, 0, 0, 64, 0, 0, 0, 0, 0}) // their sizes and numbers
	path := filepath.Join(t.TempDir(), "worker")
	if err := os.WriteFile(path, head.Bytes(), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
