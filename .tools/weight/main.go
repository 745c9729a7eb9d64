// Weight prints how large programs become that import packages of the project, and how large the commands are, beside
// their budgets, and fails when one is above its own. Programs are built for Linux on amd64, as `go build` does it,
// those of releases as `make release` does it.
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
)

const module = "github.com/gleaner-web/gleaner/"

// programs are what is measured, and the most that each may have, MB of a million bytes; 0 where nothing is asked.
var programs = []struct {
	name     string
	importer bool // a program that only imports the package
	release  bool
	budget   float64
}{
	{"pipelines/cli", true, false, 6},
	{"io/collection", true, false, 15},
	{"transforms/langid", true, false, 25},
	{"transforms/enrich", true, false, 55},
	{"pipelines/ingest", false, false, 190},
	{"pipelines/ingest", false, true, 130},
	// All commands in one program, the servers of its databases and Iceberg among them: it is shown and has no budget.
	{"pipelines/gleaner", false, true, 0},
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
	fmt.Printf("%-28s %10s %10s\n", "program", "MB", "at most")
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
		size, err := build(dir, source, p.release)
		if err != nil {
			return err
		}
		name := p.name
		if p.release {
			name += ", release"
		}
		fmt.Printf("%-28s %10.1f %10s\n", name, size, limit(p.budget))
		if p.budget > 0 && size > p.budget {
			heavy++
		}
	}
	if heavy > 0 {
		return fmt.Errorf("%d above their budgets", heavy)
	}
	return nil
}

// limit is a budget as the table shows it.
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

// build returns the size of a program, MB.
func build(dir, source string, release bool) (float64, error) {
	out := filepath.Join(dir, "program")
	args := []string{"build", "-trimpath", "-o", out}
	if release {
		args = append(args, "-tags", "disable_grpc_modules", "-ldflags=-s -w")
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
