// Command figures measures the structure of this module, and exits with 1 if a budget is exceeded. It covers the
// lengths of lines, functions and files, and the share of comments. It also covers the dependencies between wings of
// io, and between files of large packages.
//
//	go run ./.tools/figures
//
// It skips generated files and folders whose names begin with a dot. Tests have their own lines.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
)

func main() {
	if err := figures(os.Stdout, "."); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// figure is a line of the table.
type figure struct {
	name   string
	value  int
	budget int // maximum, or minimum with least; 0 for none, zero for 0
	least  bool
	note   string
}

// zero is a budget of 0.
const zero = -1

// exceeded reports whether the value exceeds its budget.
func (f figure) exceeded() bool {
	switch {
	case f.budget == zero:
		return f.value > 0
	case f.least:
		return f.value < f.budget
	}
	return f.budget > 0 && f.value > f.budget
}

// limit formats the budget for the table.
func (f figure) limit() string {
	switch {
	case f.budget == 0:
		return ""
	case f.budget == zero:
		return "<= 0"
	case f.least:
		return fmt.Sprintf(">= %d", f.budget)
	}
	return fmt.Sprintf("<= %d", f.budget)
}

var errExceeded = errors.New("a budget is exceeded")

// figures measures the module in dir and prints the table.
func figures(w io.Writer, dir string) error {
	code, err := readCode(dir)
	if err != nil {
		return err
	}
	house, err := readWings(dir)
	if err != nil {
		return err
	}
	rooms, err := roomFigures(dir)
	if err != nil {
		return err
	}
	tests, err := testFigures(dir)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range slices.Concat(code.figures(), tests, house.figures(), rooms) {
		mark := ""
		if f.exceeded() {
			mark, err = "EXCEEDED", errExceeded
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\n", f.name, f.value, f.limit(), mark, f.note)
	}
	return errors.Join(t.Flush(), err)
}
