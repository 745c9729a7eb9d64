package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	dataflow "google.golang.org/api/dataflow/v1b3"

	"github.com/gleaner-web/gleaner/internal/discovery"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
)

// objectsOf returns the files of folders by their names as objects.
func objectsOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err == nil {
			all[filepath.ToSlash(rel)], err = os.ReadFile(name)
		}
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	return all
}

// TestDryRun_dataflow: corpus and sources print the Dataflow job for a collection in a bucket. They need no place for
// the job's files, and work over finished output and with --fresh. Neither the service nor the bucket gets a request.
func TestDryRun_dataflow(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"ingest", "--output=" + at("out"), "testdata/archives"},
		{"corpus", "--output=" + at("corpus"), "--collection=" + at("out")},
		{"sources", "--output=" + at("sources"), "--collection=" + at("out")},
	} {
		if code, _, stderr := gleaner(t, args...); code != 0 && code != 3 {
			t.Fatalf("%q: exit code %d\n%s", args, code, stderr)
		}
	}
	bucket := blobtest.Start(t, "gs", nil, objectsOf(t, dir))
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(bucket.URL, "http://"))
	var asked atomic.Int64
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.NotFound(w, r)
	}))
	t.Cleanup(service.Close)
	before, api := bucket.Objects(t), discovery.Dataflow(t)
	for command, want := range map[string]string{
		"corpus --output=gs://b/new":                          "",
		"corpus --output=gs://b/corpus":                       "",
		"corpus --output=gs://b/corpus --fresh --filters=c4":  "",
		"sources --output=gs://b/new":                         "",
		"sources --output=gs://b/sources":                     "",
		"sources --output=gs://b/sources --as_of=2027-01-01":  "",
		"sources --output=gs://b/new --staging_location=gs:/": "not in Google Cloud Storage",
		"corpus --output=gs://b/new --temp_location=s3://b/t": "not in Google Cloud Storage",
	} {
		args := append(strings.Fields(command), "--collection=gs://b/out", "--dry_run", "--runner=dataflow", "--project=p",
			"--region=europe-west1", "--dataflow_endpoint="+service.URL+"/", "--job_name=shown")
		code, stdout, stderr := gleaner(t, args...)
		if want != "" {
			if code != 2 || !strings.Contains(stderr, want) || stdout != "" {
				t.Errorf("%s: exit code %d, want 2 and %q\n%s%s", command, code, want, stdout, stderr)
			}
			continue
		}
		var j dataflow.Job
		err := json.Unmarshal([]byte(stdout), &j)
		if err != nil || code != 0 || j.Name != "shown" || j.Type != "JOB_TYPE_BATCH" {
			t.Errorf("%s: exit code %d, %v; printed %.300q, want the job\n%s", command, code, err, stdout, stderr)
		}
		if err := api.Check("Job", []byte(stdout)); err != nil {
			t.Errorf("%s: %v", command, err)
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the service was asked %d times", n)
	}
	same := func(a, b []byte) bool { return string(a) == string(b) }
	if after := bucket.Objects(t); !maps.EqualFunc(before, after, same) {
		t.Errorf("objects have changed: %q, want %q", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
}
