package collection

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestCollection_answerOnFullDisk: an answer that could not be written is a failure, and not an empty answer.
func TestCollection_answerOnFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = full.Close() }() // nothing was written
	if _, err := full.WriteString("x"); err == nil {
		t.Skip("/dev/full takes what is written")
	}
	out := t.TempDir()
	must(t, "ingest", "--output="+out, "--format=parquet", "--extract=text", "../../../testdata/archives")
	must(t, "collection", "lake", "--collection="+out)
	for _, task := range []string{"stats", "check", "index", "lake", "snapshots", "expire"} {
		cmd := commandtest.Command(t.Context(), "collection", task, "--collection="+out)
		cmd.Stdout = full
		var exit *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != cli.ExitFailed {
			t.Errorf("%s: %v, want exit code %d", task, err, cli.ExitFailed)
		}
	}
	if _, text := command(t, "collection", "check", "--collection="+out); text == "" {
		t.Error("check says nothing")
	}
}
