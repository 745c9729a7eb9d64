package view

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/jobs"
)

// datasetOf is the file that a job has made; false when there is none.
func datasetOf(j jobs.Job) (Dataset, bool) {
	// A job that failed may have left a part of its file, which is not data set.
	if j.Output == "" || j.State != jobs.Done && j.State != jobs.Losses {
		return Dataset{}, false
	}
	// The file is the user's: it may be moved or removed at any time.
	info, err := os.Stat(j.Output)
	if err != nil {
		return Dataset{}, false // it was removed
	}
	name := filepath.Base(j.Output)
	// From the first dot on: ".warc.gz" is one ending.
	_, ext, _ := strings.Cut(name, ".")
	return Dataset{
		Name: name, Job: j.Number, Format: formatOf(ext), Query: commandOf(j.Verb, j.Args), Bytes: info.Size(),
		Made: rfc3339(info.ModTime()), Link: "/api/v1/datasets/" + number(j.Number),
		Repeat: "/jobs/new?from=" + number(j.Number),
	}, true
}

// formatOf is the form of a file by the end of its name.
// Six forms: a search through them costs less than a second table to keep.
func formatOf(ext string) string {
	for name, form := range exportTypes {
		if form.ext == "."+ext {
			return name
		}
	}
	return ext
}

// Dataset gives a file that a job has exported.
func (v *Views) Dataset(ctx context.Context, r JobRequest) (*Export, error) {
	q, err := v.queue(ctx, Viewer)
	if err != nil {
		return nil, err
	}
	j, err := q.Get(r.Number)
	if err != nil {
		return nil, jobError(err)
	}
	// The same test as for the list: a job that runs has no file to give, though one may be there.
	d, ok := datasetOf(j)
	if !ok {
		return nil, notFound("This job has made no file, or it was removed", "GET /api/v1/datasets lists them.")
	}
	// The path is the job's own, and was made by the server: a request only has a number. Opened here,
	// so that a file that is gone is an error, and not an empty answer.
	f, err := os.Open(j.Output)
	if err != nil {
		return nil, err
	}
	// WACZ is made by jobs alone, and is not in the table.
	media := exportTypes[d.Format].media
	if media == "" {
		media = "application/octet-stream"
	}
	return &Export{
		Name: d.Name, Type: media, Close: func() { _ = f.Close() }, // it is only read
		Write: func(_ context.Context, out io.Writer) (bool, error) {
			// Copied as it is: nothing of it is held in memory.
			_, err := io.Copy(out, f)
			// The file is what it is; that records were missing is known from the job.
			return j.State == jobs.Losses, err
		},
	}, nil
}
