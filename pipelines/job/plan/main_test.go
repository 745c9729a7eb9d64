package plan_test

import (
	"errors"
	"os"
	"testing"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestMain(m *testing.M) {
	docsandbox.Main() // children that read documents run this program
	os.Exit(m.Run())
}

// makeRun plans and runs a request in this process.
func makeRun(t *testing.T, c plan.Request) schemas.Manifest {
	t.Helper()
	p, err := plan.Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := job.Run(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	f := c.OpenFolder(t.Context(), "")
	m, err := holdings.ReadManifest(f)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return m
}

// isUsage reports whether an error is a usage error.
func isUsage(err error) bool {
	var usage *cli.UsageError
	return errors.As(err, &usage)
}
