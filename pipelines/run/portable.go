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

// portable reports whether a runner is another process, which is reached by Beam's job service.
func portable(runner string) bool { return runner == flink || runner == universal }

// The portable runners, and Beam's own of them, which is this process.
const flink, universal, prism = "flink", "universal", "prism"

// environments are the ways in which a portable runner starts workers; Beam's default, DOCKER, is one that must be
// chosen here: where there is no Docker, Beam would find out after minutes.
var environments = []string{"LOOPBACK", "PROCESS", "EXTERNAL", "DOCKER"}

// InProcess reports whether a runner's workers are this process. They know then what it keeps back from others: see
// package secret.
func InProcess(runner string) bool {
	return !portable(runner) && runner != Dataflow || portable(runner) && loopback()
}

// loopback reports whether the submitter is also the worker.
func loopback() bool { return strings.EqualFold(*jobopts.EnvironmentType, "LOOPBACK") }

// checkEnvironment says what is wrong with the flags that tell how workers are started.
func checkEnvironment() error {
	kind, config := strings.ToUpper(*jobopts.EnvironmentType), *jobopts.EnvironmentConfig
	if !slices.Contains(environments, kind) {
		return cli.Usagef("--environment_type=%s: there are %s", *jobopts.EnvironmentType, strings.Join(environments, ", "))
	}
	switch kind {
	// Each kind has a configuration of its own: an address, a command, or none.
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

// checkCommand says what is wrong with the environment's description of a process.
func checkCommand(config string) error {
	var process struct {
		Command string            `json:"command"`
		OS      string            `json:"os"`
		Arch    string            `json:"arch"`
		Env     map[string]string `json:"env"`
	}
	// A misspelt key would be ignored by Beam, and the workers would not start.
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

// checkWorker says what is wrong with the program that becomes the worker.
func checkWorker() error {
	name := *jobopts.WorkerBinary
	if loopback() {
		// The worker is this very process.
		return nil
	}
	if name == "" {
		// This program is the worker where it is built for Linux: see preparePortable.
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
	// An empty file is what a build that failed leaves.
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return cli.Usagef("--worker_binary=%s is no file, or an empty one", name)
	}
	return nil
}

// endpointLimit is how long a job server may take to accept a connection.
const endpointLimit = 2 * time.Second

// CheckEndpoint says, as a UsageError, that the job server of a portable runner does not answer. Beam itself would wait
// two minutes for it.
func CheckEndpoint(runner string) error {
	if !portable(runner) {
		return nil
	}
	endpoint := *jobopts.Endpoint
	// The connection is closed at once: it only shows that somebody listens.
	conn, err := net.DialTimeout("tcp", endpoint, endpointLimit)
	if err != nil {
		return cli.Usagef("--endpoint=%s does not answer: %v; start the job server first, see docs/clusters/flink.md",
			endpoint, err)
	}
	// Nothing was sent, so that an error in closing is one of the network.
	return conn.Close()
}

// preparePortable gives Beam what it lacks for a job on a portable runner: a name by which the job can be found again,
// the program that becomes the worker, how many workers the submitter can be, and the folder that relative names are
// relative to.
func preparePortable() error {
	if *jobopts.JobName == "" {
		*jobopts.JobName = "gleaner-" + folder.Unique()
	}
	if *jobopts.WorkerBinary == "" && !loopback() { // or Beam builds it again, from source
		self, err := os.Executable()
		if err != nil {
			return fmt.Errorf("run: this program's file, which workers need: %w", err)
		}
		*jobopts.WorkerBinary = self
	}
	if loopback() && *jobopts.Parallelism < 1 {
		// Flink's task managers number workers alike: of one submitter, two would ask for the same one
		*jobopts.Parallelism = 1
	}
	// Workers may start in any folder; names on the command line mean the submitter's.
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("run: the folder that relative names are relative to: %w", err)
	}
	return hooks.EnableHook(workerHook, dir)
}
