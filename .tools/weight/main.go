// Command weight prints the sizes of programs that import packages of the project, and of the commands, with their
// budgets. It fails if a program exceeds its budget. Programs are built for Linux on amd64, as with `go build`; those
// of releases, as with `make release`.
//
//	go run ./.tools/weight          # all, some minutes
//	go run ./.tools/weight -quick   # importers alone
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const module = "github.com/gleaner-web/gleaner/"

// programs are the programs to measure, with their budgets in MB (10^6 bytes); 0 for none.
var programs = []struct {
	name     string
	importer bool // a program that only imports the package
	release  bool
	tags     string
	budget   float64
}{
	{"pipelines/cli", true, false, "", 6},
	{"io/collection", true, false, "", 15},
	{"transforms/langid", true, false, "", 25},
	{"transforms/enrich", true, false, "", 55},
	{"pipelines/ingest", false, false, "", 190},
	{"pipelines/ingest", false, true, "", 130},
	{"pipelines/ingest", false, true, "local", 80},
	// These have all commands in one program; docs/install.md says what each tag leaves out.
	{"pipelines/gleaner", false, true, "", 180},
	{"pipelines/gleaner", false, true, "nos3", 0},
	{"pipelines/gleaner", false, true, "noiceberg", 0},
	{"pipelines/gleaner", false, true, "noiceberg,nos3", 0},
	{"pipelines/gleaner", false, true, "local", 130},
	// Those of wheels.
	{"pipelines/gleaner", false, true, "noiceberg,arrow_json_stdlib", 0},
	{"pipelines/gleaner", false, true, "local,arrow_json_stdlib", 115},
}

func main() {
	quick := flag.Bool("quick", false, "importers alone")
	flag.Parse()
	if err := weigh(*quick); err != nil {
		fmt.Fprintln(os.Stderr, "weight:", err)
		os.Exit(1)
	}
}

func weigh(quick bool) error {
	dir, err := os.MkdirTemp("", "weight-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is temporary
	heavy := 0
	fmt.Printf("%-42s %10s %10s\n", "program", "MB", "at most")
	for _, p := range programs {
		if quick && !p.importer {
			continue
		}
		source := "./" + p.name
		if p.importer {
			if source, err = importer(dir, p.name); err != nil {
				return err
			}
		}
		size, err := build(dir, source, p.tags, p.release)
		if err != nil {
			return err
		}
		name := p.name
		if p.release {
			name += ", release"
		}
		if p.tags != "" {
			name += ", " + p.tags
		}
		fmt.Printf("%-42s %10.1f %10s\n", name, size, limit(p.budget))
		if p.budget > 0 && size > p.budget {
			heavy++
		}
	}
	if heavy > 0 {
		return fmt.Errorf("%d above their budgets", heavy)
	}
	return nil
}

// limit returns a budget as the table shows it.
func limit(budget float64) string {
	if budget == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", budget)
}

// importer writes a program that imports a package and does nothing.
func importer(dir, name string) (string, error) {
	file := filepath.Join(dir, "main.go")
	source := fmt.Sprintf("package main\n\nimport _ %q\n\nfunc main() {}\n", module+name)
	return file, os.WriteFile(file, []byte(source), 0o644)
}

// build returns the size of a program in MB.
func build(dir, source, tags string, release bool) (float64, error) {
	out := filepath.Join(dir, "program")
	args := []string{"build", "-trimpath", "-o", out}
	if release {
		args = append(args, "-tags", strings.Trim("disable_grpc_modules,"+tags, ","), "-ldflags=-s -w")
	}
	cmd := exec.Command("go", append(args, source)...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("build %s: %w", source, err)
	}
	info, err := os.Stat(out)
	if err != nil {
		return 0, err
	}
	return float64(info.Size()) / 1e6, nil
}
