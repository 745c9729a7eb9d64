// Command tested turns the output of `go test -json` into that of `go test`. Then it prints how many tests were
// skipped, and why. It exits with 1 if a test or a package failed.
//
//	go test -json ./... | go run ./.tools/tested
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	failed, err := report(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tested:", err)
	}
	if failed || err != nil {
		os.Exit(1)
	}
}

// event is a line of `go test -json`; see `go doc test2json` and `go help buildjson`.
type event struct {
	Action      string
	Package     string
	Test        string // empty for a package
	Output      string
	FailedBuild string
}

// skip is a skipped test.
type skip struct{ reason, test string }

// results holds the events so far.
type results struct {
	out     io.Writer
	printed map[[2]string][]string // output by package and test, until that has ended
	passed  int
	failed  bool
	skips   []skip
}

// report copies what go test prints and adds the skipped tests. failed reports whether something failed.
func report(in io.Reader, out io.Writer) (failed bool, err error) {
	r := &results{out: out, printed: map[[2]string][]string{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil || e.Action == "" {
				_, _ = out.Write(line) // from go itself, such as an error in its flags
			} else {
				r.take(e)
			}
		}
		if err == io.EOF {
			r.summarize()
			return r.failed, nil
		}
		if err != nil {
			return r.failed, err
		}
	}
}

// take handles an event.
func (r *results) take(e event) {
	key := [2]string{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		_, _ = io.WriteString(r.out, e.Output)
	case "build-fail":
		r.failed = true
	case "output":
		r.printed[key] = append(r.printed[key], e.Output)
	case "pass", "fail", "skip":
		r.end(e, key)
		delete(r.printed, key)
	}
}

// end prints the output of go test for a test or a package that has ended.
func (r *results) end(e event, key [2]string) {
	switch failed := e.Action == "fail"; {
	case e.Test == "":
		r.failed = r.failed || failed
		r.endPackage(e.Package, failed)
	case failed:
		r.failed = true
		r.print(r.printed[key], nil)
	case e.Action == "skip":
		r.skips = append(r.skips, skip{reason(r.printed[key]), e.Package + " " + e.Test})
	default:
		r.passed++
		r.print(r.printed[key], seed)
	}
}

// seed matches the line of a test with random inputs. With this seed, the same inputs can be tested again.
var seed = regexp.MustCompile(`\bGLEANER_SEED=\d+`)

// verdict matches the last line of a package.
var verdict = regexp.MustCompile(`^(ok  |FAIL|\?   )\t`)

// endPackage prints a package's last line. If the package failed, it prints all its output, including that of
// unfinished tests.
func (r *results) endPackage(name string, failed bool) {
	own := [2]string{name, ""}
	if !failed {
		r.print(r.printed[own], verdict)
		return
	}
	byTest := func(a, b [2]string) int { return cmp.Compare(a[1], b[1]) }
	for _, key := range slices.SortedFunc(maps.Keys(r.printed), byTest) {
		if key[0] == name && key != own {
			r.print(r.printed[key], nil)
			delete(r.printed, key)
		}
	}
	r.print(r.printed[own], nil)
}

// print prints the lines that only matches. If only is nil, it prints all lines except those that -v adds.
func (r *results) print(lines []string, only *regexp.Regexp) {
	for _, line := range lines {
		if only != nil && !only.MatchString(line) || strings.HasPrefix(line, "=== ") {
			continue
		}
		_, _ = io.WriteString(r.out, line)
	}
}

// place matches the position of a message in a test's source, at the start of its first line.
var place = regexp.MustCompile(`^\s*[\w.-]+\.go:\d+: `)

// reason returns the first line of the message of a skipped test.
func reason(lines []string) string {
	for _, line := range lines {
		if at := place.FindString(line); at != "" {
			return strings.TrimSpace(line[len(at):])
		}
	}
	return "no reason given"
}

// summarize prints the skipped tests by reason, those of the most frequent reason first.
func (r *results) summarize() {
	byReason := map[string][]string{}
	for _, s := range r.skips {
		byReason[s.reason] = append(byReason[s.reason], s.test)
	}
	reasons := slices.SortedFunc(maps.Keys(byReason), func(a, b string) int {
		return cmp.Or(len(byReason[b])-len(byReason[a]), cmp.Compare(a, b))
	})
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n%d tests passed, %d were skipped", r.passed, len(r.skips))
	if len(reasons) > 0 {
		b.WriteByte(':')
	}
	b.WriteByte('\n')
	for _, reason := range reasons {
		fmt.Fprintf(&b, "%6d  %s\n", len(byReason[reason]), reason)
		for _, test := range byReason[reason] {
			fmt.Fprintf(&b, "          %s\n", strings.TrimPrefix(test, "github.com/gleaner-web/gleaner/"))
		}
	}
	_, _ = r.out.Write(b.Bytes()) // to standard output, like the rest
}
