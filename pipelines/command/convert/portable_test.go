//go:build linux

package convert

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/internal/jobserver"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
)

// TestConvert_portable: worker processes from a job server share only the bucket with the command. They write the
// same bytes as a run on one machine.
func TestConvert_portable(t *testing.T) {
	args := []string{"--to=ache-html,wacz", "--unit_size=64KiB", severalUnits(t)}
	clean := filepath.Join(t.TempDir(), "clean")
	mustRun(t, append(args, "--output="+clean)...)
	s := startStore(t, "gs", &blobtest.Faults{}, nil)
	t.Setenv("TMPDIR", t.TempDir())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GLEANER_WORKER", self)
	t.Setenv(commandtest.AsCommand, "convert")
	script, err := os.ReadFile("../../../docs/clusters/flink/start")
	if err != nil {
		t.Fatal(err)
	}
	start := filepath.Join(t.TempDir(), "start")
	if err := os.WriteFile(start, script, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(jobserver.Boot(t), filepath.Join(filepath.Dir(start), "boot")); err != nil {
		t.Fatal(err)
	}
	worker, err := filepath.Abs("../../../docs/clusters/flink/worker")
	if err != nil {
		t.Fatal(err)
	}
	mustRun(t, append(args, "--output="+s.Root+"out", "--runner=universal", "--endpoint="+jobserver.Prism(t).Endpoint,
		"--environment_type=EXTERNAL", "--environment_config="+jobserver.Pool(t, start), "--worker_binary="+worker)...)
	s.sameObjects(t, clean)
}
