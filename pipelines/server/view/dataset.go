package view

import (
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/jobs"
)

// datasetOf returns the file that a job has made; false means that there is none.
func datasetOf(j jobs.Job) (Dataset, bool) {
	// A failed job may have left a part of its file, which is not a data set.
	if j.Output == "" || j.State != jobs.Done && j.State != jobs.Losses {
		return Dataset{}, false
	}
	// The file belongs to the user, who may move or remove it at any time.
	info, err := os.Stat(j.Output)
	if err != nil {
		return Dataset{}, false // it was removed
	}
	name := filepath.Base(j.Output)
	// The extension begins at the first dot: ".warc.gz" is one extension.
	_, ext, _ := strings.Cut(name, ".")
	return Dataset{
		Name: name, Job: j.Number, Format: formatOf(ext), Query: commandOf(j.Verb, j.Args), Bytes: info.Size(),
		Made: rfc3339(info.ModTime()), Link: "/api/v1/datasets/" + number(j.Number),
		Repeat: "/jobs/new?from=" + number(j.Number),
	}, true
}

// formatOf returns the format of a file by its extension. Two formats have ".csv": the first in the alphabet, "csv", is
// what jobs make.
func formatOf(ext string) string {
	for _, name := range slices.Sorted(maps.Keys(exportTypes)) {
		if exportTypes[name].ext == "."+ext {
			return name
		}
	}
	return ext
}

// Dataset returns a file that a job has exported.
func (v *Views) Dataset(ctx context.Context, r JobRequest) (*Export, error) {
	q, err := v.queue(ctx, Viewer)
	if err != nil {
		return nil, err
	}
	j, err := q.Get(r.Number)
	if err != nil {
		return nil, jobError(err)
	}
	// The check is the same as for the list: a running job has no finished file, even if a file exists.
	d, ok := datasetOf(j)
	if !ok {
		return nil, notFound("This job has made no file, or it was removed", "GET /api/v1/datasets lists them.")
	}
	// The path belongs to the job and was made by the server: a request has only a number. The file is opened here, so
	// that a missing file is an error and not an empty answer.
	f, err := os.Open(j.Output)
	if err != nil {
		return nil, err
	}
	// Jobs also make formats that are not in the table.
	media := exportTypes[d.Format].media
	if media == "" {
		media = "application/octet-stream"
	}
	return &Export{
		Name: d.Name, Type: media, Close: func() { _ = f.Close() }, // it is only read
		Write: func(_ context.Context, out io.Writer) (bool, error) {
			// It is copied directly, without holding it in memory.
			_, err := io.Copy(out, f)
			// The file cannot change any more; the job knows whether records were missing.
			return j.State == jobs.Losses, err
		},
	}, nil
}
