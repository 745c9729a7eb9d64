package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// reader is a program that reads archives. Every reader takes file names. It prints a line for each (records, HTTP
// heads, payload bytes and error, separated by tabs), and then named figures (name, tab, number).
type reader struct {
	name    string
	command []string // nil if not available
	formats []string // extensions that it reads
	parses  bool     // false if it only inflates and its totals are not of records
}

var formats = []string{".warc.gz", ".warc.zst", ".warc"}

// python runs peers.py; its first argument is the task. It is nil without Python.
type python []string

// setUp builds the readers, ours first. It skips readers that cannot be built.
func setUp() (python, []reader, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	py, native := setUpPython(), setUpRust()
	with := func(program []string, mode string) []string {
		if program == nil {
			return nil
		}
		return pinned(append(program[:len(program):len(program)], mode)...)
	}
	return py, []reader{
		{"Gleaner", pinned(self, "-read", "1"), formats, true},
		{"Gleaner, payload skipped", pinned(self, "-heads", "-read", "1"), []string{".warc"}, true},
		{"FastWARC, native Rust", with(native, "fastwarc"), formats, true},
		{"FastWARC, Python wheel", with(py, "fastwarc"), formats, true},
		{"warcio", with(py, "warcio"), []string{".warc.gz", ".warc"}, true},
		{"libdeflate, inflating alone", with(native, "libdeflate"), []string{".warc.gz"}, false},
	}, nil
}

func setUpPython() python {
	program := filepath.Join(cache, "venv", "bin", "python")
	if _, err := os.Stat(program); err != nil && !quietly("python3", "-m", "venv", filepath.Join(cache, "venv")) {
		return nil
	}
	if !quietly(program, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", here+"/requirements.txt") {
		return nil
	}
	return python{program, here + "/peers.py"}
}

func setUpRust() []string {
	target := filepath.Join(cache, "rust")
	if !quietly("cargo", "build", "-q", "--release", "--locked", "--manifest-path", here+"/rust/Cargo.toml",
		"--target-dir", target) {
		return nil
	}
	return []string{filepath.Join(target, "release", "records-peers")}
}

// quietly runs a command, reports whether it succeeded, and notes errors.
func quietly(name string, args ...string) bool {
	note("%s %s", name, strings.Join(args, " "))
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		note("goes on without: %v\n%s", err, out)
	}
	return err == nil
}

// pinned returns the command pinned to one core if possible.
func pinned(command ...string) []string {
	pin := []string{"taskset", "-c", "0"}
	if exec.Command(pin[0], append(pin[1:], "true")...).Run() != nil {
		return command
	}
	return append(pin, command...)
}

// outcome is a reader's result for a file.
type outcome struct {
	totals
	err string
}

// result is the result of a reader's run.
type result struct {
	files     []outcome
	figures   map[string]int64 // peak (KiB), mallocs
	cpu, wall time.Duration
}

func (r *result) sum() (sum totals) {
	for _, f := range r.files {
		sum.add(f.totals)
	}
	return sum
}

// run reads files in a process with the given number of cores.
func (r *reader) run(files []string, cores int) (*result, error) {
	cmd := exec.Command(r.command[0], append(r.command[1:len(r.command):len(r.command)], files...)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(cores))
	start := time.Now()
	out, err := cmd.Output()
	wall := time.Since(start)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("%s: %w: %s", r.name, err, exit.Stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	res, err := parse(string(out))
	if err != nil {
		return nil, fmt.Errorf("%s printed: %w", r.name, err)
	}
	if len(res.files) != len(files) {
		return nil, fmt.Errorf("%s printed %d lines for %d files", r.name, len(res.files), len(files))
	}
	res.wall, res.cpu = wall, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	return res, nil
}

// parse parses a reader's output.
func parse(out string) (*result, error) {
	res := &result{figures: map[string]int64{}}
	for line := range strings.Lines(out) {
		var f outcome
		if _, err := fmt.Sscan(line, &f.records, &f.heads, &f.payload); err == nil {
			f.err = strings.TrimSpace(line[strings.LastIndex(line, "\t")+1:])
			res.files = append(res.files, f)
			continue
		}
		var name string
		var n int64
		if _, err := fmt.Sscan(line, &name, &n); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		res.figures[name] = n
	}
	return res, nil
}
