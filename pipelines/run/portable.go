//go:build !local

package run

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/hooks"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/gleaner-web/gleaner/io/storage/folder"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// portable reports whether a runner is another process, reached through Beam's job service.
func portable(runner string) bool { return runner == flink || runner == universal }

// The portable runners, and prism, Beam's own, which is in this process.
const flink, universal, prism = "flink", "universal", "prism"

// environments are the ways to start workers. Users must choose DOCKER, Beam's default, explicitly: without Docker,
// Beam would fail only after minutes.
var environments = []string{"LOOPBACK", "PROCESS", "EXTERNAL", "DOCKER"}

// InProcess reports whether this process does the work. Then workers know its secrets: see package secret.
func InProcess(runner string) bool {
	return !portable(runner) && runner != Dataflow || portable(runner) && loopback()
}

// loopback reports whether the submitter is also the worker.
func loopback() bool { return strings.EqualFold(*jobopts.EnvironmentType, "LOOPBACK") }

// checkEnvironment returns an error for wrong flags about starting workers.
func checkEnvironment() error {
	kind, config := strings.ToUpper(*jobopts.EnvironmentType), *jobopts.EnvironmentConfig
	if !slices.Contains(environments, kind) {
		return cli.Usagef("--environment_type=%s: there are %s", *jobopts.EnvironmentType, strings.Join(environments, ", "))
	}
	switch kind {
	// Each kind has its own configuration: an address, a command, or none.
	case "EXTERNAL":
		if _, _, err := net.SplitHostPort(config); err != nil {
			return cli.Usagef("--environment_type=EXTERNAL needs --environment_config=host:50000, where workers are started "+
				"(boot --worker_pool): %v", err)
		}
	case "PROCESS":
		if err := checkCommand(config); err != nil {
			return cli.Usagef(`--environment_type=PROCESS needs --environment_config='{"command":"/opt/gleaner/start"}', a `+
				`program on the workers' machines that starts Beam's boot: %v`, err)
		}
	}
	if flinkREST != "" {
		if _, err := flinkAddress(flinkREST); err != nil {
			return cli.Usagef("--flink_rest=%s: %v", flinkREST, err)
		}
	}
	return checkWorker()
}

// checkCommand checks the JSON that describes a process environment.
func checkCommand(config string) error {
	var process struct {
		Command string            `json:"command"`
		OS      string            `json:"os"`
		Arch    string            `json:"arch"`
		Env     map[string]string `json:"env"`
	}
	// Beam would ignore a misspelt key, and the workers would not start.
	d := json.NewDecoder(strings.NewReader(config))
	d.DisallowUnknownFields()
	if err := d.Decode(&process); err != nil {
		return fmt.Errorf("%q: %w", config, err)
	}
	if process.Command == "" {
		return fmt.Errorf("%q names no command", config)
	}
	return nil
}

// checkWorker checks the program of the workers.
func checkWorker() error {
	name := *jobopts.WorkerBinary
	if loopback() {
		return nil
	}
	if name == "" {
		// On Linux this program is the worker: see preparePortable.
		if runtime.GOOS != "linux" {
			return cli.Usagef("--worker_binary is needed on %s: workers run on Linux, and `make worker` builds the program "+
				"for them", runtime.GOOS)
		}
		return nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return cli.Usagef("--worker_binary: %v", err)
	}
	// A failed build leaves an empty file.
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return cli.Usagef("--worker_binary=%s is no file, or an empty one", name)
	}
	return nil
}

const endpointLimit = 2 * time.Second

// CheckEndpoint returns a UsageError if the job server of a portable runner does not answer. Beam itself would wait
// two minutes.
func CheckEndpoint(runner string) error {
	if !portable(runner) {
		return nil
	}
	endpoint := *jobopts.Endpoint
	// The connection only shows that a server listens.
	conn, err := net.DialTimeout("tcp", endpoint, endpointLimit)
	if err != nil {
		return cli.Usagef("--endpoint=%s does not answer: %v; start the job server first, see docs/clusters/flink.md",
			endpoint, err)
	}
	// Nothing was sent, so that an error in closing is one of the network.
	return conn.Close()
}

// preparePortable sets what Beam lacks for a job on a portable runner. This is a unique name, the worker's program,
// the number of workers, and the folder of relative names.
func preparePortable() error {
	if *jobopts.JobName == "" {
		*jobopts.JobName = "gleaner-" + folder.Unique()
	}
	if *jobopts.WorkerBinary == "" && !loopback() { // or Beam builds it again from source
		self, err := os.Executable()
		if err != nil {
			return fmt.Errorf("run: this program's file, which workers need: %w", err)
		}
		*jobopts.WorkerBinary = self
	}
	if loopback() && *jobopts.Parallelism < 1 {
		// Flink's task managers number workers alike, so two would ask one submitter for the same worker.
		*jobopts.Parallelism = 1
	}
	// Workers may start in any folder, but relative names mean the submitter's.
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("run: the folder that relative names are relative to: %w", err)
	}
	return hooks.EnableHook(workerHook, dir)
}
