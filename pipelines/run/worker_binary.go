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

// howToBuild is what a user does about a program that cannot be a worker.
const howToBuild = "build one by CGO_ENABLED=0 GOOS=linux GOARCH=%s go build -o worker and name it by " +
	"--worker_binary=worker"

// chooseWorkerBinary sees to it that the program which is staged for the workers can run on them. Where none is named
// it is this program itself. (Beam would compile one, from sources that it looks for in a stack trace.)
// The processor follows from the type of the machines, because the service starts those.
func chooseWorkerBinary() error {
	machine := elf.EM_X86_64
	architecture := "amd64"
	if isARM(flagValue("worker_machine_type")) || isARM(flagValue("machine_type")) {
		machine, architecture = elf.EM_AARCH64, "arm64"
	}
	// A program that the user named may need libraries: the image of the workers may be the user's own.
	path, named := *jobopts.WorkerBinary, *jobopts.WorkerBinary != ""
	if !named {
		var err error
		if path, err = os.Executable(); err != nil {
			return err
		}
	}
	found, static, err := inspect(path)
	help := fmt.Sprintf(howToBuild, architecture)
	// Each of these would show only minutes later, when the workers have started and fail.
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

// inspect tells which processor a Linux program is for, and whether it needs no libraries of the system.
func inspect(path string) (machine elf.Machine, static bool, err error) {
	f, err := elf.Open(path)
	if err != nil {
		// A static program has no interpreter, as ELF calls the loader of libraries.
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
