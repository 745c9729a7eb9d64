//go:build !local

package run

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// maxFlinkReply limits the reply of Flink's REST service, some 200 bytes a job.
const maxFlinkReply = 16 << 20

// flinkEnded are the final states of Flink jobs (JobStatus of Flink 1.20).
var flinkEnded = []string{"FINISHED", "FAILED", "CANCELED", "SUSPENDED"}

// flinkAddress makes a URL from the value of --flink_rest.
func flinkAddress(value string) (string, error) {
	if !strings.Contains(value, "://") {
		value = "http://" + value
	}
	u, err := url.Parse(value)
	if err == nil && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "") {
		err = cli.Usagef("--flink_rest takes host:port or a URL without user and query")
	}
	return strings.TrimRight(value, "/"), err
}

// cancelFlink lets Flink cancel the job of this name, and waits until it has ended.
func cancelFlink(ctx context.Context, rest, name string) error {
	return cancelNamed(ctx, name,
		func() (ids []string, known int, err error) { return flinkJobs(ctx, rest, name) },
		func(id string) error {
			_, err := askFlink(ctx, http.MethodPatch, rest, "/jobs/"+url.PathEscape(id)+"?mode=cancel")
			return err
		})
}

// flinkJobs returns the ids of active jobs with this name, and the number of jobs in any state.
func flinkJobs(ctx context.Context, rest, name string) (ids []string, known int, err error) {
	reply, err := askFlink(ctx, http.MethodGet, rest, "/jobs/overview")
	if err != nil {
		return nil, 0, err
	}
	var overview struct {
		Jobs []struct{ JID, Name, State string }
	}
	if err := json.Unmarshal(reply, &overview); err != nil {
		return nil, 0, fmt.Errorf("%s/jobs/overview: %w", rest, err)
	}
	for _, j := range overview.Jobs {
		if !named(j.Name, name) {
			continue
		}
		known++
		if !slices.Contains(flinkEnded, j.State) {
			ids = append(ids, j.JID)
		}
	}
	return ids, known, nil
}

func askFlink(ctx context.Context, method, rest, path string) (reply []byte, err error) {
	address, err := flinkAddress(rest)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, address+path, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }() // it was read
	reply, err = io.ReadAll(io.LimitReader(answer.Body, maxFlinkReply))
	if err == nil && answer.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s%s: %s", method, address, path, answer.Status)
	}
	return reply, err
}
