package discovery_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/discovery"
)

func TestAPI_Check(t *testing.T) {
	api := discovery.Dataflow(t)
	for name, tt := range map[string]struct{ schema, text, want string }{
		"a job": {"Job", `{"name": "a", "type": "JOB_TYPE_BATCH", "labels": {"team": "b"}, "environment": {
			"workerPools": [{"numWorkers": 3, "diskProvisionedIops": "3000"}], "version": {"major": 6}}}`, ""},
		"unknown field":      {"Job", `{"nam": "a"}`, "Job has no field nam"},
		"nested":             {"Job", `{"environment": {"workerPools": [{"disk": 1}]}}`, "[0] has no field disk"},
		"value of an enum":   {"Job", `{"type": "BATCH"}`, "Job.type is BATCH"},
		"deprecated value":   {"ParameterMetadata", `{"paramType": "KAFKA_TOPIC"}`, "ParameterMetadata.paramType"},
		"text for a number":  {"WorkerPool", `{"numWorkers": "3"}`, "WorkerPool.numWorkers is 3, want integer int32"},
		"number of 64 bits":  {"WorkerPool", `{"diskProvisionedIops": 3000}`, "want string int64"},
		"above 32 bits":      {"WorkerPool", `{"numWorkers": 3000000000}`, "numWorkers"},
		"no whole number":    {"WorkerPool", `{"numWorkers": 1.5}`, "numWorkers"},
		"null":               {"WorkerPool", `{"machineType": null}`, "machineType"},
		"list for an object": {"Job", `{"labels": []}`, "Job.labels"},
		"object for a list":  {"Job", `{"steps": {}}`, "Job.steps"},
		"value of a map":     {"Job", `{"labels": {"a": 1}}`, "Job.labels.a"},
		"time":               {"Job", `{"createTime": "yesterday"}`, "Job.createTime"},
		"only in replies":    {"Job", `{"satisfiesPzi": true}`, "only for replies"},
		"not JSON":           {"Job", `{`, "EOF"},
		"no such schema":     {"Jobs", `{}`, "no schema Jobs"},
	} {
		t.Run(name, func(t *testing.T) {
			err := api.Check(tt.schema, []byte(tt.text))
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("Check(%s, %s) = %v, want %q", tt.schema, tt.text, err, tt.want)
			}
		})
	}
}

func TestAPI_CheckCall(t *testing.T) {
	api := discovery.Dataflow(t)
	const jobs = "/v1b3/projects/p/locations/europe-west1/jobs"
	for _, tt := range []struct {
		verb, path, query, want string
	}{
		{"POST", jobs, "alt=json&prettyPrint=false", ""},
		{"GET", jobs, "filter=ACTIVE", ""},
		{"PUT", jobs + "/1", "", ""},
		{"POST", jobs + "/1", "", "no method"},
		{"GET", jobs + "/1/logs", "", "no method"},
		{"GET", jobs, "filter=RUNNING", "filter=RUNNING, want string of"},
		{"GET", jobs, "state=ACTIVE", "no parameter state"},
	} {
		query, err := url.ParseQuery(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		err = api.CheckCall(tt.verb, tt.path, query)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("CheckCall(%s, %s, %s) = %v, want %q", tt.verb, tt.path, tt.query, err, tt.want)
		}
	}
}
