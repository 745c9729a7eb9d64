//go:build !local

package run

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

const howToBuild = "build one by CGO_ENABLED=0 GOOS=linux GOARCH=%s go build -o worker and name it by " +
	"--worker_binary=worker"

// chooseWorkerBinary checks that the program for the workers can run on their type of machine. By default it is this
// program. Beam would compile one, from sources that it looks for in a stack trace.
func chooseWorkerBinary() error {
	machine := elf.EM_X86_64
	architecture := "amd64"
	if isARM(flagValue("worker_machine_type")) || isARM(flagValue("machine_type")) {
		machine, architecture = elf.EM_AARCH64, "arm64"
	}
	// A named program may need libraries, since the workers may have the user's own image.
	path, named := *jobopts.WorkerBinary, *jobopts.WorkerBinary != ""
	if !named {
		var err error
		if path, err = os.Executable(); err != nil {
			return err
		}
	}
	found, static, err := inspect(path)
	help := fmt.Sprintf(howToBuild, architecture)
	// These errors would otherwise show only minutes later.
	switch {
	case errors.Is(err, os.ErrNotExist):
		return cli.Usagef("--worker_binary=%s is not there", path)
	case err != nil:
		return cli.Usagef("%s cannot run on Dataflow's workers, which run Linux (%v): %s", path, err, help)
	case found != machine:
		return cli.Usagef("%s is a program for %v, and the workers' machines are %v: %s", path, found, machine, help)
	case !named && !static:
		return cli.Usagef("this program needs libraries that Dataflow's workers may not have: %s", help)
	}
	*jobopts.WorkerBinary = path
	return nil
}

// inspect returns the processor of a Linux program, and whether it needs no system libraries.
func inspect(path string) (machine elf.Machine, static bool, err error) {
	f, err := elf.Open(path)
	if err != nil {
		// A static program has no interpreter, ELF's loader of libraries.
		return 0, false, err
	}
	static = !slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
	return f.Machine, static, f.Close()
}

// isARM reports whether machines of a type have ARM processors: t2a-standard-4, c4a-highmem-8, n4a-…
func isARM(machineType string) bool {
	family, _, _ := strings.Cut(machineType, "-")
	return slices.Contains([]string{"t2a", "c4a", "n4a"}, family)
}
